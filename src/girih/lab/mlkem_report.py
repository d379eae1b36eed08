"""Writes docs/mlkem-embedded.md and its plots from the rows of `girih lab mlkem`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from girih.lab.build import KEM_MODES, KEM_SCHEMES
from girih.lab.fetch import MEMORIES
from girih.lab.mlkem import (
    BASELINE,
    CLOCKS,
    DIRECTIONS,
    ENDPOINTS,
    ITCM_ROOMS,
    OPS,
    PROFILES,
    SELECTED,
    TARGETS,
    TRNG_MHZ,
    TRNG_WORD_CYCLES,
)
from girih.lab.mlkem_plots import plot_kem
from girih.lab.peers import peers_of
from girih.lab.results import KemResults, number, percent, ram, table
from girih.lab.rows import Row
from girih.lab.sweep import pays_from
from girih.lab.targets import TARGETS as CORES

CACHES = KEM_MODES[2:]
MIDDLE = "ml-kem-768"
GOALS = {"keygen": 6500, "encaps": 8000, "decaps": 8000}  # bytes of RAM, ML-KEM-768 from bytes
GOAL_RATIO = 0.95  # of mlkem-native's instructions


def _mean(row: Row) -> float:
    return float(row["instructions"]["mean"])


def _share(value: float) -> str:
    """A share that may be too small to have a sign."""
    return f"{value:.2%}" if abs(value) >= 0.00005 else "0.00%"


def _between(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _span(values: Sequence[float]) -> str:
    """The range of shares."""
    return _between(_share(min(values)), _share(max(values)))


def _bytes(values: Sequence[int]) -> str:
    """The range of sizes."""
    return _between(number(min(values)), number(max(values)))


def _goals(results: KemResults) -> str:
    lines = []
    for target in TARGETS:
        for i, op in enumerate(OPS):
            row, soft = (
                results.one(target=target, scheme=MIDDLE, mode="default", op=op, hardening=hard)
                for hard in (True, False)
            )
            if row is not None:
                bound = GOAL_RATIO * peers_of(MIDDLE, "m7")[0].instructions[i]
                lines.append(
                    (
                        f"{CORES[target].core} {op}",
                        number(bound),
                        number(_mean(row)),
                        number(_mean(soft)) if soft else "",
                        percent(_mean(row) / (bound / GOAL_RATIO)),
                        number(GOALS[op]),
                        number(ram(row)),
                    )
                )
    columns = [
        "ML-KEM-768 from bytes",
        "goal",
        "instructions",
        "without hardening",
        "of mlkem-native's",
        "RAM, goal",
        "RAM",
    ]
    return table(columns, lines)


def _operations(results: KemResults, target: str, scheme: str) -> str:
    lines: list[tuple[Any, ...]] = []
    for mode in KEM_MODES:
        for op in ("keygen", "load", "encaps", "decaps"):
            row = results.operation(target, scheme, mode, op)
            if row is not None:
                lines.append(
                    (
                        f"{mode} {op}",
                        number(_mean(row)),
                        number(row["core_cycles"]),
                        number(ram(row)),
                        number(row["stack_bytes"]),
                        number(row["workspace_bytes"]),
                        number(row["static_written_bytes"]),
                        number(row["table_bytes"]),
                        number(row["state_bytes"]),
                        number(row["caller_bytes"]),
                        number(row["image_bytes"]["total"]),
                        number(row["image_bytes"]["marginal"]),
                    )
                )
    for peer in peers_of(scheme, target):
        for op, instructions, stack in zip(OPS, peer.instructions, peer.stack, strict=True):
            rest = ("", number(stack), number(stack), *[""] * 5, number(peer.image), "")
            lines.append((f"*{peer.name} {op}*", number(instructions), *rest))
    columns = [
        "operation",
        "instructions",
        "modelled cycles",
        "RAM",
        "stack",
        "workspace",
        "static",
        "object",
        "caches",
        "caller",
        "image",
        "of which marginal",
    ]
    return f"### {scheme} on {CORES[target].core}\n\n{table(columns, lines)}\n"


def _savings(results: KemResults, target: str) -> str:
    """Caches against objects that have none."""
    lines = []
    for scheme in KEM_SCHEMES:
        base = {op: results.operation(target, scheme, "prepared", op) for op in ("keygen", "load", "encaps", "decaps")}
        for mode in CACHES:
            found = {op: results.operation(target, scheme, mode, op) for op in base}
            if any(row is None for row in (*base.values(), *found.values())):
                continue
            cost = {op: (_mean(base[op] or {}), _mean(found[op] or {})) for op in base}
            added = max(0.0, cost["keygen"][1] - cost["keygen"][0])
            derived = max(0.0, cost["load"][1] - cost["load"][0])
            uses = [
                pays_from(*cost[op], paid) for op, paid in (("encaps", added), ("decaps", added), ("encaps", derived))
            ]
            lines.append(
                (
                    f"{scheme} {mode}",
                    *(percent(1 - cost[op][1] / cost[op][0]) for op in ("encaps", "decaps")),
                    _share(cost["keygen"][1] / cost["keygen"][0] - 1),
                    number(derived),
                    *("never" if use is None else use for use in uses),
                    number((found["encaps"] or {}).get("state_bytes")),
                )
            )
    columns = [
        "caches",
        "encaps saved",
        "decaps saved",
        "added to key generation",
        "to deriving, instructions",
        "pays from encaps",
        "from decaps",
        "derived, from encaps",
        "bytes",
    ]
    return table(columns, lines)


def _as_assembly(results: KemResults) -> str:
    """What the same saving is of an implementation whose arithmetic is assembly."""
    lines = []
    for scheme in KEM_SCHEMES:
        (peer,) = peers_of(scheme, "m4")
        cells = []
        for i, op in ((1, "encaps"), (2, "decaps")):
            rows_ = [results.operation("m4", scheme, mode, op) for mode in ("prepared", "cached-a")]
            if None not in rows_:
                before, after = (_mean(row or {}) for row in rows_)
                cells += [
                    number(before - after),
                    percent(1 - after / before),
                    percent((before - after) / peer.instructions[i]),
                ]
        if cells:
            lines.append((scheme, *cells))
    columns = ["A_hat, Cortex-M4F", "encaps: spared", "of ours", "of pqm4's", "decaps: spared", "of ours", "of pqm4's"]
    return table(columns, lines)


def _directions(results: KemResults, target: str) -> str:
    """Each setup's range over sets and endpoints."""
    lines = []
    for setup in (*DIRECTIONS, *PROFILES):
        found = [results.setup(target, s, setup.name, mhz) for s in KEM_SCHEMES for mhz in ENDPOINTS]
        base = [results.setup(target, s, BASELINE.name, mhz) for s in KEM_SCHEMES for mhz in ENDPOINTS]
        pairs = [(one, other) for one, other in zip(found, base, strict=True) if one is not None and other is not None]
        if pairs:
            more = [one["data_ram_bytes"] - other["data_ram_bytes"] for one, other in pairs]
            state = [one["state_bytes"] for one, _ in pairs]
            lines.append(
                (
                    setup.name,
                    *(_span([one["saved"][op] for one, _ in pairs]) for op in OPS),
                    _bytes(more),
                    _bytes(state),
                    number(max(one["itcm_bytes"] for one, _ in pairs)),
                )
            )
    columns = [
        "cycles saved",
        "key generation",
        "encaps",
        "decaps",
        "data RAM added",
        "of which caches",
        "ITCM code, at most",
    ]
    return table(columns, lines)


