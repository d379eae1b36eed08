"""Finds the places where a C function can be wrong by one token, and makes each fault mechanically.

Mutated are the bodies of functions: every comparison (the neighbouring one, and off by one), every integer and every parameter of the set
(+-1), every sign, every mask, shift and complement, every `&&` and `||`, every condition, every early return, `continue` and `break`, every
error status. Comments, declarations of arrays, static assertions and the marks for tools are not code that runs and are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.core.build import CORE
from tools.csource import functions

TOKEN = re.compile(
    r"(?P<space>\s+|/\*.*?\*/|//[^\n]*)|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')|(?P<number>\d[\w.]*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)",
    re.DOTALL,
)
# What stands in a body and does not run, or only for tools.
INERT = re.compile(
    r"_Static_assert\(.*?\);|GIRIH_(?:SECRET|DECLASSIFY|TEST_EVENT)\(.*?\);"
    r"|^\s*(?:const |static )*(?!return\b|else\b|goto\b)\w+ \*?\w+(?:\[[^\]]*\])+(?:, \w+(?:\[[^\]]*\])*)*;"
    r"|\bsizeof\b[^;,)]*\)?|\((?:const )?\w+ \*+\)",
    re.DOTALL | re.MULTILINE,
)
SWAPS = {
    "<": ("<=", "+ 1 <"),
    "<=": ("<", "- 1 <="),
    ">": (">=", "- 1 >"),
    ">=": (">", "+ 1 >="),
    "==": ("!=",),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
    "+": ("-",),
    "-": ("+",),
    "+=": ("-=",),
    "-=": ("+=",),
    "&": ("|",),
    "|": ("&",),
    "^": ("|",),
    "&=": ("|=",),
    "|=": ("&=",),
    "<<": (">>",),
    ">>": ("<<",),
    "<<=": (">>=",),
    ">>=": ("<<=",),
}


@dataclass(frozen=True)
class Mutant:
    """One fault: `before` at `offset` of `file` becomes `after`."""

    file: str  # from core/src
    function: str
    offset: int
    before: str
    after: str
    line: str  # the source line as it stands, stripped
    ordinal: int  # which of the equal faults of this line

    def __str__(self) -> str:
        return f"{self.file} | {self.function} | {self.line} | {self.before} -> {self.after} | {self.ordinal}"

    def apply(self, text: str) -> str:
        """The file with the fault."""
        assert text.startswith(self.before, self.offset)
        return text[: self.offset] + self.after + text[self.offset + len(self.before) :]


def faults(body: str) -> Iterator[tuple[int, str, str]]:
    """(offset, before, after) of every fault of a function's body, in the order of the text."""
    inert = [found.span() for found in INERT.finditer(body)]
    tokens = [(m.start(), m[0], m.lastgroup) for m in TOKEN.finditer(body) if m.lastgroup != "space"]
    for index, (at, token, kind) in enumerate(tokens):
        if any(start <= at < end for start, end in inert):
            continue
        previous = tokens[index - 1][1] if index else ";"
        before_that = tokens[index - 2][1] if index > 1 else ";"
        following = tokens[index + 1][1] if index + 1 < len(tokens) else ";"
        after_value = bool(re.fullmatch(r"\w+|\)|\]", previous)) and previous not in ("return", "case")
        if kind == "number":
            yield at, token, f"({token} + 1)"
            yield at, token, f"({token} - 1)"
        elif kind == "name":
            yield from name_faults(body, at, token, previous, before_that, following)
        elif token in "+-" and not after_value:
            if token == "-":
                yield at, token, " "
        elif token in SWAPS and (after_value or token not in "&*"):
            for swapped in SWAPS[token]:
                yield at, token, swapped
        elif token in ("~", "!"):
            yield at, token, " "


def name_faults(
    body: str, at: int, name: str, previous: str, before_that: str, following: str
) -> Iterator[tuple[int, str, str]]:
    """Faults at an identifier or keyword."""
    if name in ("continue", "break") and following == ";":
        yield at, name, ""
    elif name == "return":
        end = body.index(";", at) + 1
        statement = body[at:end]
        if body[end:].strip():  # the last statement of a function cannot go
            yield at, statement, ";"
        if re.fullmatch(r"return GIRIH_(?!OK)\w+;", statement):
            yield at, statement, "return GIRIH_OK;"
    elif name in ("if", "while") and following == "(":
        end = closing(body, body.index("(", at))
        condition = body[body.index("(", at) + 1 : end]
        if not re.search(r"[<>=!]=|(?<!-)[<>]|&&|\|\|", condition):
            yield body.index("(", at) + 1, condition, f"!({condition})"
    elif re.fullmatch(r"[A-Z][A-Z0-9_]*", name) and not name.startswith(
        ("GIRIH_OK", "GIRIH_BAD", "GIRIH_EVENT", "UINT", "INT")
    ):
        if following != "(" and re.match(r"(GIRIH_)?ML(DSA|KEM)|SHAKE|SEED|CHUNK", name):
            yield at, name, f"({name} + 1)"
            yield at, name, f"({name} - 1)"
    elif previous == "->" and before_that == "p" and following not in ("(", "[", "="):
        yield at - 3, f"p->{name}", f"(p->{name} + 1)"
        yield at - 3, f"p->{name}", f"(p->{name} - 1)"


def closing(text: str, start: int) -> int:
    """The offset of the parenthesis that closes the one at start."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("unbalanced parentheses")


def mutants(file: Path) -> Iterator[Mutant]:
    """Every mutant of a file of the core."""
    text = file.read_text()
    for function in functions(file):
        seen: dict[tuple[str, str, str], int] = {}
        for at, before, after in faults(function.body):
            offset = function.start + at
            line = text[text.rindex("\n", 0, offset) + 1 : text.index("\n", offset)].strip()
            line = re.sub(r"\s*/\*.*", "", line)
            key = (line, before, after)
            ordinal = seen[key] = seen.get(key, 0) + 1
            name = str(file.relative_to(CORE / "src"))
            yield Mutant(name, function.name, offset, before, after, line, ordinal)
