"""Keys: how they are made, stored, compared, shown and shared (docs of girih.mldsa)."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import girih
from girih import MlDsa44, MlDsa65, MlDsa87, SigningKey, VerificationKey, testing
from girih.errors import GirihError, InvalidKey
from girih.mldsa import PARAMETER_SETS, ParameterSet

SIZES = {  # FIPS 204, table 2
    "ML-DSA-44": (1312, 2560, 2420, 2),
    "ML-DSA-65": (1952, 4032, 3309, 3),
    "ML-DSA-87": (2592, 4896, 4627, 5),
}
SEED = bytes(range(100, 132))

every_set = pytest.mark.parametrize("params", PARAMETER_SETS, ids=lambda p: p.name)


@every_set
def test_sizes_and_names_are_attributes(params: ParameterSet) -> None:
    vk, sk, sig, category = SIZES[params.name]
    assert params.verification_key_size == vk
    assert params.signing_key_size == sk
    assert params.signature_size == sig
    assert params.security_category == category
    assert params.seed_size == 32


def test_the_default_is_ml_dsa_65() -> None:
    assert girih.MlDsa is girih.mldsa.MlDsa is MlDsa65


def test_everything_public_is_importable_from_girih() -> None:
    assert all(hasattr(girih, name) for name in girih.__all__)
    assert all(hasattr(girih.mldsa, name) for name in girih.mldsa.__all__)
    assert all(hasattr(girih.errors, name) for name in girih.errors.__all__)


def test_testing_is_fenced() -> None:
    assert "testing" not in girih.__all__


@every_set
def test_keys_from_one_seed_are_equal_and_from_two_are_not(params: ParameterSet) -> None:
    vk, sk = params.key_gen(SEED)
    same_vk, same_sk = params.key_gen(seed=bytearray(SEED))
    other_vk, other_sk = params.key_gen()
    assert vk == same_vk and sk == same_sk and hash(vk) == hash(same_vk)
    assert vk != other_vk and sk != other_sk
    assert [vk == other_vk, sk == other_sk, vk != same_vk, sk != same_sk] == [False] * 4


def test_fresh_keys_differ() -> None:
    assert len({MlDsa44.key_gen()[0] for _ in range(20)}) == 20


def test_keys_of_different_sets_differ() -> None:
    assert MlDsa44.key_gen(SEED)[0] != MlDsa65.key_gen(SEED)[0]
    assert MlDsa44.key_gen(SEED)[1] != MlDsa65.key_gen(SEED)[1]


def test_a_key_is_not_equal_to_other_things() -> None:
    vk: Any
    sk: Any
    vk, sk = MlDsa44.key_gen(SEED)
    assert vk != vk.to_bytes() and sk != sk.to_bytes() and vk != sk and sk != vk and sk != None  # noqa: E711
    with pytest.raises(TypeError):
        vk < vk  # noqa: B015
    with pytest.raises(TypeError):
        sk < sk  # noqa: B015


@every_set
def test_a_seed_key_equals_the_key_of_its_expanded_encoding(params: ParameterSet) -> None:
    _, sk = params.key_gen(SEED)
    encoded = SigningKey.from_bytes(sk.to_bytes())
    other = SigningKey.from_bytes(params.key_gen()[1].to_bytes())
    assert sk == encoded and encoded == sk and encoded == SigningKey.from_bytes(sk.to_bytes())
    assert sk != other and other != sk and encoded != other


@every_set
def test_encodings_round_trip(params: ParameterSet) -> None:
    vk, sk = params.key_gen()
    assert VerificationKey.from_bytes(bytes(vk)) == params.verification_key(vk.to_bytes()) == vk
    assert SigningKey.from_bytes(sk.to_bytes()).to_bytes() == sk.to_bytes()
    assert params.signing_key(sk.to_bytes()) == sk
    assert len(bytes(vk)) == params.verification_key_size and len(sk.to_bytes()) == params.signing_key_size


@every_set
def test_the_length_of_an_encoding_tells_its_set(params: ParameterSet) -> None:
    vk, sk = params.key_gen()
    assert VerificationKey.from_bytes(bytes(vk)).parameter_set is params
    assert SigningKey.from_bytes(sk.to_bytes()).parameter_set is params
    assert SigningKey.from_bytes(sk.to_bytes()).verification_key == vk


def test_public_bytes_are_bytes_and_secrets_are_bytearrays_of_the_caller() -> None:
    vk, sk = MlDsa44.key_gen(SEED)
    seed = sk.seed()
    encoded = sk.to_bytes()
    assert type(vk.to_bytes()) is type(bytes(vk)) is bytes
    assert type(seed) is type(encoded) is bytearray
    seed[:] = encoded[:] = b""
    assert sk.seed() == bytearray(SEED) and len(sk.to_bytes()) == 2560


def test_the_seed_is_kept_and_none_is_invented() -> None:
    _, sk = MlDsa65.key_gen(SEED)
    assert sk.seed() == bytearray(SEED)
    assert MlDsa65.signing_key(SEED).seed() == bytearray(SEED)
    assert MlDsa65.signing_key(sk.to_bytes()).seed() is None


def test_a_signing_key_refuses_bytes() -> None:
    with pytest.raises(TypeError):
        bytes(MlDsa44.key_gen()[1])  # type: ignore[call-overload]


def test_a_pair_shares_one_verification_key() -> None:
    vk, sk = MlDsa65.key_gen()
    assert sk.verification_key is vk and sk.verification_key is sk.verification_key
    assert vk.parameter_set is sk.parameter_set is MlDsa65


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_key_gen_wants_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match=rf"an ML-DSA-65 seed is 32 bytes, got {length}$"):
        MlDsa65.key_gen(bytes(length))


@every_set
@pytest.mark.parametrize("change", [-1, 1])
def test_a_key_of_the_wrong_length_is_invalid(params: ParameterSet, change: int) -> None:
    vk, sk = bytes(params.verification_key_size + change), bytes(params.signing_key_size + change)
    with pytest.raises(InvalidKey, match=f"is {params.verification_key_size} bytes, got {len(vk)}"):
        params.verification_key(vk)
    with pytest.raises(InvalidKey, match=f"is {params.signing_key_size} bytes, or a seed of 32, got {len(sk)}"):
        params.signing_key(sk)
    with pytest.raises(InvalidKey, match=f"1312, 1952 or 2592 bytes, got {len(vk)}"):
        VerificationKey.from_bytes(vk)
    with pytest.raises(InvalidKey, match=f"2560, 4032 or 4896 bytes, got {len(sk)}"):
        SigningKey.from_bytes(sk)


def test_a_seed_alone_does_not_tell_its_set() -> None:
    with pytest.raises(InvalidKey, match=r"MlDsa65.signing_key\(seed\)"):
        SigningKey.from_bytes(SEED)


@every_set
def test_an_inconsistent_signing_key_is_invalid(params: ParameterSet) -> None:
    good = params.key_gen(SEED)[1].to_bytes()
    for place in (0, 64, 127, len(good) - 1):  # rho, tr, and t0, each of which follows from the rest
        bad = bytearray(good)
        bad[place] ^= 1
        with pytest.raises(InvalidKey, match=f"not an {params.name} signing key"):
            SigningKey.from_bytes(bad)


@every_set
def test_a_signing_key_out_of_range_is_invalid(params: ParameterSet) -> None:
    bad = params.key_gen(SEED)[1].to_bytes()
    bad[128] = 0xFF  # the first coefficients of s1: -5, or -11, below -eta
    with pytest.raises(InvalidKey, match="out of range"):
        params.signing_key(bad, compact=True)


def test_an_invalid_key_is_a_value_error_and_a_girih_error() -> None:
    assert issubclass(InvalidKey, ValueError) and issubclass(InvalidKey, GirihError)


@pytest.mark.parametrize("kind", [VerificationKey, SigningKey, ParameterSet, girih.mldsa.MuHasher])
def test_nothing_is_made_without_its_maker(kind: type) -> None:
    with pytest.raises(TypeError):
        kind()
    with pytest.raises(TypeError):
        object.__new__(kind)


@pytest.mark.parametrize("name", ["parameter_set", "expanded", "new"])
def test_keys_are_immutable(name: str) -> None:
    for key in MlDsa44.key_gen():
        with pytest.raises((AttributeError, TypeError)):
            setattr(key, name, 1)
        with pytest.raises((AttributeError, TypeError)):
            delattr(key, name)


def test_the_class_of_a_key_cannot_be_changed() -> None:
    _, sk = MlDsa44.key_gen()
    with pytest.raises(TypeError):
        sk.__class__ = VerificationKey  # type: ignore[assignment]
    with pytest.raises(TypeError):
        VerificationKey.verify(sk, b"", b"")  # type: ignore[arg-type]


def test_signing_keys_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(MlDsa44.key_gen()[1])


def test_verification_keys_are_dictionary_keys() -> None:
    vk, _ = MlDsa44.key_gen(SEED)
    assert {vk: "it"}[MlDsa44.verification_key(bytes(vk))] == "it"


@pytest.mark.parametrize(
    "action", [copy.copy, copy.deepcopy, *(lambda key, p=p: pickle.dumps(key, p) for p in range(6))]
)
def test_signing_keys_refuse_to_be_copied_or_pickled(action: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="a signing key is not"):
        action(MlDsa44.key_gen()[1])


@every_set
def test_verification_keys_are_copied_and_pickled(params: ParameterSet) -> None:
    vk, _ = params.key_gen()
    assert copy.copy(vk) is copy.deepcopy(vk) is vk
    assert pickle.loads(pickle.dumps(vk)) == vk


@every_set
def test_there_is_one_object_a_set(params: ParameterSet) -> None:
    assert copy.copy(params) is copy.deepcopy(params) is pickle.loads(pickle.dumps(params)) is params
    assert repr(params) == "girih." + params.name.replace("ML-DSA-", "MlDsa")


@every_set
def test_repr_names_the_set_and_shows_no_secret(params: ParameterSet) -> None:
    vk, sk = params.key_gen(SEED)
    secret = bytes(sk.to_bytes()[32:])  # behind rho, which is public
    assert params.name in repr(vk) and bytes(vk)[:8].hex() in repr(vk)
    assert params.name in repr(sk) and repr(vk) in repr(sk)
    for shown in (repr(sk), str(sk), f"{sk}"):
        assert all(secret[i : i + 4].hex() not in shown for i in range(len(secret) - 3))
        assert SEED[:4].hex() not in shown


@every_set
def test_pem_and_der_round_trip(params: ParameterSet) -> None:
    vk, sk = params.key_gen()
    assert VerificationKey.from_der(vk.to_der()) == VerificationKey.from_pem(vk.to_pem()) == vk
    assert SigningKey.from_der(sk.to_der()) == SigningKey.from_pem(sk.to_pem()) == sk
    assert VerificationKey.from_pem(vk.to_pem().decode()) == vk
    assert type(vk.to_der()) is type(vk.to_pem()) is bytes
    assert type(sk.to_der()) is type(sk.to_pem()) is bytearray
    assert SigningKey.from_pem(sk.to_pem()).seed() == sk.seed()


def test_a_key_without_seed_has_no_pem() -> None:
    sk = SigningKey.from_bytes(MlDsa44.key_gen()[1].to_bytes())
    with pytest.raises(ValueError, match="without its seed"):
        sk.to_pem()


def test_pem_modes_are_those_of_the_constructors() -> None:
    vk, sk = MlDsa44.key_gen()
    assert VerificationKey.from_pem(vk.to_pem(), expand=True).expanded
    assert not SigningKey.from_pem(sk.to_pem(), compact=True).expanded


@pytest.mark.parametrize("backend", girih.backends())
def test_every_backend_gives_the_same_keys(backend: str) -> None:
    with testing.use_backend(backend):
        pairs = [params.key_gen(SEED) for params in PARAMETER_SETS]
    for params, (vk, sk) in zip(PARAMETER_SETS, pairs, strict=True):
        assert (vk, sk) == params.key_gen(SEED)
        assert sk.to_bytes() == params.key_gen(SEED)[1].to_bytes()


def test_secrets_of_freed_keys_are_given_back() -> None:
    gc.collect()
    before = girih.core_info()["secret_bytes"]
    keys = [params.key_gen()[1] for params in PARAMETER_SETS for _ in range(30)]
    keys += [SigningKey.from_bytes(key.to_bytes()) for key in keys]
    assert girih.core_info()["secret_bytes"] > before
    del keys
    assert girih.core_info()["secret_bytes"] == before


def test_many_keys_live_side_by_side() -> None:
    keys = [MlDsa87.key_gen() for _ in range(300)]
    keys = keys[::3]
    keys += [MlDsa87.key_gen() for _ in range(100)]
    assert all(vk.verify(sk.sign(b"m"), b"m") for vk, sk in keys[::7])
    assert len({bytes(vk) for vk, _ in keys}) == len(keys)


@every_set
def test_a_load_can_be_given_the_expected_verification_key(params: ParameterSet) -> None:
    seed = b"\x05" * 32
    vk, sk = params.key_gen(seed)
    assert params.signing_key(seed, expected=vk) == sk
    assert params.signing_key(sk.to_bytes(), expected=vk, compact=True) == sk
    assert params.signing_key(seed, expected=None) == sk


@every_set
def test_a_load_refuses_a_key_that_was_not_expected(params: ParameterSet) -> None:
    vk, _ = params.key_gen(b"\x05" * 32)
    with pytest.raises(InvalidKey, match="does not belong to the expected verification key"):
        params.signing_key(b"\x06" * 32, expected=vk)
    for other in PARAMETER_SETS:
        if other is not params:
            with pytest.raises(InvalidKey):
                other.signing_key(b"\x05" * 32, expected=vk)
    with pytest.raises(TypeError):
        params.signing_key(b"\x05" * 32, expected=bytes(vk))  # type: ignore[arg-type]