def _absolute(results: KemResults, target: str, names: Sequence[str], schemes: Iterable[str]) -> str:
    lines = []
    for scheme in schemes:
        for mhz in ENDPOINTS:
            for name in names:
                row = results.setup(target, scheme, name, mhz)
                if row is not None:
                    found = row["operations"]
                    lines.append(
                        (
                            f"{scheme} {mhz} MHz {name}",
                            *(number(found[op]["instructions"]) for op in OPS),
                            *(number(found[op]["cycles"]) for op in OPS),
                            *(f"{found[op]['milliseconds']:.3f}" for op in OPS),
                            number(row["itcm_bytes"]),
                            number(row["data_ram_bytes"]),
                            number(row["state_bytes"]),
                        )
                    )
    columns = [
        CORES[target].core,
        *(f"{what} {op}" for what in ("instructions,", "cycles,", "ms,") for op in OPS),
        "ITCM code",
        "data RAM",
        "caches",
    ]
    return table(columns, lines)


def _even(results: KemResults, target: str) -> str:
    """When the selected profile's caches have paid what they add to key generation: in cycles, against the profile
    without caches."""
    lines = []
    for scheme in KEM_SCHEMES:
        for mhz in ENDPOINTS:
            without, with_ = (results.setup(target, scheme, name, mhz) for name in ("NC-noD", SELECTED))
            if without is not None and with_ is not None:
                cost = {op: (without["operations"][op]["cycles"], with_["operations"][op]["cycles"]) for op in OPS}
                added = cost["keygen"][1] - cost["keygen"][0]
                uses = [pays_from(*cost[op], max(0, added)) for op in ("encaps", "decaps")]
                lines.append(
                    (
                        f"{scheme} {mhz} MHz",
                        f"{added:+,}",
                        *(number(cost[op][0] - cost[op][1]) for op in OPS[1:]),
                        *uses,
                    )
                )
    columns = [
        f"{CORES[target].core}, cycles",
        "added to key generation",
        "saved an encaps",
        "a decaps",
        "pays from encaps",
        "from decaps",
    ]
    return table(columns, lines)


