"""ML-KEM through the C interface, on every backend: from bytes, and with an object in each of the eight combinations of its
caches."""

from __future__ import annotations

import ctypes
import functools
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_void_p
from dataclasses import dataclass
from typing import Any

from tests.core.build import test_library
from tests.spec import mlkem as spec

from . import Refused
from .native import BACKENDS, Status, Table

KEYGEN, LOAD, ENCAPS, DECAPS, ENCAPS_MANY, DECAPS_MANY = range(1, 7)  # girih_mlkem_op
CACHE_A, CACHE_H, CACHE_T = 1, 2, 4
NUMBERS = {name: int(name.removeprefix("ML-KEM-")) for name in spec.PARAMETER_SETS}

# Arguments of each function: b bytes to read, p memory, z a length, i an enum, u caches.
_ARGUMENTS = {
    "keygen": "pzpziibpz",
    "encaps": "pzpiibzbpz",
    "decaps": "piibzbzpz",
    "check_ek": "ibz",
    "check_dk": "iibz",
    "ek_load": "pziuibzpz",
    "seed_load": "pziuibpz",
    "dk_load": "pziuibzpz",
    "dk_encode": "pzp",
    "ek_encaps": "pzppbpz",
    "dk_decaps": "ppbzpz",
    "encaps_many": "pppbzpz",
    "decaps_many": "ppbzpz",
    "ek_export": "pzpbz",
    "ek_import": "pziuibzbzbzpz",
}
_SIZES = {
    "ek_bytes": "iui",
    "dk_bytes": "iui",
    "cache_bytes": "iui",
    "workspace_bytes": "iiui",
    "export_bytes": "iu",
}
_TYPES = {"b": c_char_p, "p": c_void_p, "z": c_size_t, "i": c_int, "u": c_uint}


@functools.cache
def library() -> ctypes.CDLL:
    """The test library, built where it is not up to date."""
    lib = ctypes.CDLL(str(test_library()))
    for name, arguments in (_ARGUMENTS | _SIZES).items():
        function = getattr(lib, f"girih_mlkem_{name}")
        function.argtypes = [_TYPES[letter] for letter in arguments]
        function.restype = c_size_t if name in _SIZES else c_int
    lib.girih_mlkem_dk_public.argtypes = lib.girih_mlkem_ek_encoding.argtypes = [c_void_p]
    lib.girih_mlkem_dk_public.restype = lib.girih_mlkem_ek_encoding.restype = c_void_p
    return lib


def call(name: str, *arguments: Any) -> Status:
    """The status of girih_mlkem_<name>."""
    return Status(getattr(library(), f"girih_mlkem_{name}")(*arguments))


def must(name: str, *arguments: Any) -> None:
    """Call a function that has to return GIRIH_OK; Refused otherwise."""
    status = call(name, *arguments)
    if status != Status.OK:
        raise Refused(f"girih_mlkem_{name}: {status.name}")


def size(name: str, *arguments: int) -> int:
    """The answer of girih_mlkem_<name>."""
    return int(getattr(library(), f"girih_mlkem_{name}")(*arguments))


