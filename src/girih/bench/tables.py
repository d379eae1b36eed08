"""Markdown tables of saved results: ``python -m girih.bench.tables [--short] FILE…``. Documents show what it prints.

A file holds the JSON lines of ``girih bench --save``; of each file the latest run is shown, one table a message size.
``--short`` prints the rows that the README has, of a race of Python packages over all sets and operations.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def latest(path: Path) -> list[Record]:
    """The records of the latest run of a file: those with its last date."""
    records: list[Record] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    last = max(record["date"] for record in records)
    return [record for record in records if record["date"] == last]


def tables(records: Sequence[Record]) -> str:
    """What the run was, then its tables."""
    first = records[0]
    build = f"girih {first['version']} at {first['commit'][:12]}, {first['compiler']} {first['flags']}, backend {first['backend']}"
    lines = [f"{build}; {first['cpu']}, {first['system']}, {first['python']}; {first['date'][:10]}."]
    if "workers" in first:
        return "\n".join([*lines, "", *_scaling(records)])
    sizes = dict.fromkeys(record["message_size"] for record in records if record["message_size"] is not None)
    for i, size in enumerate(sizes or [None]):
        shown = {size, None} if i == 0 else {size}  # key generation has no message: it stands in the first table
        lines += ["", *_race([record for record in records if record["message_size"] in shown], size)]
    return "\n".join(lines)


def short(records: Sequence[Record]) -> str:
    """The rows of a table with a column for each set: girih's prepared keys, then how many times longer other packages' take."""
    sets = list(dict.fromkeys(record["set"] for record in records))
    size = min(record["message_size"] for record in records if record["message_size"] is not None)
    prepared = [r for r in records if r["form"] == "prepared" and r["message_size"] in (size, None)]
    names = {"keygen": "key generation", "sign": "signing", "verify": "verification"}
    own = {(r["op"], r["set"]): f"{r['mean']:.1f}" for r in prepared if r["who"] == "girih"}
    lines = [f"| {name}, us | {' | '.join(own[op, s] for s in sets)} |" for op, name in names.items()]
    for who in dict.fromkeys(r["who"] for r in prepared if r["who"] != "girih"):
        times = {(r["op"], r["set"]): r["ratios"]["prepared"]["mean"] for r in prepared if r["who"] == who}
        cells = [" / ".join(f"{times[op, s]:.{0 if times[op, s] >= 10 else 1}f}" for op in names) for s in sets]
        lines.append(f"| {who} takes, times as long | {' | '.join(cells)} |")
    return "\n".join(lines)


def _race(records: Sequence[Record], size: int | None) -> Iterable[str]:
    """A row for each contestant and form, a column for each set: microseconds in the mean, and how many times girih's prepared key."""
    sets = list(dict.fromkeys(record["set"] for record in records))
    title = "" if size is None else f", messages of {size} B"
    yield f"| us{title} | who | key | {' | '.join(sets)} |"
    yield f"|---|---|---|{'---:|' * len(sets)}"
    cells: dict[tuple[str, str, str], dict[str, str]] = {}
    for r in records:
        name = r["who"].split(":")[0] if r["group"] == "c" else r["who"]
        times = r["ratios"].get("prepared")
        text = f"{r['mean']:.1f}" + (f" ({times['mean']:.2f}x)" if times else "")
        cells.setdefault((r["op"], name, r["form"]), {})[r["set"]] = text
    for (op, name, form), by_set in cells.items():
        yield f"| {op} | {name} | {form} | {' | '.join(by_set.get(s, '') for s in sets)} |"


def _scaling(records: Sequence[Record]) -> Iterable[str]:
    yield "| op | who | set | message | workers | threads, ops/s | processes, ops/s | threads / processes | rounds |"
    yield "|---|---|---|---:|---:|---:|---:|---:|---:|"
    for r in records:
        found = r["threads_over_processes"]
        yield (
            f"| {r['op']} | {r['who']} | {r['set']} | {r['message_size']} | {r['workers']} "
            f"| {r['threads_ops_per_second']['median']:,.0f} | {r['processes_ops_per_second']['median']:,.0f} "
            f"| {found['median']:.3f} | {found['rounds']} |"
        )


if __name__ == "__main__":
    paths = [argument for argument in sys.argv[1:] if argument != "--short"]
    for argument in paths:
        print((tables if len(paths) == len(sys.argv) - 1 else short)(latest(Path(argument))))
