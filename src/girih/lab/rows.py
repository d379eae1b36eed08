"""Result rows: one JSON object a line, appended and never changed."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def summary(values: Sequence[float]) -> dict[str, float]:
    """n, min, mean, median, max, stdev of a sample."""
    return {
        "n": len(values),
        "min": min(values),
        "mean": round(statistics.fmean(values), 1),
        "median": statistics.median(values),
        "max": max(values),
        "stdev": round(statistics.stdev(values), 1) if len(values) > 1 else 0.0,
    }


def attempts_fit(attempts: Sequence[int], costs: Sequence[float]) -> dict[str, float] | None:
    """Least squares of cost = a + b x attempts; None where the attempts do not differ."""
    if len(set(attempts)) < 2:
        return None
    slope, intercept = statistics.linear_regression(attempts, costs)
    return {"a": round(intercept, 1), "b": round(slope, 1)}


def append(path: Path, rows: Iterable[Row]) -> None:
    """Adds rows to the end of a file of JSON lines, making it and its folder where needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def read(path: Path) -> list[Row]:
    """The rows of a file; none where there is no file."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
