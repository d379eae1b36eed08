"""SHA-3 and SHAKE of the core against hashlib, on every backend."""

from __future__ import annotations

import ctypes
import hashlib
import random

import pytest

from tests.subjects.native import BACKENDS, SHA3_KINDS, Sha3, Status, call, must, subjects

RATES = {"SHA3-224": 144, "SHA3-256": 136, "SHA3-384": 104, "SHA3-512": 72, "SHAKE-128": 168, "SHAKE-256": 136}
SIZES = {"SHA3-224": 28, "SHA3-256": 32, "SHA3-384": 48, "SHA3-512": 64}
MESSAGE = hashlib.shake_256(b"girih SHA-3 message").digest(1200)

each_backend = pytest.mark.parametrize("backend", [BACKENDS[subject.backend] for subject in subjects()])
each_kind = pytest.mark.parametrize("kind", SHA3_KINDS)
each_shake = pytest.mark.parametrize("kind", ["SHAKE-128", "SHAKE-256"])
each_fixed = pytest.mark.parametrize("kind", SIZES)


def expected(kind: str, data: bytes, size: int) -> bytes:
    """The first `size` bytes of a hash, by hashlib."""
    name = kind.lower().replace("-", "_")
    return hashlib.new(name, data).digest() if kind in SIZES else getattr(hashlib, name)(data).digest(size)


def edges(rate: int, blocks: int = 3) -> list[int]:
    """Lengths around every multiple of the rate, and around every edge of a lane in the first block."""
    around_blocks = {rate * n + d for n in range(blocks + 1) for d in range(-9, 10)}
    return sorted(n for n in around_blocks | set(range(18)) if n >= 0)


def one_shot(kind: str, backend: int, data: bytes, size: int) -> bytes:
    """girih_sha3_hash."""
    out = ctypes.create_string_buffer(size)
    must("girih_sha3_hash", out, size, SHA3_KINDS[kind], backend, data, len(data))
    return out.raw


def started(kind: str, backend: int) -> Sha3:
    """girih_sha3_init."""
    state = Sha3()
    must("girih_sha3_init", ctypes.byref(state), SHA3_KINDS[kind], backend)
    return state


def finish(kind: str, state: Sha3, size: int) -> bytes:
    """girih_sha3_final, or one girih_shake_squeeze."""
    out = ctypes.create_string_buffer(size)
    must("girih_sha3_final" if kind in SIZES else "girih_shake_squeeze", out, size, ctypes.byref(state))
    return out.raw


@each_backend
@each_kind
def test_one_shot_hashes_are_those_of_hashlib_around_every_block_edge(kind: str, backend: int) -> None:
    size = SIZES.get(kind, 64)
    wrong = [
        n for n in edges(RATES[kind]) if one_shot(kind, backend, MESSAGE[:n], size) != expected(kind, MESSAGE[:n], size)
    ]
    assert wrong == []


@each_backend
@each_kind
def test_a_message_in_two_pieces_hashes_like_the_whole(kind: str, backend: int) -> None:
    rate, size = RATES[kind], SIZES.get(kind, 64)
    wrong = []
    for total in (rate - 1, rate, rate + 1, 2 * rate, 2 * rate + 5):
        whole = expected(kind, MESSAGE[:total], size)
        for cut in range(total + 1):
            state = started(kind, backend)
            for piece in (MESSAGE[:cut], MESSAGE[cut:total]):
                must("girih_sha3_update", ctypes.byref(state), piece, len(piece))
            if finish(kind, state, size) != whole:
                wrong.append((total, cut))
    assert wrong == []


@each_backend
@each_kind
def test_a_message_in_random_pieces_hashes_like_the_whole(kind: str, backend: int) -> None:
    rng = random.Random(backend)
    size = SIZES.get(kind, 64)
    for _ in range(50):
        state = started(kind, backend)
        fed = 0
        while fed < len(MESSAGE):
            piece = MESSAGE[fed : fed + rng.choice((0, 1, 7, 8, 9, rng.randrange(400)))]
            must("girih_sha3_update", ctypes.byref(state), piece, len(piece))
            fed += len(piece)
        assert finish(kind, state, size) == expected(kind, MESSAGE, size)


@each_backend
@each_shake
def test_a_shake_squeezed_in_pieces_gives_one_stream(kind: str, backend: int) -> None:
    rate = RATES[kind]
    whole = expected(kind, b"seed", 6 * rate)
    wrong = []
    for cut in edges(rate):
        state = started(kind, backend)
        must("girih_sha3_update", ctypes.byref(state), b"seed", 4)
        if b"".join(finish(kind, state, n) for n in (cut, 1, rate, 0, 9)) != whole[: cut + rate + 10]:
            wrong.append(cut)
    assert wrong == []


@each_backend
@each_shake
def test_shake_output_of_every_length_around_the_block_edges_is_hashlibs(kind: str, backend: int) -> None:
    lengths = edges(RATES[kind])
    wrong = [n for n in lengths if one_shot(kind, backend, b"seed", n) != expected(kind, b"seed", n)]
    assert wrong == []


@each_backend
@each_fixed
def test_a_digest_buffer_of_another_length_is_refused_and_untouched(kind: str, backend: int) -> None:
    for size in {0, 1, 27, 33, 65, *SIZES.values()} - {SIZES[kind]}:
        out = ctypes.create_string_buffer(b"\xa5" * size, size)
        status = call("girih_sha3_hash", out, size, SHA3_KINDS[kind], backend, b"", 0)
        assert (status, out.raw) == (Status.BAD_LENGTH, b"\xa5" * size)


@each_backend
@each_shake
def test_nothing_is_absorbed_after_the_first_squeeze(kind: str, backend: int) -> None:
    state = started(kind, backend)
    finish(kind, state, 1)
    assert call("girih_sha3_update", ctypes.byref(state), b"x", 1) == Status.BAD_ARGUMENT


@each_backend
def test_a_hash_that_has_given_its_digest_keeps_nothing_and_takes_nothing(backend: int) -> None:
    state = started("SHA3-256", backend)
    must("girih_sha3_update", ctypes.byref(state), b"secret", 6)
    finish("SHA3-256", state, 32)
    assert not any(bytes(state))
    assert call("girih_sha3_update", ctypes.byref(state), b"more", 4) == Status.BAD_ARGUMENT
    assert call("girih_sha3_final", ctypes.create_string_buffer(32), 32, ctypes.byref(state)) == Status.BAD_ARGUMENT


@each_backend
@each_kind
def test_the_two_ways_to_finish_belong_to_their_own_kinds(kind: str, backend: int) -> None:
    other = "girih_shake_squeeze" if kind in SIZES else "girih_sha3_final"
    out = ctypes.create_string_buffer(32)
    assert call(other, out, 32, ctypes.byref(started(kind, backend))) == Status.BAD_ARGUMENT
    assert out.raw == bytes(32)


def test_unknown_kinds_and_backends_are_refused() -> None:
    state = Sha3()
    wrong = ((0, 1), (7, 1), (1, 0), (1, 99))
    assert {call("girih_sha3_init", ctypes.byref(state), *pair) for pair in wrong} == {Status.BAD_ARGUMENT}
