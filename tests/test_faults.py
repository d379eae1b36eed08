"""Checked signing under fire: bits of the tables and of the workspace are changed, and no signature that does not verify may leave.

A signature counts as bad when the public key that was published does not accept it. What a fault did instead is counted: the summary of
each campaign is printed with `pytest -s`.
"""

from __future__ import annotations

import collections
import ctypes
import random
from collections.abc import Iterator

import pytest

from tests.core.doors import BACKENDS, SETS, Memory, backends, library

OK, BAD_KEY, ATTEMPTS, FAULT = 0, -4, -7, -8
NAMES = {OK: "released", BAD_KEY: "table refused", ATTEMPTS: "no attempt accepted", FAULT: "fault detected"}
MOST_ATTEMPTS = 200  # a sound key needs more once in 10^22 signatures; a struck one may never find any
SIGN, LOAD, VERIFY = 3, 2, 4
MESSAGE = b"the message that is signed"

per_backend = pytest.mark.parametrize("backend", backends())
per_set = pytest.mark.parametrize("parameter_set", SETS)
size = ctypes.c_size_t


class Options(ctypes.Structure):
    """girih_mldsa_options."""

    _fields_ = (
        ("max_attempts", ctypes.c_uint32),
        ("checked", ctypes.c_int),
        ("pk", ctypes.c_void_p),
        ("pk_len", size),
        ("attempts", ctypes.c_void_p),
    )


class Signer:
    """A key pair in memory that can be struck, and a sound copy of its public table to judge by."""

    def __init__(self, backend: str, parameter_set: int) -> None:
        self.lib, self.backend, self.set = library(), BACKENDS[backend], parameter_set
        for name in ("vk_bytes", "sk_bytes", "workspace_bytes", "signature_bytes", "public_key_bytes"):
            self.lib[f"girih_mldsa_{name}"].restype = size
        self.vk, self.judge = (Memory(self.lib.girih_mldsa_vk_bytes(parameter_set, self.backend)) for _ in range(2))
        self.sk = Memory(self.lib.girih_mldsa_sk_bytes(parameter_set, self.backend))
        ops = (SIGN, LOAD, VERIFY)
        self.ws = Memory(max(self.lib.girih_mldsa_workspace_bytes(parameter_set, op, self.backend) for op in ops))
        self.pk = Memory(self.lib.girih_mldsa_public_key_bytes(parameter_set))
        self.sig = Memory(self.lib.girih_mldsa_signature_bytes(parameter_set))
        self.zero = bytes(self.sig.size)
        self.seed = random.Random(f"{backend}{parameter_set}").randbytes(32)
        assert self.load() == OK
        self.published = bytes(self.pk)
        self.sound = bytes(self.vk), bytes(self.sk)
        self.judge_by(self.published)

    def load(self) -> int:
        """girih_mldsa_seed_load into vk, sk and pk."""
        vk, sk, pk, ws = self.vk, self.sk, self.pk, self.ws
        status: int = self.lib.girih_mldsa_seed_load(
            ctypes.c_void_p(vk.address),
            size(vk.size),
            ctypes.c_void_p(sk.address),
            size(sk.size),
            ctypes.c_void_p(pk.address),
            size(pk.size),
            self.set,
            self.backend,
            self.seed,
            ctypes.c_void_p(ws.address),
            size(ws.size),
        )
        return status

    def judge_by(self, pk: bytes) -> None:
        """Make `judge` the table of a public key."""
        status = self.lib.girih_mldsa_vk_load(
            ctypes.c_void_p(self.judge.address),
            size(self.judge.size),
            self.set,
            self.backend,
            pk,
            size(len(pk)),
            ctypes.c_void_p(self.ws.address),
            size(self.ws.size),
        )
        assert status == OK

    def restore(self) -> None:
        """Put the sound tables back."""
        for memory, data in zip((self.vk, self.sk), self.sound, strict=True):
            ctypes.memmove(memory.address, data, memory.size)

    def sign(self, rnd: bytes, pk: bytes | None = None) -> int:
        """A checked signature; with pk it is verified from the encoded key. A status, and sig zeroed unless it is OK."""
        text = ctypes.create_string_buffer(pk, len(pk)) if pk is not None else None
        options = Options(
            MOST_ATTEMPTS, 1, ctypes.addressof(text) if text is not None else None, len(pk) if pk is not None else 0
        )
        status: int = self.lib.girih_mldsa_sign(
            ctypes.c_void_p(self.sig.address),
            size(self.sig.size),
            ctypes.c_void_p(self.sk.address),
            ctypes.c_void_p(self.vk.address),
            MESSAGE,
            size(len(MESSAGE)),
            None,
            size(0),
            rnd,
            ctypes.byref(options),
            ctypes.c_void_p(self.ws.address),
            size(self.ws.size),
        )
        return status

    def released_only_good(self, status: int) -> bool:
        """Whether a call that returned `status` left nothing behind, or a signature that the judge accepts."""
        if status == BAD_KEY:
            return True
        if status in (FAULT, ATTEMPTS):
            return bytes(self.sig) == self.zero
        verdict: int = self.lib.girih_mldsa_verify(
            ctypes.c_void_p(self.judge.address),
            ctypes.c_void_p(self.sig.address),
            size(self.sig.size),
            MESSAGE,
            size(len(MESSAGE)),
            None,
            size(0),
            ctypes.c_void_p(self.ws.address),
            size(self.ws.size),
        )
        return status == OK and verdict == OK

    def buffers(self, kind: str) -> Iterator[tuple[int, int]]:
        """Address and size of each buffer of `sign` or `key`."""
        door = self.lib[f"girih_test_{kind}_buffer"]
        door.restype = ctypes.c_void_p
        for which in range(64):
            length = size()
            at = door(self.backend, self.set, ctypes.c_void_p(self.ws.address), which, ctypes.byref(length))
            if at is None:
                return
            yield at, length.value

    def arm(self, at: int | None, bits: int = 0, after: int = 0) -> None:
        """Change the byte at `at` by `bits` when `after` steps are done."""
        self.lib.girih_test_fault(ctypes.c_void_p(at), ctypes.c_uint8(bits), after)


