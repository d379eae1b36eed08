"""The core on its targets, under emulation: vectors of the standard in every memory mode, a device that attests, a
boot loader, the result lines."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from girih.lab import device
from girih.lab.build import MODES, SCHEMES, Build
from girih.lab.errors import LabError
from girih.lab.image import Image, Instruction
from girih.lab.measure import OPS, measure, operations_of
from girih.lab.targets import TARGETS
from tests.vectors import Case, load

KEY_GEN = "ACVP ML-DSA-keyGen-FIPS204"
SIG_GEN = "ACVP ML-DSA-sigGen-FIPS204"
SIG_VER = "ACVP ML-DSA-sigVer-FIPS204"
SAMPLE = 2  # of each kind

# On every target every mode runs one set; together the targets run all of them in every mode.
CHOSEN = [
    (target, mode, list(SCHEMES)[(i + j) % 3]) for i, target in enumerate(TARGETS) for j, mode in enumerate(MODES)
]


def pure(case: Case) -> bool:
    """Whether the target can be asked: ML-DSA itself, a message that fits."""
    external = case["signatureInterface"] == "external" and case["preHash"] == "pure"
    return bool(external) and len(case.hex("message")) <= device.MAX_VECTOR_MESSAGE


def vectors(scheme: str, count: int | None) -> Iterator[device.Vector]:
    """`count` vectors of each kind; all with None."""
    name = scheme.upper()
    of_set = [[c for c in load(corpus) if c["parameterSet"] == name] for corpus in (KEY_GEN, SIG_GEN, SIG_VER)]
    for case in islice(of_set[0], count):
        yield device.KeygenVector(case.hex("seed"), case.hex("pk"), case.hex("sk"))
    for case in islice((c for c in of_set[1] if pure(c)), count):
        rnd = bytes(32) if case["deterministic"] else case.hex("rnd")
        yield device.SignVector(case.hex("sk"), case.hex("message"), case.hex("context"), rnd, case.hex("signature"))
    for wanted in (True, False):
        for case in islice((c for c in of_set[2] if pure(c) and c["testPassed"] is wanted), count):
            message, ctx, signature = case.hex("message"), case.hex("context"), case.hex("signature")
            yield device.VerifyVector(case.hex("pk"), message, ctx, signature, wanted)


@pytest.mark.corpus(KEY_GEN, SIG_GEN, SIG_VER)
@pytest.mark.parametrize(("target", "mode", "scheme"), CHOSEN)
def test_the_target_gives_the_published_answers(target: str, mode: str, scheme: str) -> None:
    sample = list(vectors(scheme, SAMPLE))
    assert {type(vector) for vector in sample} == {device.KeygenVector, device.SignVector, device.VerifyVector}
    assert device.run_vectors(Build(target, scheme, mode), sample) == len(sample)


@pytest.mark.slow
@pytest.mark.corpus(KEY_GEN, SIG_GEN, SIG_VER)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("target", TARGETS)
def test_the_target_gives_every_published_answer(target: str, mode: str, scheme: str) -> None:
    every = list(vectors(scheme, None))
    assert device.run_vectors(Build(target, scheme, mode), every) == len(every) > 30  # what of a set fits a target


@pytest.mark.corpus(SIG_GEN)
def test_a_wrong_answer_is_noticed() -> None:
    good = next(v for v in vectors("ml-dsa-44", 1) if isinstance(v, device.SignVector))
    wrong = device.SignVector(good.sk, good.message, good.ctx, good.rnd, good.signature[:-1] + b"\x01")
    with pytest.raises(LabError, match="wrong answers"):
        device.run_vectors(Build("m33", "ml-dsa-44", "lowram"), [wrong])


@pytest.mark.parametrize("mode", MODES)
def test_a_device_attests(mode: str) -> None:
    attestation = device.attest(Build("m33", "ml-dsa-44", mode))
    assert attestation.released and not attestation.locked
    assert device.check_attestation("ml-dsa-44", attestation)
    assert attestation.row["instructions"]["mean"] > 100_000


@pytest.mark.parametrize("mode", MODES[1:])
def test_a_fault_is_caught_counted_and_locks_the_key(mode: str) -> None:
    attestation = device.attest(Build("m33", "ml-dsa-44", mode), "fault")
    assert not attestation.released
    assert attestation.signature == bytes(2420)
    assert (attestation.faults, attestation.locked) == (1, True)


def test_exhausted_attempts_are_no_fault() -> None:
    """With a budget of one attempt the device signs again. The report holds the image's digest, so how often is the build's
    luck: one in four signs at once."""
    builds = [Build("m33", f"ml-dsa-{parameter_set}", mode) for parameter_set in (44, 65) for mode in MODES[1:]]
    attestations = [device.attest(build, "budget") for build in builds]
    assert any(attestation.tries > 1 for attestation in attestations)
    assert all(attestation.released and attestation.faults == 0 for attestation in attestations)


@pytest.mark.parametrize(
    ("target", "mode"), [("m0", "lowram"), ("m33", "expanded-packed"), ("m7", "default"), ("rv32imac", "lowram")]
)
def test_a_signed_image_boots_and_a_tampered_one_does_not(target: str, mode: str) -> None:
    build = Build(target, "ml-dsa-44", mode)
    good = device.boot(build)
    assert {"app": "payload"} in good and good[-1] == {"end": "ok"}
    start = device.IMAGE_AT - device.HEADER_AT
    for byte in (12 + 4, 16 + 1000, start, start + good[0]["image"] - 1):
        said = device.boot(build, tamper=byte)
        assert "image refused" in said[-1]["end"]
        assert {"app": "payload"} not in said


def test_a_missing_image_is_refused() -> None:
    assert "no image" in device.boot(Build("m33", "ml-dsa-44", "expanded-packed"), tamper=0)[-1]["end"]


# Functions that divide, and what: lengths of the parameter set, which are public.
DIVIDES_LENGTHS = {"carve", "row_of_w"}


@pytest.mark.parametrize("mode", ["lowram", "expanded-packed"])
@pytest.mark.parametrize("target", TARGETS)
def test_nothing_secret_is_divided(target: str, mode: str) -> None:
    """A division takes a time that depends on its operands. No image holds one, or a call of the library's, outside
    the functions named."""
    build = Build(target, "ml-dsa-65", mode)
    (path,) = build.images("size_all")
    image = Image(path, build.of)
    library = {f.address for f in image.functions if re.search(r"div|mod[sd]i", f.name)}
    dividing = {
        image.function_at(i.address).split(".")[0]
        for i in image.instructions.values()
        if i.kind == "divide" or (i.kind == "branch" and branch_target(i) in library)
    }
    assert dividing - {image.function_at(address) for address in library} <= DIVIDES_LENGTHS


def branch_target(instruction: Instruction) -> int | None:
    """Where a direct branch of Arm goes; RISC-V gives the distance."""
    found = re.search(r"#?(-?0x[0-9a-f]+|-?\d+)$", instruction.operands)
    if not found:
        return None
    value = int(found[1], 0)
    return value if "#" in instruction.operands else instruction.address + value


def test_the_verifier_for_the_m3_is_what_may_multiply_long() -> None:
    """The M3's long multiplication ends early on small operands: only the image that holds no secret is for it."""
    build = Build("m3", "ml-dsa-65", "lowram")
    verify, sign = (Image(path, build.of) for path in build.images("size_verify", "size_sign"))
    names = {f.name for f in verify.functions}
    assert not any("sign" in name for name in names)
    assert any(i.mnemonic.startswith(("smull", "smlal", "umull", "umlal")) for i in sign.instructions.values())


