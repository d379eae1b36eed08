"""Tables of results, on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from girih.lab.rows import Row
from girih.lab.tools import require_package


def show(title: str, columns: Sequence[str], lines: Iterable[Sequence[Any]], note: str = "") -> None:
    """Prints a table; the first column is text, numbers are set flush right."""
    table = require_package("rich.table").Table(
        title=title, title_justify="left", caption=note or None, caption_justify="left"
    )
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i == 0 else "right")
    for line in lines:
        table.add_row(*(cell(value) for value in line))
    console = require_package("rich.console").Console()
    if not console.is_terminal:
        console.width = 160
    console.print(table)


def cell(value: Any) -> str:
    """A number with separators of thousands; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 100 or isinstance(value, int) else f"{value:.2f}"


def show_run(found: Sequence[Row], *, functions: bool = False) -> None:
    """The main table of `girih lab run`, and for each row its functions."""
    columns = [
        "operation",
        "instructions",
        "modelled cycles",
        "stack",
        "workspace",
        "static",
        "tables",
        "caller",
        "image",
    ]
    show(
        "executed instructions and bytes (emulated)",
        columns,
        (
            (
                f"{row['target']} {row['scheme']} {row['mode']}\n{row['op']}",
                row["instructions"]["mean"],
                f"{cell(row['cycles'])} ±{row['cycles_error']:.0%}" if "cycles" in row else "no model",
                row["stack_bytes"],
                row["workspace_bytes"],
                row["static_written_bytes"],
                row["table_bytes"],
                row["caller_bytes"],
                row["image_bytes"]["total"],
            )
            for row in found
        ),
        note=f"{found[0]['compiler']} {found[0]['flags']}",
    )
    if functions:
        for row in found:
            total = row["instructions"]["mean"]
            show(
                f"{row['target']} {row['scheme']} {row['mode']} {row['op']}",
                ["function", "instructions", "share"],
                ((name, times, f"{times / total:.1%}") for name, times in row["functions"].items()),
            )
