"""The core in C: programs that run it without Python, the test library, and its doors."""
