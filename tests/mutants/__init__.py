"""Mechanical faults in the C of ML-DSA, each of which the tests must notice."""
