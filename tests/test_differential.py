"""girih against other implementations: dilithium-py, cryptography, and the oracle in tests/spec.

Inputs come from counters through SHAKE256, so that a failure can be repeated; its number is in the list that is not empty.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import dilithium_py.ml_dsa as dilithium  # type: ignore[import-untyped]
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa as pyca

from tests import forge
from tests.spec import mldsa as spec
from tests.spec.mldsa import ParameterSet
from tests.subjects import Signer, Subject, digest

each_set = pytest.mark.parametrize("p", spec.PARAMETER_SETS.values(), ids=lambda p: p.name)


def stuff(label: str, number: int, size: int) -> bytes:
    """Bytes that only label and number decide."""
    return hashlib.shake_256(f"girih differential {label} {number}".encode()).digest(size)


def inputs(number: int) -> tuple[bytes, bytes, bytes, bytes]:
    """seed, message, context and randomness of a case; lengths vary, empty ones among them."""
    message = stuff("message", number, (0, 1, 31, 136, 200, 1000)[number % 6])
    ctx = stuff("context", number, (0, 1, 17, 255)[number % 4])
    return stuff("seed", number, 32), message, ctx, stuff("rnd", number, 32)


def dilithium_of(p: ParameterSet) -> Any:
    """dilithium-py's object for a set."""
    return getattr(dilithium, p.name.replace("-", "_"))


def pyca_private(p: ParameterSet, seed: bytes) -> Any:
    """cryptography's private key."""
    return getattr(pyca, p.name.replace("-", "") + "PrivateKey").from_seed_bytes(seed)


def pyca_verifies(p: ParameterSet, public_key: bytes, sig: bytes, msg: bytes, ctx: bytes) -> bool:
    """cryptography's verdict."""
    key = getattr(pyca, p.name.replace("-", "") + "PublicKey").from_public_bytes(public_key)
    try:
        key.verify(sig, msg, ctx)
    except InvalidSignature:
        return False
    return True


# ---- keys and signatures ----


@cache
def dilithium_py(p: ParameterSet, number: int) -> tuple[bytes, bytes, bytes, bytes]:
    """dilithium-py's key pair, its deterministic signature, and a hedged one."""
    peer = dilithium_of(p)
    seed, message, ctx, _ = inputs(number)
    public_key, secret_key = peer.key_derive(seed)
    sigs = (peer.sign(secret_key, message, ctx, deterministic=deterministic) for deterministic in (True, False))
    return public_key, secret_key, *sigs


@each_set
def test_keys_and_deterministic_signatures_are_those_of_dilithium_py(p: ParameterSet, subject: Subject) -> None:
    for number in range(3):
        seed, message, ctx, _ = inputs(number)
        pair = subject.key_pair(p.name, seed)
        assert (pair.public_key, pair.secret_key, pair.sign(message, ctx)) == dilithium_py(p, number)[:3]


@each_set
def test_each_verifies_what_dilithium_py_signs_and_the_other_way_round(p: ParameterSet, subject: Subject) -> None:
    seed, message, ctx, rnd = inputs(2)
    pair = subject.key_pair(p.name, seed)
    assert pair.verify(dilithium_py(p, 2)[3], message, ctx)
    assert dilithium_of(p).verify(pair.public_key, message, pair.sign(message, ctx, rnd), ctx)


@each_set
def test_keys_are_those_of_cryptography_and_each_verifies_the_other(p: ParameterSet, subject: Subject) -> None:
    wrong = []
    for number in range(100):
        seed, message, ctx, rnd = inputs(number)
        pair, peer = subject.key_pair(p.name, seed), pyca_private(p, seed)
        holds = (
            pair.public_key == peer.public_key().public_bytes_raw()
            and pair.verify(peer.sign(message, ctx), message, ctx)
            and pyca_verifies(p, pair.public_key, pair.sign(message, ctx, rnd), message, ctx)
        )
        if not holds:
            wrong.append(number)
    assert wrong == []


@cache
def oracle(p: ParameterSet, number: int) -> tuple[bytes, bytes, list[bytes]]:
    """The oracle's key pair, and its signatures through each interface."""
    seed, message, ctx, rnd = inputs(number)
    public_key, secret_key = spec.ml_dsa_keygen_internal(p, seed)
    hashed = list(spec.PRE_HASHES)[number % len(spec.PRE_HASHES)]
    sigs = [
        spec.ml_dsa_sign(p, secret_key, message, ctx, rnd),
        spec.hash_ml_dsa_sign(p, secret_key, message, ctx, hashed, rnd),
        spec.ml_dsa_sign_internal(p, secret_key, message, rnd),
        spec.ml_dsa_sign_mu(p, secret_key, stuff("mu", number, 64), rnd),
    ]
    return public_key, secret_key, sigs


