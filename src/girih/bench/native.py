"""C functions called from one loop in C, and girih's core as the first contestant of such races (the others: `nist`).

Each call is a record of words (see ``_core/race.c``): the address of a function, the number of its arguments, the
arguments. All records of a workload are written before the clock starts, so what is timed is the loop and the calls,
the same for everybody.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import girih
from girih import _core
from girih.bench.race import Contestant, Mismatch
from girih.bench.workload import Workload

RECORD_WORDS = 16
_OPERATIONS = (1, 2, 3, 4)  # girih_mldsa_op
_TABLE_ALIGN = 64

Call = tuple[int, Sequence[int]]
"""The address of a function that returns int, and its arguments."""


class Memory:
    """Buffers that calls refer to by address, kept alive together."""

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def put(self, data: bytes) -> int:
        """The address of a copy of `data`."""
        buffer = ctypes.create_string_buffer(data, max(1, len(data)))
        self._kept.append(buffer)
        return ctypes.addressof(buffer)

    def space(self, length: int, align: int = _TABLE_ALIGN) -> int:
        """The address of `length` zero bytes, aligned."""
        return -(-self.put(bytes(length + align)) // align) * align

    @staticmethod
    def get(address: int, length: int) -> bytes:
        """`length` bytes at an address."""
        return ctypes.string_at(address, length)


def available() -> bool:
    """Whether this build can call C in a loop: it can where a pointer has 64 bits."""
    return hasattr(_core, "run_calls")


@dataclass
class NativeContestant:
    """Makes C calls, a list of (function, arguments) for each item.

    An item's list is empty where an earlier item's call does it too (a batch). `outputs` are the addresses of the
    items' results, `length` bytes each; `accept` looks at item i's. Without outputs only the returned status counts.
    Where items share places in turn, only the last `kept` items of a slice are there to be looked at.
    """

    who: str
    op: str
    form: str
    memory: Memory
    calls: Sequence[Sequence[Call]]
    outputs: Sequence[int] = ()
    length: int = 0
    accept: Callable[[int, bytes], bool] = lambda i, got: True
    kept: int = sys.maxsize
    group: str = "c"
    _words: memoryview = field(init=False)
    _first: list[int] = field(init=False)  # the number of each item's first call, and of all calls

    def __post_init__(self) -> None:
        words = array("Q")
        for item in self.calls:
            for function, arguments in item:
                words.extend(_record(function, arguments))
        self._words = memoryview(words)
        self._first = [0, *accumulate(map(len, self.calls))]

    def run(self, start: int, stop: int) -> Any:
        return _core.run_calls(self._words[self._first[start] * RECORD_WORDS : self._first[stop] * RECORD_WORDS])

    def check(self, start: int, stop: int, result: Any) -> None:
        if result != self._first[stop] - self._first[start]:
            item = bisect_right(self._first, self._first[start] + result) - 1
            raise Mismatch(f"{self.who}: {self.op} ({self.form}) of item {item} reported an error")
        for i in range(max(start, stop - self.kept), stop) if self.outputs else ():
            if not self.accept(i, self.memory.get(self.outputs[i], self.length)):
                raise Mismatch(f"{self.who}: {self.op} ({self.form}) of item {i} gave a wrong result")


def equal_to(expected: Sequence[bytes]) -> Callable[[int, bytes], bool]:
    """Accepts what equals the expected value of its item."""
    return lambda i, got: got == expected[i]


def own_contestants(work: Workload, op: str) -> Iterator[Contestant]:
    """girih's core with the backend in use.

    Prepared: tables made before; key generation makes tables and the encoded public key.
    """
    f = _core.c_functions()
    m = Memory()
    who = f"girih C core, {girih.backend()}"
    number, backend = int(work.parameter_set.removeprefix("ML-DSA-")), backend_number(girih.backend())
    size = max(core_size("girih_mldsa_workspace_bytes", number, o, backend) for o in _OPERATIONS)
    ws = (m.space(size), size)
    vk_len, sk_len = (core_size(f"girih_mldsa_{key}_bytes", number, backend) for key in ("vk", "sk"))
    vk, sk = m.space(vk_len), m.space(sk_len)
    pk_len, esk_len = len(work.public_key), len(work.secret_key)
    pk, esk, zeros = m.put(work.public_key), m.put(work.secret_key), m.put(bytes(32))
    no_key = (0, 0)

    def seed_load(seed: int, out: tuple[int, int]) -> Call:
        return f["girih_mldsa_seed_load"], (vk, vk_len, sk, sk_len, *out, number, backend, seed, *ws)

    if op == "keygen":
        right = equal_to(work.public_keys)
        seeds = [m.put(seed) for seed in work.seeds]
        pks = [m.space(pk_len) for _ in seeds]
        loads = [[seed_load(seed, (out, pk_len))] for seed, out in zip(seeds, pks, strict=True)]
        yield NativeContestant(who, op, "prepared", m, loads, pks, pk_len, right)
        encodes = [
            [(f["girih_mldsa_keygen"], (out, pk_len, esk, esk_len, number, backend, seed, *ws))]
            for seed, out in zip(seeds, pks, strict=True)
        ]
        yield NativeContestant(who, op, "to-bytes", m, encodes, pks, pk_len, right)
        return
    forms: dict[str, list[Call]]
    messages = [(m.put(msg), len(msg)) for msg in work.messages]
    seed = m.put(work.seeds[0])
    vk_load: Call = (f["girih_mldsa_vk_load"], (vk, vk_len, number, backend, pk, pk_len, *ws))
    load, arguments = seed_load(seed, no_key)
    if not run(load, *arguments):
        raise Mismatch(f"{who}: the key of the workload cannot be loaded")
    if op == "sign":
        length, right = len(work.signatures[0]), equal_to(work.signatures)
        sigs = [m.space(length) for _ in messages]
        sign = f["girih_mldsa_sign"]
        signs = [
            (sign, (out, length, sk, vk, *msg, 0, 0, zeros, 0, *ws)) for out, msg in zip(sigs, messages, strict=True)
        ]
        sk_load: Call = (
            f["girih_mldsa_sk_load"],
            (vk, vk_len, sk, sk_len, *no_key, number, backend, esk, esk_len, *ws),
        )
        forms = {"prepared": [], "from-bytes": [sk_load], "from-seed": [seed_load(seed, no_key)]}
        for form, load_first in forms.items():
            yield NativeContestant(who, op, form, m, [[*load_first, s] for s in signs], sigs, length, right)
    else:
        verify = f["girih_mldsa_verify"]
        sigs = [m.put(sig) for sig in work.signatures]
        length = len(work.signatures[0])
        verifies = [(verify, (vk, sig, length, *msg, 0, 0, *ws)) for sig, msg in zip(sigs, messages, strict=True)]
        forms = {"prepared": [], "from-bytes": [vk_load]}
        for form, load_first in forms.items():
            yield NativeContestant(who, op, form, m, [[*load_first, v] for v in verifies])


def core_size(function: str, *arguments: int) -> int:
    """What a size function of the core returns: size_t of enumerations."""
    prototype = ctypes.CFUNCTYPE(ctypes.c_size_t, *[ctypes.c_int] * len(arguments))
    size: int = prototype(_core.c_functions()[function])(*arguments)
    return size


def backend_number(name: str) -> int:
    """The girih_backend of a name."""
    name_of = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_int)(_core.c_functions()["girih_backend_name"])
    return next(number for number in range(1, 256) if name_of(number) == name.encode())


def run(function: int, *arguments: int) -> bool:
    """Make one call; whether it returned 0."""
    return bool(_core.run_calls(memoryview(array("Q", _record(function, arguments)))) == 1)


def _record(function: int, arguments: Sequence[int]) -> list[int]:
    record = [function, len(arguments), *arguments]
    return record + [0] * (RECORD_WORDS - len(record))
