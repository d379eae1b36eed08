"""The C interface for little memory (mldsa_lowram.h) through ctypes: encoded keys, no tables."""

from __future__ import annotations

import ctypes
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from tests.spec import mldsa as spec

from . import Refused
from .native import BACKENDS, KEYGEN, SEED_SIZE, SIGN, VERIFY, KeyPair, Native, Options, Status, call, library, must
from .native import subjects as native_subjects


class LowRamKey:
    """An encoded public key, for one backend."""

    def __init__(self, backend: int, number: int, public_key: bytes) -> None:
        self.which = (number, backend)
        self.parameters = spec.PARAMETER_SETS[f"ML-DSA-{number}"]
        self.public_key = public_key
        self.tr = spec.h(public_key, 64)

    def workspace(self, op: int) -> tuple[Any, int]:
        """Workspace for an operation, and its length."""
        number, backend = self.which
        size = library().girih_mldsa_lowram_bytes(number, op, backend)
        return ctypes.create_string_buffer(size), size

    def mu_of_digest(self, digest: bytes, hash_name: str, ctx: bytes) -> bytes:
        """girih_mldsa_mu_of_digest."""
        mu = ctypes.create_string_buffer(64)
        arc = spec.PRE_HASHES[hash_name][0]
        must("girih_mldsa_mu_of_digest", mu, self.which[1], self.tr, arc, digest, len(digest), ctx, len(ctx))
        return mu.raw

    def _verdict(self, name: str, sig: bytes, *arguments: Any) -> bool:
        key = (self.public_key, len(self.public_key))
        status = call(name, *key, sig, len(sig), *self.which, *arguments, *self.workspace(VERIFY))
        if status not in (Status.OK, Status.BAD_SIGNATURE):
            raise Refused(f"{name}: {status.name}")
        return status == Status.OK

    def verify(self, sig: bytes, msg: bytes, ctx: bytes = b"") -> bool:
        """girih_mldsa_verify_lowram."""
        return self._verdict("girih_mldsa_verify_lowram", sig, msg, len(msg), ctx, len(ctx))

    def verify_mu(self, sig: bytes, mu: bytes) -> bool:
        """girih_mldsa_verify_mu_lowram."""
        return self._verdict("girih_mldsa_verify_mu_lowram", sig, mu)

    def verify_digest(self, sig: bytes, digest: bytes, hash_name: str, ctx: bytes = b"") -> bool:
        """girih_mldsa_verify_mu_lowram of girih_mldsa_mu_of_digest."""
        return self.verify_mu(sig, self.mu_of_digest(digest, hash_name, ctx))

    def verify_internal(self, sig: bytes, m_prime: bytes) -> bool:
        """girih_mldsa_verify_mu_lowram; mu by hashlib."""
        return self.verify_mu(sig, spec.h(self.tr + m_prime, 64))


class LowRamKeyPair(LowRamKey):
    """An encoded key pair, for one backend."""

    def __init__(self, backend: int, number: int, public_key: bytes, secret_key: bytes) -> None:
        super().__init__(backend, number, public_key)
        self.secret_key = secret_key

    def _signature(self, name: str, *arguments: Any) -> bytes:
        sig = ctypes.create_string_buffer(self.parameters.sig_size)
        key = (self.secret_key, len(self.secret_key))
        tail = (ctypes.byref(Options()), *self.workspace(SIGN))
        must(name, sig, len(sig), *key, *self.which, *arguments, *tail)
        return sig.raw

    def sign(self, msg: bytes, ctx: bytes = b"", rnd: bytes = bytes(32)) -> bytes:
        """girih_mldsa_sign_lowram."""
        return self._signature("girih_mldsa_sign_lowram", msg, len(msg), ctx, len(ctx), rnd)

    def sign_mu(self, mu: bytes, rnd: bytes = bytes(32)) -> bytes:
        """girih_mldsa_sign_mu_lowram."""
        return self._signature("girih_mldsa_sign_mu_lowram", mu, rnd)

    def sign_digest(self, digest: bytes, hash_name: str, ctx: bytes = b"", rnd: bytes = bytes(32)) -> bytes:
        """girih_mldsa_sign_mu_lowram of girih_mldsa_mu_of_digest."""
        return self.sign_mu(self.mu_of_digest(digest, hash_name, ctx), rnd)

    def sign_internal(self, m_prime: bytes, rnd: bytes = bytes(32)) -> bytes:
        """girih_mldsa_sign_mu_lowram; mu by hashlib."""
        return self.sign_mu(spec.h(self.tr + m_prime, 64), rnd)


@dataclass(frozen=True)
class LowRam:
    """The functions for little memory on one backend."""

    backend: str

    @property
    def name(self) -> str:
        """As in test ids."""
        return f"C-{self.backend}-lowram"

    def active(self) -> AbstractContextManager[None]:
        """Every call names its backend: nothing to do."""
        return nullcontext()

    def key_pair(self, parameter_set: str, seed: bytes) -> LowRamKeyPair:
        """girih_mldsa_keygen_lowram."""
        if len(seed) != SEED_SIZE:
            raise Refused(f"the C interface takes 32 bytes of seed, not {len(seed)}")
        p, number, backend = spec.PARAMETER_SETS[parameter_set], int(parameter_set[-2:]), BACKENDS[self.backend]
        pk, sk = ctypes.create_string_buffer(p.pk_size), ctypes.create_string_buffer(p.sk_size)
        size = library().girih_mldsa_lowram_bytes(number, KEYGEN, backend)
        workspace = (ctypes.create_string_buffer(size), size)
        must("girih_mldsa_keygen_lowram", pk, len(pk), sk, len(sk), number, backend, seed, *workspace)
        return LowRamKeyPair(backend, number, pk.raw, sk.raw)

    def signer(self, parameter_set: str, secret_key: bytes) -> LowRamKeyPair:
        """A key from outside goes through girih_mldsa_sk_load first, as the header asks: it gives the public key."""
        loaded: KeyPair = Native(self.backend).signer(parameter_set, secret_key)
        return LowRamKeyPair(BACKENDS[self.backend], int(parameter_set[-2:]), loaded.public_key, secret_key)

    def verifier(self, parameter_set: str, public_key: bytes) -> LowRamKey:
        """The functions check the length themselves: a signature that cannot be right shows whether they take the key."""
        key = LowRamKey(BACKENDS[self.backend], int(parameter_set[-2:]), public_key)
        key.verify(b"", b"")
        return key


def subjects() -> tuple[LowRam, ...]:
    """On every backend but c32-packed, which is c32 where there are no tables."""
    return tuple(LowRam(subject.backend) for subject in native_subjects() if subject.backend != "c32-packed")
