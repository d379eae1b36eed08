"""The independent auditor pq-verify, and the program through which it asks girih."""
