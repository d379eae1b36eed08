"""What compilers make of the core: no division of a secret, whichever compiler, level and target.

A division takes a time that depends on its operands (KyberSlash and CVE-2026-22705 are such leaks). The core needs none but those that
PUBLIC argues one by one, of numbers that everybody knows.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.build.toolchain import FIRMWARE, HOSTS, M32, Target, disassembly, run

# Functions that may divide, with what: a division anywhere else fails.
PUBLIC = {
    "mldsa_ntt_c": "the rounds of a layer: 64 over its distance, which is a constant",
    "mldsa_intt_c": "as mldsa_ntt_c",
    "mldsa_decompose_avx2": "q - 1 by the parameter gamma2_den, where the compiler does not fold it",
    "mldsa_masks_next_avx2": "the number of masks taken so far by the number of slots that hold them",
    "step": "as mldsa_masks_next_avx2, of the masks begun",
    "keccak_permute_avx512": "the column beside a column of the state, modulo 5, where the compiler does not unroll",
    "keccak_permute_x4_avx512": "as keccak_permute_avx512",
    "keccak_permute_x4_avx2": "as keccak_permute_avx512",
}
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
INSTRUCTION = re.compile(r"i?div[bwlq]?|u?sdiv|udiv|divu?w?|remu?w?|v?f?div[sp]?[sdh]?|fi?divr?p?")
ROUTINE = re.compile(r"__aeabi_u?[il]div(mod)?|__u?(div|mod|divmod)[sdt]i[34]|__[du]?div")


def instructions(target: Target, library: Path) -> list[tuple[str, str, str]]:
    """Every instruction that divides."""
    return [row for row in disassembly(library, target.tools) if INSTRUCTION.fullmatch(row[1].split(".")[0])]


def divisions(target: Target, library: Path) -> list[tuple[str, str, str]]:
    """Instructions that divide and are not argued, and calls of the routines of libgcc that divide."""
    found = [row for row in instructions(target, library) if row[0] not in PUBLIC]
    asked = run(f"{target.tools}nm", "-u", str(library)).split()
    return found + [("", "call", name) for name in asked if ROUTINE.match(name)]


@pytest.mark.needs("binutils")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.needs(name)) for name in HOSTS])
def test_no_host_build_divides(name: str, level: str) -> None:
    assert divisions(HOSTS[name], HOSTS[name].core(level)) == []


@pytest.mark.needs("binutils", "m32")
@pytest.mark.parametrize("level", LEVELS)
def test_no_32_bit_build_divides(level: str) -> None:
    assert divisions(M32, M32.core(level)) == []


@pytest.mark.needs("binutils")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.needs(name)) for name in FIRMWARE])
def test_no_firmware_build_divides(name: str, level: str) -> None:
    assert divisions(FIRMWARE[name], FIRMWARE[name].core(f"{level} -ffreestanding", "GIRIH_BIND=2")) == []


@pytest.mark.needs("binutils", *HOSTS)
def test_every_argued_division_is_there() -> None:
    seen = {row[0] for target in HOSTS.values() for level in LEVELS for row in instructions(target, target.core(level))}
    assert PUBLIC.keys() - seen == set()


DIVIDES = "unsigned divide(unsigned a, unsigned b) { return a / b; }\nlong long wide(long long a, long long b) { return a % b; }\n"


@pytest.mark.needs("binutils")
@pytest.mark.parametrize(
    "target",
    [
        *(pytest.param(HOSTS[name], marks=pytest.mark.needs(name), id=name) for name in HOSTS),
        pytest.param(M32, marks=pytest.mark.needs("m32"), id="m32"),
        *(pytest.param(FIRMWARE[name], marks=pytest.mark.needs(name), id=name) for name in FIRMWARE),
    ],
)
def test_a_division_would_be_seen(target: Target, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(DIVIDES)
    run(target.compiler, *target.flags.split(), "-O2", "-c", str(tmp_path / "a.c"), "-o", str(tmp_path / "a.o"))
    assert len(divisions(target, tmp_path / "a.o")) >= 2
