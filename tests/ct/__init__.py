"""Constant time: memcheck follows the secrets through every operation."""
