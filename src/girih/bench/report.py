"""Rows of results: as a table for people, as JSON lines for programs, appended to a file for later."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from girih.bench.environment import describe, load_average
from girih.bench.race import Contestant
from girih.bench.stats import Ratio, Series, ratio
from girih.bench.threads import Scaling
from girih.bench.workload import Workload


@dataclass(frozen=True)
class Row:
    """The result of one contestant.

    `ratios` say how many times longer it takes than girih in the form that is the key.
    """

    who: str
    group: str
    op: str
    parameter_set: str
    message_size: int | None
    form: str
    clock: str
    series: Series
    ratios: dict[str, Ratio]

    def fields(self) -> dict[str, Any]:
        """The row as JSON holds it: times in microseconds an operation, and where they come from."""
        summary, rates = self.series.summary(), self.series.rates()
        return {
            "who": self.who,
            "group": self.group,
            "op": self.op,
            "set": self.parameter_set,
            "message_size": self.message_size,
            "form": self.form,
            "clock": self.clock,
            "unit": "us",
            **asdict(summary),
            "ops_per_second": asdict(rates),
            "ratios": {form: asdict(r) for form, r in self.ratios.items()},
            "load": load_average(),
            **describe(),
        }


def rows(work: Workload, op: str, contestants: Sequence[Contestant], series: Sequence[Series], clock: str) -> list[Row]:
    """The rows of one race.

    Peers are compared with girih of their group, prepared and in their own form; girih's forms come first.
    """
    own = {(c.group, c.form): s for c, s in zip(contestants, series, strict=True) if c.who.startswith("girih")}
    result = []
    for c, s in zip(contestants, series, strict=True):
        ratios = {}
        for form in dict.fromkeys(("prepared", c.form)):
            base = own.get((c.group, form))
            if base is not None and base is not s and (found := ratio(s, base)):
                ratios[form] = found
        size = None if op == "keygen" else work.message_size
        result.append(Row(c.who, c.group, op, work.parameter_set, size, c.form, clock, s, ratios))
    return result


def scaling_fields(scaling: Scaling, work: Workload, workers: int) -> dict[str, Any]:
    """Threads against processes as JSON holds it."""
    found = ratio(scaling.processes, scaling.threads)
    return {
        "who": scaling.who,
        "op": scaling.op,
        "set": work.parameter_set,
        "message_size": work.message_size,
        "form": "prepared",
        "workers": workers,
        "threads_ops_per_second": asdict(scaling.threads.rates()),
        "processes_ops_per_second": asdict(scaling.processes.rates()),
        "threads_over_processes": asdict(found) if found else None,
        "load": load_average(),
        **describe(),
    }


_COLUMNS = (
    ("op", -7), ("set", -10), ("message", -8), ("form", -11), ("who", -26), ("ops/s (med)", 12), ("us/op", 10), ("min", 10), ("max", 10),
    ("stdev", 9), ("n", 7), ("x prepared", 18), ("x same form", 18),
)  # fmt: skip
"""Names and widths of the table; a negative width is set flush left, a wider cell pushes the rest along."""


def header(race: bool) -> str:
    """The head of the table.

    In a race two columns say how many times longer a row takes than girih: median of the rounds / of means.
    """
    text = _cells([name for name, _ in (_COLUMNS if race else _COLUMNS[:-2])])
    return f"{text}\n{'-' * len(text)}"


def line(row: Row) -> str:
    """One row of the table. min, max and stdev are operations a second over the rounds, as ops/s is; us/op is 1e6 / ops/s."""
    summary, rates = row.series.summary(), row.series.rates()
    size = "" if row.message_size is None else str(row.message_size)
    cells = [row.op, row.parameter_set, size, row.form, row.who, f"{rates.median:,.0f}", f"{summary.median:.1f}"]
    cells += [f"{rates.min:,.0f}", f"{rates.max:,.0f}", f"{rates.stdev:,.0f}", str(summary.n)]
    cells += [
        f"{r.median:.2f} / {r.mean:.2f}" if r else "" for r in (row.ratios.get("prepared"), row.ratios.get(row.form))
    ]
    return _cells(cells)


def scaling_line(scaling: Scaling, work: Workload, workers: int) -> str:
    """One sentence of a comparison of threads with processes."""
    threads, processes, found = (
        scaling.threads.rates(),
        scaling.processes.rates(),
        ratio(scaling.processes, scaling.threads),
    )
    assert found
    return (
        f"{scaling.op} {work.parameter_set} {work.message_size} B, {scaling.who}: {workers} threads {threads.median:,.0f} ops/s, "
        f"{workers} processes {processes.median:,.0f} ops/s, threads / processes {found.median:.3f} (median of {found.rounds} rounds)"
    )


def _cells(texts: Sequence[str]) -> str:
    cells = (
        f"{text:<{-width - 1}} " if width < 0 else f"{text:>{width}}"
        for text, (_, width) in zip(texts, _COLUMNS, strict=False)
    )
    return "".join(cells).rstrip()


def append(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Append records to a file, one JSON object a line, in one write: results are added to, never changed."""
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
