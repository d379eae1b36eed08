"""The seeds, keys, messages and signatures, or ciphertexts, that every contestant works on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import girih
from girih import mlkem
from girih.errors import InvalidKey
from girih.mldsa import ParameterSet
from girih.testing import ml_kem_encaps_internal

SETS: dict[str, ParameterSet] = {
    "ML-DSA-44": girih.MlDsa44,
    "ML-DSA-65": girih.MlDsa65,
    "ML-DSA-87": girih.MlDsa87,
}
OPERATIONS = ("keygen", "sign", "verify")
MESSAGE_SIZES = (59, 1024, 32 * 1024)

KEM_SETS: dict[str, mlkem.ParameterSet] = {
    "ML-KEM-512": girih.MlKem512,
    "ML-KEM-768": girih.MlKem768,
    "ML-KEM-1024": girih.MlKem1024,
}
KEM_OPERATIONS = ("keygen", "encaps", "decaps")


@dataclass(frozen=True)
class Workload:
    """`count` seeds, messages of `message_size` bytes and their deterministic signatures under one key of a set.

    Everything is derived from the sizes, so two runs anywhere do the same work: deterministic signing takes the same
    attempts.
    """

    parameter_set: str
    message_size: int
    count: int

    @property
    def params(self) -> ParameterSet:
        """The parameter set as girih's object."""
        return SETS[self.parameter_set]

    @cached_property
    def seeds(self) -> Sequence[bytes]:
        """Seeds for key generation; the first is the seed of the key that signs."""
        return [self._derive("seed", i, 32) for i in range(self.count)]

    @cached_property
    def messages(self) -> Sequence[bytes]:
        """The messages, all different."""
        return [self._derive("message", i, self.message_size) for i in range(self.count)]

    @cached_property
    def public_key(self) -> bytes:
        """The encoded public key."""
        return bytes(self._keys[0])

    @cached_property
    def public_keys(self) -> Sequence[bytes]:
        """The encoded public keys of all the seeds."""
        return [bytes(self.params.key_gen(seed)[0]) for seed in self.seeds]

    @cached_property
    def secret_key(self) -> bytes:
        """The secret key in the encoding of FIPS 204."""
        return bytes(self._keys[1].to_bytes())

    @cached_property
    def signatures(self) -> Sequence[bytes]:
        """The deterministic signatures of the messages, with an empty context."""
        return [self._keys[1].sign(m, deterministic=True) for m in self.messages]

    @cached_property
    def _keys(self) -> tuple[girih.VerificationKey, girih.SigningKey]:
        return self.params.key_gen(self.seeds[0])

    def _derive(self, what: str, index: int, length: int) -> bytes:
        return _derive(self.parameter_set, what, index, length)


@dataclass(frozen=True)
class KemWorkload:
    """`count` seeds, strings m, and the ciphertexts and shared secrets that m gives under one key of a set of ML-KEM.

    Everything is derived from the sizes, so two runs anywhere do the same work.
    """

    parameter_set: str
    count: int
    message_size: None = None

    @property
    def params(self) -> mlkem.ParameterSet:
        """The parameter set as girih's object."""
        return KEM_SETS[self.parameter_set]

    @cached_property
    def seeds(self) -> Sequence[bytes]:
        """Seeds d || z for key generation; the first is the seed of the key in use."""
        return [_derive(self.parameter_set, "seed", i, 64) for i in range(self.count)]

    @cached_property
    def ms(self) -> Sequence[bytes]:
        """The randomness of each encapsulation, 32 bytes."""
        return [_derive(self.parameter_set, "m", i, 32) for i in range(self.count)]

    @cached_property
    def ek(self) -> bytes:
        """The encoded encapsulation key."""
        return self.pair[0].to_bytes()

    @cached_property
    def eks(self) -> Sequence[bytes]:
        """The encoded encapsulation keys of all the seeds."""
        return [self.params.key_gen(seed)[0].to_bytes() for seed in self.seeds]

    @cached_property
    def dk(self) -> bytes:
        """The decapsulation key in the encoding of FIPS 203."""
        return bytes(self.pair[1].to_bytes())

    @cached_property
    def pair(self) -> tuple[girih.EncapsulationKey, girih.DecapsulationKey]:
        """The key pair in use, as girih's objects."""
        return self.params.key_gen(self.seeds[0])

    @cached_property
    def encapsulations(self) -> Sequence[tuple[bytes, bytes]]:
        """The shared secret and the ciphertext of each m."""
        ek = self.pair[0]
        pairs = (ml_kem_encaps_internal(ek, m) for m in self.ms)
        return [(bytes(ss), ct) for ss, ct in pairs]

    def agrees(self, ss: bytes, ct: bytes) -> bool:
        """Whether decapsulation of `ct` with the key in use gives `ss`."""
        return bytes(self.pair[1].decaps(ct)) == bytes(ss)

    def is_key(self, encoded: bytes) -> bool:
        """Whether bytes are an encapsulation key of the set."""
        try:
            self.params.encapsulation_key(encoded)
        except InvalidKey:
            return False
        return True


AnyWorkload = Workload | KemWorkload


def workload_of(parameter_set: str, message_size: int | None, count: int) -> AnyWorkload:
    """The workload of a set of either scheme."""
    if parameter_set in KEM_SETS:
        return KemWorkload(parameter_set, count)
    return Workload(parameter_set, message_size or 0, count)


def _derive(parameter_set: str, what: str, index: int, length: int) -> bytes:
    return hashlib.shake_256(f"girih bench {parameter_set} {what} {index}".encode()).digest(length)
