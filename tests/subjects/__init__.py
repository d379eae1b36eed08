"""What the vectors are run on, behind one shape: the C interface on every backend, with tables (native.py) and in little
memory (lowram.py), and the Python package on its backends with compact and with expanded keys (python.py)."""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from typing import Protocol

from tests.spec import mldsa as spec


class Refused(Exception):
    """The subject refused an argument: a key, a context, a length."""


class Verifier(Protocol):
    """A public key in use."""

    def verify(self, sig: bytes, msg: bytes, ctx: bytes = b"") -> bool:
        """FIPS 204, Algorithm 3."""

    def verify_digest(self, sig: bytes, digest: bytes, hash_name: str, ctx: bytes = b"") -> bool:
        """FIPS 204, Algorithm 5 from the digest on; hash_name as ACVP spells it."""

    def verify_mu(self, sig: bytes, mu: bytes) -> bool:
        """FIPS 204, Algorithm 8 from mu on."""

    def verify_internal(self, sig: bytes, m_prime: bytes) -> bool:
        """FIPS 204, Algorithm 8."""


class Signer(Verifier, Protocol):
    """A key pair in use. rnd: 32 bytes, zeros for the deterministic variant."""

    @property
    def public_key(self) -> bytes:
        """The encoded public key."""

    @property
    def secret_key(self) -> bytes:
        """The encoding of FIPS 204, Algorithm 24."""

    def sign(self, msg: bytes, ctx: bytes = b"", rnd: bytes = bytes(32)) -> bytes:
        """FIPS 204, Algorithm 2."""

    def sign_digest(self, digest: bytes, hash_name: str, ctx: bytes = b"", rnd: bytes = bytes(32)) -> bytes:
        """FIPS 204, Algorithm 4 from the digest on."""

    def sign_mu(self, mu: bytes, rnd: bytes = bytes(32)) -> bytes:
        """FIPS 204, Algorithm 7 from mu on."""

    def sign_internal(self, m_prime: bytes, rnd: bytes = bytes(32)) -> bytes:
        """FIPS 204, Algorithm 7."""


class Subject(Protocol):
    """An implementation in one mode; parameter sets by their name, as "ML-DSA-65"."""

    @property
    def name(self) -> str:
        """Names the mode in test ids."""

    def active(self) -> AbstractContextManager[None]:
        """What a test holds while it uses the subject."""

    def key_pair(self, parameter_set: str, seed: bytes) -> Signer:
        """The key pair of a seed; Refused."""

    def signer(self, parameter_set: str, secret_key: bytes) -> Signer:
        """The key pair of an encoded secret key; Refused."""

    def verifier(self, parameter_set: str, public_key: bytes) -> Verifier:
        """An encoded public key; Refused."""


def digest(hash_name: str, msg: bytes) -> bytes:
    """The digest of a message by one of the hashes approved for HashML-DSA."""
    return spec.PRE_HASHES[hash_name][1](msg)


def mu(public_key: bytes, msg: bytes, ctx: bytes = b"") -> bytes:
    """The 64 bytes that Algorithm 7 signs, by hashlib."""
    tr = hashlib.shake_256(public_key).digest(64)
    return hashlib.shake_256(tr + spec.pure_message(msg, ctx)).digest(64)
