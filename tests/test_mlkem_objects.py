"""Key objects of ML-KEM in C: caches that cannot be taken for another key's, many at once, every error, exact memory."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.spec import mlkem as spec
from tests.subjects import Refused, mlkem
from tests.subjects.mlkem import Mlkem
from tests.subjects.native import Status, Table

BACKENDS = mlkem.backends()
each = pytest.mark.parametrize("backend", BACKENDS)
each_set = pytest.mark.parametrize("parameter_set", spec.PARAMETER_SETS)
MAC_KEY = bytes(range(32))


def seed(n: int) -> bytes:
    return random.Random(n).randbytes(64)


# ---- many at once ----


@each
@each_set
@pytest.mark.parametrize("caches", [0, 3, 7])
def test_many_at_once_are_what_each_is_alone(parameter_set: str, caches: int, backend: str) -> None:
    kem, alone = Mlkem(backend, caches), Mlkem("c", None)
    ek, dk = alone.key_gen(parameter_set, seed(1))
    for count in (0, 1, 2, 3, 4, 5, 9):
        ms = [random.Random(n).randbytes(32) for n in range(count)]
        expected = [alone.encaps(parameter_set, ek, m) for m in ms]
        assert kem.encaps_many(parameter_set, ek, ms) == expected
        cts = [ct if n % 3 else bytes([ct[0] ^ 1]) + ct[1:] for n, (_, ct) in enumerate(expected)]
        assert kem.decaps_many(parameter_set, dk, cts) == [alone.decaps(parameter_set, dk, ct) for ct in cts]


# ---- a cache for another process ----


def exported(kem: Mlkem, parameter_set: str, ek: bytes) -> bytes:
    out = ctypes.create_string_buffer(mlkem.size("export_bytes", mlkem.NUMBERS[parameter_set], kem.caches or 0))
    table = kem.public(parameter_set, ek)
    mlkem.must("ek_export", out, len(out), table.address, MAC_KEY, len(MAC_KEY))
    return out.raw


def imported(
    kem: Mlkem, parameter_set: str, ek: bytes, cache: bytes, mac_key: bytes | None = MAC_KEY
) -> tuple[Status, Table]:
    number, caches = mlkem.NUMBERS[parameter_set], kem.caches or 0
    table = Table(mlkem.size("ek_bytes", number, caches, kem.number))
    status = mlkem.call(
        "ek_import", table.address, table.size, number, caches, kem.number, ek, len(ek), cache, len(cache), mac_key,
        len(mac_key or b""), *kem.workspace(parameter_set, mlkem.LOAD),
    )  # fmt: skip
    return status, table


def encaps(kem: Mlkem, parameter_set: str, table: Table, m: bytes) -> tuple[bytes, bytes]:
    ct, ss = ctypes.create_string_buffer(spec.PARAMETER_SETS[parameter_set].ct_size), ctypes.create_string_buffer(32)
    mlkem.must("ek_encaps", ct, len(ct), ss, table.address, m, *kem.workspace(parameter_set, mlkem.ENCAPS))
    return ss.raw, ct.raw


@each_set
@pytest.mark.parametrize("caches", range(8))
def test_an_exported_cache_is_the_same_from_every_backend_and_serves_each(parameter_set: str, caches: int) -> None:
    ek, _ = Mlkem("c", None).key_gen(parameter_set, seed(2))
    caches_of = {exported(Mlkem(backend, caches), parameter_set, ek) for backend in BACKENDS}
    assert len(caches_of) == 1
    (cache,) = caches_of
    expected = Mlkem("c", None).encaps(parameter_set, ek, bytes(32))
    for backend, mac_key in itertools.product(BACKENDS, (MAC_KEY, None)):
        kem = Mlkem(backend, caches)
        status, table = imported(kem, parameter_set, ek, cache, mac_key)
        assert status == Status.OK
        assert encaps(kem, parameter_set, table, bytes(32)) == expected


def test_a_cache_of_any_other_key_set_or_kind_is_refused() -> None:
    kems = [Mlkem("c", caches) for caches in range(8)]
    keys = {(name, n): Mlkem("c", None).key_gen(name, seed(n))[0] for name in spec.PARAMETER_SETS for n in (3, 4)}
    made = {(where, kem.caches): exported(kem, where[0], ek) for where, ek in keys.items() for kem in kems}
    accepted = 0
    for ((name, n), caches), cache in made.items():
        for (other, m), ek in keys.items():
            for kem in kems:
                own = (name, n, caches) == (other, m, kem.caches)
                for mac_key in (MAC_KEY, None):
                    status, table = imported(kem, other, ek, cache, mac_key)
                    assert status == (Status.OK if own else Status.BAD_KEY)
                    if not own:
                        assert ctypes.string_at(table.address, table.size) == bytes(table.size)
                    accepted += own
    assert accepted == 2 * 8 * len(keys)


@each
def test_a_changed_byte_of_a_cache_is_refused(backend: str) -> None:
    kem, name = Mlkem(backend, 7), "ML-KEM-512"
    ek, _ = kem.key_gen(name, seed(5))
    cache = exported(kem, name, ek)
    for n in (*range(48), *range(48, len(cache) - 32, 97), *range(len(cache) - 32, len(cache))):
        changed = cache[:n] + bytes([cache[n] ^ 1]) + cache[n + 1 :]
        assert imported(kem, name, ek, changed)[0] == Status.BAD_KEY, n
    for wrong in (cache[:-1], cache + b"\0", b"", cache[:40]):
        assert imported(kem, name, ek, wrong)[0] == Status.BAD_KEY
    assert imported(kem, name, ek, cache, bytes(32))[0] == Status.BAD_KEY
    assert imported(kem, name, ek, cache, bytes(31))[0] == Status.BAD_LENGTH


@each
def test_a_trusted_cache_is_still_checked_for_what_it_names(backend: str) -> None:
    kem, name = Mlkem(backend, 7), "ML-KEM-512"
    ek, _ = kem.key_gen(name, seed(6))
    cache = exported(kem, name, ek)
    for n in range(40):
        assert imported(kem, name, ek, cache[:n] + bytes([cache[n] ^ 1]) + cache[n + 1 :], None)[0] == Status.BAD_KEY, n
    beyond = cache[:40] + b"\xff\xff\xff" + cache[43:]  # coefficients of A_hat that are not below q
    status, table = imported(kem, name, ek, beyond, None)
    assert status == Status.BAD_KEY
    assert ctypes.string_at(table.address, table.size) == bytes(table.size)


def test_the_mac_is_kmac256() -> None:
    from Crypto.Hash import KMAC256

    kem, name = Mlkem("c", 1), "ML-KEM-768"
    ek, _ = kem.key_gen(name, seed(7))
    cache = exported(kem, name, ek)
    mac = KMAC256.new(key=MAC_KEY, mac_len=32, custom=b"girih ML-KEM cache")
    mac.update(cache[:-32] + ek[:-32])
    assert cache[-32:] == mac.digest()
    rows = [
        spec.expand_matrix(ek[-32:], spec.PARAMETER_SETS[name])[row][column] for column in range(3) for row in range(3)
    ]
    assert cache[:40] == b"gKC\x01" + (768).to_bytes(2, "little") + bytes([1, 0]) + spec.h(ek)
    assert cache[40:-32] == b"".join(spec.byte_encode(12, row) for row in rows)


# ---- errors and memory ----


def operations(kem: Mlkem, name: str) -> dict[str, Callable[[Any, int], Status]]:
    """Every function that takes a workspace, called rightly but for the workspace given."""
    number, backend, caches = mlkem.NUMBERS[name], kem.number, kem.caches or 0
    p = spec.PARAMETER_SETS[name]
    ek, dk = Mlkem("c", None).key_gen(name, seed(8))
    ct = Mlkem("c", None).encaps(name, ek, bytes(32))[1]
    cache = exported(kem, name, ek)
    public, private = kem.public(name, ek), kem.private(name, dk)
    fresh_ek, fresh_dk = Table(public.size), Table(private.size)
    out = [ctypes.create_string_buffer(4 * p.dk_size) for _ in range(2)]
    return {
        "keygen": lambda w, n: mlkem.call("keygen", out[0], p.ek_size, out[1], p.dk_size, number, backend, seed(8), w, n),
        "encaps": lambda w, n: mlkem.call("encaps", out[0], p.ct_size, out[1], number, backend, ek, len(ek), bytes(32), w, n),
        "decaps": lambda w, n: mlkem.call("decaps", out[0], number, backend, dk, len(dk), ct, len(ct), w, n),
        "ek_load": lambda w, n: mlkem.call(
            "ek_load", fresh_ek.address, fresh_ek.size, number, caches, backend, ek, len(ek), w, n
        ),
        "seed_load": lambda w, n: mlkem.call(
            "seed_load", fresh_dk.address, fresh_dk.size, number, caches, backend, seed(8), w, n
        ),
        "dk_load": lambda w, n: mlkem.call(
            "dk_load", fresh_dk.address, fresh_dk.size, number, caches, backend, dk, len(dk), w, n
        ),
        "ek_import": lambda w, n: mlkem.call(
            "ek_import", fresh_ek.address, fresh_ek.size, number, caches, backend, ek, len(ek), cache, len(cache), MAC_KEY, 32, w, n
        ),
        "ek_encaps": lambda w, n: mlkem.call("ek_encaps", out[0], p.ct_size, out[1], public.address, bytes(32), w, n),
        "dk_decaps": lambda w, n: mlkem.call("dk_decaps", out[0], private.address, ct, len(ct), w, n),
        "encaps_many": lambda w, n: mlkem.call("encaps_many", out[0], out[1], public.address, bytes(96), 3, w, n),
        "decaps_many": lambda w, n: mlkem.call("decaps_many", out[0], private.address, ct * 3, 3, w, n),
    }  # fmt: skip


OPS = {
    "keygen": mlkem.KEYGEN, "seed_load": mlkem.KEYGEN, "encaps": mlkem.ENCAPS, "ek_encaps": mlkem.ENCAPS, "decaps": mlkem.DECAPS,
    "dk_decaps": mlkem.DECAPS, "ek_load": mlkem.LOAD, "dk_load": mlkem.LOAD, "ek_import": mlkem.LOAD,
    "encaps_many": mlkem.ENCAPS_MANY, "decaps_many": mlkem.DECAPS_MANY,
}  # fmt: skip
FROM_BYTES = ("keygen", "encaps", "decaps")


@each
@each_set
@pytest.mark.parametrize("caches", [0, 7])
def test_a_workspace_is_as_long_as_it_says_and_may_lie_anywhere(parameter_set: str, caches: int, backend: str) -> None:
    kem = Mlkem(backend, caches)
    number = mlkem.NUMBERS[parameter_set]
    for name, call in operations(kem, parameter_set).items():
        need = mlkem.size("workspace_bytes", number, OPS[name], 0 if name in FROM_BYTES else caches, kem.number)
        memory = ctypes.create_string_buffer(b"\xa5" * (need + 200))
        for offset in (0, 1, 33, 63):
            at = ctypes.addressof(memory) + offset
            assert call(at, need - 1) == Status.WORKSPACE, name
            assert call(at, need) == Status.OK, name
            assert memory.raw[offset + need :].rstrip(b"\0") == b"\xa5" * (200 - offset), name


@each
def test_no_secret_stays_in_a_workspace(backend: str) -> None:
    """What encapsulation and decapsulation were given or make in secret is not found in the memory that they worked in."""
    kem, name = Mlkem(backend, 3), "ML-KEM-768"
    ek, dk = Mlkem("c", None).key_gen(name, seed(8))
    key, r = spec.g(bytes(32) + spec.h(ek))
    _, sigma = spec.g(seed(8)[:32] + bytes([3]))
    secrets = [key, r, sigma, seed(8)[:32], seed(8)[32:], dk[:32], dk[1100:1132]]
    for operation, call in operations(kem, name).items():
        memory = ctypes.create_string_buffer(1 << 16)
        assert call(ctypes.addressof(memory), len(memory)) == Status.OK
        assert not [secret.hex() for secret in secrets if secret in memory.raw], operation


@each
def test_mistakes_are_told(backend: str) -> None:
    kem, name = Mlkem(backend, 7), "ML-KEM-512"
    number, p = mlkem.NUMBERS[name], spec.PARAMETER_SETS[name]
    ek, dk = kem.key_gen(name, seed(9))
    ws = kem.workspace(name, mlkem.LOAD)
    out, ss = ctypes.create_string_buffer(p.ct_size), ctypes.create_string_buffer(32)

    table = Table(mlkem.size("ek_bytes", number, 7, kem.number) + 64)
    good = (table.address, table.size, number, 7, kem.number, ek, len(ek), *ws)
    assert mlkem.call("ek_load", *good) == Status.OK
    assert mlkem.call("ek_load", table.address + 8, *good[1:]) == Status.BAD_ARGUMENT
    assert mlkem.call("ek_load", table.address, 100, *good[2:]) == Status.WORKSPACE
    for number_of, caches, by in ((513, 7, kem.number), (number, 8, kem.number), (number, 7, 99)):
        assert mlkem.call("ek_load", table.address, table.size, number_of, caches, by, *good[5:]) == Status.BAD_ARGUMENT
        assert mlkem.size("ek_bytes", number_of, caches, by) == 0
        assert mlkem.size("dk_bytes", number_of, caches, by) == 0
        assert mlkem.size("cache_bytes", number_of, caches, by) == 0
        assert mlkem.size("workspace_bytes", number_of, mlkem.ENCAPS, caches, by) == 0
    assert mlkem.size("workspace_bytes", number, 9, 0, kem.number) == 0
    for number_of, by in ((7, kem.number), (number, 99)):
        assert (
            mlkem.call("encaps", out, len(out), ss, number_of, by, ek, len(ek), bytes(32), *ws) == Status.BAD_ARGUMENT
        )
        assert mlkem.call("decaps", ss, number_of, by, dk, len(dk), out, len(out), *ws) == Status.BAD_ARGUMENT
        assert mlkem.call("check_dk", number_of, by, dk, len(dk)) == Status.BAD_ARGUMENT
    assert mlkem.call("check_ek", 7, ek, len(ek)) == Status.BAD_ARGUMENT

    other = Table(table.size)  # memory that is no object
    assert mlkem.call("ek_encaps", out, len(out), ss, other.address, bytes(32), *ws) == Status.BAD_KEY
    assert mlkem.call("dk_decaps", ss, table.address, out, len(out), *ws) == Status.BAD_KEY  # an ek is no dk
    assert mlkem.call("ek_export", out, len(out), other.address, MAC_KEY, 32) == Status.BAD_KEY
    assert mlkem.call("dk_encode", out, len(out), other.address) == Status.BAD_KEY
    assert mlkem.library().girih_mlkem_ek_encoding(other.address) is None
    assert mlkem.library().girih_mlkem_dk_public(table.address) is None
    assert mlkem.call("ek_encaps", out, len(out) - 1, ss, table.address, bytes(32), *ws) == Status.BAD_LENGTH
    assert mlkem.call("ek_export", out, len(out), table.address, MAC_KEY, 32) == Status.BAD_LENGTH
    assert out.raw == bytes(p.ct_size) and ss.raw == bytes(32), "nothing is written by a call that fails"


@each_set
def test_a_refused_key_leaves_nothing_behind(parameter_set: str) -> None:
    kem = Mlkem("c", 7)
    ek, dk = kem.key_gen(parameter_set, seed(10))
    number, p = mlkem.NUMBERS[parameter_set], spec.PARAMETER_SETS[parameter_set]
    bad = b"\xff\xff\xff" + ek[3:]
    forged = dk[: 384 * p.k] + bad + spec.h(bad) + dk[-32:]
    for name, table, encoded in (
        ("ek_load", Table(mlkem.size("ek_bytes", number, 7, kem.number)), bad),
        ("dk_load", Table(mlkem.size("dk_bytes", number, 7, kem.number)), forged),
    ):
        where = (table.address, table.size, number, 7, kem.number, encoded, len(encoded))
        assert mlkem.call(name, *where, *kem.workspace(parameter_set, mlkem.LOAD)) == Status.BAD_KEY
        assert ctypes.string_at(table.address, table.size) == bytes(table.size)
    with pytest.raises(Refused):
        kem.public(parameter_set, bad)


def test_sizes_are_those_of_the_standard_and_caches_what_they_hold() -> None:
    for name, p in spec.PARAMETER_SETS.items():
        number = mlkem.NUMBERS[name]
        assert mlkem.size("cache_bytes", number, 0, 1) == 0
        assert mlkem.size("cache_bytes", number, mlkem.CACHE_A, 1) == 512 * p.k * p.k
        assert mlkem.size("cache_bytes", number, mlkem.CACHE_H, 1) == 32
        assert mlkem.size("cache_bytes", number, mlkem.CACHE_T, 1) == 512 * p.k
        assert mlkem.size("cache_bytes", number, 7, 1) == 512 * p.k * (p.k + 1) + 32
        for function, expected in (
            ("ek_encoded_bytes", p.ek_size),
            ("dk_encoded_bytes", p.dk_size),
            ("ct_bytes", p.ct_size),
        ):
            assert getattr(mlkem.library(), f"girih_mlkem_{function}")(number) == expected
            assert getattr(mlkem.library(), f"girih_mlkem_{function}")(5) == 0
