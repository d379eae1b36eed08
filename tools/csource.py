"""Reads the functions of the core's C, as its style writes them: the definition and its brace at the start of a line, its comment above."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "core" / "src"
DEFINITION = re.compile(
    r"^(?!typedef|struct|enum|union)[A-Za-z_][^\n;{}#]*?\b(?P<name>\w+)\((?P<arguments>[^;{}]*)\)\s*\n\{\n",
    re.MULTILINE,
)
COMMENT = re.compile(r"/\*(?P<text>(?:(?!\*/).)*)\*/\n\Z", re.DOTALL)


@dataclass(frozen=True)
class Function:
    """One definition."""

    name: str
    file: str  # from the root of the checkout
    comment: str  # what stands right above it, as one line; "" where nothing does
    body: str  # between its braces
    start: int  # offset of the body in the file
    public: bool  # not static


def functions(path: Path) -> Iterator[Function]:
    """Every function that a file defines, in order."""
    text = path.read_text()
    for found in DEFINITION.finditer(text):
        end = text.index("\n}\n", found.end() - 1) + 1
        above = COMMENT.search(text[: found.start()])
        comment = re.sub(r"\s*\n \*\s?|\s+", " ", above["text"]).strip() if above else ""
        static = re.match(r"(static|INLINE)\b", found[0]) is not None
        yield Function(
            found["name"], str(path.relative_to(ROOT)), comment, text[found.end() : end], found.end(), not static
        )


def sources(*suffixes: str) -> list[Path]:
    """The core's files with these suffixes (".c", ".h")."""
    return sorted(path for suffix in suffixes for path in CORE.rglob(f"*{suffix}"))


def without_comments(text: str) -> str:
    """C without its comments; as many characters, the newlines kept."""
    blank = re.compile(r"[^\n]")
    pattern = re.compile(r"/\*.*?\*/|//[^\n]*|(\"(?:\\.|[^\"\\])*\")", re.DOTALL)
    return pattern.sub(lambda found: found[0] if found[1] else blank.sub(" ", found[0]), text)


def call_arguments(text: str, start: int) -> list[str]:
    """The arguments of the call whose opening parenthesis is at text[start]."""
    found = []
    depth = 0
    last = start + 1
    quoted = False
    for at in range(start, len(text)):
        character = text[at]
        if character == '"' and text[at - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        if depth == 0 or (depth == 1 and character == ","):
            found.append(" ".join(text[last:at].split()))
            last = at + 1
        if depth == 0:
            return found
    raise ValueError("a call without its closing parenthesis")
