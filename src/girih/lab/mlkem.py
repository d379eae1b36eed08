"""ML-KEM on a microcontroller whose code lies in flash: each system-level direction alone, and six of their unions, at
two clocks; and a sweep of clocks.

The directions are those of a published study of ML-KEM on an STM32F767: public-data reuse, hot code in the ITCM, the
constants of the NTT in the DTCM, a hardware random generator, flash acceleration. Instructions are counted; cycles are
those of a model, and so is all that a clock does."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from statistics import fmean
from typing import Any

from girih.lab import pairs, profile, rows
from girih.lab.build import KEM_MODES, Build
from girih.lab.emulate import Run, count
from girih.lab.errors import LabError
from girih.lab.fetch import MEMORIES, Ranges, Seen, follow, wait_states
from girih.lab.image import Image
from girih.lab.measure import Measurement, measure
from girih.lab.model import MODELS, count_kinds
from girih.lab.profile import Hot, Placement, Profile
from girih.lab.sources import cache_folder, version

TARGETS = ("m7", "m4")
OPS = ("keygen", "encaps", "decaps")
ENDPOINTS = (24, 216)  # MHz
CLOCKS = (*range(24, 193, 12), 216)  # sixteen; the study does not name its own
PAIRS = 8  # key pairs that a measurement samples

ITCM_ROOMS = (4096, 8192, 16384)  # bytes; the STM32F767 has 16 KB
DTCM_ROOM = 4096  # bytes for constants, far more than they take
CONSTANTS = "roots"  # of the NTT
DRAWN = {"keygen": 64, "encaps": 32, "decaps": 0}  # random bytes
TRNG_WORD_CYCLES, TRNG_MHZ = 40, 48  # of the STM32F7's generator, for 32 bits
TRNG_WORD_INSTRUCTIONS = 6  # status read and tested, data read and stored, loop


@dataclass(frozen=True)
class Setup:
    """A choice in every direction. mode: the caches, a mode of girih.lab.build.KEM_MODES."""

    name: str
    group: str  # "baseline", "direction", "profile"
    mode: str = "prepared"
    itcm: bool = False
    dtcm: bool = False
    trng: bool = False
    accelerated: bool = False


BASELINE = Setup("baseline", "baseline")
DIRECTIONS = (
    Setup("cached A", "direction", "cached-a"),
    Setup("cached H(ek)", "direction", "cached-h"),
    Setup("parsed ek", "direction", "parsed"),
    Setup("ITCM code", "direction", itcm=True),
    Setup("DTCM constants", "direction", dtcm=True),
    Setup("hardware TRNG", "direction", trng=True),
    Setup("flash acceleration", "direction", accelerated=True),
)
SELECTED = "AE-noD-noPK"
_ALL = "cached-a-h-parsed"
PROFILES = (
    Setup("NC", "profile", itcm=True, dtcm=True, trng=True, accelerated=True),
    Setup("NC-noD", "profile", itcm=True, trng=True, accelerated=True),
    Setup("AC", "profile", _ALL),
    Setup("AE", "profile", _ALL, itcm=True, dtcm=True, trng=True, accelerated=True),
    Setup("AE-noD", "profile", _ALL, itcm=True, trng=True, accelerated=True),
    Setup(SELECTED, "profile", "cached-a-h", itcm=True, trng=True, accelerated=True),
)
SETUPS = (BASELINE, *DIRECTIONS, *PROFILES)


@dataclass(frozen=True)
class Cost:
    """One operation in one image: instructions and modelled cycles without wait states, and what the memory path sees,
    plain and accelerated."""

    instructions: float
    cycles: float
    seen: tuple[Seen, Seen]


@dataclass(frozen=True)
class Placed:
    """An image with some code and constants in tightly coupled memory, measured."""

    image: Image
    costs: dict[str, Cost]
    itcm_bytes: int
    dtcm_bytes: int


def core_cycles(target: str, image: Image, counts: dict[int, int], taken: dict[int, int]) -> float:
    """Modelled cycles of traced code in memory without wait states: the calibrated model of the M4, a guess for the
    M7."""
    model = MODELS.get(target)
    if model is not None:
        return model.cycles(count_kinds(image.instructions, counts, taken))
    return pairs.cycles(image.instructions, counts, taken)


def cycles_label(target: str) -> dict[str, Any]:
    """How a row says what its cycles are worth."""
    model = MODELS.get(target)
    return {"cycles_error": model.error} if model else {"cycles_label": pairs.LABEL}


def near_ranges(image: Image, names: set[str]) -> Ranges:
    """Where functions and constants of these names lie."""
    symbols = [*image.functions, *image.constants]
    return [(symbol.address, symbol.address + symbol.size) for symbol in symbols if symbol.name in names]


class Bench:
    """One set on one target; images are built and measured when they are wanted, once."""

    def __init__(self, target: str, scheme: str, tell: Callable[[str], None] = lambda _: None) -> None:
        if target not in TARGETS:
            raise LabError(f"the flash of {target} has no model; those of {' and '.join(TARGETS)} have")
        self.target, self.scheme, self.tell = target, scheme, tell
        self._measured: dict[str, dict[str, Measurement]] = {}
        self._placed: dict[tuple[str, str], Placed] = {}
        self._chosen: dict[tuple[str, bool, int], Placement] = {}

    def build(self, mode: str) -> Build:
        return Build(self.target, self.scheme, mode)

    def measured(self, mode: str) -> dict[str, Measurement]:
        """The operations of a mode, nothing moved."""
        if mode not in self._measured:
            found = measure(self.build(mode), (*OPS, "load"), PAIRS, self.tell)
            self._measured[mode] = {measurement.row["op"]: measurement for measurement in found}
        return self._measured[mode]

    def placed(self, mode: str, placement: Placement) -> Placed:
        """The image of a mode with this placement."""
        text = profile.snippet(placement, ITCM_ROOMS[-1], DTCM_ROOM) if placement.itcm or placement.dtcm else ""
        if (mode, text) not in self._placed:
            if text:
                self._placed[mode, text] = self._place(mode, text)
            else:
                one = next(iter(self.measured(mode).values()))
                self._placed[mode, text] = self._cost(one.image, one.run, one.detail)
        return self._placed[mode, text]

    def _place(self, mode: str, text: str) -> Placed:
        folder = cache_folder() / f"placement-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "placement.ld").write_text(text)
        (path,) = self.build(mode).with_(placement=folder).images("speed")
        image = Image(path, self.build(mode).of)
        self.tell(f"{self.target} {self.scheme} {mode}: placed")
        run = count(image, [str(PAIRS)])
        return self._cost(image, run, count(image, ["2"], stack=run.head["stack_bottom"]))

    def _cost(self, image: Image, run: Run, detail: Run) -> Placed:
        seen = follow(image, [str(PAIRS)], [(MEMORIES[self.target, fast], ()) for fast in (False, True)])
        costs = {}
        for op, paths in seen.items():
            counts, taken = detail.trace.counts[op], detail.trace.taken[op]
            if not counts:
                continue  # the mode has no such operation
            mean = fmean(interval.instructions for interval in run.trace.of(op))
            cycles = core_cycles(self.target, image, counts, taken) * mean / sum(counts.values())
            costs[op] = Cost(mean, cycles, (paths[0], paths[1]))
        ends = [
            (image.address_of(f"__{n}_end") or 0) - (image.address_of(f"__{n}_begin") or 0) for n in ("itcm", "dtcm")
        ]
        return Placed(image, costs, *ends)

    def placement(self, setup: Setup, mhz: int) -> Placement:
        """What a setup moves at a clock."""
        placement = Placement()
        if setup.itcm:
            key = (setup.mode, setup.accelerated, wait_states(mhz * 1_000_000))
            if key not in self._chosen:
                self._chosen[key] = self._choose(*key)
            placement.itcm = self._chosen[key].itcm
        if setup.dtcm:
            image = self.placed(setup.mode, Placement()).image
            constants = [symbol for symbol in image.constants if symbol.name.split(".")[0] == CONSTANTS]
            placement.dtcm = [Hot(symbol.name, symbol.size, 1) for symbol in constants]
        return placement

    def _choose(self, mode: str, accelerated: bool, states: int) -> Placement:
        """Of no overlay and those that fill each room, the one with which the three operations together wait least; of
        equals the smallest. Followed in one run: what an overlay holds is taken for near memory where it lies."""
        image = self.placed(mode, Placement()).image
        candidates = [Placement(), *(profile.place(self._hot(mode), room, 0) for room in ITCM_ROOMS)]
        memory = MEMORIES[self.target, accelerated]
        paths = [(memory, near_ranges(image, {hot.name for hot in c.itcm})) for c in candidates]
        seen = follow(image, [str(PAIRS)], paths)
        waits = [sum(memory.penalty(seen[op][i], states) for op in OPS) for i in range(len(candidates))]
        return candidates[waits.index(min(waits))]

    def _hot(self, mode: str) -> Profile:
        """The functions of the three operations together."""
        found = [profile.profile(self.build(mode), op) for op in OPS]
        times: dict[str, float] = {}
        for hot in (hot for one in found for hot in one.functions):
            times[hot.name] = times.get(hot.name, 0) + hot.times
        sizes = {hot.name: hot.size for one in found for hot in one.functions}
        functions = [Hot(name, sizes[name], n) for name, n in times.items()]
        functions.sort(key=lambda hot: hot.density, reverse=True)
        return Profile(
            "all", functions, [], max(p.stack_bytes for p in found), 0, 0, sum(p.instructions for p in found)
        )

    def operations(self, setup: Setup, mhz: int) -> dict[str, dict[str, float]]:
        """Instructions, cycles and milliseconds of each operation, its random bytes included."""
        placed = self.placed(setup.mode, self.placement(setup, mhz))
        memory, states = MEMORIES[self.target, setup.accelerated], wait_states(mhz * 1_000_000)
        found = {}
        for op in OPS:
            cost = placed.costs[op]
            drawn, waited = draw(self.target, DRAWN[op], mhz if setup.trng else None)
            cycles = cost.cycles + memory.penalty(cost.seen[setup.accelerated], states) + waited
            found[op] = {
                "instructions": round(cost.instructions + drawn),
                "cycles": round(cycles),
                "milliseconds": round(cycles / mhz / 1000, 4),
            }
        return found

    def data_ram(self, setup: Setup, mhz: int) -> int:
        """What a linker would call data, were all of it static: written memory, constants that moved, workspace, the
        key object with its caches, ciphertext, secret and seed."""
        placed = self.placed(setup.mode, self.placement(setup, mhz))
        measured = self.measured(setup.mode)
        found = [measurement.row for measurement in measured.values()]
        most = {
            key: max(int(row[key]) for row in found)
            for key in ("workspace_bytes", "table_bytes", "static_written_bytes")
        }
        handed = int(measured["encaps"].row["caller_bytes"]) + 64
        return sum(most.values()) + placed.dtcm_bytes + handed

    def row(self, setup: Setup, mhz: int, op: str = "kem-setup") -> rows.Row:
        """The row of a setup at a clock."""
        placed = self.placed(setup.mode, self.placement(setup, mhz))
        operations = self.operations(setup, mhz)
        baseline = self.operations(BASELINE, mhz)
        return {
            "scheme": self.scheme,
            "op": op,
            "setup": setup.name,
            "group": setup.group,
            "mode": setup.mode,
            "target": self.target,
            "kind": "modelled",
            "mhz": mhz,
            "wait_states": wait_states(mhz * 1_000_000),
            "memory": MEMORIES[self.target, setup.accelerated].name,
            "operations": operations,
            "saved": {n: round(1 - operations[n]["cycles"] / baseline[n]["cycles"], 5) for n in OPS},
            **cycles_label(self.target),
            "itcm_bytes": placed.itcm_bytes,
            "dtcm_bytes": placed.dtcm_bytes,
            "data_ram_bytes": self.data_ram(setup, mhz),
            "state_bytes": int(self.measured(setup.mode)["encaps"].row["state_bytes"]),
            "commit": version(),
            "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }


@cache
def draw(target: str, drawn: int, trng_mhz: int | None) -> tuple[float, float]:
    """Instructions and cycles of random bytes: of the hardware at a clock, which waits for each word, or else of the
    fixed stream that the apps use where a study has its fixed seed."""
    if drawn == 0:
        return 0, 0
    if trng_mhz is not None:
        words = drawn // 4
        return words * TRNG_WORD_INSTRUCTIONS, words * max(
            TRNG_WORD_INSTRUCTIONS, TRNG_WORD_CYCLES * trng_mhz / TRNG_MHZ
        )
    return drawn_by(target, f"stream_{drawn}")


@cache
def drawn_by(target: str, name: str) -> tuple[float, float]:
    """Instructions and cycles, without wait states, of a draw of firmware/apps/mlkem_draw.c: stream_32, drbg_64, …"""
    build = Build(target, "ml-kem-768", "default")
    (path,) = build.images("draw")
    image = Image(path, build.of)
    trace = count(image, [], stack=count(image, []).head["stack_bottom"]).trace
    cycles = core_cycles(target, image, trace.counts[name], trace.taken[name])
    return sum(trace.counts[name].values()), cycles


def experiment(target: str, scheme: str, tell: Callable[[str], None] = lambda _: None) -> Iterator[rows.Row]:
    """Every row of one set on one target: the operations of each cache mode, the draws, the setups at both endpoints, the
    clocks of the selected profile and of the baseline."""
    bench = Bench(target, scheme, tell)
    for mode in KEM_MODES:
        for op, measurement in bench.measured(mode).items():
            cycles = bench.placed(mode, Placement()).costs[op].cycles
            row = {key: value for key, value in measurement.row.items() if key not in ("mix", "functions")}
            yield {**row, "core_cycles": round(cycles), **cycles_label(target)}
    for source in ("stream", "drbg"):
        for drawn in (32, 64):
            instructions, cycles = drawn_by(target, f"{source}_{drawn}")
            yield {
                "scheme": scheme,
                "op": "kem-draw",
                "setup": f"{source}_{drawn}",
                "target": target,
                "kind": "emulated",
                "instructions": {"n": 1, "mean": instructions},
                "core_cycles": round(cycles),
                **cycles_label(target),
            }
    for setup in SETUPS:
        for mhz in ENDPOINTS:
            tell(f"{target} {scheme} {setup.name}, {mhz} MHz")
            yield bench.row(setup, mhz)
    selected = next(setup for setup in PROFILES if setup.name == SELECTED)
    for setup in (BASELINE, selected):
        for mhz in CLOCKS:
            yield bench.row(setup, mhz, "kem-clock")
