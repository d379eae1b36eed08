"""Rows of results: as a table for people, as JSON lines for programs, appended to a file for later."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from girih.bench.environment import describe, load_average
from girih.bench.race import Contestant
from girih.bench.stats import Ratio, Series, ratio
from girih.bench.threads import Scaling
from girih.bench.workload import AnyWorkload


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


def rows(
    work: AnyWorkload, op: str, contestants: Sequence[Contestant], series: Sequence[Series], clock: str
) -> list[Row]:
    """The rows of one race.

    Peers are compared with girih of their group, prepared (with randomness from the same source) and in their own
    form; girih's forms come first.
    """
    own = {(c.group, c.form): s for c, s in zip(contestants, series, strict=True) if c.who.startswith("girih")}
    result = []
    for c, s in zip(contestants, series, strict=True):
        ratios = {}
        _, comma, randomness = c.form.partition(",")
        for name, form in {"prepared": f"prepared{comma}{randomness}", c.form: c.form}.items():
            base = own.get((c.group, form))
            if base is not None and base is not s and (found := ratio(s, base)):
                ratios[name] = found
        size = None if op == "keygen" else work.message_size
        result.append(Row(c.who, c.group, op, work.parameter_set, size, c.form, clock, s, ratios))
    return result


def scaling_fields(scaling: Scaling, work: AnyWorkload, workers: int) -> dict[str, Any]:
    """Threads against processes as JSON holds it."""
    found = ratio(scaling.processes, scaling.threads)
    return {
        "who": scaling.who,
        "op": scaling.op,
        "set": work.parameter_set,
        "message_size": work.message_size,
        "form": scaling.form,
        "workers": workers,
        "threads_ops_per_second": asdict(scaling.threads.rates()),
        "processes_ops_per_second": asdict(scaling.processes.rates()),
        "threads_over_processes": asdict(found) if found else None,
        "load": load_average(),
        **describe(),
    }


_COLUMNS = {
    "op": -7, "set": -11, "message": -8, "form": -18, "who": -26, "ops/s (med)": 12, "us/op": 10, "min": 10, "max": 10,
    "stdev": 9, "n": 7, "x prepared": 18, "x same form": 18,
}  # fmt: skip
"""Names and widths of the table; a negative width is set flush left, a wider cell pushes the rest along."""


def columns(race: bool, messages: bool) -> list[str]:
    """The columns of a table.

    In a race two columns say how many times longer a row takes than girih: median of the rounds / of means. One says
    how long the messages are, where there are messages.
    """
    return [n for n in _COLUMNS if (messages or n != "message") and (race or not n.startswith("x "))]


def header(shown: Sequence[str]) -> str:
    """The head of a table of these columns."""
    text = _cells({name: name for name in shown}, shown)
    return f"{text}\n{'-' * len(text)}"


def line(row: Row, shown: Sequence[str]) -> str:
    """One row of the table. min, max and stdev are operations a second over the rounds, as ops/s is; us/op is 1e6 / ops/s."""
    summary, rates = row.series.summary(), row.series.rates()
    cells = {
        "op": row.op,
        "set": row.parameter_set,
        "message": "" if row.message_size is None else str(row.message_size),
        "form": row.form,
        "who": row.who,
        "ops/s (med)": f"{rates.median:,.0f}",
        "us/op": f"{summary.median:.1f}",
        "min": f"{rates.min:,.0f}",
        "max": f"{rates.max:,.0f}",
        "stdev": f"{rates.stdev:,.0f}",
        "n": str(summary.n),
    }
    for name, form in (("x prepared", "prepared"), ("x same form", row.form)):
        found = row.ratios.get(form)
        cells[name] = f"{found.median:.2f} / {found.mean:.2f}" if found else ""
    return _cells(cells, shown)


def scaling_line(scaling: Scaling, work: AnyWorkload, workers: int) -> str:
    """One sentence of a comparison of threads with processes."""
    threads, processes, found = (
        scaling.threads.rates(),
        scaling.processes.rates(),
        ratio(scaling.processes, scaling.threads),
    )
    assert found
    size = "" if work.message_size is None else f" {work.message_size} B"
    return (
        f"{scaling.op} {work.parameter_set}{size}, {scaling.who}, {scaling.form}: {workers} threads {threads.median:,.0f} ops/s, "
        f"{workers} processes {processes.median:,.0f} ops/s, threads / processes {found.median:.3f} (median of {found.rounds} rounds)"
    )


def _cells(texts: Mapping[str, str], shown: Sequence[str]) -> str:
    cells = (f"{texts[n]:<{-_COLUMNS[n] - 1}} " if _COLUMNS[n] < 0 else f"{texts[n]:>{_COLUMNS[n]}}" for n in shown)
    return "".join(cells).rstrip()


def append(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Append records to a file, one JSON object a line, in one write: results are added to, never changed."""
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