@each_set
def test_every_interface_signs_as_the_oracle(p: ParameterSet, subject: Subject) -> None:
    for number in range(12):  # every hash once
        seed, message, ctx, rnd = inputs(number)
        pair = subject.key_pair(p.name, seed)
        hashed = list(spec.PRE_HASHES)[number % len(spec.PRE_HASHES)]
        sigs = [
            pair.sign(message, ctx, rnd),
            pair.sign_digest(digest(hashed, message), hashed, ctx, rnd),
            pair.sign_internal(message, rnd),
            pair.sign_mu(stuff("mu", number, 64), rnd),
        ]
        assert (pair.public_key, pair.secret_key, sigs) == oracle(p, number)


# ---- verdicts ----


def one_bit(sig: bytes, rng: random.Random) -> bytes:
    """One bit flipped."""
    changed = bytearray(sig)
    changed[rng.randrange(len(sig))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def one_byte(sig: bytes, rng: random.Random) -> bytes:
    """One byte replaced."""
    changed = bytearray(sig)
    changed[rng.randrange(len(sig))] = rng.randrange(256)
    return bytes(changed)


def mutants(p: ParameterSet, sig: bytes, number: int) -> Iterator[bytes]:
    """Signatures near a valid one: bits, bytes, and every field of the hints."""
    rng = random.Random(number)
    for _ in range(10):
        yield one_bit(sig, rng)
        yield one_byte(sig, rng)
    hints = len(sig) - p.omega - p.k
    for _ in range(15):
        yield sig[:hints] + one_bit(sig[hints:], rng)
        yield sig[:hints] + one_byte(sig[hints:], rng)
    positions, _ = forge.split_hints(p, sig)
    for polynomial in range(p.k):
        fewer = [list(some) for some in positions]
        if fewer[polynomial]:
            fewer[polynomial].pop(rng.randrange(len(fewer[polynomial])))
        yield forge.with_hints(p, sig, forge.join_hints(p, fewer))
        more = [list(some) for some in positions]
        more[polynomial] = sorted({*more[polynomial], rng.randrange(256)})
        if sum(map(len, more)) <= p.omega:
            yield forge.with_hints(p, sig, forge.join_hints(p, more))


def careless(p: ParameterSet, pair: Signer, mu: bytes, ignored: set[str]) -> Iterator[bytes]:
    """Signatures of a signer that leaves out some tests: z, r0, ct0. Some of them are valid all the same."""
    accept: Callable[[frozenset[str]], bool] = lambda failed: failed <= ignored  # noqa: E731
    for number in range(3):
        try:
            yield spec.ml_dsa_sign_mu(p, pair.secret_key, mu, stuff("careless", number, 32), accept)
        except OverflowError:  # z beyond what its encoding holds
            continue


@each_set
def test_mutated_signatures_get_the_verdict_of_cryptography(p: ParameterSet, subject: Subject) -> None:
    different = []
    for number in range(10):
        seed, message, ctx, rnd = inputs(number)
        pair = subject.key_pair(p.name, seed)
        sig = pair.sign(message, ctx, rnd)
        for place, mutant in enumerate([sig, *mutants(p, sig, number)]):
            if pair.verify(mutant, message, ctx) is not pyca_verifies(p, pair.public_key, mutant, message, ctx):
                different.append((number, place))
    assert different == []


@each_set
def test_mutated_signatures_get_the_verdict_of_the_oracle(p: ParameterSet, fastest_subject: Subject) -> None:
    seed, message, ctx, rnd = inputs(11)
    pair = fastest_subject.key_pair(p.name, seed)
    sig = pair.sign(message, ctx, rnd)
    different = [
        place
        for place, mutant in enumerate([sig, *mutants(p, sig, 11)])
        if pair.verify(mutant, message, ctx) is not spec.ml_dsa_verify(p, pair.public_key, message, mutant, ctx)
    ]
    assert different == []


@each_set
def test_signatures_of_careless_signers_get_the_verdict_of_the_oracle(
    p: ParameterSet, fastest_subject: Subject
) -> None:
    pair = fastest_subject.key_pair(p.name, stuff("seed", 12, 32))
    mu = stuff("mu", 12, 64)
    verdicts = []
    for ignored in ({"r0"}, {"z"}, {"r0", "z"}, {"ct0"}):
        for sig in careless(p, pair, mu, ignored):
            verdict = pair.verify_mu(sig, mu)
            assert verdict is spec.ml_dsa_verify_mu(p, pair.public_key, mu, sig)
            verdicts.append(verdict)
    assert set(verdicts) == {True, False}


@each_set
def test_public_keys_of_any_bytes_get_the_verdict_of_the_oracle(p: ParameterSet, subject: Subject) -> None:
    for number, fill in enumerate((b"\0", b"\xff", None)):
        t1 = fill * (p.pk_size - 32) if fill else stuff("t1", number, p.pk_size - 32)
        public_key = stuff("rho", number, 32) + t1
        sig = forge.hint_on_zero(p, stuff("mu", number, 64), corrected=True)
        verdict = subject.verifier(p.name, public_key).verify_mu(sig, stuff("mu", number, 64))
        assert verdict is spec.ml_dsa_verify_mu(p, public_key, stuff("mu", number, 64), sig)