def test_nothing_secret_is_built_or_measured_for_the_m3(tmp_path: Path) -> None:
    core = Path(__file__).resolve().parents[1] / "core"
    source = tmp_path / "all.c"
    source.write_text('#include "girih/mldsa.h"\n')
    compile_ = [
        "arm-none-eabi-gcc",
        "-mcpu=cortex-m3",
        "-mthumb",
        "-ffreestanding",
        "-fsyntax-only",
        f"-I{core / 'include'}",
    ]
    refused = subprocess.run([*compile_, str(source)], capture_output=True, text=True, check=False)
    assert refused.returncode != 0 and "GIRIH_MLDSA=1" in refused.stderr
    subprocess.run([*compile_, "-DGIRIH_MLDSA=1", str(source)], check=True)
    with pytest.raises(LabError, match="Cortex-M3 verifies only"):
        next(measure(Build("m3", mode="lowram"), ("sign",), 1))
    assert operations_of(Build("m3"), OPS) == ("verify",)
    assert operations_of(Build("m4"), OPS) == OPS


RESULT_KEYS = {
    "scheme", "op", "mode", "target", "machine", "kind", "instructions", "stack_bytes", "workspace_bytes", "static_written_bytes",
    "caller_bytes", "table_bytes", "image_bytes", "kernel", "hardening", "compiler", "flags", "commit",
}  # fmt: skip


def test_the_command_prints_result_lines() -> None:
    command = [sys.executable, "-m", "girih.cli", "lab", "run", "--target", "m33", "--scheme", "ml-dsa-44", "--op", "keygen,sign", "--op",
               "verify,load", "--mode", "expanded-packed", "--messages", "6", "--json", "-"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = {row["op"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert set(found) == {"keygen", "load", "sign", "verify"}
    for row in found.values():
        assert row.keys() >= RESULT_KEYS
        assert row["instructions"].keys() == {"n", "min", "mean", "median", "max", "stdev"}
        assert row["image_bytes"].keys() == {"total", "harness", "hash", "marginal"}
        assert row["cycles_error"] > 0
        assert row["stack"]["painted"] == row["stack"]["traced"]
    sign = found["sign"]
    assert sign["instructions"]["n"] == 6
    assert sign["attempts_fit"]["b"] > 0
    line = [sign["attempts_fit"]["a"] + sign["attempts_fit"]["b"] * sign["attempts"], sign["instructions"]["mean"]]
    assert line[0] == pytest.approx(line[1], rel=0.01)


def test_an_unknown_name_is_a_mistake() -> None:
    command = [sys.executable, "-m", "girih.cli", "lab", "run", "--target", "m99"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "m99" in done.stderr and "m33" in done.stderr


def test_a_missing_tool_gives_the_line_that_installs_it() -> None:
    command = [sys.executable, "-m", "girih.cli", "lab", "run"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/nonexistent"})
    assert done.returncode == 2
    assert "not installed" in done.stderr
    assert "apt-get install" in done.stderr and "gcc-arm-none-eabi" in done.stderr