@dataclass(frozen=True)
class Mlkem:
    """A backend, and how its keys are used: caches None is from bytes."""

    backend: str
    caches: int | None

    @property
    def name(self) -> str:
        """Names the mode in test ids."""
        kinds = "".join(letter for bit, letter in ((1, "A"), (2, "H"), (4, "T")) if (self.caches or 0) & bit)
        return f"{self.backend}-{'bytes' if self.caches is None else 'keeps-' + (kinds or 'nothing')}"

    @property
    def number(self) -> int:
        """The girih_backend."""
        return BACKENDS[self.backend]

    def workspace(self, parameter_set: str, op: int) -> tuple[Any, int]:
        """Workspace for an operation, and its length."""
        length = size("workspace_bytes", NUMBERS[parameter_set], op, self.caches or 0, self.number)
        return ctypes.create_string_buffer(length), length

    def key_gen(self, parameter_set: str, seed: bytes) -> tuple[bytes, bytes]:
        """ek and dk of d || z."""
        p = spec.PARAMETER_SETS[parameter_set]
        ek, dk = ctypes.create_string_buffer(p.ek_size), ctypes.create_string_buffer(p.dk_size)
        if self.caches is None:
            where = (NUMBERS[parameter_set], self.number, seed)
            must("keygen", ek, p.ek_size, dk, p.dk_size, *where, *self.workspace(parameter_set, KEYGEN))
            return ek.raw, dk.raw
        pair = self.private(parameter_set, seed)
        must("dk_encode", dk, p.dk_size, pair.address)
        public = library().girih_mlkem_dk_public(pair.address)
        return ctypes.string_at(library().girih_mlkem_ek_encoding(public), p.ek_size), dk.raw

    def private(self, parameter_set: str, encoded: bytes) -> Table:
        """A dk object, from d || z or from the encoding."""
        number, caches = NUMBERS[parameter_set], self.caches or 0
        table = Table(size("dk_bytes", number, caches, self.number))
        where = (table.address, table.size, number, caches, self.number, encoded)
        if len(encoded) == 64:
            must("seed_load", *where, *self.workspace(parameter_set, KEYGEN))
        else:
            must("dk_load", *where, len(encoded), *self.workspace(parameter_set, LOAD))
        return table

    def public(self, parameter_set: str, encoded: bytes) -> Table:
        """An ek object."""
        number, caches = NUMBERS[parameter_set], self.caches or 0
        table = Table(size("ek_bytes", number, caches, self.number))
        where = (table.address, table.size, number, caches, self.number, encoded, len(encoded))
        must("ek_load", *where, *self.workspace(parameter_set, LOAD))
        return table

    def encaps(self, parameter_set: str, ek: bytes, m: bytes) -> tuple[bytes, bytes]:
        """K and c."""
        ct, ss = (
            ctypes.create_string_buffer(spec.PARAMETER_SETS[parameter_set].ct_size),
            ctypes.create_string_buffer(32),
        )
        if self.caches is None:
            key = (NUMBERS[parameter_set], self.number, ek, len(ek))
            must("encaps", ct, len(ct), ss, *key, m, *self.workspace(parameter_set, ENCAPS))
        else:
            table = self.public(parameter_set, ek)
            must("ek_encaps", ct, len(ct), ss, table.address, m, *self.workspace(parameter_set, ENCAPS))
        return ss.raw, ct.raw

    def decaps(self, parameter_set: str, key: bytes, ct: bytes) -> bytes:
        """K. key: d || z or dk."""
        ss = ctypes.create_string_buffer(32)
        if self.caches is None:
            dk = self.key_gen(parameter_set, key)[1] if len(key) == 64 else key
            where = (NUMBERS[parameter_set], self.number, dk, len(dk))
            must("decaps", ss, *where, ct, len(ct), *self.workspace(parameter_set, DECAPS))
        else:
            table = self.private(parameter_set, key)
            must("dk_decaps", ss, table.address, ct, len(ct), *self.workspace(parameter_set, DECAPS))
        return ss.raw

    def encaps_many(self, parameter_set: str, ek: bytes, ms: list[bytes]) -> list[tuple[bytes, bytes]]:
        """K and c of each m; with an object."""
        ct_size = spec.PARAMETER_SETS[parameter_set].ct_size
        cts, sss = ctypes.create_string_buffer(ct_size * len(ms)), ctypes.create_string_buffer(32 * len(ms))
        table = self.public(parameter_set, ek)
        where = self.workspace(parameter_set, ENCAPS_MANY)
        must("encaps_many", cts, sss, table.address, b"".join(ms), len(ms), *where)
        return [(sss.raw[32 * n : 32 * n + 32], cts.raw[ct_size * n : ct_size * n + ct_size]) for n in range(len(ms))]

    def decaps_many(self, parameter_set: str, key: bytes, cts: list[bytes]) -> list[bytes]:
        """K of each ciphertext; with an object."""
        sss = ctypes.create_string_buffer(32 * len(cts))
        table = self.private(parameter_set, key)
        where = self.workspace(parameter_set, DECAPS_MANY)
        must("decaps_many", sss, table.address, b"".join(cts), len(cts), *where)
        return [sss.raw[32 * n : 32 * n + 32] for n in range(len(cts))]


def backends() -> list[str]:
    """The backends of this build and CPU whose ML-KEM or Keccak differ."""
    available = ctypes.CDLL(str(test_library())).girih_backend_available
    return [name for name, number in BACKENDS.items() if name != "c32-packed" and available(number)]


def subjects() -> list[Mlkem]:
    """From bytes and with each combination of caches, on each backend."""
    return [Mlkem(backend, caches) for backend in backends() for caches in (None, *range(8))]
