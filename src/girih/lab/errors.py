"""What can go wrong in the laboratory."""

from __future__ import annotations


class LabError(Exception):
    """A build, a run or a log is not what it should be; the message says which and why."""


class ToolMissing(LabError):
    """A program or a package is not installed; the message has the line that installs it."""
