"""ML-KEM from Python: keys, shared secrets, what goes in and comes out, and what is refused (docs of girih.mlkem)."""

from __future__ import annotations

import array
import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

import pytest

import girih
from girih import DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, testing
from girih.errors import GirihError, InvalidKey
from girih.mlkem import (
    PARAMETER_SETS,
    Caches,
    ParameterSet,
    check_decapsulation_key,
    check_encapsulation_key,
)
from tests.spec import mlkem as spec

SIZES = {  # FIPS 203, tables 2 and 3: ek, dk, ct, category
    "ML-KEM-512": (800, 1632, 768, 1),
    "ML-KEM-768": (1184, 2400, 1088, 3),
    "ML-KEM-1024": (1568, 3168, 1568, 5),
}
SEED, M = bytes(range(100, 164)), bytes(range(32))

every_set = pytest.mark.parametrize("params", PARAMETER_SETS, ids=lambda p: p.name)


def forms_of(data: bytes) -> list[Any]:
    """The same bytes in every kind of object."""
    spread = bytes(byte for pair in zip(data, data, strict=True) for byte in pair)
    return [data, bytearray(data), memoryview(data), memoryview(spread)[::2], array.array("B", data)]


# ---- names


@every_set
def test_sizes_and_names_are_attributes(params: ParameterSet) -> None:
    assert SIZES[params.name] == (
        params.encapsulation_key_size,
        params.decapsulation_key_size,
        params.ciphertext_size,
        params.security_category,
    )
    assert (params.seed_size, params.shared_secret_size) == (64, 32)
    assert repr(params) == f"girih.{params.name.replace('ML-KEM-', 'MlKem')}"
    assert copy.deepcopy(params) is pickle.loads(pickle.dumps(params)) is params


def test_the_default_is_ml_kem_768() -> None:
    assert girih.MlKem is girih.mlkem.MlKem is MlKem768


def test_everything_public_is_importable() -> None:
    assert girih.EncapsulationKey is girih.mlkem.EncapsulationKey
    assert girih.DecapsulationKey is girih.mlkem.DecapsulationKey
    assert all(hasattr(girih.mlkem, name) for name in girih.mlkem.__all__)


# ---- shared secrets


@every_set
@pytest.mark.parametrize("backend", girih.backends())
def test_both_sides_have_the_secret_of_the_standard(params: ParameterSet, backend: str) -> None:
    standard = spec.PARAMETER_SETS[params.name]
    encoded = spec.ml_kem_key_gen_internal(SEED[:32], SEED[32:], standard)
    with testing.use_backend(backend):
        ek, dk = params.key_gen(SEED)
        assert (bytes(ek), bytes(dk.to_bytes())) == encoded
        ss, ct = testing.ml_kem_encaps_internal(ek, M)
        assert (bytes(ss), ct) == spec.ml_kem_encaps_internal(encoded[0], M, standard)
        assert dk.decaps(ct) == ss


@every_set
def test_encapsulation_is_fresh(params: ParameterSet) -> None:
    ek, dk = params.key_gen()
    pairs = [ek.encaps() for _ in range(20)] + ek.encaps_many(20)
    assert len({ct for _, ct in pairs}) == len({bytes(ss) for ss, _ in pairs}) == 40
    assert all(dk.decaps(ct) == ss for ss, ct in pairs)
    assert {(type(ss), len(ss), type(ct), len(ct)) for ss, ct in pairs} == {
        (bytearray, 32, bytes, params.ciphertext_size)
    }


