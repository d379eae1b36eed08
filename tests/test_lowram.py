"""Key generation, signing and verification in little memory (girih/mldsa_lowram.h): what the vectors do not say.

The vectors run on these functions as on every other mode (tests/subjects/lowram.py). Here: the same bytes as with tables
wherever the buffers lie, what is written and what is left behind, and every refusal.
"""

from __future__ import annotations

import ctypes
import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.spec import mldsa as spec
from tests.subjects.native import BACKENDS, KEYGEN, SIGN, VERIFY, KeyPair, Options, Status, call, library

SETS = (44, 65, 87)
NAMES = ("c", "c32", "c32-small")
GUARD = b"\xa5" * 64
UNUSED = b"\xee"


class Buffer:
    """Memory of a size at an offset from alignment, between guard bytes."""

    def __init__(self, size: int, offset: int = 0) -> None:
        self.size = size
        self._memory = ctypes.create_string_buffer(size + 2 * len(GUARD) + 128)
        base = -(-ctypes.addressof(self._memory) // 64) * 64 + offset
        self.address = base + len(GUARD)
        ctypes.memmove(base, GUARD, len(GUARD))
        ctypes.memmove(self.address + size, GUARD, len(GUARD))

    def fill(self, byte: int) -> None:
        """Every byte of it."""
        ctypes.memset(self.address, byte, self.size)

    def is_wiped(self) -> bool:
        """Whether a workspace that held UNUSED everywhere is zero but for what alignment leaves at its ends."""
        used = self.bytes.strip(UNUSED)
        return used == bytes(len(used)) and len(used) > self.size - 64

    @property
    def bytes(self) -> bytes:
        """What it holds; the guards are looked at."""
        around = (
            ctypes.string_at(self.address - len(GUARD), len(GUARD)),
            ctypes.string_at(self.address + self.size, len(GUARD)),
        )
        assert around == (GUARD, GUARD), "written outside a buffer"
        return ctypes.string_at(self.address, self.size)


@dataclass
class Pair:
    """A key pair, for signing in little memory on one backend."""

    backend: int
    number: int
    pk: bytes
    sk: bytes
    offset: int = 0
    options: Options | None = None
    sig: Buffer = field(init=False)
    workspace: Buffer = field(init=False)

    def __post_init__(self) -> None:
        self.parameters = spec.PARAMETER_SETS[f"ML-DSA-{self.number}"]
        self.sig = Buffer(self.parameters.sig_size, self.offset)
        self.workspace = Buffer(bytes_for(self.number, SIGN, self.backend), self.offset)
        self.workspace.fill(UNUSED[0])

    def sign(self, msg: bytes, ctx: bytes = b"", rnd: bytes = bytes(32), **changes: Any) -> Status:
        """girih_mldsa_sign_lowram, arguments changed by name."""
        given = {
            "sig_len": self.sig.size,
            "sk": self.sk,
            "sk_len": len(self.sk),
            "set": self.number,
            "backend": self.backend,
            "ws_len": self.workspace.size,
        } | changes
        options = ctypes.byref(self.options) if self.options is not None else None
        return call(
            "girih_mldsa_sign_lowram",
            self.sig.address,
            given["sig_len"],
            given["sk"],
            given["sk_len"],
            given["set"],
            given["backend"],
            msg,
            len(msg),
            ctx,
            len(ctx),
            rnd,
            options,
            self.workspace.address,
            given["ws_len"],
        )


def bytes_for(number: int, op: int, backend: int) -> int:
    """girih_mldsa_lowram_bytes."""
    return int(library().girih_mldsa_lowram_bytes(number, op, backend))


def key_pair(number: int, seed: bytes, backend: int, offset: int = 0) -> tuple[bytes, bytes]:
    """girih_mldsa_keygen_lowram: pk, sk."""
    p = spec.PARAMETER_SETS[f"ML-DSA-{number}"]
    pk, sk = Buffer(p.pk_size, offset), Buffer(p.sk_size, offset)
    ws = Buffer(bytes_for(number, KEYGEN, backend), offset)
    ws.fill(UNUSED[0])
    which = (number, backend, seed)
    assert (
        call("girih_mldsa_keygen_lowram", pk.address, pk.size, sk.address, sk.size, *which, ws.address, ws.size)
        == Status.OK
    )
    assert ws.is_wiped()
    return pk.bytes, sk.bytes


def verify(
    pk: bytes, sig: bytes, msg: bytes, number: int, backend: int, ctx: bytes = b"", offset: int = 0, short: int = 0
) -> Status:
    """girih_mldsa_verify_lowram, with `short` bytes too little workspace."""
    ws = Buffer(bytes_for(number, VERIFY, backend), offset)
    which = (number, backend)
    message = (msg, len(msg), ctx, len(ctx))
    status = call(
        "girih_mldsa_verify_lowram", pk, len(pk), sig, len(sig), *which, *message, ws.address, ws.size - short
    )
    assert ws.bytes is not None
    return status


def seed_of(*words: object) -> bytes:
    """32 bytes that depend on the words."""
    return spec.h(repr(words).encode(), 32)


@pytest.fixture(params=NAMES)
def backend(request: pytest.FixtureRequest) -> int:
    return BACKENDS[request.param]


@pytest.fixture(params=SETS)
def pair(request: pytest.FixtureRequest, backend: int) -> Pair:
    return Pair(backend, request.param, *key_pair(request.param, seed_of("pair", request.param), backend))


@pytest.mark.parametrize("number", SETS)
@pytest.mark.parametrize("offset", range(8))
def test_buffers_may_lie_anywhere(number: int, offset: int, backend: int) -> None:
    seed = seed_of("anywhere", number, offset)
    tables = KeyPair(BACKENDS["c"], number)
    tables.load_seed(seed)
    pk, sk = key_pair(number, seed, backend, offset)
    assert (pk, sk) == (tables.public_key, tables.secret_key)
    pair = Pair(backend, number, pk, sk, offset)
    for n in range(3):
        msg, ctx, rnd = seed_of(n)[: 11 * n], seed_of(n, "ctx")[: 5 * n], seed_of(n, "rnd")
        assert pair.sign(msg, ctx, rnd) == Status.OK
        assert pair.sig.bytes == tables.sign(msg, ctx, rnd)
        assert pair.workspace.is_wiped()
        assert verify(pk, pair.sig.bytes, msg, number, backend, ctx, offset) == Status.OK


def test_mistakes_leave_the_signature_untouched(pair: Pair) -> None:
    p = pair.parameters
    other = 44 if pair.number != 44 else 65
    cases: dict[Status, list[dict[str, Any]]] = {
        Status.BAD_LENGTH: [{"sig_len": p.sig_size - 1}, {"sk_len": p.sk_size - 1}, {"set": other}],
        Status.BAD_ARGUMENT: [{"set": 66}, {"backend": 99}],
        Status.WORKSPACE: [{"ws_len": pair.workspace.size - 1}],
    }
    for status, changes in cases.items():
        for change in changes:
            pair.sig.fill(0x5A)
            assert pair.sign(b"message", **change) == status
            assert pair.sig.bytes == b"\x5a" * p.sig_size


def test_a_context_that_is_too_long_is_refused(pair: Pair) -> None:
    assert pair.sign(b"message", bytes(256)) == Status.BAD_CONTEXT
    assert pair.sig.bytes == bytes(pair.sig.size)
    sig = bytes(pair.sig.size)
    assert verify(pair.pk, sig, b"message", pair.number, pair.backend, bytes(256)) == Status.BAD_CONTEXT
    assert verify(pair.pk, sig[:-1], b"message", pair.number, pair.backend, bytes(256)) == Status.BAD_CONTEXT


def test_a_secret_out_of_range_is_refused(pair: Pair) -> None:
    bits = 3 if pair.parameters.eta == 2 else 4
    count = pair.parameters.l + pair.parameters.k
    for polynomial, coefficient in ((0, 0), (pair.parameters.l - 1, 255), (pair.parameters.l, 7), (count - 1, 255)):
        at = 8 * 128 + (256 * polynomial + coefficient) * bits
        sk = (int.from_bytes(pair.sk, "little") | ((1 << bits) - 1) << at).to_bytes(len(pair.sk), "little")
        pair.sig.fill(0x5A)
        assert pair.sign(b"message", sk=sk) == Status.BAD_KEY
        assert pair.sig.bytes == bytes(pair.sig.size)


def test_an_attempt_budget_that_runs_out_wipes_the_signature(pair: Pair) -> None:
    attempts = ctypes.c_uint32(0)
    pair.options = Options(max_attempts=1, attempts=ctypes.pointer(attempts))
    seen = set()
    for n in range(60):
        pair.sig.fill(0x5A)
        status = pair.sign(seed_of("budget", n))
        seen.add(status)
        assert (status == Status.ATTEMPTS) == (pair.sig.bytes == bytes(pair.sig.size))
        assert attempts.value == 1
        assert pair.workspace.is_wiped()
    assert seen == {Status.OK, Status.ATTEMPTS}


def test_a_checked_signature_is_the_same_and_wants_the_public_key(pair: Pair) -> None:
    assert pair.sign(b"message") == Status.OK
    unchecked = pair.sig.bytes
    pair.options = Options(checked=1)
    assert pair.sign(b"message") == Status.BAD_ARGUMENT
    pair.options = Options(checked=1, pk=pair.pk, pk_len=len(pair.pk))
    assert pair.sign(b"message") == Status.OK
    assert pair.sig.bytes == unchecked
    pair.options = Options(checked=1, pk=pair.pk, pk_len=len(pair.pk) - 1)
    assert pair.sign(b"message") == Status.BAD_LENGTH
    stranger = key_pair(pair.number, seed_of("stranger"), pair.backend)[0]
    pair.options = Options(checked=1, pk=stranger, pk_len=len(stranger))
    assert pair.sign(b"message") == Status.BAD_KEY
    assert pair.sig.bytes == bytes(pair.sig.size)


def test_a_checked_signature_with_a_wrong_t0_is_not_released(pair: Pair) -> None:
    """The secret key is inconsistent: hints come out wrong, and the verification finds it."""
    t0 = len(pair.sk) - 416 * pair.parameters.k
    pair.options = Options(checked=1, pk=pair.pk, pk_len=len(pair.pk))
    seen = set()
    for n in range(20):
        wrong = bytearray(pair.sk)
        wrong[t0:] = bytes(b ^ 0x55 for b in wrong[t0:])
        seen.add(pair.sign(seed_of("t0", n), sk=bytes(wrong)))
        assert pair.sig.bytes == bytes(pair.sig.size)
    assert seen <= {Status.FAULT}


def test_every_part_of_a_signature_counts(pair: Pair) -> None:
    p = pair.parameters
    assert pair.sign(b"message") == Status.OK
    sig = pair.sig.bytes
    hints = p.sig_size - p.omega - p.k
    rng = random.Random(pair.number)
    places = [0, p.lam // 4 - 1, p.lam // 4, hints - 1, hints, p.sig_size - 1]
    for at in places + [rng.randrange(p.sig_size) for _ in range(40)]:
        changed = bytearray(sig)
        changed[at] ^= 1 << rng.randrange(8)
        assert verify(pair.pk, bytes(changed), b"message", pair.number, pair.backend) == Status.BAD_SIGNATURE
    for wrong in (sig[:-1], sig + b"\0", b""):
        assert verify(pair.pk, wrong, b"message", pair.number, pair.backend) == Status.BAD_SIGNATURE
    assert verify(pair.pk, sig, b"messagf", pair.number, pair.backend) == Status.BAD_SIGNATURE
    assert verify(pair.pk, sig, b"message", pair.number, pair.backend, b"c") == Status.BAD_SIGNATURE
    assert verify(pair.pk[:-1], sig, b"message", pair.number, pair.backend) == Status.BAD_LENGTH
    assert verify(pair.pk, sig, b"message", pair.number, pair.backend, short=1) == Status.WORKSPACE


def test_the_workspaces_are_small() -> None:
    """The figures of the header are for 32-bit cores; a 64-bit one adds alignment only."""
    limits = {KEYGEN: (2119, 2119, 2119), SIGN: (2327, 3087, 3127), VERIFY: (2295, 2295, 2295)}
    for op, sizes in limits.items():
        for number, size in zip(SETS, sizes, strict=True):
            assert size - 64 <= bytes_for(number, op, BACKENDS["c32"]) <= size + 10 * 64
    assert bytes_for(65, 2, BACKENDS["c32"]) == 0  # nothing is loaded in this mode
    assert bytes_for(66, SIGN, BACKENDS["c32"]) == 0
    assert bytes_for(65, SIGN, 99) == 0
