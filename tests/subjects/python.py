"""The Python package on each of its backends, with compact and with expanded keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TypeVar

import girih
from girih import testing
from tests.spec import mldsa as spec

from . import Refused

SETS = {"ML-DSA-44": girih.MlDsa44, "ML-DSA-65": girih.MlDsa65, "ML-DSA-87": girih.MlDsa87}
T = TypeVar("T")


@contextmanager
def refusals() -> Iterator[None]:
    """What the package raises for a mistake of the caller becomes Refused."""
    try:
        yield
    except ValueError as error:  # InvalidKey is one
        raise Refused(str(error)) from error


def _oid_message(digest: bytes, hash_name: str, ctx: bytes) -> bytes:
    """M' of HashML-DSA from the digest on."""
    arc = spec.PRE_HASHES[hash_name][0]
    return bytes([1, len(ctx)]) + ctx + bytes.fromhex("06096086480165030402") + bytes([arc]) + digest


class Key:
    """A verification key."""

    def __init__(self, vk: girih.VerificationKey) -> None:
        self.vk = vk

    def verify(self, sig: bytes, msg: bytes, ctx: bytes = b"") -> bool:
        """VerificationKey.verify."""
        with refusals():
            return self.vk.verify(sig, msg, ctx)

    def verify_digest(self, sig: bytes, digest: bytes, hash_name: str, ctx: bytes = b"") -> bool:
        """VerificationKey.verify_digest."""
        with refusals():
            return self.vk.verify_digest(sig, digest, hash_name, ctx)

    def verify_mu(self, sig: bytes, mu: bytes) -> bool:
        """VerificationKey.verify_mu."""
        with refusals():
            return self.vk.verify_mu(sig, mu)

    def verify_internal(self, sig: bytes, m_prime: bytes) -> bool:
        """testing.ml_dsa_verify_internal."""
        return testing.ml_dsa_verify_internal(self.vk, sig, m_prime)


class KeyPair(Key):
    """A signing key. Other randomness than zeros goes through girih.testing, which takes M'."""

    def __init__(self, sk: girih.SigningKey) -> None:
        super().__init__(sk.verification_key)
        self.sk = sk

    @property
    def public_key(self) -> bytes:
        """VerificationKey.to_bytes."""
        return self.vk.to_bytes()

    @property
    def secret_key(self) -> bytes:
        """SigningKey.to_bytes."""
        return bytes(self.sk.to_bytes())

    def sign(self, msg: bytes, ctx: bytes = b"", rnd: bytes = bytes(32)) -> bytes:
        """SigningKey.sign."""
        with refusals():
            if rnd == bytes(32):
                return self.sk.sign(msg, ctx, deterministic=True)
            return testing.ml_dsa_sign_internal(self.sk, spec.pure_message(msg, ctx), rnd)

    def sign_digest(self, digest: bytes, hash_name: str, ctx: bytes = b"", rnd: bytes = bytes(32)) -> bytes:
        """SigningKey.sign_digest."""
        with refusals():
            if rnd == bytes(32):
                return self.sk.sign_digest(digest, hash_name, ctx, deterministic=True)
            return testing.ml_dsa_sign_internal(self.sk, _oid_message(digest, hash_name, ctx), rnd)

    def sign_mu(self, mu: bytes, rnd: bytes = bytes(32)) -> bytes:
        """SigningKey.sign_mu."""
        with refusals():
            if rnd == bytes(32):
                return self.sk.sign_mu(mu, deterministic=True)
            return testing.ml_dsa_sign_mu_internal(self.sk, mu, rnd)

    def sign_internal(self, m_prime: bytes, rnd: bytes = bytes(32)) -> bytes:
        """testing.ml_dsa_sign_internal."""
        return testing.ml_dsa_sign_internal(self.sk, m_prime, rnd)


@dataclass(frozen=True)
class Python:
    """The package on one backend, with expanded keys or with compact ones. Keys are made inside `active`."""

    backend: str
    expanded: bool

    @property
    def name(self) -> str:
        """As in test ids."""
        return f"Python-{self.backend}-{'expanded' if self.expanded else 'compact'}"

    def active(self) -> AbstractContextManager[None]:
        """Lets the whole process make keys of this backend."""
        return testing.use_backend(self.backend)

    def _made(self, make: Callable[..., T], *arguments: object) -> T:
        if girih.backend() != self.backend:
            raise AssertionError(f"{self.name} is not active, {girih.backend()} is")
        with refusals():
            return make(*arguments, expand=self.expanded, compact=not self.expanded)

    def key_pair(self, parameter_set: str, seed: bytes) -> KeyPair:
        """ParameterSet.key_gen from a seed."""
        _, sk = self._made(SETS[parameter_set].key_gen, seed)
        return KeyPair(sk)

    def signer(self, parameter_set: str, secret_key: bytes) -> KeyPair:
        """ParameterSet.signing_key. It takes seeds too, which are no encoded keys."""
        if len(secret_key) == 32:
            raise Refused("a seed is not an encoded secret key")
        return KeyPair(self._made(SETS[parameter_set].signing_key, secret_key))

    def verifier(self, parameter_set: str, public_key: bytes) -> Key:
        """ParameterSet.verification_key."""
        return Key(self._made(SETS[parameter_set].verification_key, public_key))


def subjects() -> tuple[Python, ...]:
    """Every backend in both modes."""
    return tuple(Python(backend, expanded) for backend in girih.backends() for expanded in (True, False))
