"""Markdown tables of saved results: ``python -m girih.bench.tables [--short] FILE…``. Documents show what it prints.

A file holds the JSON lines of ``girih bench --save``; of each file the latest run is shown, one table a message size.
``--short`` prints the rows that the README has, of three files: races of Python packages with AVX-512, AVX2, portable C.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from girih.bench import caches

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
    if first["op"] == "latency":
        return "\n".join([*lines, "", *_latency(records)])
    if first["op"] == "caches":
        return "\n".join([*lines, "", *_markdown(caches.table(records)), "", *_markdown(caches.import_table(records))])
    sizes = dict.fromkeys(record["message_size"] for record in records if record["message_size"] is not None)
    for i, size in enumerate(sizes or [None]):
        shown = {size, None} if i == 0 else {size}  # key generation has no message: it stands in the first table
        lines += ["", *_race([record for record in records if record["message_size"] in shown], size)]
    return "\n".join(lines)


def short(avx512: Sequence[Record], avx2: Sequence[Record], portable: Sequence[Record]) -> str:
    """The speeds in the README, of races of Python packages with each backend: a column for each set, prepared keys.

    girih's times first, then how many times longer than girih with AVX2 the others took.
    """
    titles = ("**AVX-512**: key generation / signing / verification, us", "**AVX2**", "**portable C**")
    lines = [_short_row(title, run, "girih") for title, run in zip(titles, (avx512, avx2, portable), strict=True)]
    others = dict.fromkeys(r["who"] for r in avx2 if r["form"] == "prepared" and r["who"] != "girih")
    return "\n".join([*lines, *(_short_row(f"{who}, times as long as AVX2", avx2, who) for who in others)])


def _short_row(title: str, records: Sequence[Record], who: str) -> str:
    """One contestant's prepared keys, at the smallest message: means in us for girih, for others the ratio of means."""
    size = min(r["message_size"] for r in records if r["message_size"] is not None)
    shown = [r for r in records if (r["who"], r["form"]) == (who, "prepared") and r["message_size"] in (size, None)]
    found = {(r["op"], r["set"]): r["mean"] if who == "girih" else r["ratios"]["prepared"]["mean"] for r in shown}
    whole = 100 if who == "girih" else 10  # from here on no decimal
    cells = [
        " / ".join(f"{found[op, s]:.{0 if found[op, s] >= whole else 1}f}" for op in ("keygen", "sign", "verify"))
        for s in dict.fromkeys(r["set"] for r in shown)
    ]
    return f"| {title} | {' | '.join(cells)} |"


def _race(records: Sequence[Record], size: int | None) -> Iterable[str]:
    """A row for each contestant and form, a column for each set: microseconds in the mean, and how many times girih's prepared key.

    Of ML-KEM the median of the rounds, and behind it how many times girih in the same form, too.
    """
    sets = list(dict.fromkeys(record["set"] for record in records))
    title = "" if size is None else f", messages of {size} B"
    yield f"| us{title} | who | key | {' | '.join(sets)} |"
    yield f"|---|---|---|{'---:|' * len(sets)}"
    cells: dict[tuple[str, str, str], dict[str, str]] = {}
    for r in records:
        name = r["who"].split(":")[0] if r["group"] == "c" else r["who"]
        kind = "median" if r["set"].startswith("ML-KEM") else "mean"
        ratios = r["ratios"] if kind == "median" else {"prepared": r["ratios"].get("prepared")}
        times = ", ".join(dict.fromkeys(f"{found[kind]:.2f}x" for found in ratios.values() if found))
        text = f"{r[kind]:.1f}" + (f" ({times})" if times else "")
        cells.setdefault((r["op"], name, r["form"]), {})[r["set"]] = text
    ops = list(dict.fromkeys(op for op, _, _ in cells))  # a package that lacks the first set stands with its operation
    for (op, name, form), by_set in sorted(cells.items(), key=lambda cell: ops.index(cell[0][0])):
        yield f"| {op} | {name} | {form} | {' | '.join(by_set.get(s, '') for s in sets)} |"


def _markdown(cells: Sequence[Sequence[str]]) -> Iterable[str]:
    """A table whose first two columns are text."""
    head, *rows = cells
    yield f"| {' | '.join(head)} |"
    yield f"|---|---|{'---:|' * (len(head) - 2)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _scaling(records: Sequence[Record]) -> Iterable[str]:
    """ML-DSA's rows say how long the messages are, those of ML-KEM in which form the operation is."""
    title, key, side = (
        ("form", "form", "---") if records[0]["message_size"] is None else ("message", "message_size", "---:")
    )
    yield f"| op | who | set | {title} | workers | threads, ops/s | processes, ops/s | threads / processes | rounds |"
    yield f"|---|---|---|{side}|---:|---:|---:|---:|---:|"
    for r in records:
        found = r["threads_over_processes"]
        yield (
            f"| {r['op']} | {r['who']} | {r['set']} | {r[key]} | {r['workers']} "
            f"| {r['threads_ops_per_second']['median']:,.0f} | {r['processes_ops_per_second']['median']:,.0f} "
            f"| {found['median']:.3f} | {found['rounds']} |"
        )


def _latency(records: Sequence[Record]) -> Iterable[str]:
    yield "| set | signatures | attempts: mean, median, p99, most | us: mean, median, p99, worst | us = a + b x attempts | 1 in 1,000,000 |"
    yield "|---|---:|---|---|---|---|"
    for r in records:
        attempts, ns, fit, rare = r["attempts"], r["ns"], r["attempts_fit"], r["geometric"]["one_in_a_million"]
        times = ", ".join(f"{ns[key] / 1000:.1f}" for key in ("mean", "median", "p99", "max"))
        counts = ", ".join(f"{attempts[key]:g}" for key in ("mean", "median", "p99", "max"))
        line = f"{fit['a'] / 1000:.1f} + {fit['b'] / 1000:.2f} x"
        most = (fit["a"] + fit["b"] * rare) / 1000
        yield f"| {r['set']} | {ns['n']:,} | {counts} | {times} | {line} | {rare} attempts, {most:.0f} us |"


if __name__ == "__main__":
    runs = [latest(Path(argument)) for argument in sys.argv[1:] if argument != "--short"]
    print(short(*runs) if "--short" in sys.argv else "\n\n".join(map(tables, runs)))
