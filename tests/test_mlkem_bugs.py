"""Bugs that other implementations of ML-KEM had, each with the right answer; by the numbers of the collection of public reports."""

from __future__ import annotations

import hashlib
import random

import pytest

from tests.spec import mlkem as spec
from tests.subjects import Refused, mlkem, native
from tests.subjects.mlkem import Mlkem

KEMS = [Mlkem(backend, caches) for backend in mlkem.backends() for caches in (None, 0, 7)]
each = pytest.mark.parametrize("kem", KEMS, ids=[kem.name for kem in KEMS])
each_set = pytest.mark.parametrize("parameter_set", spec.PARAMETER_SETS)
SEED, M = bytes(range(64)), bytes(range(100, 132))


def put(encoded: bytes, n: int, value: int) -> bytes:
    """The encoding with coefficient n set to value, 12 bits."""
    whole = bytearray(encoded)
    field = int.from_bytes(whole[n // 2 * 3 : n // 2 * 3 + 3], "little")
    shift = 12 * (n % 2)
    field = field & ~(0xFFF << shift) | value << shift
    whole[n // 2 * 3 : n // 2 * 3 + 3] = field.to_bytes(3, "little")
    return bytes(whole)


def accepts_ek(parameter_set: str, ek: bytes) -> bool:
    return mlkem.call("check_ek", mlkem.NUMBERS[parameter_set], ek, len(ek)) == native.Status.OK


@each
def test_d15_the_parameter_set_is_part_of_the_seed(kem: Mlkem) -> None:
    rhos = {kem.key_gen(name, SEED)[0][-32:] for name in spec.PARAMETER_SETS}
    assert rhos == {spec.g(SEED[:32] + bytes([k]))[0] for k in (2, 3, 4)} and len(rhos) == 3


@each
@each_set
def test_k01_every_coefficient_of_ek_is_checked(parameter_set: str, kem: Mlkem) -> None:
    p = spec.PARAMETER_SETS[parameter_set]
    ek, _ = kem.key_gen(parameter_set, SEED)
    for n in range(256 * p.k):
        assert accepts_ek(parameter_set, put(ek, n, spec.Q - 1)), n
        assert not accepts_ek(parameter_set, put(ek, n, spec.Q)), n
    bad = [put(ek, n, value) for n in (0, 1, 127, 128, 255, 256 * p.k - 1) for value in (spec.Q, 4095)]
    for wrong in (*bad, b"\xff" * p.ek_size):
        with pytest.raises(Refused, match="BAD_KEY"):
            kem.encaps(parameter_set, wrong, M)


@each
@each_set
def test_k02_k03_a_decapsulation_key_holds_the_hash_of_its_ek(parameter_set: str, kem: Mlkem) -> None:
    """K03: an ek in it that is out of range is refused too, though its hash be right."""
    p = spec.PARAMETER_SETS[parameter_set]
    ek, dk = kem.key_gen(parameter_set, SEED)
    at = 384 * p.k
    ct = kem.encaps(parameter_set, ek, M)[1]
    beyond = put(ek, 5, 4000)
    forged = dk[:at] + beyond + hashlib.sha3_256(beyond).digest() + dk[-32:]
    flipped = [
        dk[:n] + bytes([dk[n] ^ 1]) + dk[n + 1 :] for n in (at, at + 700, at + p.ek_size - 1, at + p.ek_size, -33)
    ]
    for wrong in (*flipped, forged):
        with pytest.raises(Refused, match="BAD_KEY"):
            kem.decaps(parameter_set, wrong, ct)


@each
@each_set
def test_k04_lengths(parameter_set: str, kem: Mlkem) -> None:
    ek, dk = kem.key_gen(parameter_set, SEED)
    _, ct = kem.encaps(parameter_set, ek, M)
    for key in (ek[:-1], ek + b"\0", b""):
        with pytest.raises(Refused, match="BAD_LENGTH"):
            kem.encaps(parameter_set, key, M)
    for key in (dk[:-1], dk + b"\0", b""):
        with pytest.raises(Refused, match="BAD_LENGTH"):
            kem.decaps(parameter_set, key, ct)
    for wrong in (ct[:-1], ct + b"\0", b""):
        with pytest.raises(Refused, match="BAD_LENGTH"):
            kem.decaps(parameter_set, dk, wrong)


@each
@each_set
def test_k05_the_comparison_reads_every_byte(parameter_set: str, kem: Mlkem) -> None:
    """A coefficient of c moved by one decrypts to the same message: the comparison alone rejects it."""
    p = spec.PARAMETER_SETS[parameter_set]
    ek, dk = kem.key_gen(parameter_set, SEED)
    key, ct = kem.encaps(parameter_set, ek, M)
    m = spec.k_pke_decrypt(dk, ct, p)
    c1 = 32 * p.du * p.k
    survivors = 0
    for n in (0, 1, c1 // 2, c1 - 1, c1, (c1 + p.ct_size) // 2, p.ct_size - 1):
        for bit in (1, 0x80):
            changed = ct[:n] + bytes([ct[n] ^ bit]) + ct[n + 1 :]
            survivors += spec.k_pke_decrypt(dk, changed, p) == m
            assert kem.decaps(parameter_set, dk, changed) == spec.j(dk[-32:] + changed) != key
    assert survivors >= 7


@each
@each_set
def test_k05_every_byte_changed(parameter_set: str, kem: Mlkem) -> None:
    p = spec.PARAMETER_SETS[parameter_set]
    ek, dk = kem.key_gen(parameter_set, SEED)
    ct = kem.encaps(parameter_set, ek, M)[1]
    changed = [ct[:n] + bytes([ct[n] ^ 1 << n % 8]) + ct[n + 1 :] for n in range(p.ct_size)]
    if kem.caches is None:
        found = [kem.decaps(parameter_set, dk, one) for one in changed[:: 1 if kem.backend == "c" else 16]]
        assert found == [spec.j(dk[-32:] + one) for one in changed[:: 1 if kem.backend == "c" else 16]]
    else:
        assert kem.decaps_many(parameter_set, dk, changed) == [spec.j(dk[-32:] + one) for one in changed]


@each
@each_set
def test_k06_what_nobody_encrypted_is_rejected_implicitly(parameter_set: str, kem: Mlkem) -> None:
    p = spec.PARAMETER_SETS[parameter_set]
    _, dk = kem.key_gen(parameter_set, SEED)
    rng = random.Random(6)
    for ct in (bytes(p.ct_size), b"\xff" * p.ct_size, rng.randbytes(p.ct_size), rng.randbytes(p.ct_size)):
        assert kem.decaps(parameter_set, dk, ct) == spec.j(dk[-32:] + ct)


@each
@each_set
def test_k08_the_matrix_is_indexed_as_the_standard_has_it(parameter_set: str, kem: Mlkem) -> None:
    p = spec.PARAMETER_SETS[parameter_set]
    ek, dk = kem.key_gen(parameter_set, SEED)
    assert (ek, dk) == spec.ml_kem_key_gen_internal(SEED[:32], SEED[32:], p)
    assert kem.encaps(parameter_set, ek, M) == spec.ml_kem_encaps_internal(ek, M, p)