def flip(memory: Memory, bit: int) -> None:
    """Change one bit."""
    byte = ctypes.c_uint8.from_address(memory.address + bit // 8)
    byte.value ^= 1 << bit % 8


def words(memory: Memory, count: int) -> ctypes.Array[ctypes.c_int32]:
    """The first words of a table's polynomials, which begin 128 bytes in."""
    return (ctypes.c_int32 * count).from_address(memory.address + 128)


def report(name: str, outcomes: collections.Counter[str]) -> None:
    print(f"{name}: " + ", ".join(f"{count} {what}" for what, count in outcomes.most_common()))


@per_backend
@per_set
def test_no_polynomial_of_a_hat_may_be_wrong(backend: str, parameter_set: int) -> None:
    signer = Signer(backend, parameter_set)
    r = random.Random(1)
    count = (signer.vk.size - 128) // 1024
    for poly in range(count):
        signer.restore()
        flip(signer.vk, 8 * (128 + 1024 * poly) + r.randrange(8 * 1024))
        assert signer.sign(bytes(32)) == FAULT
        assert bytes(signer.sig) == signer.zero


@per_backend
@per_set
def test_changes_that_cancel_in_sums_are_seen(backend: str, parameter_set: int) -> None:
    """+1, -2, +1 in the same coefficient of three equally spaced polynomials."""
    signer = Signer(backend, parameter_set)
    r = random.Random(2)
    count = (signer.vk.size - 128) // 1024
    for _ in range(40):
        signer.restore()
        spacing = r.randrange(1, (count - 1) // 2 + 1)
        first, coefficient = r.randrange(count - 2 * spacing), r.randrange(256)
        table = words(signer.vk, 256 * count)
        for n, change in enumerate((1, -2, 1)):
            table[256 * (first + n * spacing) + coefficient] += change
        assert signer.sign(r.randbytes(32)) == FAULT
        assert bytes(signer.sig) == signer.zero


@per_backend
@per_set
def test_a_table_that_was_wrong_from_the_start_signs_nothing(backend: str, parameter_set: int) -> None:
    """The digest is that of the wrong table: only a verification from the encoded key finds it."""
    signer = Signer(backend, parameter_set)
    r = random.Random(3)
    digest = signer.lib.mldsa_vk_digest
    digest.restype = ctypes.c_uint32
    params = signer.lib.mldsa_params_of
    params.restype = ctypes.c_void_p
    for _ in range(10):
        signer.restore()
        words(signer.vk, 256)[r.randrange(256)] ^= 1 << r.randrange(22)
        ctypes.c_uint32.from_address(signer.vk.address + 8).value = digest(
            ctypes.c_void_p(signer.vk.address), ctypes.c_void_p(params(parameter_set))
        )
        assert signer.sign(r.randbytes(32), signer.published) == FAULT
        assert bytes(signer.sig) == signer.zero


def table_campaign(backend: str, parameter_set: int, bits: int) -> collections.Counter[str]:
    """Flip `bits` random bits of the tables, one at a time, and sign."""
    signer = Signer(backend, parameter_set)
    r = random.Random(4)
    outcomes: collections.Counter[str] = collections.Counter()
    public = 8 * signer.vk.size
    for _ in range(bits):
        bit = r.randrange(public + 8 * signer.sk.size)
        memory, bit = (signer.vk, bit) if bit < public else (signer.sk, bit - public)
        flip(memory, bit)
        status = signer.sign(r.randbytes(32))
        assert signer.released_only_good(status), (memory is signer.vk, bit, status)
        outcomes[NAMES[status]] += 1
        flip(memory, bit)
    return outcomes


@per_backend
@per_set
def test_random_bits_of_the_tables(backend: str, parameter_set: int) -> None:
    outcomes = table_campaign(backend, parameter_set, 200)
    report(f"tables, {backend}, ML-DSA-{parameter_set}", outcomes)
    assert outcomes["fault detected"] > outcomes["released"]


@pytest.mark.parametrize("parameter_set", SETS)
def test_a_hundred_thousand_random_bits_of_the_tables(parameter_set: int) -> None:
    """On the fastest backend, a third of them on each set."""
    outcomes = table_campaign(backends()[-1] if "avx2" not in backends() else "avx2", parameter_set, 33_400)
    report(f"tables, ML-DSA-{parameter_set}", outcomes)
    assert sum(outcomes.values()) == 33_400


@per_backend
@per_set
def test_random_bits_of_the_workspace_between_steps(backend: str, parameter_set: int) -> None:
    signer = Signer(backend, parameter_set)
    r = random.Random(5)
    outcomes: collections.Counter[str] = collections.Counter()
    buffers = list(signer.buffers("sign"))
    for round_ in range(60):
        rnd = r.randbytes(32)
        signer.arm(None)
        assert signer.sign(rnd) == OK
        steps = signer.lib.girih_test_steps()
        for at, length in buffers:
            late = steps - 1 - r.randrange(4)  # the last attempt is the one that is released
            signer.arm(at + r.randrange(length), 1 << r.randrange(8), r.choice((late, round_ % steps)))
            status = signer.sign(rnd)
            assert signer.released_only_good(status), (at, status)
            outcomes[NAMES[status]] += 1
    signer.arm(None)
    report(f"workspace, {backend}, ML-DSA-{parameter_set}", outcomes)
    assert outcomes["fault detected"]


@per_backend
@per_set
@pytest.mark.parametrize("expected", (False, True), ids=("own_key", "expected_key"))
def test_random_bits_during_expansion(backend: str, parameter_set: int, expected: bool) -> None:
    """The first signature is verified from an encoded key: the one that the load gave, or the one that was expected."""
    signer = Signer(backend, parameter_set)
    r = random.Random(6)
    outcomes: collections.Counter[str] = collections.Counter()
    signer.arm(None)
    assert signer.load() == OK
    steps = signer.lib.girih_test_steps()
    tables = [(signer.vk.address + 128, signer.vk.size - 128), (signer.sk.address + 128, signer.sk.size - 128)]
    for _ in range(30):
        for at, length in [*tables, *signer.buffers("key")]:
            signer.arm(at + r.randrange(length), 1 << r.randrange(8), r.randrange(steps))
            assert signer.load() == OK
            signer.arm(None)
            pk = signer.published if expected else bytes(signer.pk)
            signer.judge_by(pk)
            status = signer.sign(r.randbytes(32), pk)
            assert signer.released_only_good(status), (at, status)
            outcomes[NAMES[status]] += 1
    report(f"expansion, {backend}, ML-DSA-{parameter_set}", outcomes)
    assert outcomes["fault detected"]
