"""ML-KEM on its targets, under emulation: vectors in every cache mode, what caches save, models, the page."""

from __future__ import annotations

import hashlib
import json
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from girih.lab import device, pairs
from girih.lab.build import KEM_MODES, KEM_SCHEMES, Build
from girih.lab.errors import LabError
from girih.lab.fetch import MEMORIES, Memory, Seen, follow, wait_states
from girih.lab.host import caches_of, host_rows, inclusive
from girih.lab.image import Image, Instruction, classify
from girih.lab.measure import KEM_OPS, Measurement, measure
from girih.lab.mlkem import BASELINE, DIRECTIONS, ENDPOINTS, Bench, near_ranges
from girih.lab.mlkem_report import GOAL_RATIO, GOALS, render
from girih.lab.mlkem_vectors import Decaps, Encaps, KeyCheck, KeyGen
from girih.lab.peers import peers_of
from girih.lab.results import KemResults, ram
from girih.lab.targets import TARGETS
from tests.spec import mlkem as spec
from tests.vectors import of_set

ROOT = Path(__file__).resolve().parents[1]
KEY_GEN = "ACVP ML-KEM-keyGen-FIPS203"
ENCAP_DECAP = ("ACVP ML-KEM-encapDecap-FIPS203", "ACVP ML-KEM-encapDecap-FIPS203-tr1")
SAMPLE = 2  # of each kind
ANSWERS = 16  # as firmware/apps/common/kem_answers.h has them

# Every mode on the M4, the two that lie furthest apart on the others; the sets take turns.
CHOSEN = [
    *(("m4", mode, list(KEM_SCHEMES)[i % 3]) for i, mode in enumerate(KEM_MODES)),
    *((target, mode, "ml-kem-768") for target in ("m33", "rv32imc") for mode in (KEM_MODES[0], KEM_MODES[-1])),
]

Vector = KeyGen | Encaps | Decaps | KeyCheck


def vectors(scheme: str, count: int | None) -> Iterator[Vector]:
    """`count` vectors of each kind; all with None."""
    name = scheme.upper()
    for case in islice(of_set(KEY_GEN, name), count):
        yield KeyGen(case.hex("d") + case.hex("z"), case.hex("ek"), case.hex("dk"))
    cases = [case for corpus in ENCAP_DECAP for case in of_set(corpus, name)]
    for function in ("encapsulation", "decapsulation"):
        for case in islice((c for c in cases if c["function"] == function), count):
            if function == "encapsulation":
                yield Encaps(case.hex("ek"), case.hex("m"), case.hex("c"), case.hex("k"))
            else:
                yield Decaps(case.hex("dk"), case.hex("c"), case.hex("k"))
    for function, field in (("encapsulationKeyCheck", "ek"), ("decapsulationKeyCheck", "dk")):
        for valid in (True, False):
            found = (c for c in cases if c["function"] == function and c["testPassed"] is valid)
            for case in islice(found, count):
                yield KeyCheck(case.hex(field), valid, field == "dk")


@pytest.mark.corpus(KEY_GEN, *ENCAP_DECAP)
@pytest.mark.parametrize(("target", "mode", "scheme"), CHOSEN)
def test_the_target_gives_the_published_answers(target: str, mode: str, scheme: str) -> None:
    sample = list(vectors(scheme, SAMPLE))
    assert {type(vector) for vector in sample} == {KeyGen, Encaps, Decaps, KeyCheck}
    assert device.run_vectors(Build(target, scheme, mode), sample) == len(sample)


@pytest.mark.slow
@pytest.mark.corpus(KEY_GEN, *ENCAP_DECAP)
@pytest.mark.parametrize("scheme", KEM_SCHEMES)
@pytest.mark.parametrize("mode", KEM_MODES)
@pytest.mark.parametrize("target", TARGETS)
def test_the_target_gives_every_published_answer(target: str, mode: str, scheme: str) -> None:
    assert device.run_vectors(Build(target, scheme, mode), vectors(scheme, None)) > 100


@pytest.mark.corpus(*ENCAP_DECAP)
def test_a_wrong_answer_is_noticed() -> None:
    good = next(v for v in vectors("ml-kem-512", 1) if isinstance(v, Decaps))
    wrong = Decaps(good.dk, good.ct, good.ss[:-1] + bytes([good.ss[-1] ^ 1]))
    with pytest.raises(LabError, match="wrong answers"):
        device.run_vectors(Build("m4", "ml-kem-512", "cached-a"), [good, wrong])


