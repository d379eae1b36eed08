"""No operation leaks a reference, a table or a secret, whether it succeeds or raises."""

from __future__ import annotations

import contextlib
import gc
import resource
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import girih
from girih import MlDsa44, MlDsa65, SigningKey, VerificationKey, testing
from girih.errors import AttemptsExhausted
from girih.mldsa import verify_many

MSG, CTX, SEED = bytearray(b"message"), bytearray(b"context"), bytes(range(32))
# Any: some of the calls are wrong on purpose.
PARAMS: Any = MlDsa44
VK, SK = PARAMS.key_gen(SEED)
PK, ENCODED, SIG, DIGEST = bytes(VK), bytes(SK.to_bytes()), SK.sign(MSG, CTX), bytes(64)
HASHER = VK.mu_hasher()
OTHER_VK: Any = MlDsa65.key_gen(SEED)[0]
COMPACT = SigningKey.from_bytes(ENCODED, compact=True)
MANY = [MSG] * 40
BAD_SEED, LONG_CTX, BAD_KEY = bytes(31), bytes(256), ENCODED[:-1] + b"\xff"
TEXT = "not bytes" * 2

OPERATIONS: dict[str, Callable[[], Any]] = {
    "key_gen": lambda: PARAMS.key_gen(),
    "key_gen seed": lambda: PARAMS.key_gen(SEED),
    "key_gen compact": lambda: PARAMS.key_gen(compact=True),
    "key_gen short seed": lambda: PARAMS.key_gen(BAD_SEED),
    "key_gen str": lambda: PARAMS.key_gen(TEXT),
    "key_gen both modes": lambda: PARAMS.key_gen(expand=True, compact=True),
    "verification_key": lambda: PARAMS.verification_key(PK),
    "verification_key expanded": lambda: PARAMS.verification_key(PK, expand=True),
    "verification_key lazy": lambda: PARAMS.verification_key(PK).verify_many([SIG] * 2, [MSG] * 2),
    "verification_key short": lambda: PARAMS.verification_key(SEED),
    "verification_key str": lambda: PARAMS.verification_key(TEXT),
    "from_bytes": lambda: VerificationKey.from_bytes(PK),
    "from_bytes short": lambda: VerificationKey.from_bytes(SEED),
    "signing_key": lambda: PARAMS.signing_key(ENCODED),
    "signing_key expanded": lambda: PARAMS.signing_key(ENCODED, expand=True),
    "signing_key lazy": lambda: SigningKey.from_bytes(ENCODED).sign(MSG),
    "signing_key expected": lambda: PARAMS.signing_key(SEED, expected=VK),
    "signing_key of another key": lambda: PARAMS.signing_key(bytes(32), expected=VK),
    "signing_key expected str": lambda: PARAMS.signing_key(SEED, expected=TEXT),
    "signing_key bad": lambda: PARAMS.signing_key(BAD_KEY),
    "signing_key short": lambda: PARAMS.signing_key(PK),
    "signing_key str": lambda: PARAMS.signing_key(TEXT),
    "sign": lambda: SK.sign(MSG, CTX),
    "sign checked": lambda: SK.sign(MSG, ctx=CTX, checked=True),
    "sign a budget": lambda: SK.sign(MSG, max_attempts=1),
    "sign a bad budget": lambda: SK.sign(MSG, max_attempts=-(10**100)),
    "sign a view": lambda: SK.sign(memoryview(MSG)[::2]),
    "sign long ctx": lambda: SK.sign(MSG, LONG_CTX),
    "sign str": lambda: SK.sign(TEXT, CTX),
    "sign nothing": lambda: SK.sign(),
    "sign unknown argument": lambda: SK.sign(MSG, context=CTX),
    "sign_mu": lambda: SK.sign_mu(DIGEST),
    "sign_mu short": lambda: SK.sign_mu(SEED),
    "sign_digest": lambda: SK.sign_digest(DIGEST, "SHA2-512", CTX),
    "sign_digest short": lambda: SK.sign_digest(SEED, "SHA2-512", CTX),
    "sign_digest unknown": lambda: SK.sign_digest(SEED, TEXT, CTX),
    "sign_many": lambda: SK.sign_many(MANY, CTX),
    "sign_many threads": lambda: SK.sign_many(MANY, CTX, threads=2),
    "sign_many str": lambda: SK.sign_many([*MANY, TEXT], CTX),
    "sign_internal": lambda: testing.ml_dsa_sign_internal(SK, MSG, SEED),
    "sign_internal short": lambda: testing.ml_dsa_sign_internal(SK, MSG, BAD_SEED),
    "sign_internal no key": lambda: testing.ml_dsa_sign_internal(VK, MSG, SEED),
    "sign_mu_internal": lambda: testing.ml_dsa_sign_mu_internal(SK, DIGEST, SEED),
    "verify": lambda: VK.verify(SIG, MSG, CTX),
    "verify False": lambda: VK.verify(SIG, MSG),
    "verify short": lambda: VK.verify(SEED, MSG),
    "verify long ctx": lambda: VK.verify(SIG, MSG, LONG_CTX),
    "verify str": lambda: VK.verify(TEXT, MSG),
    "verify msg str": lambda: VK.verify(SIG, TEXT),
    "require": lambda: VK.require(SIG, MSG),
    "verify_mu": lambda: VK.verify_mu(SIG, DIGEST),
    "verify_digest": lambda: VK.verify_digest(SIG, DIGEST, "SHAKE-256", CTX),
    "verify_many": lambda: VK.verify_many([SIG] * 40, MANY, CTX),
    "verify_many keys": lambda: verify_many([VK] * 40, [SIG] * 40, MANY, CTX, threads=2),
    "verify_many no key": lambda: verify_many([PARAMS], [SIG], [MSG]),
    "verify_many str": lambda: VK.verify_many([SIG, TEXT], [MSG] * 2),
    "verify_internal": lambda: testing.ml_dsa_verify_internal(VK, SIG, MSG),
    "mu_hasher": lambda: VK.mu_hasher(CTX),
    "mu_hasher long ctx": lambda: VK.mu_hasher(LONG_CTX),
    "hasher": lambda: HASHER.update(MSG),
    "hasher str": lambda: HASHER.update(TEXT),
    "hasher copy": lambda: HASHER.copy().digest(),
    "to_bytes": lambda: (SK.to_bytes(), bytes(VK), SK.seed()),
    "equal": lambda: (COMPACT == SK, VK == OTHER_VK, SK == VK, SK != None),  # noqa: E711
    "order": lambda: VK < OTHER_VK,
    "attributes": lambda: (SK.verification_key, SK.parameter_set, VK.parameter_set.name, SK.expanded, VK.expanded),
    "assignment": lambda: setattr(SK, "expanded", False),
    "repr": lambda: (repr(VK), repr(SK), repr(MlDsa44), hash(VK)),
    "reduce": lambda: VK.__reduce__()[0](*VK.__reduce__()[1]),
    "pem": lambda: (SigningKey.from_pem(SK.to_pem()), VerificationKey.from_pem(VK.to_pem())),
    "expand": lambda: OTHER_VK.expand(),
    "info": lambda: girih.core_info(),
    "budget": lambda: girih.set_table_budget(256 << 20),
    "bad budget": lambda: girih.set_table_budget(-1),
    "backends": lambda: (girih.backends(), girih.backend()),
    "bad backend": lambda: testing.use_backend(TEXT).__enter__(),
}
WATCHED: tuple[object, ...] = (MSG, CTX, SEED, VK, SK, PK, ENCODED, SIG, DIGEST, BAD_SEED, LONG_CTX, BAD_KEY, TEXT)
WATCHED += (HASHER, OTHER_VK, COMPACT, MlDsa44, MlDsa65)
WATCHED += (VerificationKey, SigningKey, type(HASHER), type(MlDsa44), AttemptsExhausted)
EXPECTED = (TypeError, ValueError, AttributeError, girih.errors.GirihError)


