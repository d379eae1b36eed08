"""The memory modes of a build: packed tables, tables that are found instead of loaded, the 32-bit Keccak, the three knobs.

That every mode gives the same bytes on the vectors is tested with them (tests/subjects).
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import itertools
import mmap
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.core.build import CORE, ROOT, build
from tests.spec import mldsa as spec
from tests.subjects.native import BACKENDS, SIGN, VERIFY, KeyPair, Status, Table, call, library

SETS = (44, 65, 87)
PACKED = ("c32-packed", "c32-small")
MAGIC, SET, DIGEST, TR, A_HAT = 0, 4, 8, 16, 80  # offsets in a packed table of a public key
SK_MAGIC, SK_SET, SK_DIGEST, SK_KEY, SK_TR, SECRETS = 0, 4, 8, 16, 48, 112

per_set = pytest.mark.parametrize("number", SETS)
per_packed = pytest.mark.parametrize("name", PACKED)


@functools.cache
def loaded(name: str, number: int) -> KeyPair:
    """A key pair in tables of a backend; the seed depends on the set alone."""
    pair = KeyPair(BACKENDS[name], number)
    pair.load_seed(spec.h(b"modes %d" % number, 32))
    return pair


def content(table: Table) -> bytes:
    """The bytes of a table."""
    return ctypes.string_at(table.address, table.size)


def copy(content: bytes) -> Table:
    """A table that holds these bytes."""
    table = Table(len(content))
    ctypes.memmove(table.address, content, len(content))
    return table


def check_vk(vk: Table, number: int, backend: int, tr: bytes | None = None, short: int = 0) -> Status:
    """girih_mldsa_vk_check."""
    return call(
        "girih_mldsa_vk_check", ctypes.c_void_p(vk.address), ctypes.c_size_t(vk.size - short), number, backend, tr
    )


def check_sk(sk: Table, vk: Table, short: int = 0) -> Status:
    """girih_mldsa_sk_check."""
    return call(
        "girih_mldsa_sk_check",
        ctypes.c_void_p(sk.address),
        ctypes.c_size_t(sk.size - short),
        ctypes.c_void_p(vk.address),
    )


def a_hat(pair: KeyPair, i: int, j: int) -> bytes:
    """girih_mldsa_vk_a_hat."""
    out = (ctypes.c_int32 * 256)()
    assert call("girih_mldsa_vk_a_hat", out, ctypes.c_void_p(pair.vk.address), i, j) == Status.OK
    return bytes(out)


@per_set
@per_packed
def test_packed_tables_take_24_bits_a_coefficient(name: str, number: int) -> None:
    pair = loaded(name, number)
    p = pair.parameters
    assert pair.vk.size == A_HAT + 768 * p.k * p.l + 1024 * p.k
    assert pair.sk.size == SECRETS + 1024 * (p.l + 2 * p.k)
    assert {44: 28864, 65: 46784, 87: 74944}[number] == pair.vk.size + pair.sk.size


@per_set
@per_packed
def test_packed_tables_hold_what_the_others_hold(name: str, number: int) -> None:
    pair, plain = loaded(name, number), loaded("c", number)
    p = pair.parameters
    assert pair.public_key == plain.public_key
    for i, j in itertools.product(range(p.k), range(p.l)):
        assert a_hat(pair, i, j) == a_hat(plain, i, j)
    public = KeyPair(BACKENDS[name], number)
    public.load(pair.public_key)
    assert content(public.vk) == content(pair.vk)
    again = KeyPair(BACKENDS[name], number)
    again.load_secret_key(pair.secret_key)
    assert (content(again.vk), content(again.sk)) == (content(pair.vk), content(pair.sk))


@per_set
def test_loading_needs_less_memory_than_making_a_key_and_signing_little(number: int) -> None:
    backend = BACKENDS["c32-packed"]
    keygen, load, sign, verify = (
        library().girih_mldsa_workspace_bytes(number, op, backend) for op in (1, 2, SIGN, VERIFY)
    )
    p = spec.PARAMETER_SETS[f"ML-DSA-{number}"]
    assert load < 2048 < keygen
    assert sign < 1024 * (p.l + 1) + 768 * (p.k + 1) + 1536
    assert verify < 1024 * (p.l + 1) + 768 + 768


@per_set
@per_packed
def test_a_table_is_used_where_it_is_found(name: str, number: int) -> None:
    """In memory that nobody can write to, as flash is."""
    pair = loaded(name, number)
    size = -(-pair.vk.size // 64) * 64 + pair.sk.size
    with mmap.mmap(-1, size) as memory:
        memory.write(content(pair.vk).ljust(size - pair.sk.size, b"\xff") + content(pair.sk))
        view = (ctypes.c_char * size).from_buffer(memory)
        address = ctypes.addressof(view)
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), mmap.PROT_READ) == 0
        found = KeyPair(pair.backend, number)
        found.vk.address, found.sk.address = address, address + size - pair.sk.size
        assert check_vk(found.vk, number, pair.backend, spec.h(pair.public_key, 64)) == Status.OK
        assert check_sk(found.sk, found.vk) == Status.OK
        sig = found.sign(b"message")
        assert sig == pair.sign(b"message")
        assert found.verify(sig, b"message")
        del view


@per_set
@per_packed
def test_a_table_that_is_not_what_it_should_be_is_refused(name: str, number: int) -> None:
    pair = loaded(name, number)
    tr, backend = spec.h(pair.public_key, 64), pair.backend
    vk, sk = content(pair.vk), content(pair.sk)
    other = {"c32-packed": BACKENDS["c32-small"], "c32-small": BACKENDS["c32-packed"]}[name]
    assert check_vk(pair.vk, number, backend) == Status.OK
    assert check_vk(pair.vk, number, backend, tr) == Status.OK
    assert check_vk(pair.vk, number, backend, bytes(64)) == Status.BAD_KEY
    assert check_vk(pair.vk, number, backend, short=1) == Status.BAD_KEY
    assert check_vk(pair.vk, number, other) == Status.BAD_KEY
    assert check_vk(pair.vk, {44: 65, 65: 87, 87: 44}[number], backend) == Status.BAD_KEY
    assert check_vk(pair.vk, 66, backend) == Status.BAD_ARGUMENT
    assert check_vk(pair.vk, number, BACKENDS["c32"]) == Status.BAD_ARGUMENT
    assert check_sk(pair.sk, pair.vk) == Status.OK
    assert check_sk(pair.sk, pair.vk, short=1) == Status.BAD_KEY
    rng = random.Random(number)
    vk_places = [MAGIC, SET, DIGEST, TR, TR + 63, A_HAT, A_HAT + 511, A_HAT + 512, A_HAT + 767, len(vk) - 1]
    sk_places = [SK_MAGIC, SK_SET, SK_DIGEST, SK_KEY, SK_TR, SK_TR + 63, SECRETS, len(sk) - 1]
    for at in vk_places + [rng.randrange(A_HAT, len(vk)) for _ in range(20)]:
        assert check_vk(copy(changed(vk, at, rng)), number, backend) == Status.BAD_KEY, f"byte {at}"
    for at in sk_places + [rng.randrange(SECRETS, len(sk)) for _ in range(20)]:
        assert check_sk(copy(changed(sk, at, rng)), pair.vk) == Status.BAD_KEY, f"byte {at}"
    moved = Table(len(vk) + 8)
    moved.address += 8
    ctypes.memmove(moved.address, vk, len(vk))
    assert check_vk(moved, number, backend) == Status.BAD_ARGUMENT


def changed(data: bytes, at: int, rng: random.Random) -> bytes:
    """The bytes with one bit of one of them another."""
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


@per_set
@pytest.mark.parametrize("name", ("c", "c32", *PACKED))
def test_a_load_refuses_another_key_than_the_one_expected(name: str, number: int) -> None:
    pair = loaded(name, number)
    seed, tr = spec.h(b"modes %d" % number, 32), spec.h(pair.public_key, 64)
    fresh = KeyPair(pair.backend, number)
    size = library().girih_mldsa_workspace_bytes(number, 2, pair.backend)
    ws = ctypes.create_string_buffer(size)
    vk = ctypes.c_void_p(fresh.vk.address), ctypes.c_size_t(fresh.vk.size)
    sk = ctypes.c_void_p(fresh.sk.address), ctypes.c_size_t(fresh.sk.size)
    tail = ws, ctypes.c_size_t(size)
    pk = pair.public_key, ctypes.c_size_t(len(pair.public_key))
    for wanted, status in (
        (tr, Status.OK),
        (bytes([tr[0] ^ 1]) + tr[1:], Status.BAD_KEY),
        (tr[:63] + b"\0", Status.BAD_KEY),
    ):
        assert call("girih_mldsa_seed_load_expected", *vk, *sk, number, pair.backend, seed, wanted, *tail) == status
        assert (any(content(fresh.vk)), any(content(fresh.sk))) == (
            (True, True) if status == Status.OK else (False, False)
        )
        assert call("girih_mldsa_vk_load_expected", *vk, number, pair.backend, *pk, wanted, *tail) == status
        assert any(content(fresh.vk)) == (status == Status.OK)


# ---- Keccak on 32-bit words ----


@pytest.mark.parametrize("name", ("c32", "c32-small"))
def test_the_interleaved_keccak_takes_bytes_from_anywhere(name: str) -> None:
    """Lengths around lanes and blocks, at every offset from a word, absorbed and squeezed in pieces."""
    lib = library()
    rng = random.Random(name)
    for length in (*range(34), *range(127, 146), *range(160, 178), 271, 272, 273, 1000):
        data = rng.randbytes(length)
        source = ctypes.create_string_buffer(length + 16)
        target = ctypes.create_string_buffer(400 + 16)
        h = (ctypes.c_uint64 * 32)()
        assert call("girih_sha3_init", h, 6, BACKENDS[name]) == Status.OK
        done = 0
        while done < length:
            n, offset = min(rng.choice((1, 2, 3, 7, 8, 9, 24, 136)), length - done), rng.randrange(8)
            ctypes.memmove(ctypes.addressof(source) + offset, data[done : done + n], n)
            assert lib.girih_sha3_update(h, ctypes.addressof(source) + offset, n) == 0
            done += n
        out = b""
        while len(out) < 300:
            n, offset = rng.choice((1, 2, 3, 7, 8, 9, 24, 136)), rng.randrange(8)
            assert lib.girih_shake_squeeze(ctypes.addressof(target) + offset, n, h) == 0
            out += target.raw[offset : offset + n]
        assert out == hashlib.shake_256(data).digest(len(out))


def test_the_interleaved_keccak_is_what_its_generator_writes() -> None:
    command = [sys.executable, str(ROOT / "tools" / "keccak32.py"), "--check"]
    assert subprocess.run(command, capture_output=True, text=True).stderr == ""


def test_the_generator_finds_frames() -> None:
    """A search of a few steps spells as many choices as the file holds."""
    command = [sys.executable, str(ROOT / "tools" / "keccak32.py"), "--search", "1", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert len("".join(done.stdout.split())) == 4 * (10 + 10 + 50 + 50)


# ---- the knobs ----


def combinations() -> Iterator[tuple[str, ...]]:
    """Every role, largest set and backend of girih_config.h, as definitions."""
    for role, largest, backend in itertools.product((1, 2, 3), SETS, (None, 1, 2, 4, 5)):
        bind = () if backend is None else (f"GIRIH_BIND={backend}",)
        yield (f"GIRIH_MLDSA={role}", f"GIRIH_LARGEST_SET={largest}", *bind)
    yield ("GIRIH_MLDSA=0",)


def compiler() -> str:
    """A C compiler."""
    found = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert found is not None, "the tests of the core need a C compiler (apt-get install gcc)"
    return found


def test_every_combination_of_the_knobs_compiles() -> None:
    always = [*CORE.glob("src/common/*.c"), *CORE.glob("src/keccak/*.c"), *CORE.glob("src/backend/c/keccak*.c")]
    always.append(CORE / "src" / "backend" / "choose.c")
    with_mldsa = [*always, *CORE.glob("src/mldsa/*.c"), *CORE.glob("src/backend/c/mldsa_*.c")]
    flags = [
        "-std=c11",
        "-fsyntax-only",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-I",
        str(CORE / "include"),
        "-I",
        str(CORE / "src"),
    ]
    for definitions in combinations():
        sources = always if definitions == ("GIRIH_MLDSA=0",) else with_mldsa
        command = [compiler(), *flags, *(f"-D{d}" for d in definitions), *map(str, sources)]
        assert subprocess.run(command, capture_output=True, text=True).stderr == "", definitions


@pytest.mark.parametrize("definitions", (("GIRIH_MLDSA=4",), ("GIRIH_LARGEST_SET=66",), ("GIRIH_BIND=3",)))
def test_a_knob_that_is_turned_too_far_is_an_error(definitions: tuple[str, ...]) -> None:
    source = '#include "girih/mldsa.h"\n#include "backend/keccak.h"\n'
    flags = ["-std=c11", "-fsyntax-only", "-x", "c", "-", "-I", str(CORE / "include"), "-I", str(CORE / "src")]
    done = subprocess.run(
        [compiler(), *flags, *(f"-D{d}" for d in definitions)], input=source, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert definitions[0].partition("=")[0] in done.stderr


def symbols(*definitions: str) -> set[str]:
    """What the static library of a build defines and wants."""
    directory = build("girih_core", "CMAKE_BUILD_TYPE=Debug", *definitions)
    (archive,) = directory.rglob("*girih_core.a")
    nm = shutil.which("nm")
    assert nm is not None, "nm is missing (apt-get install binutils)"
    listed = subprocess.run([nm, str(archive)], capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in listed.splitlines()]
    return {words[-1].lstrip("_") for words in lines if len(words) in (2, 3) and words[-2] in ("T", "t", "U")}


def test_a_library_that_verifies_holds_nothing_of_signing() -> None:
    verifier = symbols("GIRIH_MLDSA=1")
    assert {"girih_mldsa_verify", "girih_mldsa_verify_lowram", "girih_mldsa_vk_load"} <= verifier
    public = {
        s
        for s in verifier
        if s.startswith("girih_mldsa_") and ("sign_" in s or s.endswith(("sign", "keygen", "sk_load", "sk_check")))
    }
    assert public == set()
    assert not {
        s
        for s in verifier
        if s.startswith(("mldsa_attempt", "mldsa_key_", "mldsa_keygen", "mldsa_packed_sign", "mldsa_sign"))
    }
    signer = symbols("GIRIH_MLDSA=2")
    assert "girih_mldsa_sign" in signer
    assert "girih_mldsa_keygen" not in signer
    assert not {s for s in symbols("GIRIH_MLDSA=0") if "mldsa" in s}


def test_a_smaller_library_does_not_know_the_larger_sets() -> None:
    directory = build("girih_core", "CMAKE_BUILD_TYPE=Debug", "GIRIH_LARGEST_SET=65")
    (archive,) = directory.rglob("*girih_core.a")
    program = directory / "sets"
    source = """
        #include "girih/mldsa.h"
        int main(void)
        {
            return girih_mldsa_public_key_bytes(GIRIH_MLDSA_44) != 1312 || girih_mldsa_public_key_bytes(GIRIH_MLDSA_65) != 1952 ||
                   girih_mldsa_public_key_bytes(GIRIH_MLDSA_87) != 0;
        }
    """
    flags = [
        "-std=c11",
        "-DGIRIH_LARGEST_SET=65",
        "-x",
        "c",
        "-",
        "-x",
        "none",
        str(archive),
        "-I",
        str(CORE / "include"),
        "-o",
        str(program),
    ]
    assert subprocess.run([compiler(), *flags], input=source, capture_output=True, text=True).stderr == ""
    assert subprocess.run([str(program)]).returncode == 0
