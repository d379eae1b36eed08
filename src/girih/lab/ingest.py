"""Reads the log of a real board: the lines that the apps write to a UART, with cycle counts, become rows of kind
"measured"."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import UTC, datetime
from typing import Any

from girih.lab import rows
from girih.lab.errors import LabError
from girih.lab.measure import caller_bytes


def log_lines(text: str) -> list[dict[str, Any]]:
    """The JSON lines of a serial log. Noise around them (boot messages, an echo) is passed over; a line that starts
    like ours and is broken is an error, because its numbers would be missing."""
    lines = []
    for number, raw in enumerate(text.splitlines(), 1):
        start = raw.find('{"')
        if start < 0:
            continue
        try:
            lines.append(json.loads(raw[start:]))
        except json.JSONDecodeError as error:
            raise LabError(f"line {number} of the log is broken: {raw[:80]!r}") from error
    return lines


def ingest(text: str, board: str, clock_hz: int | None = None) -> list[rows.Row]:
    """The rows of a log of the app speed. board: what the machine was ("NUCLEO-U5A5ZJ-Q"). Runs that did not end well
    are refused."""
    found: list[rows.Row] = []
    head: dict[str, Any] | None = None
    calls: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in log_lines(text):
        if line.get("app") == "speed":
            if head is not None:
                raise LabError("a run in the log has no end")
            head, calls = line, defaultdict(list)
        elif "op" in line and head is not None:
            calls[line["op"]].append(line)
        elif "end" in line and head is not None:
            if line["end"] != "ok":
                raise LabError(f"a run in the log ended with: {line['end']}")
            found += [_row(head, op, of_op, board, clock_hz) for op, of_op in calls.items()]
            head = None
    if head is not None:
        raise LabError("the last run in the log has no end")
    if not found:
        raise LabError("the log holds no run of the app speed")
    return found


def _row(head: dict[str, Any], op: str, calls: list[dict[str, Any]], board: str, clock_hz: int | None) -> rows.Row:
    cycles = [call["cycles"] for call in calls if "cycles" in call]
    if len(cycles) != len(calls):
        raise LabError(
            f"{len(calls) - len(cycles)} of {len(calls)} calls of {op} have no cycles: build with GIRIH_CYCLES=ON"
        )
    attempts = [call["attempts"] for call in calls if "attempts" in call]
    fit = rows.attempts_fit(attempts, cycles) if attempts else None
    return {
        "scheme": head["scheme"],
        "op": op,
        "mode": head["mode"],
        "target": head["target"],
        "machine": board,
        "kind": "measured",
        "cycles": rows.summary(cycles),
        **({"attempts": round(sum(attempts) / len(attempts), 3)} if attempts else {}),
        **({"attempts_fit": fit} if fit else {}),
        **({"milliseconds": round(1000 * sum(cycles) / len(cycles) / clock_hz, 3)} if clock_hz else {}),
        "stack_bytes": max(call["stack"] for call in calls),
        "workspace_bytes": head[op],
        "caller_bytes": caller_bytes(head["scheme"], head["mode"], op),
        "table_bytes": head["tables"],
        "kernel": head["kernel"],
        "hardening": bool(head["hardening"]),
        "compiler": head["compiler"],
        "flags": head["flags"],
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
