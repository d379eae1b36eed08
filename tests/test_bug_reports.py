"""Faults that users and auditors found in other implementations, on ours: every set, backend and door.

Each test names its reports (D01 and so on are the numbers of our list of them). Reports that other files test:
D12, rejection paths: test_vectors_rejection.py; D14, a seed that contradicts its expanded key: test_formats_keys.py;
D16, division of secrets: build/test_instructions.py; P01, failing randomness: test_rng_failure.py; P02, stale outputs:
core/api_test.c; P04, small thread stacks: test_threads.py.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

import girih
from girih.cli import main
from tests import forge
from tests.spec import mldsa as spec
from tests.spec.mldsa import ParameterSet
from tests.subjects import Refused, Signer, Subject, digest, mu

SEED = hashlib.shake_256(b"girih bug reports").digest(32)
each_set = pytest.mark.parametrize("p", spec.PARAMETER_SETS.values(), ids=lambda p: p.name)

Mutation = Callable[[ParameterSet, bytes], bytes]
MALFORMED: dict[str, Mutation] = {
    "D01 repeated hint": forge.repeated_hint,
    "D02 falling hints": forge.swapped_hints,
    "D03 first byte of the padding": lambda p, sig: forge.padded_hints(p, sig, 0, 1),
    "D03 last byte of the padding": lambda p, sig: forge.padded_hints(p, sig, -1, 255),
    "D04 first cut over omega": lambda p, sig: forge.with_cut(p, sig, 0, p.omega + 1),
    "D04 last cut over omega": lambda p, sig: forge.with_cut(p, sig, p.k - 1, p.omega + 1),
    "D04 last cut over omega + k": lambda p, sig: forge.with_cut(p, sig, p.k - 1, p.omega + p.k + 1),
    "D04 last cut 255": lambda p, sig: forge.with_cut(p, sig, p.k - 1, 255),
    "D04 falling cuts": lambda p, sig: forge.with_cut(p, sig, p.k - 2, 255),
    "D08 one byte 00 too long": lambda p, sig: sig + b"\0",
    "D08 one byte AA too long": lambda p, sig: sig + b"\xaa",
    "D08 one byte short": lambda p, sig: sig[:-1],
    "D08 empty": lambda p, sig: b"",
}


def signed(signer: Signer, p: ParameterSet, wanted: Callable[[bytes], bool]) -> tuple[bytes, bytes]:
    """(message, signature): the first numbered message whose signature is as wanted."""
    for number in count():
        message = str(number).encode()
        sig = signer.sign(message)
        if wanted(sig):
            return message, sig
    raise AssertionError("unreachable")


@each_set
def test_malformed_signatures_are_false_and_no_error(p: ParameterSet, subject: Subject) -> None:
    pair = subject.key_pair(p.name, SEED)
    # Room for a repeated hint and for a padding of two bytes.
    message, sig = signed(pair, p, lambda sig: forge.room_for_hints(p, sig) >= 2)
    assert pair.verify(sig, message)
    accepted = [name for name, change in MALFORMED.items() if pair.verify(change(p, sig), message)]
    assert accepted == []


@each_set
def test_malformed_signatures_are_bad_to_the_command(
    p: ParameterSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, sk = getattr(girih, p.name.replace("ML-DSA-", "MlDsa")).key_gen(SEED)
    (tmp_path / "key.pub").write_bytes(sk.verification_key.to_pem())
    for number in count():
        message = str(number).encode()
        sig = sk.sign(message, deterministic=True)
        if forge.room_for_hints(p, sig) >= 2:
            break
    (tmp_path / "file").write_bytes(message)
    statuses = {}
    for name, change in {"unchanged": lambda p, sig: sig, **MALFORMED}.items():
        (tmp_path / "file.sig").write_bytes(change(p, sig))
        statuses[name] = main(["verify", "--quiet", "-k", str(tmp_path / "key.pub"), str(tmp_path / "file")])
    assert statuses == {"unchanged": 0, **dict.fromkeys(MALFORMED, 1)}
    assert capsys.readouterr() == ("", "")


@each_set
def test_d05_two_polynomials_may_have_a_hint_at_the_same_index(p: ParameterSet, subject: Subject) -> None:
    pair = subject.key_pair(p.name, SEED)
    message, sig = signed(pair, p, lambda sig: forge.shares_a_position(p, sig))
    assert pair.verify(sig, message)


@pytest.fixture(scope="module")
def beyond_the_bound() -> dict[str, tuple[bytes, bytes]]:
    """By set: mu and a signature whose z is too large, otherwise right."""
    keys = {name: spec.ml_dsa_keygen_internal(p, SEED) for name, p in spec.PARAMETER_SETS.items()}
    return {name: forge.beyond_the_response_bound(p, *keys[name]) for name, p in spec.PARAMETER_SETS.items()}


@each_set
def test_d06_a_response_beyond_its_bound_is_false(
    p: ParameterSet, subject: Subject, beyond_the_bound: dict[str, tuple[bytes, bytes]]
) -> None:
    mu_signed, sig = beyond_the_bound[p.name]
    assert subject.key_pair(p.name, SEED).verify_mu(sig, mu_signed) is False


@each_set
def test_d07_a_hint_on_a_zero_coefficient_wraps_down(p: ParameterSet, subject: Subject) -> None:
    public_key = forge.zero_t1_key(p)
    verifier = subject.verifier(p.name, public_key)
    mu_signed = mu(public_key, b"message")
    assert verifier.verify_mu(forge.hint_on_zero(p, mu_signed, corrected=True), mu_signed) is True
    assert verifier.verify_mu(forge.hint_on_zero(p, mu_signed, corrected=False), mu_signed) is False


@each_set
def test_d08_keys_of_a_wrong_length_are_refused(p: ParameterSet, subject: Subject) -> None:
    public_key, secret_key = spec.ml_dsa_keygen_internal(p, SEED)
    for wrong in (b"", public_key[:-1], public_key + b"\0", public_key + b"\xaa"):
        with pytest.raises(Refused):
            subject.verifier(p.name, wrong)
    for wrong in (b"", secret_key[:-1], secret_key + b"\0"):
        with pytest.raises(Refused):
            subject.signer(p.name, wrong)


@each_set
def test_d09_a_context_of_255_bytes_is_the_longest(p: ParameterSet, subject: Subject) -> None:
    pair = subject.key_pair(p.name, SEED)
    longest = bytes(range(255))
    hashed = digest("SHA2-512", b"message")
    assert pair.verify(pair.sign(b"message", longest), b"message", longest)
    assert pair.verify_digest(pair.sign_digest(hashed, "SHA2-512", longest), hashed, "SHA2-512", longest)
    sig = pair.sign(b"message", b"a" * 255)
    for size in (256, 257, 511, 512, 513, 65536):
        ctx = b"a" * size
        calls: list[Callable[[], object]] = [
            lambda ctx=ctx: pair.sign(b"message", ctx),  # type: ignore[misc]
            lambda ctx=ctx: pair.verify(sig, b"message", ctx),  # type: ignore[misc]
            lambda ctx=ctx: pair.sign_digest(hashed, "SHA2-512", ctx),  # type: ignore[misc]
            lambda ctx=ctx: pair.verify_digest(sig, hashed, "SHA2-512", ctx),  # type: ignore[misc]
        ]
        for call in calls:
            with pytest.raises(Refused):
                call()


@each_set
def test_d10_an_external_mu_has_64_bytes(p: ParameterSet, subject: Subject) -> None:
    pair = subject.key_pair(p.name, SEED)
    external = mu(pair.public_key, b"message", b"context")
    assert pair.sign_mu(external) == pair.sign(b"message", b"context")
    assert pair.verify_mu(pair.sign(b"message", b"context"), external)


@pytest.mark.parametrize("size", [0, 32, 63, 65, 128])
@each_set
def test_d10_an_external_mu_of_another_length_is_an_error(p: ParameterSet, size: int) -> None:
    vk, sk = getattr(girih, p.name.replace("ML-DSA-", "MlDsa")).key_gen(SEED)
    with pytest.raises(ValueError, match=f"64 bytes, got {size}"):
        sk.sign_mu(bytes(size))
    with pytest.raises(ValueError, match=f"64 bytes, got {size}"):
        vk.verify_mu(bytes(p.sig_size), bytes(size))


@each_set
def test_d11_internal_and_external_signatures_are_not_interchangeable(p: ParameterSet, subject: Subject) -> None:
    pair = subject.key_pair(p.name, SEED)
    internal, external = pair.sign_internal(b"message"), pair.sign(b"message")
    assert pair.verify_internal(internal, b"message") and not pair.verify(internal, b"message")
    assert pair.verify(external, b"message") and not pair.verify_internal(external, b"message")


@each_set
def test_d11_a_signed_digest_is_no_signed_message(p: ParameterSet, subject: Subject) -> None:
    pair = subject.key_pair(p.name, SEED)
    hashed = digest("SHA2-256", b"message")
    sig = pair.sign_digest(hashed, "SHA2-256")
    assert pair.verify_digest(sig, hashed, "SHA2-256")
    assert not pair.verify(sig, b"message") and not pair.verify(sig, hashed)
    assert not pair.verify_digest(sig, hashed, "SHA3-256")


@each_set
def test_d13_secret_coefficients_out_of_range_are_refused(p: ParameterSet, subject: Subject) -> None:
    secret_key = spec.ml_dsa_keygen_internal(p, SEED)[1]
    assert subject.signer(p.name, secret_key).secret_key == secret_key
    last = 256 * (p.l + p.k) - 1
    accepted = []
    for coefficient in (0, 1, 256 * p.l - 1, 256 * p.l, 256 * p.l + 129, last):
        for field in range(2 * p.eta + 1, 1 << p.eta_bits):
            try:
                subject.signer(p.name, forge.out_of_range_secret(p, secret_key, coefficient, field))
            except Refused:
                continue
            accepted.append((coefficient, field))
    assert accepted == []


@each_set
def test_d13_a_secret_key_that_contradicts_itself_is_refused(p: ParameterSet, subject: Subject) -> None:
    secret_key = spec.ml_dsa_keygen_internal(p, SEED)[1]
    parts = {"rho": 0, "tr": 64, "s1": 128, "t0": p.sk_size - 1}
    accepted = []
    for part, place in parts.items():
        changed = bytearray(secret_key)
        changed[place] ^= 1
        try:
            subject.signer(p.name, bytes(changed))
        except Refused:
            continue
        accepted.append(part)
    assert accepted == []


def test_d15_one_seed_gives_each_set_another_key(subject: Subject) -> None:
    keys = {name: subject.key_pair(name, SEED).public_key for name in spec.PARAMETER_SETS}
    expanded = {name: spec.h(SEED + bytes([p.k, p.l]), 32) for name, p in spec.PARAMETER_SETS.items()}
    assert {name: key[:32] for name, key in keys.items()} == expanded
    assert len(set(expanded.values())) == 3


def test_p03_a_message_of_more_than_2_to_the_29_bytes_is_hashed_whole() -> None:
    # Bytes are counted by the sponge, which is one for every set and backend: one of each pays for half a gigabyte.
    size = (1 << 29) + 1000
    vk, sk = girih.MlDsa44.key_gen(SEED)
    whole = hashlib.shake_256(hashlib.shake_256(vk.to_bytes()).digest(64) + b"\0\0")
    hasher = vk.mu_hasher()
    with (
        mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as message,  # pages only read take no memory
        ThreadPoolExecutor() as pool,
    ):
        message[:4], message[-4:] = b"head", b"tail"
        expected = pool.submit(whole.update, message)
        one_shot = pool.submit(sk.sign, message, deterministic=True)
        with memoryview(message) as view:
            for start in range(0, size, 1 << 27):
                hasher.update(view[start : start + (1 << 27)])
        expected.result()
        sig = one_shot.result()
    assert hasher.digest() == whole.digest(64)
    assert sig == sk.sign_mu(hasher.digest(), deterministic=True)


@each_set
def test_p05_the_seed_comes_back_where_there_was_one_and_is_never_invented(p: ParameterSet) -> None:
    parameter_set = getattr(girih, p.name.replace("ML-DSA-", "MlDsa"))
    from_seed = parameter_set.key_gen(SEED)[1]
    from_encoding = parameter_set.signing_key(from_seed.to_bytes())
    assert from_seed.seed() == SEED
    assert from_encoding.seed() is None
    with pytest.raises(ValueError, match="seed"):
        from_encoding.to_pem()
