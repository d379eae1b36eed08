"""Every mode that the vectors run in, in this process: the C interface on each backend, and the Python package on its
active one. tests/test_vectors_backends.py runs the vectors in a process for each other backend of the package."""

from __future__ import annotations

from . import Subject, native, python


def every() -> list[Subject]:
    """All of them."""
    return [*native.subjects(), *python.subjects()]


def of_python() -> list[Subject]:
    """Those of the Python package."""
    return list(python.subjects())


def fastest() -> list[Subject]:
    """The one for what takes hours."""
    return [python.Python(expanded=True)]