def _clocks(results: KemResults, target: str) -> str:
    lines = []
    for mhz in CLOCKS:
        row = results.setup(target, MIDDLE, SELECTED, mhz, "kem-clock")
        if row is not None:
            found = row["operations"]
            cells = (cell for op in OPS for cell in (number(found[op]["cycles"]), f"{found[op]['milliseconds']:.3f}"))
            lines.append((f"{mhz} MHz", row["wait_states"], *cells))
    columns = ["clock", "wait states", *(f"{op}{unit}" for op in OPS for unit in (", cycles", ", ms"))]
    return table(columns, lines)


def _draws(results: KemResults) -> str:
    lines: list[tuple[Any, ...]] = []
    for target in TARGETS:
        for name, what in (("stream", "the apps' fixed stream"), ("drbg", "HMAC_DRBG (core/ports)")):
            found = [results.one(op="kem-draw", target=target, setup=f"{name}_{n}") for n in (64, 32)]
            if None not in found:
                cells = (number(cell) for row in found for cell in (_mean(row or {}), (row or {})["core_cycles"]))
                lines.append((f"{CORES[target].core}, {what}", *cells))
    for mhz in ENDPOINTS:
        cycles = [words * TRNG_WORD_CYCLES * mhz / TRNG_MHZ for words in (16, 8)]
        lines.append((f"hardware TRNG at {mhz} MHz", number(96), number(cycles[0]), number(48), number(cycles[1])))
    columns = ["random bytes", "64: instructions", "cycles", "32: instructions", "cycles"]
    return table(columns, lines)


def _every_core(results: KemResults) -> str:
    lines = []
    for target in CORES:
        for mode in ("default", "cached-a-h"):
            found = [results.operation(target, MIDDLE, mode, op) for op in OPS]
            if None not in found:
                have = [row or {} for row in found]
                lines.append(
                    (
                        f"{CORES[target].core} {mode}",
                        *(number(_mean(row)) for row in have),
                        *(number(ram(row)) for row in have),
                        number(have[0]["image_all_bytes"]["total"]),
                    )
                )
    columns = [
        "ML-KEM-768",
        "key generation",
        "encaps",
        "decaps",
        "RAM: key generation",
        "encaps",
        "decaps",
        "image, all operations",
    ]
    return table(columns, lines)


