"""Signing and verifying: what is accepted, what is False, what raises."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from typing import Any

import pytest

import girih
from girih import MlDsa44, MlDsa65, MlDsa87, SigningKey, VerificationKey, testing
from girih.errors import AttemptsExhausted, FaultDetected, GirihError, InvalidSignature
from girih.mldsa import PARAMETER_SETS, ParameterSet
from tests.spec import mldsa as spec

MSG, CTX, SEED = b"a message", b"a context", bytes(32)
DIGESTS = {  # FIPS 204, 5.4: ACVP's names, and those of FIPS 180-4 and 202
    "SHA2-224": ("SHA-224", hashlib.sha224(MSG).digest()),
    "SHA2-256": ("SHA-256", hashlib.sha256(MSG).digest()),
    "SHA2-384": ("SHA-384", hashlib.sha384(MSG).digest()),
    "SHA2-512": ("SHA-512", hashlib.sha512(MSG).digest()),
    "SHA2-512/224": ("SHA-512/224", bytes(range(28))),
    "SHA2-512/256": ("SHA-512/256", bytes(range(32))),
    "SHA3-224": ("SHA3-224", hashlib.sha3_224(MSG).digest()),
    "SHA3-256": ("SHA3-256", hashlib.sha3_256(MSG).digest()),
    "SHA3-384": ("SHA3-384", hashlib.sha3_384(MSG).digest()),
    "SHA3-512": ("SHA3-512", hashlib.sha3_512(MSG).digest()),
    "SHAKE-128": ("SHAKE128", hashlib.shake_128(MSG).digest(32)),
    "SHAKE-256": ("SHAKE256", hashlib.shake_256(MSG).digest(64)),
}
every_set = pytest.mark.parametrize("params", PARAMETER_SETS, ids=lambda p: p.name)


@pytest.fixture(scope="module")
def pair() -> tuple[VerificationKey, SigningKey]:
    return MlDsa65.key_gen(SEED)


@every_set
def test_a_signature_verifies_under_its_message_context_and_key_only(params: ParameterSet) -> None:
    vk, sk = params.key_gen()
    sig = sk.sign(MSG, CTX)
    assert type(sig) is bytes and len(sig) == params.signature_size
    assert vk.verify(sig, MSG, CTX) is True
    assert vk.verify(sig, MSG + b"!", CTX) is False
    assert vk.verify(sig, MSG, CTX + b"!") is False
    assert vk.verify(sig, MSG) is False
    assert params.key_gen()[0].verify(sig, MSG, CTX) is False


def test_no_context_is_the_empty_context(pair: tuple[VerificationKey, SigningKey]) -> None:
    vk, sk = pair
    assert sk.sign(MSG, deterministic=True) == sk.sign(MSG, None, True) == sk.sign(MSG, b"", True)
    assert vk.verify(sk.sign(MSG), MSG, b"") and vk.verify(sk.sign(MSG, b""), MSG, None)


def test_everything_may_be_named(pair: tuple[VerificationKey, SigningKey]) -> None:
    vk, sk = pair
    sig = sk.sign(msg=MSG, ctx=CTX, deterministic=False, max_attempts=None, checked=False)
    assert vk.verify(sig=sig, msg=MSG, ctx=CTX)
    assert vk.verify_mu(sig=sk.sign_mu(mu=bytes(64)), mu=bytes(64))
    sig = sk.sign_digest(digest=bytes(64), hash_name="SHA2-512", ctx=CTX)
    assert vk.verify_digest(sig=sig, digest=bytes(64), hash_name="SHA2-512", ctx=CTX)


@every_set
def test_hedged_signatures_differ_and_deterministic_ones_do_not(params: ParameterSet) -> None:
    _, sk = params.key_gen()
    assert len({sk.sign(MSG) for _ in range(5)}) == 5
    assert len({sk.sign(MSG, deterministic=True) for _ in range(5)}) == 1
    assert len({sk.sign_mu(bytes(64), True) for _ in range(5)}) == 1
    assert sk.sign(MSG, deterministic=True) == testing.ml_dsa_sign_internal(sk, b"\0\0" + MSG, bytes(32))


@every_set
def test_any_other_bytes_are_false(params: ParameterSet) -> None:
    vk, sk = params.key_gen()
    sig = sk.sign(MSG)
    size = params.signature_size
    others = (b"", b"\0", sig[:-1], sig + b"\0", sig * 2, bytes(size), b"\xff" * size)
    assert not any(vk.verify(bad, MSG) for bad in others)
    assert not any(vk.verify_mu(bad, bytes(64)) for bad in (b"", sig[:-1], sig + b"\0"))
    assert not any(vk.verify_digest(bad, bytes(32), "SHA2-256") for bad in (b"", sig[:-1], sig + b"\0"))
    assert not any(testing.ml_dsa_verify_internal(vk, bad, MSG) for bad in (b"", sig[:-1], sig + b"\0"))


@every_set
def test_one_changed_bit_anywhere_is_false(params: ParameterSet) -> None:
    vk, sk = params.key_gen(SEED)
    sig = bytearray(sk.sign(MSG, deterministic=True))
    for place in range(0, len(sig), 61):
        sig[place] ^= 1 << place % 8
        assert vk.verify(sig, MSG) is False
        sig[place] ^= 1 << place % 8
    assert vk.verify(sig, MSG)


def test_require_returns_nothing_or_raises(pair: tuple[VerificationKey, SigningKey]) -> None:
    vk, sk = pair
    sig = sk.sign(MSG, CTX)
    assert vk.require(sig, MSG, CTX) is None  # type: ignore[func-returns-value]
    with pytest.raises(InvalidSignature, match="ML-DSA-65"):
        vk.require(sig, MSG)
    with pytest.raises(InvalidSignature):
        vk.require(b"", MSG, CTX)
    assert issubclass(InvalidSignature, GirihError)


@every_set
@pytest.mark.parametrize("length", [1, 254, 255])
def test_a_context_may_have_255_bytes(params: ParameterSet, length: int) -> None:
    vk, sk = params.key_gen()
    ctx = bytes(range(length))
    assert vk.verify(sk.sign(MSG, ctx), MSG, ctx)
    assert not vk.verify(sk.sign(MSG, ctx), MSG, ctx[:-1])


@pytest.mark.parametrize("length", [256, 257, 511, 512, 1 << 16])
@pytest.mark.parametrize(
    "call",
    [
        lambda vk, sk, ctx: sk.sign(MSG, ctx),
        lambda vk, sk, ctx: vk.verify(b"", MSG, ctx),
        lambda vk, sk, ctx: vk.verify(bytes(3309), MSG, ctx),
        lambda vk, sk, ctx: vk.require(b"", MSG, ctx),
        lambda vk, sk, ctx: sk.sign_digest(bytes(64), "SHA2-512", ctx),
        lambda vk, sk, ctx: vk.verify_digest(b"", bytes(64), "SHA2-512", ctx),
        lambda vk, sk, ctx: vk.mu_hasher(ctx),
        lambda vk, sk, ctx: sk.mu_hasher(ctx),
        lambda vk, sk, ctx: sk.sign_many([MSG], ctx),
        lambda vk, sk, ctx: vk.verify_many([b""], [MSG], ctx),
    ],
)
def test_a_longer_context_raises(
    pair: tuple[VerificationKey, SigningKey], call: Callable[..., Any], length: int
) -> None:
    with pytest.raises(ValueError, match=f"a ctx is at most 255 bytes, got {length}"):
        call(*pair, bytes(length))


@every_set
@pytest.mark.parametrize("length", [0, 32, 63, 65, 128])
def test_mu_has_64_bytes(params: ParameterSet, length: int) -> None:
    vk, sk = params.key_gen(SEED)
    with pytest.raises(ValueError, match=f"an {params.name} mu is 64 bytes, got {length}"):
        sk.sign_mu(bytes(length))
    with pytest.raises(ValueError, match=f"an {params.name} mu is 64 bytes, got {length}"):
        vk.verify_mu(b"", bytes(length))


@every_set
@pytest.mark.parametrize("key", ["vk", "sk"])
def test_mu_from_parts_is_mu_of_the_whole(params: ParameterSet, key: str) -> None:
    vk, sk = params.key_gen()
    message = bytes(range(256)) * 5
    h = (vk if key == "vk" else sk).mu_hasher(CTX)
    for start in range(0, len(message), 77):
        h.update(message[start : start + 77])
    mu = h.digest()
    tr = hashlib.shake_256(bytes(vk)).digest(64)
    assert mu == hashlib.shake_256(tr + bytes([0, len(CTX)]) + CTX + message).digest(64)
    assert vk.verify(sk.sign_mu(mu), message, CTX)
    assert vk.verify_mu(sk.sign(message, CTX), mu)


def test_a_hasher_goes_on_after_its_digest_and_is_copied(pair: tuple[VerificationKey, SigningKey]) -> None:
    h = pair[0].mu_hasher()
    h.update(b"one")
    other = h.copy()
    first = h.digest()
    assert h.digest() == first == other.digest()
    h.update(b"two")
    assert h.digest() != first == other.digest()
    other.update(b"two")
    assert other.digest() == h.digest()


@every_set
@pytest.mark.parametrize("name", DIGESTS)
def test_a_digest_is_signed_under_either_name(params: ParameterSet, name: str) -> None:
    fips_name, digest = DIGESTS[name]
    vk, sk = params.key_gen(SEED)
    sig = sk.sign_digest(digest, name, CTX, deterministic=True)
    assert sig == sk.sign_digest(digest, fips_name, CTX, True)
    assert vk.verify_digest(sig, digest, name, CTX) and vk.verify_digest(sig, digest, fips_name, CTX)
    assert not vk.verify(sig, MSG, CTX) and not vk.verify(sig, digest, CTX)
    assert not vk.verify_digest(sig, digest, name) and not vk.verify_digest(sig, digest[::-1], name, CTX)


@pytest.mark.parametrize("name", DIGESTS)
@pytest.mark.parametrize("change", [-1, 1])
def test_a_digest_of_the_wrong_length_raises(pair: tuple[VerificationKey, SigningKey], name: str, change: int) -> None:
    vk, sk = pair
    digest = DIGESTS[name][1]
    expected = f"a {name} digest is {len(digest)} bytes, got {len(digest) + change}"
    with pytest.raises(ValueError, match=expected):
        sk.sign_digest(bytes(len(digest) + change), name)
    with pytest.raises(ValueError, match=expected):
        vk.verify_digest(b"", bytes(len(digest) + change), name)


@pytest.mark.parametrize("name", ["", "SHA1", "sha2-512", "SHA512", "SHA2-512 ", "SHAKE-512", "MD5", "\ud800"])
def test_another_hash_raises(pair: tuple[VerificationKey, SigningKey], name: str) -> None:
    vk, sk = pair
    with pytest.raises(ValueError, match="no approved hash"):
        sk.sign_digest(bytes(64), name)
    with pytest.raises(ValueError, match="no approved hash"):
        vk.verify_digest(b"", bytes(64), name)


def test_hashes_of_one_length_are_told_apart(pair: tuple[VerificationKey, SigningKey]) -> None:
    vk, sk = pair
    sig = sk.sign_digest(bytes(32), "SHA2-256")
    for name, (_, digest) in DIGESTS.items():
        if len(digest) == 32:
            assert vk.verify_digest(sig, bytes(32), name) is (name == "SHA2-256")


# ---- attempts ----


@every_set
def test_a_budget_gives_a_signature_or_runs_out(params: ParameterSet) -> None:
    vk, sk = params.key_gen()
    exhausted = 0
    for _ in range(300):
        try:
            assert vk.verify(sk.sign(MSG, max_attempts=1), MSG)
        except AttemptsExhausted:
            exhausted += 1
    assert 150 < exhausted < 300  # a mean of 3.85 to 5.1 attempts: 222 to 241 expected, deviation 7.6 at most


@pytest.mark.parametrize("budget", [1000, 2**31, 2**32 - 1, 2**32, 2**64, 10**100])
def test_a_large_budget_is_never_used_up(pair: tuple[VerificationKey, SigningKey], budget: int) -> None:
    vk, sk = pair
    assert vk.verify(sk.sign(MSG, max_attempts=budget), MSG)
    assert vk.verify_mu(sk.sign_mu(bytes(64), max_attempts=budget), bytes(64))
    assert vk.verify_digest(sk.sign_digest(bytes(64), "SHA2-512", max_attempts=budget), bytes(64), "SHA2-512")


@pytest.mark.parametrize("budget", [0, -1, -(2**63), -(10**100)])
def test_a_budget_is_at_least_one(pair: tuple[VerificationKey, SigningKey], budget: int) -> None:
    with pytest.raises(ValueError, match=f"max_attempts is an int >= 1, got {budget}"):
        pair[1].sign(MSG, max_attempts=budget)


@pytest.mark.parametrize("budget", [1.0, "1", True, b"1", [1], object()])
def test_a_budget_is_an_int(pair: tuple[VerificationKey, SigningKey], budget: Any) -> None:
    with pytest.raises(TypeError, match="max_attempts is an int"):
        pair[1].sign(MSG, max_attempts=budget)


@pytest.mark.parametrize("budget", [1, 814, 10**6])
def test_a_budget_is_refused_where_trying_again_is_no_help(
    pair: tuple[VerificationKey, SigningKey], budget: int
) -> None:
    _, sk = pair
    for call in (
        lambda: sk.sign(MSG, deterministic=True, max_attempts=budget),
        lambda: sk.sign_mu(bytes(64), deterministic=True, max_attempts=budget),
        lambda: sk.sign_digest(bytes(64), "SHA2-512", deterministic=True, max_attempts=budget),
        lambda: sk.sign_many([MSG], max_attempts=budget),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="max_attempts"):
            call()


def test_running_out_is_no_fault() -> None:
    assert issubclass(AttemptsExhausted, GirihError)
    assert not issubclass(AttemptsExhausted, (FaultDetected, ValueError))


# ---- checked signatures ----


@every_set
@pytest.mark.parametrize("compact", [False, True])
def test_checked_signatures_are_the_same(params: ParameterSet, compact: bool) -> None:
    vk, sk = params.key_gen(compact=compact)
    assert sk.sign(MSG, CTX, True, checked=True) == sk.sign(MSG, CTX, True)
    assert sk.sign(bytearray(MSG), CTX, True, checked=True) == sk.sign(MSG, CTX, True)
    assert sk.sign_mu(bytes(64), True, checked=True) == sk.sign_mu(bytes(64), True)
    assert sk.sign_digest(bytes(64), "SHA2-512", deterministic=True, checked=True) == sk.sign_digest(
        bytes(64), "SHA2-512", deterministic=True
    )
    assert sk.sign_many([MSG, bytearray(MSG)], deterministic=True, checked=True) == [sk.sign(MSG, None, True)] * 2
    assert vk.verify(sk.sign(memoryview(MSG)[::2], checked=True), MSG[::2])


def table_of(vk: VerificationKey) -> int:
    """The address of a key's table, found by its magic ("gvK" and the backend) among the words of the object."""
    for word in range(2, vk.__sizeof__() // 8):
        address = ctypes.c_uint64.from_address(id(vk) + 8 * word).value
        if address % 64 == 0 and address > 4096 and ctypes.c_uint32.from_address(address).value >> 8 == 0x67764B:
            return address
    raise AssertionError("the key has no table")


@every_set
@pytest.mark.parametrize("place", [64, 128, 5000, 20000])
def test_a_fault_in_the_public_table_is_detected(params: ParameterSet, place: int) -> None:
    vk, sk = params.key_gen(SEED)
    byte = ctypes.c_uint8.from_address(table_of(vk) + place)
    byte.value ^= 1
    with pytest.raises(FaultDetected):
        sk.sign(MSG, checked=True)
    with pytest.raises(FaultDetected):
        sk.sign_many([MSG], checked=True)
    byte.value ^= 1
    assert vk.verify(sk.sign(MSG, checked=True), MSG)


def test_a_table_that_is_none_is_detected() -> None:
    vk, sk = MlDsa44.key_gen()
    magic = ctypes.c_uint32.from_address(table_of(vk))
    magic.value ^= 1 << 31
    with pytest.raises(FaultDetected, match="no longer what was loaded"):
        sk.sign(MSG)
    with pytest.raises(FaultDetected):
        vk.verify(bytes(2420), MSG)
    with pytest.raises(FaultDetected):
        vk.verify_many([bytes(2420)], [MSG])


# ---- the internal functions ----


@every_set
def test_the_internal_functions_take_m_prime_and_rnd(params: ParameterSet) -> None:
    vk, sk = params.key_gen()
    m_prime = bytes([0, len(CTX)]) + CTX + MSG
    rnd = bytes(range(32))
    sig = testing.ml_dsa_sign_internal(sk, m_prime, rnd)
    tr = hashlib.shake_256(bytes(vk)).digest(64)
    assert vk.verify(sig, MSG, CTX) and testing.ml_dsa_verify_internal(vk, sig, m_prime)
    assert sig == testing.ml_dsa_sign_mu_internal(sk, hashlib.shake_256(tr + m_prime).digest(64), rnd)
    assert not testing.ml_dsa_verify_internal(vk, sig, MSG)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_rnd_has_32_bytes(pair: tuple[VerificationKey, SigningKey], length: int) -> None:
    with pytest.raises(ValueError, match=f"rnd is 32 bytes, got {length}"):
        testing.ml_dsa_sign_internal(pair[1], MSG, bytes(length))
    with pytest.raises(ValueError, match=f"rnd is 32 bytes, got {length}"):
        testing.ml_dsa_sign_mu_internal(pair[1], bytes(64), bytes(length))


def test_the_internal_functions_want_keys(pair: tuple[VerificationKey, SigningKey]) -> None:
    vk, sk = pair
    for call in (
        lambda: testing.ml_dsa_sign_internal(vk, MSG, bytes(32)),  # type: ignore[arg-type]
        lambda: testing.ml_dsa_sign_mu_internal(None, bytes(64), bytes(32)),  # type: ignore[arg-type]
        lambda: testing.ml_dsa_verify_internal(sk, b"", MSG),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match="must be an ML-DSA"):
            call()


@pytest.mark.parametrize("backend", girih.backends())
@every_set
def test_every_backend_gives_the_same_signatures(params: ParameterSet, backend: str) -> None:
    with testing.use_backend(backend):
        assert girih.backend() == backend
        vk, sk = params.key_gen(SEED)
    assert sk.sign(MSG, CTX, deterministic=True) == params.key_gen(SEED)[1].sign(MSG, CTX, deterministic=True)
    assert vk.verify(sk.sign(MSG, CTX), MSG, CTX)


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(ValueError, match="no backend 'abacus' here"), testing.use_backend("abacus"):
        pass


def test_signatures_of_one_set_are_none_of_another() -> None:
    sig = MlDsa44.key_gen(SEED)[1].sign(MSG)
    assert not MlDsa87.key_gen(SEED)[0].verify(sig, MSG)


@pytest.mark.parametrize("params", PARAMETER_SETS, ids=lambda p: p.name)
def test_the_attempts_of_a_signature_are_counted(params: ParameterSet) -> None:
    """Against the oracle, which makes the same attempts."""
    p, mu, rnd = spec.PARAMETER_SETS[params.name], b"\x07" * 64, b"\x09" * 32
    failures: list[
        frozenset[str]
    ] = []  # of each attempt: those of z and r0, and where there are none, those of ct0 and hints

    def judge(failed: frozenset[str]) -> bool:
        failures.append(failed)
        return not failed

    sig = spec.ml_dsa_sign_mu(p, spec.ml_dsa_keygen_internal(p, SEED)[1], mu, rnd, judge)
    attempts = at = 0
    while at < len(failures):
        at += 1 if failures[at] else 2
        attempts += 1
    assert testing.ml_dsa_sign_mu_attempts(params.signing_key(SEED), mu, rnd) == (sig, attempts)
