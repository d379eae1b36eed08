"""The C interface (core/include/girih) through ctypes, on the test library."""

from __future__ import annotations

import ctypes
import functools
from contextlib import AbstractContextManager, nullcontext
from ctypes import c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from tests.core.build import test_library
from tests.spec import mldsa as spec

from . import Refused

BACKENDS = {"c": 1, "c32": 2, "avx2": 3, "c32-packed": 4, "c32-small": 5, "avx512": 6}
SHA3_KINDS = {"SHA3-224": 1, "SHA3-256": 2, "SHA3-384": 3, "SHA3-512": 4, "SHAKE-128": 5, "SHAKE-256": 6}
KEYGEN, LOAD, SIGN, VERIFY = 1, 2, 3, 4  # girih_mldsa_op
TABLE_ALIGN = 64
SEED_SIZE = 32
EVENTS = ("z", "r0", "ct0", "hint", "accept")  # core/src/common/ct.h, in its order


class Status(IntEnum):
    """girih_status."""

    OK = 0
    BAD_SIGNATURE = -1
    BAD_LENGTH = -2
    BAD_CONTEXT = -3
    BAD_KEY = -4
    BAD_ARGUMENT = -5
    WORKSPACE = -6
    ATTEMPTS = -7
    FAULT = -8
    RANDOMNESS = -9


class Options(ctypes.Structure):
    """girih_mldsa_options."""

    _fields_ = (
        ("max_attempts", c_uint32),
        ("checked", c_int),
        ("pk", c_char_p),
        ("pk_len", c_size_t),
        ("attempts", ctypes.POINTER(c_uint32)),
    )


class Sha3(ctypes.Structure):
    """girih_sha3, as opaque bytes: 200 of state and the rest of its fields, with room to spare."""

    _fields_ = (("bytes", c_uint64 * 32),)


# Arguments of each function: b bytes to read, p memory, z a length, i an int or enum.
_ARGUMENTS = {
    "girih_backend_available": "i",
    "girih_backend_detect": "",
    "girih_mldsa_keygen": "pzpziibpz",
    "girih_mldsa_seed_load": "pzpzpziibpz",
    "girih_mldsa_sk_load": "pzpzpziibzpz",
    "girih_mldsa_vk_load": "pziibzpz",
    "girih_mldsa_sign": "pzppbzbzbppz",
    "girih_mldsa_sign_digest": "pzppibzbzbppz",
    "girih_mldsa_sign_mu": "pzppbbppz",
    "girih_mldsa_sign_internal": "pzppbzbppz",
    "girih_mldsa_verify": "pbzbzbzpz",
    "girih_mldsa_verify_digest": "pbzibzbzpz",
    "girih_mldsa_verify_mu": "pbzbpz",
    "girih_mldsa_verify_internal": "pbzbzpz",
    "girih_mldsa_vk_tr": "pp",
    "girih_mldsa_keygen_lowram": "pzpziibpz",
    "girih_mldsa_sign_lowram": "pzbziibzbzbppz",
    "girih_mldsa_sign_mu_lowram": "pzbziibbppz",
    "girih_mldsa_verify_lowram": "bzbziibzbzpz",
    "girih_mldsa_verify_mu_lowram": "bzbziibpz",
    "girih_mldsa_mu_of_digest": "pibibzbz",
    "girih_mldsa_mu_init": "pibbz",
    "girih_mldsa_mu_update": "ppz",
    "girih_mldsa_mu_final": "pp",
    "girih_sha3_init": "pii",
    "girih_sha3_update": "ppz",
    "girih_sha3_final": "pzp",
    "girih_shake_squeeze": "pzp",
    "girih_sha3_hash": "pziibz",
}
_SIZES = {
    "girih_mldsa_vk_bytes": "ii",
    "girih_mldsa_sk_bytes": "ii",
    "girih_mldsa_workspace_bytes": "iii",
    "girih_mldsa_lowram_bytes": "iii",
}
_TYPES = {"b": c_char_p, "p": c_void_p, "z": c_size_t, "i": c_int}


