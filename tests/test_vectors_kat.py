"""Known-answer files: the hashes of the NIST KAT generator's output, cryptography's KAT files, CCTV's benchmark messages."""

from __future__ import annotations

import hashlib
from functools import cache

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.spec import mldsa as spec
from tests.subjects import Subject, native
from tests.vectors import Case, failures, load, of_set

KAT_HASHES = "NIST KAT hashes of ML-DSA"
KAT_FILES = "cryptography's ML-DSA KAT files"
BENCHMARK = "CCTV ML-DSA benchmark messages"
each_set = pytest.mark.parametrize("parameter_set", spec.PARAMETER_SETS)


class Drbg:
    """CTR_DRBG with AES-256 and without derivation function (SP 800-90A, 10.2.1), as the NIST KAT generator has it."""

    def __init__(self, entropy: bytes) -> None:
        self._key, self._v = bytes(32), 0
        self._update(entropy)

    def _blocks(self, count: int) -> bytes:
        """The next `count` cipher blocks of the counter."""
        aes = Cipher(algorithms.AES(self._key), modes.ECB()).encryptor()
        out = b""
        for _ in range(count):
            self._v = (self._v + 1) % (1 << 128)
            out += aes.update(self._v.to_bytes(16, "big"))
        return out

    def _update(self, data: bytes) -> None:
        """CTR_DRBG_Update (10.2.1.2)."""
        fresh = bytes(a ^ b for a, b in zip(self._blocks(3), data, strict=True))
        self._key, self._v = fresh[:32], int.from_bytes(fresh[32:], "big")

    def generate(self, size: int) -> bytes:
        """CTR_DRBG_Generate (10.2.1.5) without additional input."""
        out = self._blocks(-(-size // 16))[:size]
        self._update(bytes(48))
        return out


def kat_record(subject: Subject, parameter_set: str, count: int, seed: bytes, msg: bytes) -> str:
    """One record of the KAT generator: a key pair and a hedged signature, their randomness from a DRBG."""
    drbg = Drbg(seed)
    pair = subject.key_pair(parameter_set, drbg.generate(32))
    sm = pair.sign(msg, b"", drbg.generate(32)) + msg
    fields = {
        "count": count,
        "seed": seed.hex().upper(),
        "mlen": len(msg),
        "msg": msg.hex().upper(),
        "pk": pair.public_key.hex().upper(),
        "sk": pair.secret_key.hex().upper(),
        "smlen": len(sm),
        "sm": sm.hex().upper(),
    }
    return "".join(f"{name} = {value}\n" for name, value in fields.items())


def kat_text(subject: Subject, parameter_set: str, records: int) -> str:
    """The output of the KAT generator; message n is 33 (n + 1) bytes."""
    master = Drbg(bytes(range(48)))
    inputs = [(master.generate(48), master.generate(33 * (count + 1))) for count in range(records)]
    return "\n".join(kat_record(subject, parameter_set, count, *pair) for count, pair in enumerate(inputs))


@each_set
@pytest.mark.corpus(KAT_HASHES)
def test_the_nist_kat_generator_gives_the_published_hashes(parameter_set: str, subject: Subject) -> None:
    def holds(case: Case) -> bool:
        text = kat_text(subject, parameter_set, case["records"])
        return hashlib.sha256(text.encode()).digest() == case.hex("sha256")

    assert failures(of_set(KAT_HASHES, parameter_set), holds) == []


@cache
def benchmark_signatures(parameter_set: str) -> dict[str, bytes]:
    """The signatures of the benchmark messages in portable C, by the id of their case."""
    pair = native.Native("c").key_pair(parameter_set, bytes(32))
    return {case.id: pair.sign(case["message"]) for case in of_set(BENCHMARK, parameter_set)}


@pytest.mark.corpus(KAT_FILES)
def test_deterministic_signatures_are_those_of_the_kat_files(subject: Subject) -> None:
    def holds(case: Case) -> bool:
        pair = subject.key_pair(case["parameterSet"], case.hex("xi"))
        sm = pair.sign(case.hex("msg"), case.hex("ctx")) + case.hex("msg")
        return (pair.public_key, pair.secret_key, sm) == (case.hex("pk"), case.hex("sk"), case.hex("sm"))

    assert failures(load(KAT_FILES), holds) == []


@each_set
@pytest.mark.corpus(BENCHMARK)
def test_every_mode_signs_the_benchmark_messages_alike(parameter_set: str, subject: Subject) -> None:
    pair = subject.key_pair(parameter_set, bytes(32))
    expected = benchmark_signatures(parameter_set)

    def holds(case: Case) -> bool:
        sig = pair.sign(case["message"])
        return sig == expected[case.id] and pair.verify(sig, case["message"])

    assert failures(of_set(BENCHMARK, parameter_set), holds) == []


@each_set
@pytest.mark.corpus(BENCHMARK)
def test_the_oracle_signs_the_first_benchmark_messages_alike(parameter_set: str) -> None:
    p = spec.PARAMETER_SETS[parameter_set]
    secret_key = spec.ml_dsa_keygen_internal(p, bytes(32))[1]

    def holds(case: Case) -> bool:
        sig = spec.ml_dsa_sign(p, secret_key, case["message"], b"", bytes(32))
        return sig == benchmark_signatures(parameter_set)[case.id]

    assert failures(of_set(BENCHMARK, parameter_set)[:10], holds) == []
