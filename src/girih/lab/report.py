"""Writes docs/embedded.md and its plots from the result lines in benchmarks/results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from girih.lab.build import MODES, SCHEMES
from girih.lab.peers import KECCAK, VERIFY_ONLY, peers_of
from girih.lab.plots import plot_all
from girih.lab.results import ATTEMPTS, Results, cost, millions, number, ram, table
from girih.lab.rows import Row
from girih.lab.sweep import pays_from
from girih.lab.targets import TARGETS


def _ladder(results: Results) -> str:
    parts = []
    for target in ("m33", "m4", "rv32imc"):
        found = results.all(scheme="keccak-f1600", target=target)
        if found:
            lines = [
                (
                    row["what"],
                    number(row["instructions"]["mean"]),
                    number(row.get("cycles")),
                    number(row["code_bytes"]),
                    row["stack_bytes"],
                )
                for row in found
            ]
            if target == "m33":
                lines += [(f"*{name}*", number(count), "", "", "") for name, count in KECCAK]
            parts += [
                f"{TARGETS[target].core}:\n",
                table(["form", "instructions", "modelled cycles", "code and constants", "stack"], lines),
                "",
            ]
    return "\n".join(parts)


def _operations(results: Results, target: str, scheme: str) -> list[tuple[Any, ...]]:
    lines: list[tuple[Any, ...]] = []
    for mode in MODES:
        for op in ("keygen", "load", "sign", "verify"):
            row = results.one(
                op=op, scheme=scheme, target=target, mode=mode, kernel="c32", hardening=True, kind="emulated"
            )
            if row is None:
                continue
            cycles = row["cycles"] / row["instructions"]["mean"] * cost(row) if "cycles" in row else None
            lines.append(
                (
                    f"{mode} {op}",
                    number(cost(row)),
                    number(cycles),
                    number(ram(row)),
                    number(row["stack_bytes"]),
                    number(row["workspace_bytes"]),
                    number(row["table_bytes"]),
                    number(row["caller_bytes"]),
                    number(row["image_bytes"]["total"]),
                    number(row["image_bytes"]["marginal"]),
                )
            )
    for peer in peers_of(scheme, target):
        for op, instructions, stack in zip(("keygen", "sign", "verify"), peer.instructions, peer.stack, strict=True):
            lines.append(
                (
                    f"*{peer.name} {op}*",
                    number(instructions),
                    "",
                    number(stack),
                    number(stack),
                    "",
                    "",
                    "",
                    number(peer.image),
                    "",
                )
            )
    return lines


def _main(results: Results, target: str) -> str:
    columns = [
        "operation",
        "instructions",
        "modelled cycles",
        "RAM",
        "stack",
        "workspace",
        "tables",
        "caller",
        "image",
        "of which marginal",
    ]
    parts = []
    for scheme in SCHEMES:
        lines = _operations(results, target, scheme)
        if lines:
            parts += [f"### {scheme} on {TARGETS[target].core}\n", table(columns, lines), ""]
    return "\n".join(parts)


def _fits(results: Results) -> str:
    lines = []
    for row in results.found.values():
        if (
            row["op"] == "sign"
            and row["kind"] == "emulated"
            and row.get("attempts_fit")
            and row["kernel"] == "c32"
            and row["hardening"]
            and row["target"] in ("m33", "m4")
        ):
            fit = row["attempts_fit"]
            lines.append(
                (
                    f"{row['target']} {row['scheme']} {row['mode']}",
                    row["instructions"]["n"],
                    row["attempts"],
                    number(fit["a"]),
                    number(fit["b"]),
                    millions(cost(row)),
                )
            )
    return table(["signing", "messages", "mean attempts", "a", "b", "a + b x attempts"], lines)


def _targets(results: Results) -> str:
    lines = []
    for target in TARGETS.values():
        for mode in ("lowram", "expanded-packed"):
            found = {
                op: results.one(op=op, scheme="ml-dsa-65", target=target.name, mode=mode, kernel="c32", hardening=True)
                for op in ("keygen", "load", "sign", "verify")
            }
            sign, verify, keygen = found["sign"], found["verify"], found["keygen"]
            if sign is None or verify is None or keygen is None:
                continue
            lines.append(
                (
                    f"{target.core} {mode}",
                    millions(cost(keygen)),
                    millions(cost(found["load"])) if found["load"] else "",
                    millions(cost(sign)),
                    millions(cost(verify)),
                    number(ram(sign)),
                    number(ram(verify)),
                    number(sign["image_all_bytes"]["total"]),
                )
            )
    return table(
        [
            "core, mode (ML-DSA-65)",
            "keygen",
            "load",
            "sign",
            "verify",
            "RAM, sign",
            "RAM, verify",
            "image, all operations",
        ],
        lines,
    )


def _m0(results: Results) -> str:
    """What fits the 16 KB of the smallest board, the caller's bytes included."""
    lines = []
    for scheme in SCHEMES:
        for mode in MODES:
            for op in ("keygen", "load", "sign", "verify"):
                row = results.one(op=op, scheme=scheme, target="m0", mode=mode, kernel="c32", hardening=True)
                if row is not None:
                    need = ram(row) + row["caller_bytes"] + row["table_bytes"]
                    if need <= 16384:
                        lines.append(
                            (
                                f"{scheme} {mode} {op}",
                                number(need),
                                number(ram(row)),
                                number(row["caller_bytes"]),
                                number(row["table_bytes"]),
                                millions(cost(row)),
                            )
                        )
    return table(["fits 16,384 bytes", "bytes in all", "RAM", "caller", "tables", "instructions"], lines)


