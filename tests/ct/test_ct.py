"""`make ct`: secrets are undefined memory, and memcheck reports every branch and address that depends on one.

What memcheck follows is where data flows in the compiled program; that no instruction on it takes a time of its own is
tests/build/test_instructions.py. docs/soundness.md says what neither covers.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.build.toolchain import HOSTS, TESTS, host_backends, run
from tests.core import cases, kem_cases
from tests.core.build import CORE

PROGRAMS = {"mldsa": ("65", "44"), "mlkem": ("768", "512")}  # and a middle and a small set
MEMCHECK = ("valgrind", "--quiet", "--error-exitcode=9")
DEBUG = "-gdwarf-4"  # what valgrind 3.19 reads of clang's

pytestmark = pytest.mark.needs("valgrind")
hosts = pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.needs(name)) for name in HOSTS])
# valgrind decodes no AVX-512: docs/soundness.md says what that leaves open.
backends = pytest.mark.parametrize("backend", [name for name in host_backends() if name != "avx512"])


def source(scheme: str) -> Path:
    """The program that runs every operation of a scheme."""
    return TESTS / "ct" / f"ct_{scheme}.c"


@backends
@hosts
@pytest.mark.parametrize("scheme", PROGRAMS)
@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3", "-Os"])
def test_no_branch_and_no_address_depends_on_a_secret(level: str, scheme: str, name: str, backend: str) -> None:
    program = HOSTS[name].program(source(scheme), f"{level} {DEBUG}", "GIRIH_CT_CHECK=ON")
    middle, _ = PROGRAMS[scheme]
    run(
        *MEMCHECK, str(program), backend, *([] if level == "-O2" else [middle])
    )  # the other levels: one set, for the time


@backends
@hosts
def test_memcheck_finds_nothing_in_the_vectors(name: str, backend: str, tmp_path: Path) -> None:
    """Without secrets marked: no uninitialised byte decides anything, nothing is read or written out of bounds, nothing is lost."""
    for runner, write in (("case_runner.c", cases.write), ("kem_runner.c", kem_cases.write)):
        write(tmp_path / "cases.txt", 60)
        program = HOSTS[name].program(TESTS / "core" / runner, f"-O2 {DEBUG}")
        run(*MEMCHECK, "--leak-check=full", str(program), backend, str(tmp_path / "cases.txt"))


# ---- seeded leaks: the check itself must see them ----

# A function through which a secret goes, and the secret; by scheme.
PLACES = {
    "d, z, m and the key of a MAC": ("mlkem", "keccak_absorb", "(len == 0 ? 0 : *(const uint8_t *)data)"),
    "s, e and y before their NTT": ("mlkem", "mlkem_ntt_c", "a[0]"),
    "y_hat in a product": ("mlkem", "mlkem_product_cache_c", "b[1]"),
    "s_hat of a new key": ("mlkem", "mlkem_encode_c", "a[0]"),
    "s_hat of an encoded key": ("mlkem", "mlkem_decode_c", "encoded[0]"),
    "v - s u": ("mlkem", "mlkem_message_c", "a[0]"),
    "m in a ciphertext": ("mlkem", "mlkem_pack_v_c", "m[0]"),
    "e1 in a ciphertext": ("mlkem", "mlkem_pack_u_c", "e[0]"),
    "the ciphertext encrypted again": ("mlkem", "mlkem_differ_c", "a[0]"),
    "s1, s2 and y before their NTT": ("mldsa", "mldsa_ntt_c", "a[0]"),
    "NTT(s1) and NTT(s2) of a signing key": ("mldsa", "mldsa_add_secret_c", "*(const int32_t *)form"),
    "s1 and s2 in an encoded key": ("mldsa", "mldsa_s_unpack", "packed[0]"),
    "s1 and s2 of a new key": ("mldsa", "mldsa_s_pack", "s[0]"),
    "t0 of a new key": ("mldsa", "mldsa_t0_pack", "t0[0]"),
    "w": ("mldsa", "mldsa_decompose_c", "w[0]"),
    "w - c s2": ("mldsa", "mldsa_make_hint_c", "r[0]"),
    "the seed, K and rnd": ("mldsa", "keccak_absorb", "(len == 0 ? 0 : *(const uint8_t *)data)"),
}
# What a careless change might do with it. Volatile: a compiler may neither turn the branch into a mask nor drop the access.
LEAKS = {
    "branch": "volatile uint32_t leak; if (({secret} & 1) != 0) leak = 1;\n",
    "index": "volatile uint8_t leak[16]; leak[(uint32_t){secret} & 15] = 0;\n",
}


def seed_leak(core: Path, function: str, statements: str) -> None:
    """Put statements in front of a function's body."""
    head = re.compile(rf"^[^\n;]*\b{function}\([^;{{]*\)\n\{{\n", re.MULTILINE)
    places = [(path, found) for path in core.rglob("*.c") for found in head.finditer(path.read_text())]
    assert len(places) == 1, f"{function} has been renamed: through what do its secrets go now?"
    ((path, found),) = places
    text = path.read_text()
    path.write_text(text[: found.end()] + statements + text[found.end() :])


@pytest.mark.needs("gcc")
@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("secret", PLACES)
def test_a_seeded_leak_is_caught(secret: str, leak: str, tmp_path: Path) -> None:
    scheme, function, expression = PLACES[secret]
    shutil.copytree(CORE, tmp_path / "core")
    seed_leak(tmp_path / "core", function, LEAKS[leak].format(secret=expression))
    files = [path for path in (tmp_path / "core" / "src").rglob("*.c") if not path.parent.name.startswith("x86_")]
    flags = ("-std=c11", "-O2", DEBUG, "-DGIRIH_CT_CHECK", f"-I{tmp_path}/core/include", f"-I{tmp_path}/core/src")
    run("gcc", *flags, *map(str, files), str(source(scheme)), "-o", str(tmp_path / "ct"))
    done = subprocess.run([*MEMCHECK, str(tmp_path / "ct"), "c", PROGRAMS[scheme][1]], capture_output=True, text=True)
    message = "Conditional jump or move depends on" if leak == "branch" else "Use of uninitialised value"
    assert done.returncode == 9 and message in done.stderr
    assert f"{function} (" in done.stderr
