"""Threads: keys shared while they expand, small stacks, no GIL in the core, arguments that change meanwhile."""

from __future__ import annotations

import functools
import gc
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import girih
from girih import MlDsa44, MlDsa65, SigningKey, testing
from girih.mldsa import PARAMETER_SETS, ParameterSet, verify_many

MSG, SEED = b"message", bytes(range(32))
LONG = 48 << 20  # bytes of a message whose hashing takes a tenth of a second or more

every_set = pytest.mark.parametrize("params", PARAMETER_SETS, ids=lambda p: p.name)


@pytest.fixture(params=[128, 256, 512], ids="{}KiB".format)
def small_stacks(request: pytest.FixtureRequest) -> Iterator[None]:
    before = threading.stack_size(request.param << 10)
    yield
    threading.stack_size(before)


def together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """The results of `work` in threads that start at the same moment; what one of them raises is raised."""
    start = threading.Barrier(count)
    results: dict[int, Any] = {}
    errors: list[BaseException] = []

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [results[number] for number in range(count)]


@every_set
def test_threads_share_a_verification_key_while_it_expands(params: ParameterSet) -> None:
    vk, sk = params.key_gen()
    sigs = sk.sign_many([b"%d" % i for i in range(8)])
    gc.collect()
    before = girih.core_info()["table_budget_used"]
    one = params.verification_key(bytes(vk))
    one.verify_many(sigs[:2], [b"0", b"1"])
    table = girih.core_info()["table_budget_used"] - before
    del one

    def share() -> None:
        shared = params.verification_key(bytes(vk))
        results = together(8, lambda i: [shared.verify(sigs[i], b"%d" % (i ^ wrong)) for wrong in (0, 1, 0, 1)])
        assert results == [[True, False, True, False]] * 8
        assert shared.expanded
        assert girih.core_info()["table_budget_used"] == before + table  # made once

    for _ in range(10):
        share()


@every_set
def test_threads_share_a_signing_key_while_it_expands(params: ParameterSet) -> None:
    _, sk = params.key_gen(SEED)
    expected = [sk.sign(b"%d" % i, deterministic=True) for i in range(8)]
    gc.collect()
    before = girih.core_info()

    def share() -> None:
        shared = SigningKey.from_bytes(sk.to_bytes())
        assert together(8, lambda i: shared.sign(b"%d" % i, deterministic=True)) == expected
        assert shared.expanded and shared.verification_key.expanded

    for _ in range(10):
        share()
    after = girih.core_info()
    assert after["secret_bytes"] == before["secret_bytes"]
    assert after["table_budget_used"] == before["table_budget_used"]


def test_a_signing_key_expands_while_its_verification_key_is_in_use() -> None:
    vk, sk = MlDsa65.key_gen(SEED)
    sig = sk.sign(MSG, deterministic=True)

    def use(shared: SigningKey, number: int) -> bool:
        if number % 3 == 0:
            return shared.sign(MSG, deterministic=True) == sig
        if number % 3 == 1:
            shared.verification_key.expand()
        return shared.verification_key.verify(sig, MSG)

    for _ in range(20):
        assert together(6, functools.partial(use, SigningKey.from_bytes(sk.to_bytes()))) == [True] * 6
    assert vk.verify(sig, MSG)


def test_threads_make_and_free_keys() -> None:
    gc.collect()
    before = girih.core_info()["secret_bytes"]

    def work(number: int) -> bool:
        params = PARAMETER_SETS[number % 3]
        for i in range(20):
            vk, sk = params.key_gen(compact=i % 3 == 0)
            if not vk.verify(sk.sign(MSG), MSG):
                return False
        return True

    assert together(6, work) == [True] * 6
    assert girih.core_info()["secret_bytes"] == before


def everything(params: ParameterSet) -> bool:
    """Every operation of a set, in every mode."""
    modes: list[dict[str, Any]] = [{}, {"expand": True}, {"compact": True}]
    for mode in modes:
        vk, sk = params.key_gen(SEED, **mode)
        encoded = params.signing_key(sk.to_bytes(), **mode)
        public = params.verification_key(bytes(vk), **mode)
        sig = sk.sign(MSG, b"ctx", checked=True)
        h = vk.mu_hasher(b"ctx")
        h.update(MSG)
        good = [public.verify(sig, MSG, b"ctx") for _ in range(3)]
        good.append(public.verify_mu(encoded.sign_mu(h.digest(), checked=True), h.digest()))
        good.append(vk.verify_digest(sk.sign_digest(bytes(64), "SHA2-512"), bytes(64), "SHA2-512"))
        good += verify_many([vk] * 40, encoded.sign_many([MSG] * 40), [MSG] * 40)
        m_prime = b"\0\0" + MSG
        good.append(testing.ml_dsa_verify_internal(vk, testing.ml_dsa_sign_internal(sk, m_prime, SEED), m_prime))
        good.append(encoded == sk and public == vk and SigningKey.from_pem(sk.to_pem()) == sk)
        if not all(good):
            return False
    return True