def _verify_only(results: Results) -> str:
    lines = []
    for scheme in SCHEMES:
        for kernel in ("c32-small", "c32"):
            row = results.one(op="verify", scheme=scheme, target="m33", mode="lowram", kernel=kernel, hardening=True)
            if row is not None:
                image = row["image_bytes"]
                lines.append(
                    (
                        f"{scheme}, {kernel}",
                        *(number(image[key]) for key in ("total", "harness", "hash", "marginal")),
                        number(row["instructions"]["mean"]),
                        number(ram(row)),
                        number(VERIFY_ONLY[scheme]),
                    )
                )
    return table(
        ["verify only, M33", "image", "harness", "hash", "marginal", "instructions", "RAM", "*mldsa-native's image*"],
        lines,
    )


def _hardening(results: Results) -> str:
    lines = []
    for mode in ("lowram", "expanded-packed"):
        for op in ("keygen", "sign", "verify"):
            on, off = (
                results.one(
                    op=op, scheme="ml-dsa-65", target="m33", mode=mode, kernel="c32", hardening=state, kind="emulated"
                )
                for state in (True, False)
            )
            if on is not None and off is not None:
                lines.append(
                    (
                        f"{mode} {op}",
                        number(cost(off)),
                        number(cost(on)),
                        f"{cost(on) / cost(off) - 1:+.1%}",
                        f"{ram(on) - ram(off):+d}",
                        f"{on['image_bytes']['total'] - off['image_bytes']['total']:+d}",
                    )
                )
    return table(["ML-DSA-65, M33", "without", "with hardening", "instructions", "RAM", "image"], lines)


def _attest(results: Results) -> str:
    lines = [
        (
            f"{row['target']} {row['scheme']} {row['mode']}",
            row["instructions"]["n"],
            number(row["instructions"]["mean"]),
            number(row.get("cycles")),
            number(ram(row)),
            number(row["image_bytes"]["total"]),
        )
        for row in results.all(op="attest")
    ]
    return table(
        ["DRBG + signature + check + digest", "calls", "instructions, mean", "modelled cycles", "RAM", "image"], lines
    )


def _sweep(results: Results) -> str:
    parts = []
    for target, scheme in dict.fromkeys((row["target"], row["scheme"]) for row in results.all(op="sweep")):
        found = results.all(op="sweep", target=target, scheme=scheme)
        base = next((row for row in found if row["variant"] == "baseline" and "operations" in row), None)
        if base is None:
            continue
        lines = []
        for row in found:
            if "left_out" in row:
                lines.append((row["variant"], f"left out: {row['left_out']}", "", "", "", "", ""))
                continue
            cells: list[Any] = [row["variant"]]
            for op in ("keygen", "load", "sign", "verify"):
                one, other = row["operations"].get(op), base["operations"].get(op)
                cells.append(
                    f"{number(one['instructions'])} ({one['instructions'] / other['instructions'] - 1:+.1%})"
                    if one and other
                    else ""
                )
            cells += [row["operations"]["sign"]["stack_bytes"], number(row["image_all_bytes"])]
            lines.append(tuple(cells))
        columns = ["variant", "keygen", "load", "sign", "verify", "stack, sign", "image"]
        parts += [f"{scheme} on {TARGETS[target].core}, from mode {base['mode']}:\n", table(columns, lines), ""]
        parts += [*_flash(base), *_paying(base, found)]
    return "\n".join(parts)