@every_set
def test_a_wrong_ciphertext_gives_the_rejection_secret(params: ParameterSet) -> None:
    ek, dk = params.key_gen(SEED)
    ss, ct = ek.encaps()
    for at in (0, len(ct) // 2, len(ct) - 1):
        wrong = ct[:at] + bytes([ct[at] ^ 0x80]) + ct[at + 1 :]
        assert dk.decaps(wrong) == spec.j(SEED[32:] + wrong) != ss
    assert dk.decaps(bytes(len(ct))) == spec.j(SEED[32:] + bytes(len(ct)))


@every_set
def test_the_caller_may_wipe_a_secret(params: ParameterSet) -> None:
    ek, dk = params.key_gen()
    ss, ct = ek.encaps()
    first = dk.decaps(ct)
    first[:] = bytes(32)
    assert dk.decaps(ct) == ss


# ---- keys


@every_set
def test_keys_from_one_seed_are_equal_and_from_two_are_not(params: ParameterSet) -> None:
    ek, dk = params.key_gen(SEED)
    same_ek, same_dk = params.key_gen(seed=bytearray(SEED), caches=Caches.NONE)
    other_ek, other_dk = params.key_gen()
    assert ek == same_ek and dk == same_dk and hash(ek) == hash(same_ek)
    assert [ek != same_ek, dk != same_dk, ek == other_ek, dk == other_dk] == [False] * 4
    assert ek != other_ek and dk != other_dk
    assert DecapsulationKey.from_bytes(dk.to_bytes()) == dk


@every_set
def test_each_part_of_an_encoded_key_counts_in_a_comparison(params: ParameterSet) -> None:
    _, dk = params.key_gen(SEED)
    for at in (0, params.decapsulation_key_size - 1):  # s and z
        encoded = dk.to_bytes()
        encoded[at] ^= 1
        assert params.decapsulation_key(encoded) != dk


def test_a_key_is_not_equal_to_other_things() -> None:
    ek: Any
    dk: Any
    ek, dk = MlKem512.key_gen(SEED)
    assert MlKem768.key_gen(SEED) != (ek, dk) and MlKem768.key_gen(SEED)[1] != dk and MlKem768.key_gen(SEED)[0] != ek
    assert ek != ek.to_bytes() and dk != dk.to_bytes() and ek != dk and dk != ek and dk != None  # noqa: E711
    for key in (ek, dk):
        with pytest.raises(TypeError):
            key < key  # noqa: B015


@every_set
def test_keys_are_stored_and_loaded(params: ParameterSet) -> None:
    ek, dk = params.key_gen(SEED)
    seed, encoded = dk.seed(), dk.to_bytes()
    assert type(seed) is type(encoded) is bytearray and seed == bytearray(SEED)
    assert params.decapsulation_key(seed).seed() == bytearray(SEED)
    loaded = DecapsulationKey.from_bytes(encoded)
    assert loaded.seed() is None and loaded.to_bytes() == encoded
    assert loaded.encapsulation_key == dk.encapsulation_key == ek == EncapsulationKey.from_bytes(bytes(ek))
    assert loaded.encapsulation_key is loaded.encapsulation_key
    assert (ek.parameter_set, dk.parameter_set, loaded.parameter_set) == (params, params, params)


@every_set
def test_an_encapsulation_key_outlives_the_secret_of_its_pair(params: ParameterSet) -> None:
    before = girih.core_info()["secret_bytes"]
    ek, dk = params.key_gen(SEED)
    assert girih.core_info()["secret_bytes"] > before
    del dk
    assert girih.core_info()["secret_bytes"] == before
    ss, ct = ek.encaps()
    assert params.key_gen(SEED)[1].decaps(ct) == ss


@every_set
def test_a_loaded_key_may_be_held_to_its_public_half(params: ParameterSet) -> None:
    ek, dk = params.key_gen(SEED)
    assert params.decapsulation_key(SEED, expected=ek) == params.decapsulation_key(dk.to_bytes(), expected=ek) == dk
    other = PARAMETER_SETS[(PARAMETER_SETS.index(params) + 1) % 3].key_gen(SEED)[0]
    for wrong in (params.key_gen()[0], other):
        with pytest.raises(InvalidKey, match=f"^this {params.name} decapsulation key does not belong"):
            params.decapsulation_key(SEED, expected=wrong)


def test_decapsulation_keys_stay_where_they_are() -> None:
    dk: Any = MlKem512.key_gen(SEED)[1]
    for refused in (
        lambda: pickle.dumps(dk),
        lambda: copy.copy(dk),
        lambda: copy.deepcopy(dk),
        lambda: hash(dk),
        lambda: setattr(dk, "extra", 1),
    ):
        with pytest.raises((TypeError, AttributeError)):
            refused()
    assert repr(dk) == f"<ML-KEM-512 DecapsulationKey of {dk.encapsulation_key!r}>"
    assert SEED.hex()[:16] not in repr(dk) and bytes(dk.to_bytes())[:8].hex() not in repr(dk)


def test_encapsulation_keys_travel() -> None:
    ek = MlKem512.key_gen(SEED)[0]
    assert pickle.loads(pickle.dumps(ek)) == ek
    assert copy.copy(ek) is copy.deepcopy(ek) is ek
    assert repr(ek) == f"<ML-KEM-512 EncapsulationKey {bytes(ek)[:8].hex()}...>"


@pytest.mark.parametrize("make", [EncapsulationKey, DecapsulationKey, ParameterSet])
def test_keys_and_sets_are_not_made_by_hand(make: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        make()


# ---- bytes-like objects, and others


@every_set
def test_any_bytes_like_object_goes_in(params: ParameterSet) -> None:
    ek, dk = params.key_gen(SEED)
    ss, ct = ek.encaps()
    assert all(dk.decaps(form) == ss for form in forms_of(ct))
    assert dk.decaps_many(forms_of(ct)) == [ss] * 5
    assert all(params.key_gen(form)[1] == dk for form in forms_of(SEED))
    assert all(params.decapsulation_key(form) == dk for form in forms_of(bytes(dk.to_bytes())))
    assert all(EncapsulationKey.from_bytes(form) == ek for form in forms_of(bytes(ek)))
    assert all(
        testing.ml_kem_encaps_internal(ek, form) == testing.ml_kem_encaps_internal(ek, M) for form in forms_of(M)
    )
    for form in forms_of(bytes(ek)):
        check_encapsulation_key(form)
    for form in forms_of(bytes(dk.to_bytes())):
        check_decapsulation_key(form)


# Any: these calls are wrong on purpose.
KEM: Any = MlKem512
EK: Any = EncapsulationKey
DK: Any = DecapsulationKey
MODULE: Any = girih.mlkem
FENCED: Any = testing

WRONG_TYPES: dict[str, Callable[[Any, Any], object]] = {
    "key_gen": lambda ek, dk: KEM.key_gen("seed"),
    "key_gen caches": lambda ek, dk: KEM.key_gen(caches="all"),
    "key_gen bool": lambda ek, dk: KEM.key_gen(caches=True),
    "key_gen by position": lambda ek, dk: KEM.key_gen(SEED, Caches.ALL),
    "key_gen unknown": lambda ek, dk: KEM.key_gen(expand=True),
    "encapsulation_key": lambda ek, dk: KEM.encapsulation_key(None),
    "encapsulation_key nothing": lambda ek, dk: KEM.encapsulation_key(),
    "decapsulation_key": lambda ek, dk: KEM.decapsulation_key(3),
    "decapsulation_key expected": lambda ek, dk: KEM.decapsulation_key(SEED, expected=dk),
    "from_bytes": lambda ek, dk: EK.from_bytes("key"),
    "from_bytes dk": lambda ek, dk: DK.from_bytes("key"),
    "encaps": lambda ek, dk: ek.encaps(M),
    "decaps": lambda ek, dk: dk.decaps("ciphertext"),
    "decaps nothing": lambda ek, dk: dk.decaps(),
    "encaps_many": lambda ek, dk: ek.encaps_many("2"),
    "encaps_many bool": lambda ek, dk: ek.encaps_many(True),
    "encaps_many threads": lambda ek, dk: ek.encaps_many(2, threads=1.5),
    "decaps_many": lambda ek, dk: dk.decaps_many([None]),
    "export_cache": lambda ek, dk: ek.export_cache("key"),
    "check ek": lambda ek, dk: MODULE.check_encapsulation_key(None),
    "check dk": lambda ek, dk: KEM.check_decapsulation_key("key"),
    "encaps_internal": lambda ek, dk: FENCED.ml_kem_encaps_internal(dk, M),
    "encaps_internal m": lambda ek, dk: FENCED.ml_kem_encaps_internal(ek, "m"),
}


@pytest.mark.parametrize("wrong", WRONG_TYPES.values(), ids=WRONG_TYPES)
def test_a_wrong_type_is_a_type_error(wrong: Callable[[Any, Any], object]) -> None:
    with pytest.raises(TypeError):
        wrong(*MlKem512.key_gen(SEED))


# ---- wrong lengths and values


@every_set
@pytest.mark.parametrize("change", [-1, 1, -10_000])
def test_messages_name_both_lengths(params: ParameterSet, change: int) -> None:
    ek, dk = params.key_gen(SEED)
    ek_size, dk_size, ct_size, _ = SIZES[params.name]

    def refused(error: type[Exception], message: str, size: int, call: Callable[[bytes], object]) -> None:
        wrong = bytes(max(size + change, 0))
        with pytest.raises(error, match=f"{message}, got {len(wrong)}") as caught:
            call(wrong)
        assert type(caught.value) is error

    refused(ValueError, f"^an {params.name} ciphertext is {ct_size} bytes", ct_size, dk.decaps)
    refused(ValueError, f"^an {params.name} seed is 64 bytes", 64, params.key_gen)
    refused(ValueError, "^m is 32 bytes", 32, lambda m: testing.ml_kem_encaps_internal(ek, m))
    of_ek, of_dk = (
        f"^an {params.name} encapsulation key is {ek_size} bytes",
        f"{params.name} decapsulation key is {dk_size}",
    )
    refused(InvalidKey, of_ek, ek_size, params.encapsulation_key)
    refused(InvalidKey, of_ek, ek_size, params.check_encapsulation_key)
    refused(InvalidKey, f"^an {of_dk} bytes, or a seed of 64", dk_size, params.decapsulation_key)
    refused(InvalidKey, f"^an {of_dk} bytes", dk_size, params.check_decapsulation_key)
    refused(InvalidKey, "^an ML-KEM encapsulation key is 800, 1184 or 1568 bytes", ek_size, EncapsulationKey.from_bytes)
    refused(
        InvalidKey, "^an ML-KEM decapsulation key is 1632, 2400 or 3168 bytes", dk_size, DecapsulationKey.from_bytes
    )
    refused(InvalidKey, "^an ML-KEM encapsulation key is 800, 1184 or 1568 bytes", ek_size, check_encapsulation_key)
    refused(InvalidKey, "^an ML-KEM decapsulation key is 1632, 2400 or 3168 bytes", dk_size, check_decapsulation_key)


def test_a_seed_does_not_tell_its_set() -> None:
    with pytest.raises(
        InvalidKey, match=r"got 64: a seed does not tell its set, MlKem768.decapsulation_key\(seed\) does$"
    ):
        DecapsulationKey.from_bytes(SEED)


def test_a_seed_is_no_decapsulation_key_for_the_check() -> None:
    with pytest.raises(InvalidKey):
        MlKem768.check_decapsulation_key(SEED)


def test_invalid_key_is_a_value_error() -> None:
    assert issubclass(InvalidKey, ValueError) and issubclass(InvalidKey, GirihError)


@every_set
@pytest.mark.parametrize("value", [3329, 4095])
def test_each_coefficient_of_an_encapsulation_key_is_checked(params: ParameterSet, value: int) -> None:
    ek, dk = params.key_gen(SEED)
    coefficients = (params.encapsulation_key_size - 32) * 2 // 3
    for at in {0, 1, 255, 256, coefficients - 2, coefficients - 1}:
        encoded = bytearray(bytes(ek))
        pair = int.from_bytes(encoded[at // 2 * 3 : at // 2 * 3 + 3], "little")
        shift = 12 * (at % 2)
        pair = pair & ~(0xFFF << shift) | value << shift
        encoded[at // 2 * 3 : at // 2 * 3 + 3] = pair.to_bytes(3, "little")
        for refuse in (params.encapsulation_key, params.check_encapsulation_key, check_encapsulation_key):
            with pytest.raises(InvalidKey, match=f"^not an {params.name} encapsulation key: it has a coefficient of q"):
                refuse(encoded)
        inside = dk.to_bytes()
        inside[len(inside) - 64 - len(encoded) : len(inside) - 64] = encoded
        inside[-64:-32] = spec.h(bytes(encoded))  # so that only the modulus check can refuse it
        params.check_decapsulation_key(inside)
        with pytest.raises(InvalidKey):
            params.decapsulation_key(inside)


@every_set
@pytest.mark.parametrize("part", ["ek", "rho", "H(ek)"])
def test_the_hash_of_a_decapsulation_key_is_checked(params: ParameterSet, part: str) -> None:
    encoded = params.key_gen(SEED)[1].to_bytes()
    size = len(encoded)
    at = {"ek": size - 64 - params.encapsulation_key_size, "rho": size - 65, "H(ek)": size - 33}[part]
    params.check_decapsulation_key(encoded)
    encoded[at] ^= 1
    for refuse in (
        params.decapsulation_key,
        params.check_decapsulation_key,
        check_decapsulation_key,
        DecapsulationKey.from_bytes,
    ):
        with pytest.raises(InvalidKey, match=f"^not an {params.name} decapsulation key: "):
            refuse(encoded)


@pytest.mark.parametrize("caches", [8, -1, 1 << 70, -(1 << 70)])
def test_caches_that_there_are_not_are_refused(caches: Any) -> None:
    ek, _ = MlKem512.key_gen(SEED)
    for refuse in (
        lambda: MlKem512.key_gen(SEED, caches=caches),
        lambda: MlKem512.encapsulation_key(bytes(ek), caches=caches),
        lambda: MlKem512.decapsulation_key(SEED, caches=caches),
    ):
        with pytest.raises(ValueError, match="A_HAT, H_EK and T_HAT"):
            refuse()


# ---- many at once


@every_set
@pytest.mark.parametrize("threads", [1, 2, 3, 1000])
@pytest.mark.parametrize("caches", [Caches.NONE, Caches.ALL])
def test_many_are_what_one_call_each_gives(params: ParameterSet, threads: int, caches: Caches) -> None:
    ek, dk = params.key_gen(SEED, caches=caches)
    pairs = ek.encaps_many(75, threads=threads)  # more than two chunks of the binding, and not a multiple
    assert [dk.decaps(ct) for _, ct in pairs] == [ss for ss, _ in pairs]
    cts = [ct for _, ct in pairs]
    for bad in (3, 31, 32, 74):
        cts[bad] = bytes([cts[bad][0] ^ 1]) + cts[bad][1:]
    secrets = dk.decaps_many(iter(cts), threads=threads)
    assert secrets == [dk.decaps(ct) for ct in cts]
    assert [i for i in range(75) if secrets[i] != pairs[i][0]] == [3, 31, 32, 74]
    assert {type(ss) for ss in secrets} == {bytearray}


def test_nothing_gives_nothing() -> None:
    ek, dk = MlKem512.key_gen()
    for threads in (1, 4):
        assert ek.encaps_many(0, threads=threads) == []
        assert dk.decaps_many([], threads=threads) == []


@pytest.mark.parametrize("threads", [1, 2])
def test_a_wrong_length_in_a_batch_is_named_with_its_place(threads: int) -> None:
    ek, dk = MlKem512.key_gen()
    cts: list[bytes] = [ct for _, ct in ek.encaps_many(70)]
    cts[66] = cts[66][:-1]
    with pytest.raises(ValueError, match=r"^an ML-KEM-512 ciphertext is 768 bytes, got 767 in cts\[66\]$"):
        dk.decaps_many(cts, threads=threads)


def test_numbers_out_of_range_are_refused() -> None:
    ek, dk = MlKem512.key_gen()
    with pytest.raises(ValueError, match=r"^n is an int >= 0, got -1$"):
        ek.encaps_many(-1)
    with pytest.raises(ValueError, match=r"^threads is an int >= 1, got 0$"):
        dk.decaps_many([], threads=0)
    with pytest.raises(OverflowError):
        ek.encaps_many(sys.maxsize + 1)
