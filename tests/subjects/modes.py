"""Every mode that the vectors run in."""

from __future__ import annotations

import girih

from . import Subject, lowram, native, python


def every() -> list[Subject]:
    """The C interface on each backend, with tables and without, and the Python package with expanded and compact keys."""
    return [*native.subjects(), *lowram.subjects(), *python.subjects()]


def thorough() -> list[Subject]:
    """For what takes seconds: the Python package on each backend, and compact keys on the active one."""
    return [*(python.Python(name, expanded=True) for name in girih.backends()), python.Python(girih.backend(), False)]


def fastest() -> list[Subject]:
    """For what takes hours."""
    return [python.Python(girih.backend(), expanded=True)]