@every_set
@pytest.mark.parametrize("backend", girih.backends())
@pytest.mark.usefixtures("small_stacks")
def test_small_stacks_are_enough(params: ParameterSet, backend: str) -> None:
    with testing.use_backend(backend):
        assert together(2, lambda _: everything(params)) == [True, True]


@pytest.mark.usefixtures("small_stacks")
def test_batches_run_on_small_stacks() -> None:
    vk, sk = MlDsa65.key_gen()
    messages = [b"%d" % i for i in range(40)]
    assert all(vk.verify_many(sk.sign_many(messages, threads=4), messages, threads=4))


# ---- the GIL ----


def longest_silence(call: Callable[[], Any]) -> float:
    """The longest time that this thread stood still while another one was inside `call`, as a part of the call's."""
    span: list[float] = []

    def run() -> None:
        span.append(time.perf_counter())
        call()
        span.append(time.perf_counter())

    thread = threading.Thread(target=run)
    steps = []
    thread.start()
    while len(span) < 2:
        steps.append(time.perf_counter())
        time.sleep(1e-4)
    thread.join()
    start, end = span
    inside = [start, *(step for step in steps if start < step < end), end]
    return max(after - before for before, after in itertools.pairwise(inside)) / (end - start)


VK, SK = MlDsa44.key_gen(SEED)
LONG_MESSAGE = bytes(LONG)
LONG_CALLS: dict[str, Callable[[], Any]] = {
    "sign": lambda: SK.sign(LONG_MESSAGE),
    "sign checked": lambda: SK.sign(LONG_MESSAGE, checked=True),
    "verify": lambda: VK.verify(bytes(2420), LONG_MESSAGE),
    "update": lambda: VK.mu_hasher().update(LONG_MESSAGE),
    "sign_many": lambda: SK.sign_many([LONG_MESSAGE]),
    "verify_many": lambda: VK.verify_many([bytes(2420)], [LONG_MESSAGE]),
    "sign_internal": lambda: testing.ml_dsa_sign_internal(SK, LONG_MESSAGE, SEED),
    "verify_internal": lambda: testing.ml_dsa_verify_internal(VK, bytes(2420), LONG_MESSAGE),
}


def test_a_call_that_holds_the_gil_is_seen() -> None:
    assert longest_silence(lambda: max(LONG_MESSAGE)) > 0.9


@pytest.mark.parametrize("call", LONG_CALLS)
def test_other_threads_run_during_a_call(call: str) -> None:
    # On a busy machine one call may find this thread asleep.
    assert any(longest_silence(LONG_CALLS[call]) < 0.5 for _ in range(20))


@pytest.fixture
def no_switches() -> Iterator[None]:
    """A thread keeps the GIL until it gives it away."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


def resize(message: bytearray) -> None:
    """BufferError while somebody holds the memory; else no change."""
    message.append(0)
    message.pop()


@pytest.mark.usefixtures("no_switches")
def test_a_message_is_pinned_and_a_signature_copied_during_a_call() -> None:
    message = bytearray(LONG)
    sig = bytearray(SK.sign(message))
    result: list[bool] = []
    thread = threading.Thread(target=lambda: result.append(VK.verify(sig, message)))
    thread.start()
    pinned = False
    while not pinned and not result:
        try:
            resize(message)
            time.sleep(0)
        except BufferError:
            pinned = True  # the call is inside the core, and holds the message, which therefore cannot move
    sig.clear()  # it holds the signature no more: this would raise
    thread.join()
    assert pinned and result == [True]


@pytest.mark.usefixtures("no_switches")
def test_a_checked_signature_holds_a_copy_of_a_mutable_message() -> None:
    message = bytearray(LONG)
    sigs: list[bytes] = []
    thread = threading.Thread(target=lambda: sigs.append(SK.sign(message, checked=True)))
    thread.start()
    while not sigs:
        resize(message)  # never a BufferError
        time.sleep(0)
    thread.join()
    assert VK.verify(sigs[0], message)


def test_two_threads_feed_one_hasher() -> None:
    h = VK.mu_hasher()
    part = bytes(1 << 20)

    def feed(_: int) -> None:
        for _ in range(4):
            h.update(part)

    together(4, feed)
    whole = VK.mu_hasher()
    whole.update(bytes(16 << 20))
    assert h.digest() == whole.digest()


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")  # it is what is tested
@pytest.mark.parametrize("expanded", [True, False])
def test_a_child_process_goes_on_with_the_keys(expanded: bool) -> None:
    _, sk = MlDsa65.key_gen(compact=not expanded)
    stop = threading.Event()

    def sign() -> None:
        while not stop.is_set():
            sk.sign(MSG)

    thread = threading.Thread(target=sign)
    thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    vk, new = MlDsa65.key_gen()
                    old = sk.verification_key
                    code = 0 if old.verify(sk.sign(MSG), MSG) and vk.verify(new.sign(MSG), MSG) else 2
                finally:
                    os._exit(code)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        thread.join()