def answers(scheme: str) -> str:
    """firmware/apps/answers/mlkem_<set>.h, as the specification has it."""

    def stream(kind: bytes, i: int) -> bytes:
        return hashlib.shake_256(b"girih lab " + kind + struct.pack("<I", i)).digest(32)

    def tag(*parts: bytes) -> str:
        return f"{{{', '.join(f'0x{byte:02x}' for byte in hashlib.shake_256(b''.join(parts)).digest(8))}}}"

    p = spec.PARAMETER_SETS[scheme.upper()]
    lines = []
    for i in range(ANSWERS):
        ek, dk = spec.ml_kem_key_gen_internal(stream(b"s", 2 * i), stream(b"s", 2 * i + 1), p)
        ss, ct = spec.ml_kem_encaps_internal(ek, stream(b"m", i), p)
        spoiled = bytes(byte ^ (n == i) for n, byte in enumerate(ct))
        rejected = spec.ml_kem_decaps_internal(dk, spoiled, p)
        lines.append(f"{{{tag(ek, dk)}, {tag(ct, ss)}, {tag(rejected)}}},")
    return (
        f"/* Known answers of {scheme.upper()}; tests compare them with the specification in Python.\n"
        " * SPDX-License-Identifier: Apache-2.0 OR MIT */\n"
        f"static const kem_answer kem_answers[KEM_ANSWERS] = {{ {' '.join(lines)} }};\n"
    )


@pytest.mark.parametrize("scheme", KEM_SCHEMES)
def test_the_known_answers_are_those_of_the_specification(scheme: str) -> None:
    kept = (ROOT / "firmware" / "apps" / "answers" / f"mlkem_{scheme[7:]}.h").read_text()
    assert "".join(kept.split()) == "".join(answers(scheme).split())


@pytest.fixture(scope="module")
def measured() -> dict[tuple[str, str], Measurement]:
    """Operations of three modes of ML-KEM-768 on the M4, by mode and operation."""
    found = {}
    for mode in ("default", "prepared", "cached-a-h"):
        for measurement in measure(Build("m4", "ml-kem-768", mode), KEM_OPS, 4):
            found[mode, measurement.row["op"]] = measurement
    return found


@pytest.mark.parametrize(("op", "number"), [("keygen", 0), ("encaps", 1), ("decaps", 2)])
def test_the_goals_are_met(measured: dict[tuple[str, str], Measurement], op: str, number: int) -> None:
    row = measured["default", op].row
    assert row["instructions"]["mean"] <= GOAL_RATIO * peers_of("ml-kem-768", "m7")[0].instructions[number]
    assert ram(row) <= GOALS[op]
    assert row["hardening"]


def test_a_rejected_ciphertext_takes_the_same_instructions(measured: dict[tuple[str, str], Measurement]) -> None:
    for mode in ("default", "prepared", "cached-a-h"):
        calls = [interval.instructions for interval in measured[mode, "decaps"].run.trace.of("decaps")]
        assert len(calls) == 8
        assert calls[::2] == calls[1::2]


def test_caches_save_what_they_should(measured: dict[tuple[str, str], Measurement]) -> None:
    cost = {key: measurement.row["instructions"]["mean"] for key, measurement in measured.items()}
    assert 0.55 < 1 - cost["cached-a-h", "encaps"] / cost["prepared", "encaps"] < 0.75
    assert 0.38 < 1 - cost["cached-a-h", "decaps"] / cost["prepared", "decaps"] < 0.60
    assert cost["cached-a-h", "keygen"] < 1.001 * cost["prepared", "keygen"]
    assert ("default", "load") not in measured
    row = measured["cached-a-h", "encaps"].row
    assert row["state_bytes"] == 9 * 512 + 32
    assert row["table_bytes"] >= row["state_bytes"] + 1184


