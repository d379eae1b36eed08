"""The permutation of every backend, alone and four at a time, and how bytes enter and leave its state, against hashlib and FIPS 202."""

from __future__ import annotations

import hashlib

import pytest

from tests.core.doors import Doors, Memory, backends, doors, rng

BACKENDS = [*backends(), "c32-small"]
per_backend = pytest.mark.parametrize("d", [doors(name) for name in BACKENDS], ids=BACKENDS)


def padded(message: bytes, rate: int, suffix: int) -> bytes:
    """A message of less than a block, padded to the first state of its sponge (FIPS 202, Algorithm 8)."""
    block = bytearray(message.ljust(200, b"\0"))
    block[len(message)] ^= suffix
    block[rate - 1] ^= 0x80
    return bytes(block)


@per_backend
@pytest.mark.parametrize("length", (0, 1, 7, 8, 31, 32, 66, 135))
def test_a_permutation_is_sha3(d: Doors, length: int) -> None:
    message = rng("sha3", length).randbytes(length)
    state = Memory.of(padded(message, 136, 0x06), offset=length % 8)
    d.keccak(state, 1)
    assert bytes(state)[:32] == hashlib.sha3_256(message).digest()


@per_backend
def test_many_permutations_are_shake(d: Doors) -> None:
    state = Memory.of(padded(b"girih", 168, 0x1F))
    d.keccak(state, 25)
    assert bytes(state)[:168] == hashlib.shake_128(b"girih").digest(25 * 168)[24 * 168 :]


@per_backend
@pytest.mark.parametrize("times", (1, 2, 25))
def test_four_states_are_four_shakes(d: Doors, times: int) -> None:
    messages = [rng("x4", i, times).randbytes(30 * i) for i in range(4)]
    states = Memory.of(b"".join(padded(m, 136, 0x1F) for m in messages))
    present = d.keccak_x4(states, times)
    assert present == d.backend.startswith("avx")
    if present:
        for i, message in enumerate(messages):
            block = bytes(states)[200 * i : 200 * i + 136]
            assert block == hashlib.shake_256(message).digest(136 * times)[136 * (times - 1) :]


@per_backend
def test_bytes_enter_the_state_where_they_belong(d: Doors) -> None:
    r = rng("xor")
    for offset in range(40):
        for length in (0, 1, 2, 7, 8, 9, 15, 16, 17, 33, 200 - offset):
            before, data = r.randbytes(200), r.randbytes(length)
            state = Memory.of(before)
            d.keccak_xor(state, offset, Memory.of(data, offset=r.randrange(8)), length)
            place = bytes(offset) + data + bytes(200 - offset - length)
            assert bytes(state) == bytes(a ^ b for a, b in zip(before, place, strict=True))


@per_backend
def test_bytes_leave_the_state_where_they_are(d: Doors) -> None:
    r = rng("extract")
    for offset in range(40):
        for length in (0, 1, 2, 7, 8, 9, 15, 16, 17, 33, 200 - offset):
            state = r.randbytes(200)
            out = Memory(length, offset=r.randrange(8))
            d.keccak_extract(Memory.of(state), offset, out, length)
            assert bytes(out) == state[offset : offset + length]