def repeat(operation: Callable[[], Any], times: int) -> None:
    for _ in range(times):
        with contextlib.suppress(*EXPECTED):
            operation()


@pytest.fixture(scope="module", autouse=True)
def a_small_heap() -> Iterator[None]:
    """What pytest and the other tests hold need not be searched at each collection."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_leaks_nothing(name: str) -> None:
    operation = OPERATIONS[name]
    repeat(operation, 20)
    gc.collect()
    info = girih.core_info()
    counts = [sys.getrefcount(thing) for thing in WATCHED]
    growth = []
    for _ in range(3):  # caches of the interpreter grow once
        blocks = sys.getallocatedblocks()
        repeat(operation, 100)
        gc.collect()
        growth.append(sys.getallocatedblocks() - blocks)
    assert [sys.getrefcount(thing) for thing in WATCHED] == counts
    assert min(growth) < 50, growth  # objects in 100 calls
    after = girih.core_info()
    assert after["secret_bytes"] == info["secret_bytes"] and after["table_budget_used"] == info["table_budget_used"]


def peak() -> int:
    """The largest resident size of the process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.parametrize(
    "name", ["key_gen", "verification_key lazy", "signing_key lazy", "signing_key bad", "sign a view"]
)
def test_memory_outside_python_is_given_back(name: str) -> None:
    repeat(OPERATIONS[name], 100)
    before = peak()
    repeat(OPERATIONS[name], 1000)
    assert peak() - before < 4 << 20  # a table a call would be 20 MB and more


def test_references_to_constants_are_kept_in_balance() -> None:
    constants = (None, True, False, NotImplemented)
    before = [sys.getrefcount(constant) for constant in constants]
    names = ("verify", "verify False", "hasher", "equal", "order", "budget", "expand", "verify_many", "verify short")
    for name in names:
        repeat(OPERATIONS[name], 200)
    after = [sys.getrefcount(constant) for constant in constants]
    assert all(abs(b - a) < 100 for a, b in zip(before, after, strict=True))
