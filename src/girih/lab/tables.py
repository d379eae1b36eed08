"""Tables of results, on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from girih.lab.rows import Row
from girih.lab.tools import require_package

if TYPE_CHECKING:
    from girih.lab.profile import Placement, Profile
    from girih.lab.timing import Verdict


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


def show_profile(title: str, found: Profile, placement: Placement) -> None:
    """Hot functions and data, and where a placement puts them."""
    chosen = {hot.name for hot in placement.itcm}
    show(
        f"{title}: code",
        ["function", "bytes", "instructions a call", "instructions a byte", "ITCM"],
        ((h.name, h.size, round(h.times), h.density, "yes" if h.name in chosen else "") for h in found.functions[:20]),
        note=f"{placement.instruction_share:.1%} of the executed instructions",
    )
    chosen = {hot.name for hot in placement.dtcm}
    lines: list[tuple[Any, ...]] = [
        (h.name, h.size, round(h.times), h.density, "yes" if h.name in chosen else "") for h in found.objects[:20]
    ]
    density = found.stack_accesses / max(1, found.stack_bytes)
    lines.append(("(stack)", found.stack_bytes, round(found.stack_accesses), density, "yes" if placement.stack else ""))
    lines.append(("(tables, workspace, caller)", None, round(found.other_accesses), None, ""))
    show(
        f"{title}: data",
        ["object", "bytes", "accesses a call", "accesses a byte", "DTCM"],
        lines,
        note=f"{placement.access_share:.1%} of the data accesses",
    )


def show_sweep(found: Sequence[Row]) -> None:
    """Each variant against its baseline, operation by operation."""
    baselines = {
        (row["target"], row["scheme"]): row for row in found if row["variant"] == "baseline" and "operations" in row
    }
    for (target, scheme), baseline in baselines.items():
        lines = []
        for row in found:
            if (row["target"], row["scheme"]) != (target, scheme):
                continue
            if "left_out" in row:
                lines.append((row["variant"], row["left_out"], *[""] * 9))
                continue
            cells: list[Any] = [row["variant"]]
            for op in ("keygen", "load", "sign", "verify"):
                one, base = row["operations"].get(op), baseline["operations"].get(op)
                cells.append(one["instructions"] if one else None)
                cells.append(f"{one['instructions'] / base['instructions'] - 1:+.1%}" if one and base else "")
            lines.append((*cells, row["operations"]["sign"]["stack_bytes"], row["image_all_bytes"]))
        columns = ["variant", "keygen", "", "load", "", "sign", "", "verify", "", "stack (sign)", "image"]
        show(f"{target} {scheme}, instructions", columns, lines, note=f"{baseline['compiler']} {baseline['flags']}")
        paying = _paying(
            baseline,
            [row for row in found if (row["target"], row["scheme"]) == (target, scheme) and "operations" in row],
        )
        if paying:
            show(
                f"{target} {scheme}: from which use an expanded key pays",
                ["instead of", "signatures", "verifications"],
                paying,
            )


def _paying(baseline: Row, found: Sequence[Row]) -> list[tuple[Any, ...]]:
    from girih.lab.sweep import pays_from

    load = baseline["operations"].get("load")
    if load is None:
        return []
    lines = []
    for row in found:
        if row["variant"] in ("mode default", "mode lowram"):
            uses = [
                pays_from(
                    row["operations"][op]["instructions"],
                    baseline["operations"][op]["instructions"],
                    load["instructions"],
                )
                for op in ("sign", "verify")
            ]
            lines.append((row["variant"], *(use if use is not None else "never" for use in uses)))
    return lines


def show_latency(row: Row) -> None:
    """The distribution of a signature's attempts and instructions, and what budgets bound."""
    instructions, attempts, model = row["instructions"], row["attempts"], row["geometric"]
    fit = row["attempts_fit"]
    show(
        f"{row['target']} {row['scheme']} {row['mode']}: {attempts['n']} signatures",
        ["", "mean", "median", "p99", "worst"],
        (
            ("attempts", attempts["mean"], attempts["median"], attempts["p99"], attempts["max"]),
            ("attempts, geometric", model["mean"], model["median"], model["p99"], ""),
            ("instructions", *(instructions[key] for key in ("mean", "median", "p99", "max"))),
        ),
        note=f"instructions = {fit['a']:,.0f} + {fit['b']:,.0f} x attempts; largest distance from the geometric distribution"
        f" {model['distance']:.3f}, bound {model['distance_bound']:.3f}; one signature in a million needs more than"
        f" {model['one_in_a_million']} attempts",
    )
    show(
        "what an attempt budget bounds",
        ["budget", "instructions, at most", "exhausted, measured", "exhausted, model"],
        (
            (str(b["attempts"]), b["instructions"], f"{b['exhausted']:.2%}", f"{b['exhausted_model']:.4%}")
            for b in row["budgets"]
        ),
    )


def show_kem(found: Sequence[Row]) -> None:
    """ML-KEM's setups at their clocks, or what a host counted."""
    counted = [row for row in found if row["kind"] == "counted"]
    if counted:
        lines = ((f"{row['scheme']} {row['mode']} {row['op']}", row["instructions"]["mean"]) for row in counted)
        show("portable C on this host", ["operation", "instructions"], lines, note=counted[0]["flags"])
    for target in dict.fromkeys(row["target"] for row in found if row["op"] == "kem-setup"):
        of_target = [row for row in found if row["op"] == "kem-setup" and row["target"] == target]
        label = of_target[0].get("cycles_label") or f"±{of_target[0]['cycles_error']:.0%}"
        show(
            f"{target}: modelled cycles ({label})",
            ["setup", "keygen", "encaps", "decaps", "saved", "", "", "data RAM", "caches"],
            (
                (
                    f"{row['scheme']} {row['mhz']} MHz {row['setup']}",
                    *(row["operations"][op]["cycles"] for op in row["operations"]),
                    *(f"{saved:.1%}" for saved in row["saved"].values()),
                    row["data_ram_bytes"],
                    row["state_bytes"],
                )
                for row in of_target
            ),
        )


def show_ladder(found: Sequence[Row]) -> None:
    """The Keccak ladder of each target."""
    for target in dict.fromkeys(row["target"] for row in found):
        show(
            f"{target}: Keccak-f[1600]",
            ["form", "instructions", "modelled cycles", "code and constants", "stack"],
            (
                (row["what"], row["instructions"]["mean"], row.get("cycles"), row["code_bytes"], row["stack_bytes"])
                for row in found
                if row["target"] == target
            ),
        )


def show_measured(found: Sequence[Row]) -> None:
    """Rows of a real board."""
    show(
        f"{found[0]['machine']}: measured cycles",
        ["operation", "n", "min", "mean", "median", "max", "stdev", "ms", "stack"],
        (
            (
                f"{row['scheme']} {row['mode']} {row['op']}",
                *(row["cycles"][key] for key in ("n", "min", "mean", "median", "max", "stdev")),
                row.get("milliseconds"),
                row["stack_bytes"],
            )
            for row in found
        ),
    )


def show_timing(verdicts: Sequence[Verdict]) -> None:
    """Verdicts on a core's instructions."""
    show(
        "does the time depend on the operands?",
        ["instruction", "verdict", "spread (cycles)", "jitter (cycles)", "fastest", "slowest"],
        ((v.instruction, v.verdict, f"{v.spread:.4f}", f"{v.jitter:.4f}", v.fastest, v.slowest) for v in verdicts),
    )
