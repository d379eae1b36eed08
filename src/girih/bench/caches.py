"""What each cache of an ML-KEM key saves and costs, alone and combined: ``girih bench mlkem --caches``.

A_hat, H(ek) and the parsed t_hat are public data that a key object may keep. Objects with every combination of them
race in one loop in C: encapsulation, decapsulation, making the key pair, loading a remote key. Percentages are medians
of ratios to an object without caches, taken within rounds. What a cache adds to making the object, divided by what it
saves in a use, is the number of uses after which it has paid; differences of less than a percent count as none there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from girih.bench.environment import describe, load_average
from girih.bench.native_kem import COMBINATIONS, PREPARED, Core
from girih.bench.race import Contestant, Plan, race
from girih.bench.stats import Series, ratio
from girih.bench.workload import KemWorkload

NONE = COMBINATIONS[0]
OPERATIONS = ("encaps", "decaps", "keygen", "load")
NOISE = 0.01
"""Differences below this part of an operation without caches are the machine's."""


@dataclass(frozen=True)
class Effect:
    """A combination's time beside that of an object without caches, in microseconds."""

    us: float
    without: float
    min: float

    @property
    def saved(self) -> float:
        """Microseconds spared by an operation; negative where it takes longer."""
        return self.without - self.us

    @property
    def surely_saved(self) -> float:
        """What is saved, or 0 where that may be noise."""
        return self.saved if abs(self.saved) >= NOISE * self.without else 0.0

    @property
    def percent(self) -> float:
        """The same as a percentage."""
        return 100 * self.saved / self.without


def measure(work: KemWorkload, plan: Plan) -> list[dict[str, Any]]:
    """The rows of one set: a row for each combination, then imports beside deriving."""
    core = Core(work)
    effects: dict[str, dict[str, Effect]] = {op: _effects(_contestants(core, op), plan) for op in OPERATIONS}
    rows = [_row(core, name, {op: effects[op][name] for op in OPERATIONS}, plan) for name in COMBINATIONS]
    return [*rows, *_imports(core, plan)]


def pays_after(added: float, saved: float) -> int | None:
    """Uses after which what was added once is saved; 0 when nothing was added, None when nothing is saved."""
    if added <= 0:
        return 0
    return math.ceil(added / saved) if saved > 0 else None


def _contestants(core: Core, op: str) -> Iterator[Contestant]:
    """An object with each combination of caches, on one operation."""
    for name in COMBINATIONS:
        if op == "keygen":
            yield core.preparation(name, name)
        elif op == "load":
            yield core.loading(name, core.remote_key(name))
        elif op == "encaps":
            ek, load = core.remote_key(name)
            core.make(load)
            yield core.encapsulation_with(ek, name)
        else:
            dk, seed_load = core.key_pair(name)
            core.make(seed_load(core.seeds[0]))
            yield core.decapsulation_with(dk, name)


def _effects(contestants: Iterator[Contestant], plan: Plan) -> dict[str, Effect]:
    """Race them; the first is what the others are compared with."""
    entrants = list(contestants)
    series = race(entrants, plan)
    without = series[0].summary().median
    return {c.form: _effect(s, series[0], without) for c, s in zip(entrants, series, strict=True)}


def _effect(series: Series, base: Series, without: float) -> Effect:
    found = ratio(series, base)
    assert found  # both ran every round, or at least the first
    return Effect(found.median * without, without, series.summary().min)


def _row(core: Core, name: str, effects: dict[str, Effect], plan: Plan) -> dict[str, Any]:
    saved = {op: effects[op].surely_saved for op in ("encaps", "decaps")}
    added = {op: -effects[op].surely_saved for op in ("keygen", "load")}
    return {
        **_head(core, "caches", plan),
        "caches": name,
        "state_bytes": core.cache_bytes(name),
        "us": {op: effect.us for op, effect in effects.items()},
        "min": {op: effect.min for op, effect in effects.items()},
        "saved_percent": {op: effects[op].percent for op in saved},
        "added_us": {op: -effects[op].saved for op in added},
        "added_percent": {op: -effects[op].percent for op in added},
        "pays_after": {
            "keygen, encaps": pays_after(added["keygen"], saved["encaps"]),
            "keygen, decaps": pays_after(added["keygen"], saved["decaps"]),
            "load, encaps": pays_after(added["load"], saved["encaps"]),
        },
    }


def _imports(core: Core, plan: Plan) -> Iterator[dict[str, Any]]:
    """A remote key with the caches of a prepared one: derived, imported with a MAC, imported and trusted."""
    ways = {
        "derived": core.remote_key(PREPARED),
        "imported, MAC": core.imported_key(PREPARED, trusted=False),
        "imported, trusted": core.imported_key(PREPARED, trusted=True),
    }
    found = _effects((core.loading(way, key) for way, key in ways.items()), plan)
    for way, effect in found.items():
        yield {
            **_head(core, "import", plan),
            "caches": PREPARED,
            "way": way,
            "exported_bytes": core.export_bytes(PREPARED),
            "us": effect.us,
            "min": effect.min,
            "times_derived": effect.us / effect.without,
        }


def _head(core: Core, op: str, plan: Plan) -> dict[str, Any]:
    facts = {"who": core.who, "op": op, "set": core.work.parameter_set, "clock": plan.clock, "n": plan.count}
    return {**facts, "rounds": plan.rounds, "load": load_average(), **describe()}


# ---- for people, and for documents


def lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The rows of one set as text."""
    text = [f"{rows[0]['who']}: us, and how they differ from those without caches; uses after which a cache has paid"]
    return [*text, *_aligned(table(rows)), "", *_aligned(import_table(rows))]


def table(rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    """A head and a line for each combination; cells as text."""
    paid = "paid after: own encaps / decaps / remote encaps"
    head = ["set", "caches", "state, B", "encaps", "decaps", "key generation", "loading ek", paid]
    return [head, *(_cells(row) for row in rows if row["op"] == "caches")]


def _cells(row: dict[str, Any]) -> list[str]:
    us, uses = row["us"], row["pays_after"]
    if row["caches"] == NONE:
        return [row["set"], NONE, "0", *(f"{us[op]:.2f}" for op in OPERATIONS), ""]
    change = {op: -percent for op, percent in row["saved_percent"].items()} | row["added_percent"]
    paid = " / ".join("never" if n is None else str(n) for n in uses.values())
    cells = (f"{us[op]:.2f} ({change[op]:+.1f} %)" for op in OPERATIONS)
    return [row["set"], row["caches"], f"{row['state_bytes']:,}", *cells, paid]


def import_table(rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Deriving and importing: cells as text."""
    head = ["set", "a remote key with A+H", "exported, B", "us", "times derived"]
    found = [row for row in rows if row["op"] == "import"]
    cells = [
        [r["set"], r["way"], f"{r['exported_bytes']:,}", f"{r['us']:.2f}", f"{r['times_derived']:.2f}"] for r in found
    ]
    return [head, *cells]


def _aligned(cells: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip() for line in cells]
