"""The newest result line of each kind, and how the pages write its figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from girih.lab import rows
from girih.lab.rows import Row

ATTEMPTS = {"ml-dsa-44": 4.36, "ml-dsa-65": 5.14, "ml-dsa-87": 3.91}  # at which costs are compared


class Newest:
    """The newest row of each kind."""

    FILES: ClassVar[tuple[str, ...]]  # in benchmarks/results
    KEYS: ClassVar[tuple[str, ...]]  # what makes a kind

    def __init__(self, found: Iterable[Row]) -> None:
        self.found: dict[tuple[Any, ...], Row] = {tuple(row.get(key) for key in self.KEYS): row for row in found}

    @classmethod
    def read(cls, folder: Path) -> Self:
        return cls(row for name in cls.FILES for row in rows.read(folder / name))

    def all(self, **wanted: Any) -> list[Row]:
        """Rows whose fields are as wanted, in the order in which they were first written."""
        return [row for row in self.found.values() if all(row.get(key) == value for key, value in wanted.items())]

    def one(self, **wanted: Any) -> Row | None:
        found = self.all(**wanted)
        return found[-1] if found else None


class Results(Newest):
    """Of ML-DSA, Keccak and the models."""

    FILES = (
        "lab.jsonl",
        "lab-ladder.jsonl",
        "lab-sweep.jsonl",
        "lab-latency.jsonl",
        "lab-attest.jsonl",
        "lab-model.jsonl",
    )
    KEYS = (
        "op", "scheme", "target", "mode", "kernel", "hardening", "variant", "kind", "implementation", "published_op",
    )  # fmt: skip


class KemResults(Newest):
    """Of ML-KEM."""

    FILES = ("mlkem-lab.jsonl",)
    KEYS = ("op", "scheme", "target", "mode", "kernel", "hardening", "setup", "mhz")

    def operation(self, target: str, scheme: str, mode: str, op: str) -> Row | None:
        """An operation of the firmware, hardened; or of the portable backend on the host."""
        hardening = {} if target == "host" else {"hardening": True}
        return self.one(target=target, scheme=scheme, mode=mode, op=op, **hardening)

    def setup(self, target: str, scheme: str, name: str, mhz: int, op: str = "kem-setup") -> Row | None:
        return self.one(target=target, scheme=scheme, setup=name, mhz=mhz, op=op)


def number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def millions(value: float | None) -> str:
    return "" if value is None else f"{value / 1e6:,.2f} M"


def table(columns: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """A Markdown table; the first column is text."""
    written = [" | ".join(str(cell) for cell in line) for line in lines]
    rule = " | ".join(["---", *["---:"] * (len(columns) - 1)])
    return "\n".join([f"| {' | '.join(columns)} |", f"| {rule} |", *(f"| {line} |" for line in written)])


def cost(row: Row) -> float:
    """Instructions of a call; for signing, of one with the mean attempts at which all are compared."""
    fit = row.get("attempts_fit")
    return float(fit["a"] + fit["b"] * ATTEMPTS[row["scheme"]]) if fit else float(row["instructions"]["mean"])


def ram(row: Row) -> int:
    """Stack, workspace and written static memory."""
    return int(row["stack_bytes"] + row["workspace_bytes"] + row["static_written_bytes"])


def percent(value: float) -> str:
    return f"{value:.1%}"
