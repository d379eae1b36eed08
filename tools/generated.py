"""What the programs that write a page of docs/ share: write it, or with --check say that it is out of date."""

from __future__ import annotations

import sys
from pathlib import Path


def write_or_check(page: Path, text: str) -> int:
    """Exit status. With --check on the command line: 1, and a message, where the page is not what it should be."""
    if "--check" not in sys.argv[1:]:
        page.write_text(text)
        return 0
    if page.exists() and page.read_text() == text:
        return 0
    print(f"{page.name} is not what the sources say now: run `make docs`", file=sys.stderr)
    return 1