TEXT = """\
# ML-KEM on a microcontroller

*Written by `girih lab mlkem --report` from the lines in benchmarks/results/mlkem-lab.jsonl; change those, or
src/girih/lab/mlkem_report.py, not this page.*

What the reuse of public data is worth on a small core, and what the other system-level choices are: code in tightly
coupled memory, constants there, a hardware random generator, an accelerator in front of the flash, the clock. The
kernels are portable C. [The page on ML-DSA](embedded.md) says how instructions, stack and bytes are counted: exactly,
under emulation, in images whose answers are checked while they are measured.

**Cycles are modelled.** Those of the Cortex-M4F come from a model that meets published figures
(within 5%); those of the **Cortex-M7 are uncalibrated**: a guess at its two pipes, good for comparing images with each
other. Wait states are a model on both. Nothing here was measured on a board.

{compiler}

## Goals

From bytes, every check at every call, hardening on; mlkem-native in portable C with -Os is the measure on both cores
(846,077, 970,192 and 1,187,012 instructions on the M7).

{goals}

## Operations, with each choice of caches

- `default` works from the encodings; `prepared` from key objects, which were checked once, without a cache.
- `cached-a` keeps A_hat, `cached-h` H(ek), `parsed` t_hat, and so on in every union. In these modes key generation makes
  the object of the pair from the seed, and `load` that of a remote encapsulator from its encoding, caches derived.
- RAM is stack, workspace and written static memory. The object of a key and the caches in it have columns of their own.

{m7}
{m4}
*Rows in italics* are other implementations, counted in the same way (hardening off, pqm4 with assembly).

## What a cache saves

Against `prepared`, on the Cortex-M7, in instructions. Key generation makes A_hat, H(ek) and t_hat in any case: keeping
them costs it nothing worth a name. A remote encapsulator derives them once.

{savings}

The same on the portable backend of an x86-64 host, counted by callgrind:

{host}

The published savings, with assembly on the Cortex-M7, are 41 to 62% (encaps) and 38 to 58% (decaps) for A_hat, and 12.5
to 16.4% for H(ek). For H(ek) the numbers agree. A_hat spares as much work here, but of a longer whole: the arithmetic
that remains is portable C, and the fewer entries A_hat has the more that weighs. Taken of pqm4's instructions, whose
arithmetic is assembly, the same saving is what was published:

{assembly}

On the host, with lanes of 64 bits, a permutation takes fewer instructions than on 32-bit cores, and arithmetic does not:
sampling is a smaller share still.

## Directions alone, and six profiles

Baseline: `prepared`, code and constants in flash, random bytes from the apps' fixed stream. Ranges are over the three
sets and the endpoints 24 and 216 MHz; negative: it costs more.

- *ITCM code*: nothing, or the densest functions of the three operations that fit {rooms} bytes: the choice with
  which the three together wait least, made for each set, profile and endpoint, then linked and counted.
- *DTCM constants*: the {constants}-byte table of the NTT.
- *hardware TRNG*: words of a generator like the STM32F7's ({word} periods of {trng} MHz each), which is a model too.
- *flash acceleration*: {memories}.
- The study names the profiles NC, NC-noD, AE, AE-noD-noPK and AC. Here NC is everything but caches, AC the
  three caches and nothing else, AE everything; -noD leaves the constants in flash, -noPK t_hat out. The sixth, our
  choice, is AE-noD.

Cortex-M7, uncalibrated:

{directions_m7}

Cortex-M4F:

{directions_m4}

![Memory against gain](mlkem-embedded/gain.svg)

Public-data reuse is the large gain on both cores. The M7's caches hide its flash: ITCM, constants and acceleration stay
far below one percent, as published; what is under 0.3 percent is no more than where an image happens to lie changes in
the model. The M4 has no cache: at 24 MHz its flash needs no wait states and nothing helps; at 216 MHz, which no part of
that core reaches from such a flash, code in RAM or the accelerator is worth as much as A_hat. The parsed key is worth
its bytes least.

What differs from the publication: key generation pays nothing for its caches here, because it writes them where they
stay (there 2.5 to 5.2%); the fixed stream is a permutation of Keccak for each 32 bytes, so the hardware generator saves
a little more.

Every profile at both endpoints, ML-KEM-768:

{profiles}

The selected profile, {selected}, every set; data RAM is what a linker would report were all of it static: written
memory, workspace, the object of the key pair, ciphertext, secret and seed, without the stack.

{selection}

When its caches have paid for themselves, against NC-noD:

{even}

## Sixteen clocks

A model: wait states are those of a flash that needs one for every 30 MHz begun beyond the first, and nothing else
depends on the clock but the hardware generator. ML-KEM-768, {selected}, Cortex-M7, uncalibrated:

{clocks_m7}

Cortex-M4F:

{clocks_m4}

![Clock sweep](mlkem-embedded/clock.svg)

## Random bytes

{draws}

The first row of a core is what the baseline draws; a product has the DRBG or the hardware.

## Every core

{cores}

## Do it yourself

    girih lab run --target m4 --scheme ml-kem-768 --op encaps --mode default,cached-a-h
    girih lab mlkem --target m7,m4 --json rows.jsonl
"""