def _flash(base: Row) -> list[str]:
    lines = []
    for op, one in base["operations"].items():
        if "flash_cycles" in one:
            cycles = one["flash_cycles"]
            lines.append((op, *(number(cycles[n]) for n in ("0", "2", "4"))))
    note = "Code in SRAM against code in flash, modelled without a cache: a bound for comparing placements.\n"
    return [note, table(["modelled cycles", "SRAM", "flash, 2 wait states", "flash, 4"], lines), ""] if lines else []


def _paying(base: Row, found: list[Row]) -> list[str]:
    load = base["operations"].get("load")
    lines = []
    for row in found:
        if load and row["variant"] in ("mode default", "mode lowram") and "operations" in row:
            uses = [
                pays_from(
                    row["operations"][op]["instructions"], base["operations"][op]["instructions"], load["instructions"]
                )
                for op in ("sign", "verify")
            ]
            lines.append((row["variant"], *(use if use is not None else "never" for use in uses)))
    return (
        [table(["an expanded key pays, instead of", "from signature", "from verification"], lines), ""] if lines else []
    )


def _latency(results: Results) -> str:
    parts = []
    for row in results.all(op="latency"):
        instructions, attempts, model = row["instructions"], row["attempts"], row["geometric"]
        parts += [
            f"{row['scheme']} {row['mode']} on {TARGETS[row['target']].core}, {attempts['n']} signatures: largest distance"
            f" from the geometric distribution {model['distance']:.3f} (chance alone exceeds"
            f" {model['distance_bound']:.3f} once in a hundred times); one signature in a"
            f" million needs more than {model['one_in_a_million']} attempts.\n",
            table(
                ["", "mean", "median", "p99", "worst"],
                [
                    ("attempts", *(f"{attempts[key]:.4g}" for key in ("mean", "median", "p99", "max"))),
                    ("attempts, geometric", model["mean"], model["median"], model["p99"], ""),
                    ("instructions", *(number(instructions[key]) for key in ("mean", "median", "p99", "max"))),
                ],
            ),
            "",
            table(
                ["attempt budget", "instructions, at most", "exhausted, measured", "exhausted, model"],
                [
                    (b["attempts"], number(b["instructions"]), f"{b['exhausted']:.2%}", f"{b['exhausted_model']:.4%}")
                    for b in row["budgets"]
                ],
            ),
            "",
        ]
    return "\n".join(parts)


def _model(results: Results) -> str:
    lines = [
        (
            f"{row['implementation']}, {row['scheme']} {row['published_op']} on {TARGETS[row['target']].core}",
            row["use"],
            number(row["published_cycles"]),
            number(row["cycles"]),
            f"{row['cycles'] / row['published_cycles'] - 1:+.1%}",
        )
        for row in results.all(op="model")
    ]
    return table(["published hardware", "used for", "published cycles", "modelled cycles", "difference"], lines)


TEXT = """\
# On a microcontroller

*Written by `girih lab report` from the lines in benchmarks/results; change those, or src/girih/lab/report.py, not
this page.*

Instruction counts and bytes are exact: they are counted under emulation ({qemu}), in images whose answers are checked
against known ones while they are measured. Cycles are modelled and carry their error; nothing here was measured on a
board unless its row says `measured`. ML-KEM has [a page of its own](mlkem-embedded.md). Compiler and flags:
{compiler}.

- RAM is stack, workspace and written static memory. What the caller owns anyway (keys, message, signature) and the
  tables of an expanded key are columns of their own.
- Signing costs a + b x attempts; it is shown at {attempts} attempts, the means at which all implementations are
  compared.
- Modes: `lowram` starts from the encoded keys and keeps nothing; `default` makes its tables in the workspace at each
  call; `expanded` keeps them; `expanded-packed` keeps them with 24 bits a coefficient.
- *Rows in italics* are other implementations, counted in the same way ({peers}).

## Keccak, rung by rung

{ladder}
![The Keccak ladder](embedded/ladder.svg)

What helped: keeping the words interleaved for life, and putting rotations off. What did not: converting at each
permutation, and early parity in C, where the compiler has no registers for the sums. On RISC-V without a rotate
instruction the smallest form is also the faster one, and the core uses it there. Four states in one call cost what
four calls cost: there are no vectors to fill.

## ML-DSA on the M33

{m33}
## ML-DSA on the M4

{m4}
![RAM against instructions](embedded/memory.svg)

## Signing: a + b x attempts

{fits}

## Every core

{targets}

## What fits the 16 KB of the M0

The board's RAM must hold the caller's keys, message and signature as well.

{m0}

## Verify only

{verify_only}

## Hardening

`-ftrivial-auto-var-init=zero -fstack-protector-strong`; traps on unaligned access and division by zero and the stack
limit of v8-M are always on.

{hardening}

## A device that attests

One call: random bytes from the DRBG (SP 800-90A over the entropy port), the signature, its verification before
release, the digest of the tables.

{attest}

## One change at a time

{sweep}
## Latency is a distribution

{latency}
![Attempts](embedded/latency.svg)

## The cycle model

{model}

The model of the M4 is: instructions + {m4_weights}, with the M33 alike ({m33_weights}). It knows neither caches nor
wait states. The M7 and the M55 have no calibrated model and show instructions only; MVE instructions take two cycles
or more, so the M55's counts are not cycles.

## Do it yourself

    apt-get install gcc-arm-none-eabi gcc-riscv64-unknown-elf qemu-system-arm qemu-system-misc cmake gcc pip install
    'girih[lab]' girih lab run --target m33 --scheme ml-dsa-65 --op sign girih lab profile --target m7 --itcm 16K
    --dtcm 8K -o placement girih lab run --target m7 --placement placement

A board's own cycles: build the app `speed` with `GIRIH_UART_LOG=ON GIRIH_CYCLES=ON`, save what its UART says, and
`girih lab ingest LOG --board NAME` makes rows of kind `measured` of it. The app `timing` asks a core whether its
multiplier takes the same time whatever it multiplies; `girih lab timing LOG` judges the answer. The M3's long
multiplication ends early on small operands: on the M3 girih verifies, where nothing is secret; `girih_config.h`
refuses to compile more for it, and `girih lab run` to measure more. """


