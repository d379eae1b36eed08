"""The doors of tests/core/doors.h from Python: typed functions, aligned polynomials, byte strings between guard bytes."""

from __future__ import annotations

import ctypes
import functools
import mmap
import random
from collections.abc import Iterable, Sequence
from typing import Any

from tests.core.build import test_library

N = 256
Q = 8380417
ALIGNMENT = 64
BACKENDS = {"c": 1, "c32": 2, "avx2": 3, "c32-small": 5, "avx512": 6}
SETS = (44, 65, 87)
GUARD = b"\xa5" * 64

_INT, _UNSIGNED, _SIZE, _POINTER = ctypes.c_int, ctypes.c_uint, ctypes.c_size_t, ctypes.c_void_p
# name: result, arguments after the backend
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "keccak": (None, (_POINTER, _UNSIGNED)),
    "keccak_xor": (None, (_POINTER, _SIZE, _POINTER, _SIZE)),
    "keccak_extract": (None, (_POINTER, _SIZE, _POINTER, _SIZE)),
    "rows_bytes": (_SIZE, ()),
    "rows": (None, (_INT, *(_POINTER,) * 6, _INT, _POINTER)),
    "masks_bytes": (_SIZE, ()),
    "a_hat_entry": (None, (_INT, _POINTER, _POINTER, _UNSIGNED, _UNSIGNED)),
    "masks": (None, (_INT, _POINTER, _POINTER, _UNSIGNED, _POINTER)),
    "masks_after": (None, (_INT, _POINTER, _POINTER)),
    "challenge": (None, (_INT, _POINTER, _POINTER, _POINTER, _POINTER)),
    "ntt": (None, (_POINTER,)),
    "intt": (None, (_POINTER,)),
    "row_times_vector": (None, (_INT, _POINTER, _POINTER, _UNSIGNED, _POINTER)),
    "matrix_times_vector": (None, (_INT, _POINTER, _POINTER, _POINTER)),
    "matrix_times_vector_minus": (None, (_INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)),
    "secret_bytes": (_SIZE, ()),
    "t0_bytes": (_SIZE, ()),
    "challenge_bytes": (_SIZE, ()),
    "secret_form": (None, (_POINTER, _POINTER)),
    "t0_form": (None, (_POINTER, _POINTER)),
    "challenge_form": (None, (_INT, _POINTER, _POINTER)),
    "add_secret": (ctypes.c_uint32, (_INT, _POINTER, _POINTER, _POINTER, _POINTER, ctypes.c_int32)),
    "times_t0": (ctypes.c_uint32, (_INT, _POINTER, _POINTER, _POINTER)),
    "digest": (ctypes.c_uint32, (_POINTER, _SIZE)),
    "power2round": (None, (_POINTER, _POINTER)),
    "t1_unpack": (None, (_POINTER, _POINTER)),
    "decompose": (None, (_INT, _POINTER, _POINTER)),
    "make_hint": (_UNSIGNED, (_INT, _POINTER, _POINTER, _POINTER)),
    "use_hint": (None, (_INT, _POINTER, _POINTER, _POINTER, _UNSIGNED)),
    "z_pack": (None, (_INT, _POINTER, _POINTER)),
    "z_unpack_exceeds": (ctypes.c_uint32, (_INT, _POINTER, _POINTER)),
    "power2round_all": (ctypes.c_int32, ()),
    "decompose_all": (ctypes.c_int32, (_INT,)),
    "use_hint_all": (ctypes.c_int32, (_INT,)),
    "field_operations": (None, (_POINTER,)),
}


def rng(*names: object) -> random.Random:
    """A generator that gives the same numbers in every run."""
    return random.Random(repr(names))