def render(results: KemResults) -> str:
    """The page."""
    newest = results.operation("m7", MIDDLE, "default", "encaps")
    constants = {row["dtcm_bytes"] for row in results.all(op="kem-setup") if row["dtcm_bytes"]}
    memories = [f"{CORES[t].core}, {MEMORIES[t, False].name} against {MEMORIES[t, True].name}" for t in TARGETS]
    every = [BASELINE.name, *(profile.name for profile in PROFILES)]
    return TEXT.format(
        compiler=f"Compiler and flags: {newest['compiler']}, `{newest['flags']}`." if newest else "",
        goals=_goals(results),
        m7="\n".join(_operations(results, "m7", scheme) for scheme in KEM_SCHEMES),
        m4="\n".join(_operations(results, "m4", scheme) for scheme in KEM_SCHEMES),
        savings=_savings(results, "m7"),
        host=_savings(results, "host"),
        assembly=_as_assembly(results),
        rooms=" or ".join(number(room) for room in ITCM_ROOMS),
        constants=" or ".join(number(n) for n in sorted(constants)),
        word=TRNG_WORD_CYCLES,
        trng=TRNG_MHZ,
        memories="; ".join(memories),
        directions_m7=_directions(results, "m7"),
        directions_m4=_directions(results, "m4"),
        profiles="\n\n".join(_absolute(results, target, every, [MIDDLE]) for target in TARGETS),
        selected=SELECTED,
        selection="\n\n".join(_absolute(results, target, [SELECTED], KEM_SCHEMES) for target in TARGETS),
        even="\n\n".join(_even(results, target) for target in TARGETS),
        clocks_m7=_clocks(results, "m7"),
        clocks_m4=_clocks(results, "m4"),
        draws=_draws(results),
        cores=_every_core(results),
    )


def report(results_folder: Path, docs: Path) -> Path:
    """Writes docs/mlkem-embedded.md and the plots of docs/mlkem-embedded; returns the page's path."""
    results = KemResults.read(results_folder)
    page = docs / "mlkem-embedded.md"
    docs.mkdir(parents=True, exist_ok=True)
    page.write_text(render(results), encoding="utf-8")
    plot_kem(results, docs / "mlkem-embedded")
    return page