@functools.cache
def library() -> ctypes.CDLL:
    """The test library, built where it is not up to date."""
    lib = ctypes.CDLL(str(test_library()))
    for name, arguments in (_ARGUMENTS | _SIZES).items():
        function = getattr(lib, name)
        function.argtypes = [_TYPES[letter] for letter in arguments]
        function.restype = c_size_t if name in _SIZES else c_int
    lib.girih_test_event_count.restype = c_uint64
    return lib


def call(name: str, *arguments: Any) -> Status:
    """The status of a function of the C interface."""
    return Status(getattr(library(), name)(*arguments))


def must(name: str, *arguments: Any) -> None:
    """Call a function that has to return GIRIH_OK; Refused otherwise."""
    status = call(name, *arguments)
    if status != Status.OK:
        raise Refused(f"{name}: {status.name}")


def events() -> dict[str, int]:
    """How often each event happened since the last call, in this thread."""
    lib = library()
    counts = {name: int(lib.girih_test_event_count(number)) for number, name in enumerate(EVENTS)}
    lib.girih_test_events_reset()
    return counts


class Table:
    """Aligned memory for an expanded key."""

    def __init__(self, size: int) -> None:
        self._memory = ctypes.create_string_buffer(size + TABLE_ALIGN)
        self.size = size
        self.address = -(-ctypes.addressof(self._memory) // TABLE_ALIGN) * TABLE_ALIGN


class Key:
    """A public key in use on one backend."""

    def __init__(self, backend: int, number: int) -> None:
        self.backend = backend
        self.number = number
        self.vk = Table(library().girih_mldsa_vk_bytes(number, backend))

    @functools.cached_property
    def parameters(self) -> spec.ParameterSet:
        """The parameter set."""
        return spec.PARAMETER_SETS[f"ML-DSA-{self.number}"]

    def workspace(self, op: int) -> tuple[Any, int]:
        """Workspace for an operation, and its length."""
        size = library().girih_mldsa_workspace_bytes(self.number, op, self.backend)
        return ctypes.create_string_buffer(size), size

    def load(self, public_key: bytes) -> None:
        """girih_mldsa_vk_load."""
        table = (self.vk.address, self.vk.size)
        must(
            "girih_mldsa_vk_load", *table, self.number, self.backend, public_key, len(public_key), *self.workspace(LOAD)
        )

    def _verdict(self, name: str, *arguments: Any) -> bool:
        status = call(name, self.vk.address, *arguments, *self.workspace(VERIFY))
        if status not in (Status.OK, Status.BAD_SIGNATURE):
            raise Refused(f"{name}: {status.name}")
        return status == Status.OK

    def verify(self, sig: bytes, msg: bytes, ctx: bytes = b"") -> bool:
        """girih_mldsa_verify."""
        return self._verdict("girih_mldsa_verify", sig, len(sig), msg, len(msg), ctx, len(ctx))

    def verify_digest(self, sig: bytes, digest: bytes, hash_name: str, ctx: bytes = b"") -> bool:
        """girih_mldsa_verify_digest."""
        arc = spec.PRE_HASHES[hash_name][0]
        return self._verdict("girih_mldsa_verify_digest", sig, len(sig), arc, digest, len(digest), ctx, len(ctx))

    def verify_mu(self, sig: bytes, mu: bytes) -> bool:
        """girih_mldsa_verify_mu."""
        return self._verdict("girih_mldsa_verify_mu", sig, len(sig), mu)

    def verify_internal(self, sig: bytes, m_prime: bytes) -> bool:
        """girih_mldsa_verify_internal."""
        return self._verdict("girih_mldsa_verify_internal", sig, len(sig), m_prime, len(m_prime))


class KeyPair(Key):
    """A key pair in use on one backend. `options` apply to every signature."""

    def __init__(self, backend: int, number: int) -> None:
        super().__init__(backend, number)
        self.sk = Table(library().girih_mldsa_sk_bytes(number, backend))
        self.options = Options()
        self.public_key = b""
        self._seed = b""
        self._encoded = b""

    def load_seed(self, seed: bytes) -> None:
        """girih_mldsa_seed_load."""
        pk = ctypes.create_string_buffer(self.parameters.pk_size)
        tables = (self.vk.address, self.vk.size, self.sk.address, self.sk.size)
        must("girih_mldsa_seed_load", *tables, pk, len(pk), self.number, self.backend, seed, *self.workspace(LOAD))
        self.public_key, self._seed = pk.raw, seed

    @functools.cached_property
    def secret_key(self) -> bytes:
        """The encoded secret key, by girih_mldsa_keygen where the pair came from a seed."""
        if self._encoded:
            return self._encoded
        pk = ctypes.create_string_buffer(self.parameters.pk_size)
        sk = ctypes.create_string_buffer(self.parameters.sk_size)
        which = (self.number, self.backend, self._seed)
        must("girih_mldsa_keygen", pk, len(pk), sk, len(sk), *which, *self.workspace(KEYGEN))
        if pk.raw != self.public_key:
            raise AssertionError("girih_mldsa_seed_load and girih_mldsa_keygen give different public keys")
        return sk.raw

    def load_secret_key(self, secret_key: bytes) -> None:
        """girih_mldsa_sk_load."""
        pk = ctypes.create_string_buffer(self.parameters.pk_size)
        tables = (self.vk.address, self.vk.size, self.sk.address, self.sk.size)
        encoded = (secret_key, len(secret_key))
        must("girih_mldsa_sk_load", *tables, pk, len(pk), self.number, self.backend, *encoded, *self.workspace(LOAD))
        self.public_key, self._encoded = pk.raw, secret_key

    def _signature(self, name: str, *arguments: Any) -> bytes:
        sig = ctypes.create_string_buffer(self.parameters.sig_size)
        tail = (ctypes.byref(self.options), *self.workspace(SIGN))
        must(name, sig, len(sig), self.sk.address, self.vk.address, *arguments, *tail)
        return sig.raw

    def sign(self, msg: bytes, ctx: bytes = b"", rnd: bytes = bytes(32)) -> bytes:
        """girih_mldsa_sign."""
        return self._signature("girih_mldsa_sign", msg, len(msg), ctx, len(ctx), rnd)

    def sign_digest(self, digest: bytes, hash_name: str, ctx: bytes = b"", rnd: bytes = bytes(32)) -> bytes:
        """girih_mldsa_sign_digest."""
        arc = spec.PRE_HASHES[hash_name][0]
        return self._signature("girih_mldsa_sign_digest", arc, digest, len(digest), ctx, len(ctx), rnd)

    def sign_mu(self, mu: bytes, rnd: bytes = bytes(32)) -> bytes:
        """girih_mldsa_sign_mu."""
        return self._signature("girih_mldsa_sign_mu", mu, rnd)

    def sign_internal(self, m_prime: bytes, rnd: bytes = bytes(32)) -> bytes:
        """girih_mldsa_sign_internal."""
        return self._signature("girih_mldsa_sign_internal", m_prime, len(m_prime), rnd)


@dataclass(frozen=True)
class Native:
    """The C interface on one backend."""

    backend: str

    @property
    def name(self) -> str:
        """As in test ids."""
        return f"C-{self.backend}"

    def active(self) -> AbstractContextManager[None]:
        """Every call names its backend: nothing to do."""
        return nullcontext()

    def key_pair(self, parameter_set: str, seed: bytes) -> KeyPair:
        """girih_mldsa_seed_load; girih_mldsa_keygen for the encoded secret key."""
        if len(seed) != SEED_SIZE:
            raise Refused(f"the C interface takes 32 bytes of seed, not {len(seed)}")
        pair = KeyPair(BACKENDS[self.backend], int(parameter_set[-2:]))
        pair.load_seed(seed)
        return pair

    def signer(self, parameter_set: str, secret_key: bytes) -> KeyPair:
        """girih_mldsa_sk_load."""
        pair = KeyPair(BACKENDS[self.backend], int(parameter_set[-2:]))
        pair.load_secret_key(secret_key)
        return pair

    def verifier(self, parameter_set: str, public_key: bytes) -> Key:
        """girih_mldsa_vk_load."""
        key = Key(BACKENDS[self.backend], int(parameter_set[-2:]))
        key.load(public_key)
        return key


@functools.cache
def subjects() -> tuple[Native, ...]:
    """The backends that this build holds and this CPU runs."""
    return tuple(Native(name) for name, number in BACKENDS.items() if library().girih_backend_available(number))
