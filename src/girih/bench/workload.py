"""The seeds, keys, messages and signatures that every contestant works on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import girih
from girih.mldsa import ParameterSet

SETS: dict[str, ParameterSet] = {
    "ML-DSA-44": girih.MlDsa44,
    "ML-DSA-65": girih.MlDsa65,
    "ML-DSA-87": girih.MlDsa87,
}
OPERATIONS = ("keygen", "sign", "verify")
MESSAGE_SIZES = (59, 1024, 32 * 1024)


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
        return hashlib.shake_256(f"girih bench {self.parameter_set} {what} {index}".encode()).digest(length)
