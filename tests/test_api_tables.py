"""When keys hold tables: at once, lazily, never; what that costs; and that it changes no byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import girih
from girih import MlDsa44, MlDsa65, SigningKey, VerificationKey
from girih.mldsa import PARAMETER_SETS, ParameterSet, verify_many

MSG, SEED = b"message", bytes(range(32))
BUDGET = 256 << 20

every_set = pytest.mark.parametrize("params", PARAMETER_SETS, ids=lambda p: p.name)


@pytest.fixture(autouse=True)
def usual_budget() -> Iterator[None]:
    yield
    girih.set_table_budget(BUDGET)


def used() -> int:
    return girih.core_info()["table_budget_used"]


def encoded(params: ParameterSet) -> tuple[bytes, bytearray, bytes]:
    vk, sk = params.key_gen(SEED, compact=True)
    return bytes(vk), sk.to_bytes(), sk.sign(MSG, deterministic=True)


@every_set
def test_a_pair_from_a_seed_holds_its_tables_at_once(params: ParameterSet) -> None:
    before = used()
    for vk, sk in (params.key_gen(), params.key_gen(SEED), params.key_gen(SEED, expand=True)):
        assert vk.expanded and sk.expanded
    sk = params.signing_key(SEED)
    assert sk.expanded and sk.verification_key.expanded
    assert used() == before  # what was asked for is not in the budget


@every_set
def test_a_verification_key_expands_at_its_second_verification(params: ParameterSet) -> None:
    pk, _, sig = encoded(params)
    before = used()
    vk = params.verification_key(pk)
    assert vk.verify(sig[:-1], MSG) is False and not vk.expanded
    assert vk.verify(sig, MSG) and not vk.expanded and used() == before
    assert vk.verify(sig, MSG) and vk.expanded and used() > before
    assert vk.verify(sig, MSG) and not vk.verify(sig, b"other")
    del vk
    assert used() == before


@every_set
def test_a_signing_key_without_seed_expands_at_its_first_signature(params: ParameterSet) -> None:
    _, secret, sig = encoded(params)
    before = used()
    sk = SigningKey.from_bytes(secret)
    assert not sk.expanded and not sk.verification_key.expanded
    assert sk.sign(MSG, deterministic=True) == sig
    assert sk.expanded and sk.verification_key.expanded and used() > before
    assert sk.sign(MSG, deterministic=True) == sig
    del sk
    assert used() == before


@every_set
def test_a_signing_key_uses_the_table_that_its_verification_key_has(params: ParameterSet) -> None:
    _, secret, sig = encoded(params)
    sk = SigningKey.from_bytes(secret)
    sk.verification_key.expand()
    assert sk.verification_key.expanded and not sk.expanded
    before = used()
    assert sk.sign(MSG, deterministic=True) == sig and sk.expanded
    secret_table = used() - before
    del sk
    assert used() == before
    both = SigningKey.from_bytes(secret)
    both.sign(MSG)
    assert used() - before > 2 * secret_table  # the public table is the larger one


@every_set
def test_expand_makes_tables_at_once(params: ParameterSet) -> None:
    pk, secret, _ = encoded(params)
    before = used()
    assert params.verification_key(pk, expand=True).expanded
    assert VerificationKey.from_bytes(pk, expand=True).expanded
    for sk in (params.signing_key(secret, expand=True), SigningKey.from_bytes(secret, expand=True)):
        assert sk.expanded and sk.verification_key.expanded
    vk = params.verification_key(pk)
    vk.expand()
    vk.expand()
    assert vk.expanded and used() == before


@every_set
def test_compact_never_makes_tables(params: ParameterSet) -> None:
    pk, secret, sig = encoded(params)
    vk, seeded = params.key_gen(SEED, compact=True)
    keys = [seeded, params.signing_key(SEED, compact=True), params.signing_key(secret, compact=True)]
    keys.append(SigningKey.from_bytes(secret, compact=True))
    vks = [vk, params.verification_key(pk, compact=True), VerificationKey.from_bytes(pk, compact=True)]
    vks += [sk.verification_key for sk in keys]
    before = used()
    for _ in range(3):
        assert all(sk.sign(MSG, deterministic=True) == sig for sk in keys)
        assert all(vk.verify(sig, MSG) and not vk.verify(sig, b"other") for vk in vks)
        assert keys[0].sign_many([MSG] * 2, deterministic=True) == [sig] * 2
        assert verify_many(vks, [sig] * len(vks), [MSG] * len(vks)) == [True] * len(vks)
    assert not any(sk.expanded for sk in keys) and not any(vk.expanded for vk in vks) and used() == before


def test_a_compact_verification_key_expands_when_told() -> None:
    pk, _, sig = encoded(MlDsa65)
    vk = MlDsa65.verification_key(pk, compact=True)
    vk.expand()
    assert vk.expanded and vk.verify(sig, MSG)


@every_set
def test_batches_expand_as_single_calls_do(params: ParameterSet) -> None:
    pk, secret, sig = encoded(params)
    vk = params.verification_key(pk)
    assert vk.verify_many([sig], [MSG]) == [True] and not vk.expanded
    assert vk.verify_many([sig] * 2, [MSG] * 2) == [True] * 2 and vk.expanded
    sk = params.signing_key(secret)
    assert sk.sign_many([MSG] * 2, deterministic=True) == [sig] * 2 and sk.expanded


def test_expand_and_compact_exclude_each_other() -> None:
    pk, secret, _ = encoded(MlDsa44)
    for call in (
        lambda: MlDsa44.key_gen(expand=True, compact=True),
        lambda: MlDsa44.verification_key(pk, expand=True, compact=True),
        lambda: MlDsa44.signing_key(secret, expand=True, compact=True),
        lambda: VerificationKey.from_bytes(pk, expand=True, compact=True),
        lambda: SigningKey.from_bytes(secret, expand=True, compact=True),
    ):
        with pytest.raises(ValueError, match="not both"):
            call()


def test_the_budget_is_256_mib_unless_set() -> None:
    assert girih.core_info()["table_budget"] == BUDGET
    girih.set_table_budget(1 << 20)
    assert girih.core_info()["table_budget"] == 1 << 20
    girih.set_table_budget(10**100)
    assert girih.core_info()["table_budget"] > BUDGET


@every_set
def test_beyond_the_budget_keys_stay_compact(params: ParameterSet) -> None:
    pk, secret, sig = encoded(params)
    girih.set_table_budget(used())
    vk, sk = params.verification_key(pk), params.signing_key(secret)
    for _ in range(3):
        assert vk.verify(sig, MSG) and sk.sign(MSG, deterministic=True) == sig
    assert not (vk.expanded or sk.expanded or sk.verification_key.expanded)
    vk.expand()  # asked for: no budget
    assert vk.expanded and params.key_gen()[1].expanded and params.signing_key(secret, expand=True).expanded
    girih.set_table_budget(BUDGET)
    assert sk.sign(MSG, deterministic=True) == sig and sk.expanded


def test_the_budget_is_shared_and_returned() -> None:
    pk, _, sig = encoded(MlDsa44)
    first = MlDsa44.verification_key(pk)
    before = used()
    first.verify_many([sig] * 2, [MSG] * 2)
    table = used() - before
    girih.set_table_budget(used() + 2 * table)
    keys = [MlDsa44.verification_key(pk) for _ in range(4)]
    for vk in keys:
        assert vk.verify_many([sig] * 2, [MSG] * 2) == [True] * 2
    assert [vk.expanded for vk in keys] == [True, True, False, False]
    del keys[0]
    assert keys[-1].verify(sig, MSG) and keys[-1].expanded


def test_a_budget_for_one_of_two_tables_makes_neither() -> None:
    _, secret, sig = encoded(MlDsa44)
    sk = SigningKey.from_bytes(secret)
    before = used()
    sk.sign(MSG)
    both = used() - before
    girih.set_table_budget(used() + both - 1)
    other = SigningKey.from_bytes(secret)
    assert other.sign(MSG, deterministic=True) == sig and not other.expanded and used() == before + both


@every_set
def test_every_mode_gives_the_same_bytes(params: ParameterSet) -> None:
    pk, secret, sig = encoded(params)
    modes: list[dict[str, Any]] = [{}, {"expand": True}, {"compact": True}]
    pairs = [params.key_gen(SEED, **mode) for mode in modes]
    keys = [sk for _, sk in pairs] + [params.signing_key(secret, **mode) for mode in modes]
    assert all(bytes(sk.verification_key) == pk and sk.to_bytes() == secret for sk in keys)
    assert all(sk.sign(MSG, deterministic=True) == sig for sk in keys for _ in range(2))