class Memory:
    """Bytes at an address of a chosen alignment, between guard bytes that `check` looks at."""

    def __init__(self, size: int, offset: int = 0) -> None:
        """size: bytes. offset: distance of the first byte from a multiple of ALIGNMENT."""
        self._buffer = ctypes.create_string_buffer(2 * len(GUARD) + 2 * ALIGNMENT + size)
        self.size = size
        self.address = ctypes.addressof(self._buffer) + len(GUARD)
        self.address += (offset - self.address) % ALIGNMENT
        ctypes.memmove(self.address - len(GUARD), GUARD, len(GUARD))
        ctypes.memmove(self.address + size, GUARD, len(GUARD))

    @classmethod
    def of(cls, data: bytes, offset: int = 0) -> Memory:
        """A copy of `data`."""
        memory = cls(len(data), offset)
        ctypes.memmove(memory.address, data, len(data))
        return memory

    def check(self) -> None:
        """Fail when a byte before or behind was written."""
        assert ctypes.string_at(self.address - len(GUARD), len(GUARD)) == GUARD, "written in front of the buffer"
        assert ctypes.string_at(self.address + self.size, len(GUARD)) == GUARD, "written behind the buffer"

    def __bytes__(self) -> bytes:
        self.check()
        return ctypes.string_at(self.address, self.size)


class AtPageEnd:
    """Bytes that end where readable memory ends: one byte read too many is a crash."""

    def __init__(self, data: bytes) -> None:
        self._map = mmap.mmap(-1, 2 * mmap.PAGESIZE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        self.address = start + mmap.PAGESIZE - len(data)
        ctypes.memmove(self.address, data, len(data))
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        assert protect(start + mmap.PAGESIZE, mmap.PAGESIZE, 0) == 0


class Polys(Memory):
    """One or more polynomials of 256 coefficients of 32 bits, aligned as the primitives want them."""

    def __init__(self, count: int = 1, coefficients: Iterable[int] | None = None) -> None:
        """coefficients: count * 256 of them; absent: uninitialised."""
        super().__init__(4 * N * count)
        self._values = (ctypes.c_int32 * (N * count)).from_address(self.address)
        if coefficients is not None:
            self._values[:] = list(coefficients)

    def values(self) -> list[int]:
        """The coefficients."""
        self.check()
        return self._values[:]

    def poly(self, i: int) -> list[int]:
        """Those of polynomial i."""
        return self.values()[N * i : N * (i + 1)]


def polys(*coefficients: Sequence[int]) -> Polys:
    """Polynomials from one list of coefficients each."""
    return Polys(len(coefficients), [c for poly in coefficients for c in poly])


class Doors:
    """The primitives of one backend as methods: `doors.ntt(poly)`; arguments as in doors.h, after the backend."""

    def __init__(self, library: ctypes.CDLL, backend: str) -> None:
        self.library = library
        self.backend = backend
        for name, (result, arguments) in _SIGNATURES.items():
            setattr(self, name, functools.partial(self._call, self._function(name, result, arguments)))

    def _function(self, name: str, result: Any, arguments: tuple[Any, ...]) -> Any:
        function = self.library[f"girih_test_{name}"]
        function.restype = result
        function.argtypes = (_INT, *arguments)
        return function

    def _call(self, function: Any, *arguments: Any) -> Any:
        plain = [getattr(a, "address", a) for a in arguments]
        return function(BACKENDS[self.backend], *plain)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"doors.h has no girih_test_{name}")

    def __repr__(self) -> str:
        return f"Doors({self.backend!r})"

    def param(self, parameter_set: int, name: str) -> int:
        """A number of a parameter set, by its name in mldsa_params."""
        function = self.library.girih_test_param
        function.restype = ctypes.c_int64
        value: int = function(_INT(parameter_set), name.encode())
        if value < 0:
            raise KeyError(f"ML-DSA-{parameter_set} has no {name!r}")
        return value

    def keccak_x4(self, states: Memory, times: int) -> bool:
        """Permute four states; False where the backend has no four-way permutation."""
        function = self.library.girih_test_keccak_x4
        function.argtypes = (_INT, _POINTER, _UNSIGNED)
        return bool(function(BACKENDS[self.backend], states.address, times))


@functools.cache
def library() -> ctypes.CDLL:
    """The test library, built with the default options."""
    return ctypes.CDLL(str(test_library()))


def backends(loaded: ctypes.CDLL | None = None) -> list[str]:
    """Names of the backends that the library holds and this CPU runs; without c32-small, which is c32 but for its permutation."""
    loaded = loaded or library()
    return [name for name, number in BACKENDS.items() if name != "c32-small" and loaded.girih_backend_available(number)]


def doors(backend: str) -> Doors:
    """The doors to a backend of the default test library."""
    return Doors(library(), backend)