def test_a_row_of_the_command() -> None:
    command = [sys.executable, "-m", "girih.cli", "lab", "run", "--target", "m4", "--scheme", "ml-kem-512"]
    done = subprocess.run(
        [*command, "--op", "encaps", "--mode", "cached-h", "--json", "-"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, done.stdout.splitlines())
    assert (row["scheme"], row["mode"], row["op"], row["state_bytes"]) == ("ml-kem-512", "cached-h", "encaps", 32)
    refused = subprocess.run([*command, "--mode", "lowram"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert refused.stderr == "girih lab: ml-kem-512 has no mode lowram\n"


def test_a_scheme_has_only_its_modes() -> None:
    with pytest.raises(LabError, match="ml-kem-768 has no mode expanded"):
        Build("m4", "ml-kem-768", "expanded").images("speed")
    with pytest.raises(LabError, match="ml-dsa-65 has no mode cached-a"):
        Build("m4", "ml-dsa-65", "cached-a").images("speed")


def test_no_image_multiplies_long_or_divides() -> None:
    """What takes a time that depends on its operands, on the M3 and elsewhere, has no place where secrets are."""
    build = Build("m3", "ml-kem-768", "default")
    image = Image(build.images("size_all")[0], build.of)
    mnemonics = {instruction.mnemonic.split(".")[0] for instruction in image.instructions.values()}
    assert "mla" in mnemonics
    assert not mnemonics & {"smull", "smlal", "umull", "umlal", "umaal", "sdiv", "udiv"}
    assert not [function.name for function in image.functions if re.search("div|mod|mul", function.name)]


# ---- models ----


def code(*lines: str) -> dict[int, Instruction]:
    """Instructions of four bytes, from texts such as "add r0, r1"."""
    found = {}
    for i, line in enumerate(lines):
        mnemonic, _, operands = line.partition(" ")
        found[4 * i] = Instruction(4 * i, 4, mnemonic, operands, *classify(mnemonic, operands))
    return found


@pytest.mark.parametrize(
    ("lines", "cycles"),
    [
        (("add r0, r1, r2", "add r3, r4, r5"), 1),
        (("add r0, r1, r2", "add r3, r0, r5"), 2),  # wants the first one's result
        (("add r0, r1, r2", "add r0, r4, r5"), 2),  # writes the same register
        (("ldr r0, [r1]", "ldr r2, [r1, #4]"), 2),  # one memory access a cycle
        (("ldr r0, [r1]", "add r3, r4, r5"), 1),
        (("ldr r0, [r1], #4", "add r3, r1, r5"), 2),  # the address moves on
        (("str r0, [r1]", "add r0, r4, r5"), 1),
        (("mul r0, r1, r2", "mul r3, r4, r5"), 2),
        (("cmp r0, r1", "beq #0x10"), 2),
        (("cmp r0, r1", "add r2, r3, r4"), 1),
        (("b #0x10", "add r2, r3, r4"), 2),
        (("udiv r0, r1, r2", "add r3, r4, r5"), 2 + pairs.DIVIDE),
        (("add r0, r1, r2", "add r3, r4, r5", "add r6, r7, r8"), 2),
        (("push {r4, r5, r6, r7}", "add r0, r1, r2"), 3),
    ],
)
def test_the_two_pipes_of_the_m7(lines: tuple[str, ...], cycles: int) -> None:
    instructions = code(*lines)
    assert pairs.cycles(instructions, dict.fromkeys(instructions, 10), {}) == 10 * cycles


def test_a_taken_branch_costs_and_separates() -> None:
    """Ten rounds of an addition with the branch beside it, nine of them taken, and what follows."""
    instructions = code("add r0, r1, r2", "bne #0", "add r3, r4, r5")
    assert pairs.cycles(instructions, {0: 10, 4: 10, 8: 1}, {4: 9}) == 10 + 9 * pairs.TAKEN + 1


@pytest.mark.parametrize(("mhz", "states"), [(24, 0), (30, 0), (31, 1), (168, 5), (216, 7)])
def test_wait_states(mhz: int, states: int) -> None:
    assert wait_states(mhz * 1_000_000) == states


def test_what_waiting_costs() -> None:
    seen = Seen(lines=100, random=10, sequential=20, loads=30, misses=5)
    assert Memory("", 16, (0, 0), (0, 0), 0, 0).penalty(seen, 3) == 3 * (10 + 5 + 20)
    assert Memory("", 32, (2, 8), (2, 8), 4, 5).penalty(seen, 3) == 7 * 15 + 2 * 20
    assert Memory("", 32, (2, 8), (2, 8), 0, 5).penalty(seen, 3) == 3 * 15


def test_caches_are_followed() -> None:
    build = Build("m7", "ml-kem-512", "cached-a-h")
    (path,) = build.images("speed")
    image = Image(path, build.of)
    bare, small = MEMORIES["m4", False], Memory("", 16, (2, 4), (2, 4), 0, 0)
    hottest = near_ranges(image, {"keccak_permute_c32"})
    paths = [(bare, ()), (small, ()), (MEMORIES["m7", False], ()), (bare, hottest)]
    seen = follow(image, ["4"], paths)
    assert set(seen) == {"keygen", "load", "encaps", "decaps"}
    plain, cached, large, near = seen["encaps"]
    assert plain.random + plain.sequential == plain.lines > 10_000
    assert plain.misses == plain.loads > 100
    assert large.random + large.sequential < cached.random + cached.sequential < plain.lines
    assert large.misses <= cached.misses < plain.misses
    assert near.lines < 0.7 * plain.lines


def test_a_target_without_a_memory_model_is_refused() -> None:
    with pytest.raises(LabError, match="the flash of m33 has no model"):
        Bench("m33", "ml-kem-768")


def test_directions_against_the_baseline() -> None:
    """Code and constants that a setup moves lie where it says, and wait no more."""
    bench = Bench("m4", "ml-kem-512")
    rows = {(setup.name, mhz): bench.row(setup, mhz) for setup in (BASELINE, *DIRECTIONS[3:]) for mhz in ENDPOINTS}
    for name in ("ITCM code", "flash acceleration"):
        assert rows[name, 24]["saved"] == {"keygen": 0, "encaps": 0, "decaps": 0}  # no wait states
        assert min(rows[name, 216]["saved"].values()) > 0.3
    assert rows["ITCM code", 24]["itcm_bytes"] == 0 < 5000 < rows["ITCM code", 216]["itcm_bytes"] <= 16384
    assert rows["DTCM constants", 216]["dtcm_bytes"] == 512
    assert rows["DTCM constants", 216]["data_ram_bytes"] == rows["baseline", 216]["data_ram_bytes"] + 512
    saved = rows["hardware TRNG", 216]["saved"]
    assert saved["keygen"] > saved["encaps"] > saved["decaps"] == 0
    milliseconds = [rows["baseline", mhz]["operations"]["encaps"]["milliseconds"] for mhz in ENDPOINTS]
    assert milliseconds[0] > 3 * milliseconds[1]


# ---- the host ----


def test_the_host_counts_what_a_cache_saves() -> None:
    rows = list(islice(host_rows(), 8))  # ML-KEM-512, prepared and cached-a
    cost = {(row["mode"], row["op"]): row["instructions"]["mean"] for row in rows}
    assert 0.2 < 1 - cost["cached-a", "encaps"] / cost["prepared", "encaps"] < 0.5
    assert cost["cached-a", "load"] > 5 * cost["prepared", "load"]


@pytest.mark.parametrize(
    ("mode", "caches"), [("prepared", 0), ("cached-a", 1), ("cached-h-parsed", 6), ("cached-a-h-parsed", 7)]
)
def test_modes_name_caches(mode: str, caches: int) -> None:
    assert caches_of(mode) == caches


def test_callgrinds_table_is_read() -> None:
    text = "Ir\n1,234,567 (50.00%)  ???:girih_mlkem_ek_encaps [/x/host]\n  12 ( 0.00%)  ???:girih_mlkem_ek_encaps.part [/x]\n"
    assert inclusive(text, "girih_mlkem_ek_encaps") == 1_234_567
    with pytest.raises(LabError, match="has not seen girih_mlkem_dk_decaps"):
        inclusive(text, "girih_mlkem_dk_decaps")


# ---- the page ----


def test_the_page_is_what_the_report_writes() -> None:
    page = (ROOT / "docs" / "mlkem-embedded.md").read_text(encoding="utf-8")
    assert page == render(KemResults.read(ROOT / "benchmarks" / "results"))


def test_the_page_says_what_is_modelled() -> None:
    page = (ROOT / "docs" / "mlkem-embedded.md").read_text(encoding="utf-8")
    assert page.count("uncalibrated") >= 3
    for figure in re.findall(r"\]\((mlkem-embedded/\w+\.svg)\)", page):
        assert (ROOT / "docs" / figure).is_file()
