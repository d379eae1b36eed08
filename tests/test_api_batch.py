"""Many messages in one call give what one call a message gives, in order, whatever the number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import girih
from girih import MlDsa44, MlDsa65, MlDsa87, testing
from girih.mldsa import PARAMETER_SETS, ParameterSet, verify_many

MESSAGES = [b"message %d" % i for i in range(75)]  # more than two chunks of the binding, and not a multiple
every_set = pytest.mark.parametrize("params", PARAMETER_SETS, ids=lambda p: p.name)
every_number = pytest.mark.parametrize("threads", [1, 2, 3, 1000])


@every_set
@every_number
def test_sign_many_signs_each_message(params: ParameterSet, threads: int) -> None:
    _, sk = params.key_gen()
    expected = [sk.sign(msg, b"ctx", deterministic=True) for msg in MESSAGES]
    assert sk.sign_many(MESSAGES, b"ctx", True, threads=threads) == expected
    assert sk.sign_many(iter(MESSAGES), ctx=b"ctx", deterministic=True, checked=True, threads=threads) == expected


@every_set
@every_number
def test_verify_many_verifies_each_pair(params: ParameterSet, threads: int) -> None:
    vk, sk = params.key_gen()
    sigs = sk.sign_many(MESSAGES, b"ctx")
    assert len(set(sigs)) == len(MESSAGES)  # hedged
    assert vk.verify_many(sigs, MESSAGES, b"ctx", threads=threads) == [True] * len(MESSAGES)
    assert vk.verify_many(sigs, MESSAGES, threads=threads) == [False] * len(MESSAGES)
    for bad in (3, 31, 32, 74):
        sigs[bad] = sigs[bad][:-1] if bad % 2 else bytes([sigs[bad][0] ^ 1]) + sigs[bad][1:]
    assert vk.verify_many(iter(sigs), iter(MESSAGES), b"ctx", threads=threads) == [
        i not in (3, 31, 32, 74) for i in range(len(MESSAGES))
    ]


@every_number
def test_verify_many_takes_keys_of_any_set(threads: int) -> None:
    pairs = [PARAMETER_SETS[i % 3].key_gen(compact=i % 2 == 0) for i in range(40)]
    sigs = [sk.sign(MESSAGES[i]) for i, (_, sk) in enumerate(pairs)]
    vks = [vk for vk, _ in pairs]
    assert verify_many(vks, sigs, MESSAGES[:40], threads=threads) == [True] * 40
    assert verify_many(vks[1:] + vks[:1], sigs, MESSAGES[:40], threads=threads) == [False] * 40
    assert verify_many(iter(vks), iter(sigs), iter(MESSAGES[:40]), None, threads=threads) == [True] * 40


def test_nothing_gives_nothing() -> None:
    vk, sk = MlDsa44.key_gen()
    for threads in (1, 4):
        assert sk.sign_many([], threads=threads) == []
        assert vk.verify_many([], [], threads=threads) == []
        assert verify_many([], [], [], threads=threads) == []


def test_unequal_lengths_raise() -> None:
    vk, sk = MlDsa44.key_gen()
    sig = sk.sign(b"m")
    with pytest.raises(ValueError, match="got 2 signatures for 1 messages"):
        vk.verify_many([sig, sig], [b"m"])
    with pytest.raises(ValueError, match="got 1 signatures for 2 messages"):
        vk.verify_many([sig], [b"m", b"m"], threads=2)
    with pytest.raises(ValueError, match="got 1 keys for 2 messages"):
        verify_many([vk], [sig, sig], [b"m", b"m"])
    with pytest.raises(ValueError, match="got 3 keys for 2 messages"):
        verify_many([vk] * 3, [sig, sig], [b"m", b"m"])
    with pytest.raises(ValueError, match="got 1 signatures for 2 messages"):
        verify_many([vk] * 2, [sig], [b"m", b"m"])


@pytest.mark.parametrize("bad", [None, b"key", MlDsa65, MlDsa44.key_gen()[1]])
def test_what_is_no_key_is_a_type_error(bad: Any) -> None:
    vk, sk = MlDsa44.key_gen()
    sig = sk.sign(b"m")
    with pytest.raises(TypeError, match="must be an ML-DSA VerificationKey"):
        verify_many([vk, bad], [sig, sig], [b"m", b"m"])


def test_what_cannot_be_iterated_is_a_type_error() -> None:
    vk, sk = MlDsa44.key_gen()
    with pytest.raises(TypeError, match="not iterable"):
        sk.sign_many(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not iterable"):
        vk.verify_many(1, [])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="bytes-like"):
        sk.sign_many(b"one message, not many")  # type: ignore[arg-type]


@every_number
def test_an_error_in_the_middle_comes_through(threads: int) -> None:
    vk, sk = MlDsa44.key_gen()
    messages: list[Any] = list(MESSAGES)
    messages[50] = "text"
    with pytest.raises(TypeError, match="each of msgs must be bytes-like, not str"):
        sk.sign_many(messages, threads=threads)
    with pytest.raises(TypeError, match="each of sigs must be bytes-like, not str"):
        vk.verify_many(messages, MESSAGES, threads=threads)


def test_messages_that_cannot_be_had_come_through() -> None:
    def messages() -> Iterator[bytes]:
        yield b"one"
        raise ArithmeticError("no more")

    with pytest.raises(ArithmeticError, match="no more"):
        MlDsa87.key_gen()[1].sign_many(messages())


def test_verify_many_mixes_backends_sets_and_modes() -> None:
    keys, sigs = [], []
    for i, message in enumerate(MESSAGES):
        with testing.use_backend(girih.backends()[i % len(girih.backends())]):
            vk, sk = PARAMETER_SETS[i // 2 % 3].key_gen(bytes([i // 9]) * 32, compact=i % 5 == 0)
        keys.append(vk)
        sigs.append(sk.sign(message if i % 7 else b"another"))
    assert verify_many(keys, sigs, MESSAGES) == [i % 7 != 0 for i in range(len(MESSAGES))]
