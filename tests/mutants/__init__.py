"""Mechanical faults in the C of ML-DSA and ML-KEM, each of which the tests must notice."""