def render(results: Results) -> str:
    """The page."""
    from girih.lab.model import MODELS

    newest = results.one(
        op="sign", scheme="ml-dsa-65", target="m33", mode="expanded-packed", kernel="c32", hardening=True
    )
    return TEXT.format(
        qemu="qemu",
        compiler=f"{newest['compiler']}, `{newest['flags']}`" if newest else "named in the rows",
        attempts=", ".join(f"{mean} ({scheme[7:]})" for scheme, mean in ATTEMPTS.items()),
        peers="mldsa-native as portable C, pqm4 with assembly; hardening off",
        ladder=_ladder(results),
        m33=_main(results, "m33"),
        m4=_main(results, "m4"),
        fits=_fits(results),
        targets=_targets(results),
        m0=_m0(results),
        verify_only=_verify_only(results),
        hardening=_hardening(results),
        attest=_attest(results),
        sweep=_sweep(results),
        latency=_latency(results),
        model=_model(results),
        m4_weights=MODELS["m4"].formula(),
        m33_weights=MODELS["m33"].formula(),
    )


BEGIN, END = "<!-- girih lab report: begin -->\n", "<!-- girih lab report: end -->\n"


def main_table(results: Results) -> str:
    """The table of the README: RAM and instructions on the M33, verify-only image."""
    lines = []
    for mode, what in (("lowram", "from the encoded keys"), ("expanded-packed", "with the tables of a key in use")):
        for scheme in SCHEMES:
            sign, verify, keygen = (
                results.one(op=op, scheme=scheme, target="m33", mode=mode, kernel="c32", hardening=True)
                for op in ("sign", "verify", "keygen")
            )
            if sign is not None and verify is not None and keygen is not None:
                name = f"{scheme.upper()} {what}"
                costs = [millions(cost(row)) for row in (keygen, sign, verify)]
                rams = [number(ram(row)) for row in (keygen, sign, verify)]
                lines.append((name, *costs, " / ".join(rams), number(sign["table_bytes"])))
    columns = ["Cortex-M33, instructions", "key generation", "signing", "verification", "RAM, bytes", "tables, bytes"]
    return table(columns, lines) + "\n"


def _into_readme(readme: Path, text: str) -> None:
    """Puts the table between its marks, where the README has them."""
    if readme.is_file():
        page = readme.read_text(encoding="utf-8")
        before, begin, rest = page.partition(BEGIN)
        _, end, after = rest.partition(END)
        if begin and end:
            readme.write_text(before + begin + text + end + after, encoding="utf-8")


def report(results_folder: Path, docs: Path) -> Path:
    """Writes docs/embedded.md, the plots of docs/embedded and the table of the README beside docs; returns the page's path."""
    results = Results.read(results_folder)
    page = docs / "embedded.md"
    docs.mkdir(parents=True, exist_ok=True)
    page.write_text(render(results), encoding="utf-8")
    plot_all(results, docs / "embedded")
    _into_readme(docs.parent / "README.md", main_table(results))
    return page
