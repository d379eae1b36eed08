"""Ways to build the core, and what must hold in each: warnings, symbols, instructions, sanitizers."""
