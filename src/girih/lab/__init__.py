"""The embedded laboratory: builds the core for a microcontroller, runs it under emulation (or reads a board's log),
and says what it costs.

`girih lab run` is the way in; `girih.lab.measure.measure` is the same from Python. Instruction counts and bytes are
exact, cycles are modelled and carry their error, and every row of a result says which of the two it is."""
