"""Reads argued.txt: the mutants that no test can notice, each with the reason.

A paragraph is a reason, on lines that begin with "# ", followed by the mutants that it holds for, one a line, as str(Mutant) writes them.
"""

from __future__ import annotations

from pathlib import Path

FILE = Path(__file__).with_name("argued.txt")


def argued() -> dict[str, str]:
    """Mutant -> reason."""
    found: dict[str, str] = {}
    for paragraph in FILE.read_text().split("\n\n"):
        lines = paragraph.strip().splitlines()
        reason = " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))
        for line in lines:
            if not line.startswith("#"):
                if not reason:
                    raise ValueError(f"argued.txt: no reason for {line}")
                found[line] = reason
    return found
