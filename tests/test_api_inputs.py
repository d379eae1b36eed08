"""What goes in: any bytes-like object, contiguous or not; anything else is a TypeError or a ValueError, no crash."""

from __future__ import annotations

import array
import ctypes
import mmap
from collections.abc import Callable
from typing import Any

import pytest

import girih
from girih import MlDsa44, SigningKey, VerificationKey, testing

DATA = bytes(range(64))
# Any: many of the calls are wrong on purpose.
PARAMS: Any = MlDsa44
VK, SK = PARAMS.key_gen(bytes(32))
SIG = SK.sign(DATA, DATA, deterministic=True)


def mapped(data: bytes) -> mmap.mmap:
    pages = mmap.mmap(-1, len(data))
    pages[:] = data
    return pages


def doubled(data: bytes) -> bytes:
    return bytes(b for byte in data for b in (byte, 0xEE))


WAYS: dict[str, Callable[[bytes], Any]] = {
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview": memoryview,
    "writable memoryview": lambda data: memoryview(bytearray(data)),
    "array": lambda data: array.array("B", data),
    "array of words": lambda data: array.array("H", data),
    "ctypes array": lambda data: (ctypes.c_uint8 * len(data))(*data),
    "mmap": mapped,
    "matrix": lambda data: memoryview(data).cast("B", (len(data) // 4, 4)),
    "every other byte": lambda data: memoryview(doubled(data))[::2],
    "backwards": lambda data: memoryview(data[::-1])[::-1],
    "a part": lambda data: memoryview(b"before" + data + b"after")[6:-5],
}
every_way = pytest.mark.parametrize("way", WAYS)


@every_way
def test_messages_contexts_and_signatures_go_in_any_way(way: str) -> None:
    of = WAYS[way]
    assert SK.sign(of(DATA), of(DATA), deterministic=True) == SIG
    assert SK.sign(of(DATA), of(DATA), deterministic=True, checked=True) == SIG
    sig = SIG + SIG if way in ("matrix", "array of words") else SIG
    assert VK.verify(of(sig), of(DATA), of(DATA)) is (sig is SIG)
    assert SK.sign_many([of(DATA)] * 2, of(DATA), deterministic=True) == [SIG] * 2
    assert VK.verify_many([of(SIG)], [of(DATA)], of(DATA)) == [True]


@every_way
def test_mu_and_digests_go_in_any_way(way: str) -> None:
    of = WAYS[way]
    assert VK.verify_mu(SK.sign_mu(of(DATA)), of(DATA))
    assert VK.verify_digest(SK.sign_digest(of(DATA), "SHA2-512"), of(DATA), "SHA2-512")
    h = VK.mu_hasher(of(DATA))
    h.update(of(DATA))
    assert VK.verify_mu(SIG, h.digest())
    rnd = of(DATA[:32])
    assert testing.ml_dsa_sign_internal(SK, of(DATA), rnd) == testing.ml_dsa_sign_internal(SK, DATA, DATA[:32])


@every_way
def test_keys_go_in_any_way(way: str) -> None:
    of = WAYS[way]
    assert PARAMS.key_gen(of(bytes(32)))[0] == VK
    assert PARAMS.signing_key(of(bytes(32))) == SK
    assert VerificationKey.from_bytes(of(bytes(VK))) == PARAMS.verification_key(of(bytes(VK))) == VK
    assert SigningKey.from_bytes(of(bytes(SK.to_bytes()))) == PARAMS.signing_key(of(bytes(SK.to_bytes()))) == SK


def test_empty_messages_are_messages() -> None:
    assert VK.verify(SK.sign(b""), memoryview(b"abc")[3:])
    assert VK.verify(SK.sign(bytearray()), b"")
    h = VK.mu_hasher()
    h.update(b"")
    assert VK.verify_mu(SK.sign(b""), h.digest())


def test_messages_of_every_length_around_a_block_of_the_hash() -> None:
    for length in (*range(130), 134, 135, 136, 137, 271, 272, 273, 1 << 16):
        message = bytes(length)
        assert VK.verify(SK.sign(message), bytearray(message))


NOT_BYTES = ["text", 1, 10**100, -1, 1.5, None, [1, 2], (1,), {}, object(), bytes, True]
CALLS: dict[str, Callable[[Any], Any]] = {
    "sign msg": lambda x: SK.sign(x),
    "sign mu": lambda x: SK.sign_mu(x),
    "sign digest": lambda x: SK.sign_digest(x, "SHA2-512"),
    "verify sig": lambda x: VK.verify(x, DATA),
    "verify msg": lambda x: VK.verify(SIG, x),
    "verify msg of a bad signature": lambda x: VK.verify(b"", x),
    "require": lambda x: VK.require(x, x),
    "verify_mu sig": lambda x: VK.verify_mu(x, DATA),
    "verify_mu mu": lambda x: VK.verify_mu(SIG, x),
    "verify_digest sig": lambda x: VK.verify_digest(x, DATA, "SHA2-512"),
    "verify_digest digest": lambda x: VK.verify_digest(SIG, x, "SHA2-512"),
    "verification_key": lambda x: PARAMS.verification_key(x),
    "signing_key": lambda x: PARAMS.signing_key(x),
    "VerificationKey.from_bytes": lambda x: VerificationKey.from_bytes(x),
    "SigningKey.from_bytes": lambda x: SigningKey.from_bytes(x),
    "update": lambda x: VK.mu_hasher().update(x),
    "sign_many": lambda x: SK.sign_many([DATA, x]),
    "verify_many sigs": lambda x: VK.verify_many([x], [DATA]),
    "verify_many msgs": lambda x: VK.verify_many([SIG], [x]),
    "rnd": lambda x: testing.ml_dsa_sign_internal(SK, DATA, x),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("value", NOT_BYTES, ids=repr)
def test_what_is_not_bytes_like_is_a_type_error(call: str, value: Any) -> None:
    with pytest.raises(TypeError, match="bytes-like"):
        CALLS[call](value)


@pytest.mark.parametrize("value", [value for value in NOT_BYTES if value is not None], ids=repr)
@pytest.mark.parametrize(
    "call",
    [
        lambda x: SK.sign(DATA, x),
        lambda x: VK.verify(SIG, DATA, x),
        lambda x: VK.verify(b"", DATA, x),
        lambda x: VK.mu_hasher(x),
        lambda x: SK.sign_many([], x),
        lambda x: VK.verify_many([], [], x),
        lambda x: PARAMS.key_gen(x),
    ],
)
def test_where_none_is_a_default_the_rest_is_a_type_error(call: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(TypeError, match="must be bytes-like, not "):
        call(value)


@pytest.mark.parametrize("value", [None, 1, b"SHA2-512", ["SHA2-512"]])
def test_the_name_of_a_hash_is_a_str(value: Any) -> None:
    with pytest.raises(TypeError, match="hash_name must be a str"):
        SK.sign_digest(DATA, value)
    with pytest.raises(TypeError, match="hash_name must be a str"):
        VK.verify_digest(SIG, DATA, value)


@pytest.mark.parametrize("call", CALLS)
def test_a_released_memoryview_is_a_value_error(call: str) -> None:
    view = memoryview(bytearray(DATA))
    view.release()
    with pytest.raises(ValueError, match="released"):
        CALLS[call](view)


class Unsure:
    def __bool__(self) -> bool:
        raise ArithmeticError("neither")


@pytest.mark.parametrize(
    "call",
    [
        lambda: SK.sign(DATA, deterministic=Unsure()),
        lambda: SK.sign(DATA, checked=Unsure()),
        lambda: SK.sign_many([DATA], None, Unsure()),
        lambda: PARAMS.key_gen(expand=Unsure()),
        lambda: PARAMS.verification_key(bytes(VK), compact=Unsure()),
    ],
)
def test_an_error_in_an_argument_comes_through(call: Callable[[], Any]) -> None:
    with pytest.raises(ArithmeticError, match="neither"):
        call()


ODD_NAME = {"\u017fsg": DATA}  # a long s: not ASCII, as no name here is


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SK.sign(), r"sign\(\) is missing its argument 'msg'"),
        (lambda: SK.sign(DATA, DATA, True, 5), r"sign\(\) takes at most 3 positional arguments, got 4"),
        (lambda: SK.sign(DATA, msg=DATA), r"sign\(\) got multiple values for argument 'msg'"),
        (lambda: SK.sign(DATA, context=DATA), r"sign\(\) got an unexpected keyword argument 'context'"),
        (lambda: SK.sign(DATA, **ODD_NAME), r"unexpected keyword argument"),
        (lambda: VK.verify(SIG), r"verify\(\) is missing its argument 'msg'"),
        (lambda: VK.verify(SIG, ctx=DATA), r"verify\(\) is missing its argument 'msg'"),
        (lambda: VK.verify_mu(), r"verify_mu\(\) is missing its argument 'sig'"),
        (lambda: SK.sign_digest(DATA), r"sign_digest\(\) is missing its argument 'hash_name'"),
        (lambda: PARAMS.key_gen(DATA[:32], True), r"key_gen\(\) takes at most 1 positional arguments, got 2"),
        (lambda: PARAMS.verification_key(), r"verification_key\(\) is missing its argument 'data'"),
    ],
)
def test_arguments_that_do_not_fit_are_type_errors(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize("threads", [0, -1, -(10**100)])
def test_threads_are_at_least_one(threads: int) -> None:
    with pytest.raises(ValueError, match="threads is an int >= 1"):
        SK.sign_many([DATA], threads=threads)
    with pytest.raises(ValueError, match="threads is an int >= 1"):
        VK.verify_many([SIG], [DATA], threads=threads)


@pytest.mark.parametrize("threads", [1.0, "2", None, True])
def test_threads_are_an_int(threads: Any) -> None:
    with pytest.raises(TypeError, match="threads is an int >= 1"):
        SK.sign_many([DATA], threads=threads)
    with pytest.raises(TypeError, match="threads is an int >= 1"):
        girih.mldsa.verify_many([VK], [SIG], [DATA], threads=threads)


@pytest.mark.parametrize("budget", [1.5, "1", None, True, b"1"])
def test_a_table_budget_is_an_int(budget: Any) -> None:
    with pytest.raises(TypeError, match="an int, in bytes"):
        girih.set_table_budget(budget)


@pytest.mark.parametrize("budget", [-1, -(10**100)])
def test_a_table_budget_is_not_negative(budget: int) -> None:
    with pytest.raises(ValueError, match="at least 0 bytes"):
        girih.set_table_budget(budget)
