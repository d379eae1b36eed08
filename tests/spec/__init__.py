"""The standards as readable pure Python: what every other implementation is held against."""
