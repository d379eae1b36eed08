"""ML-KEM of girih against other implementations: kyber-py, cryptography, and the oracle in tests/spec."""

from __future__ import annotations

import hashlib
from typing import Any

import kyber_py.ml_kem as kyber  # type: ignore[import-untyped]
import pytest
from cryptography.hazmat.primitives.asymmetric import mlkem as pyca

import girih
from girih import testing
from girih.mlkem import PARAMETER_SETS, Caches, ParameterSet
from tests.spec import mlkem as spec

each_set = pytest.mark.parametrize("p", PARAMETER_SETS, ids=lambda p: p.name)
PYCA = {"ML-KEM-768": "MLKEM768", "ML-KEM-1024": "MLKEM1024"}  # it has no ML-KEM-512
pyca_sets = pytest.mark.parametrize("p", [p for p in PARAMETER_SETS if p.name in PYCA], ids=lambda p: p.name)


def stuff(label: str, number: int, size: int) -> bytes:
    """Bytes that only label and number decide."""
    return hashlib.shake_256(f"girih differential {label} {number}".encode()).digest(size)


def kyber_of(p: ParameterSet) -> Any:
    """kyber-py's object for a set."""
    return getattr(kyber, p.name.replace("-", "_"))


@pytest.fixture(params=girih.backends(), autouse=True)
def backend(request: pytest.FixtureRequest) -> Any:
    """Every test on every backend."""
    with testing.use_backend(request.param):
        yield


@each_set
def test_keys_ciphertexts_and_secrets_are_those_of_kyber_py_and_the_oracle(p: ParameterSet) -> None:
    other, own = kyber_of(p), spec.PARAMETER_SETS[p.name]
    for number in range(6):
        seed, m = stuff("seed", number, 64), stuff("m", number, 32)
        ek, dk = p.key_gen(seed)
        assert (ek.to_bytes(), bytes(dk.to_bytes())) == other.key_derive(seed)
        key, c = testing.ml_kem_encaps_internal(ek, m)
        assert (
            (bytes(key), c)
            == other._encaps_internal(ek.to_bytes(), m)
            == spec.ml_kem_encaps_internal(ek.to_bytes(), m, own)
        )
        changed = bytes([c[0] ^ 1 << number]) + c[1:]
        for ciphertext in (c, changed, stuff("c", number, len(c))):
            expected = spec.ml_kem_decaps(bytes(dk.to_bytes()), ciphertext, own)
            assert bytes(dk.decaps(ciphertext)) == other.decaps(bytes(dk.to_bytes()), ciphertext) == expected


@each_set
def test_each_opens_what_kyber_py_encapsulates_and_the_other_way_round(p: ParameterSet) -> None:
    other = kyber_of(p)
    for caches in (Caches.NONE, Caches.A_HAT, Caches.ALL):
        ek, dk = p.key_gen(caches=caches)
        key, c = other.encaps(ek.to_bytes())
        assert bytes(dk.decaps(c)) == key
        theirs_ek, theirs_dk = other.keygen()
        key, c = p.encapsulation_key(theirs_ek, caches=caches).encaps()
        assert other.decaps(theirs_dk, c) == bytes(key)


@pyca_sets
def test_each_opens_what_cryptography_encapsulates_and_the_other_way_round(p: ParameterSet) -> None:
    private = getattr(pyca, f"{PYCA[p.name]}PrivateKey")
    public = getattr(pyca, f"{PYCA[p.name]}PublicKey")
    for number in range(8):
        seed = stuff("pyca", number, 64)
        ek, dk = p.key_gen(seed)
        theirs = private.from_seed_bytes(seed)
        assert theirs.public_key().public_bytes_raw() == ek.to_bytes()
        key, c = public.from_public_bytes(ek.to_bytes()).encapsulate()
        assert bytes(dk.decaps(c)) == key
        key, c = ek.encaps()
        assert theirs.decapsulate(c) == bytes(key)
        changed = c[:-1] + bytes([c[-1] ^ 1])
        assert theirs.decapsulate(changed) == bytes(dk.decaps(changed))
