"""Caches of ML-KEM keys: each a switch, the same bytes in every combination, and none that belongs to another key."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import girih
from girih import DecapsulationKey, EncapsulationKey, MlKem512, testing
from girih.errors import GirihError, InvalidCache, InvalidKey
from girih.mlkem import PARAMETER_SETS, Caches, ParameterSet

SEED, M, MAC_KEY = bytes(range(64)), bytes(range(32)), bytes(range(50, 90))
COMBINATIONS = [Caches(bits) for bits in range(8)]

every_set = pytest.mark.parametrize("params", PARAMETER_SETS, ids=lambda p: p.name)
every_combination = pytest.mark.parametrize("caches", COMBINATIONS, ids=lambda c: c.name or f"{int(c)}")


@every_set
@every_combination
@pytest.mark.parametrize("backend", girih.backends())
def test_same_bytes_in_every_combination(params: ParameterSet, caches: Caches, backend: str) -> None:
    whole_ek, whole_dk = params.key_gen(SEED)
    expected = testing.ml_kem_encaps_internal(whole_ek, M)
    with testing.use_backend(backend):
        ek, dk = params.key_gen(SEED, caches=caches)
        loaded = DecapsulationKey.from_bytes(whole_dk.to_bytes(), caches=caches)
        remote = EncapsulationKey.from_bytes(bytes(ek), caches=caches)
        imported = EncapsulationKey.from_bytes(bytes(ek), cache=ek.export_cache(MAC_KEY), mac_key=MAC_KEY)
        trusted = EncapsulationKey.from_bytes(bytes(ek), trusted_cache=ek.export_cache(MAC_KEY))
    public = (ek, remote, imported, trusted, loaded.encapsulation_key)
    assert {key.caches for key in (*public, dk, loaded)} == {caches}
    assert [bytes(key) for key in public] == [bytes(whole_ek)] * 5
    assert [testing.ml_kem_encaps_internal(key, M) for key in public] == [expected] * 5
    assert all(whole_dk.decaps_many([ct for _, ct in key.encaps_many(3)]) for key in public)
    wrong = bytes([expected[1][0] ^ 1]) + expected[1][1:]
    for key in (dk, loaded):
        assert key == whole_dk
        assert key.decaps(expected[1]) == expected[0]
        assert key.decaps(wrong) == whole_dk.decaps(wrong)


@every_set
def test_the_default_is_all_of_them(params: ParameterSet) -> None:
    ek, dk = params.key_gen()
    keys = (ek, dk, EncapsulationKey.from_bytes(bytes(ek)), DecapsulationKey.from_bytes(dk.to_bytes()))
    assert {key.caches for key in keys} == {Caches.ALL}
    assert {key.caches for key in (params.key_gen(caches=None))} == {Caches.ALL}


@every_set
def test_a_cache_takes_the_memory_that_is_stated(params: ParameterSet) -> None:
    """The matrix has k * k polynomials of 512 bytes, the parsed key k, as the documentation of Caches says."""
    k = {"ML-KEM-512": 2, "ML-KEM-768": 3, "ML-KEM-1024": 4}[params.name]
    for caches, size in ((Caches.A_HAT, 512 * k * k), (Caches.T_HAT, 512 * k), (Caches.H_EK, 0)):
        sizes = []
        for kept in (caches, Caches.NONE):
            before = girih.core_info()["secret_bytes"]
            key = params.key_gen(SEED, caches=kept)
            sizes.append(girih.core_info()["secret_bytes"] - before)
            del key
        assert sizes[0] - sizes[1] == size


# ---- export and import


@every_set
def test_an_export_belongs_to_its_key(params: ParameterSet) -> None:
    """Every pair of keys, sets included: each cache goes with its own key and no other."""
    keys = [p.key_gen(bytes([i]) * 64)[0] for p in PARAMETER_SETS for i in range(2)]
    exports = [key.export_cache(MAC_KEY) for key in keys]
    assert len({len(export) for export in exports}) == 3
    for (i, key), (j, export) in itertools.product(enumerate(keys), enumerate(exports)):
        if i == j:
            assert EncapsulationKey.from_bytes(bytes(key), cache=export, mac_key=MAC_KEY).caches == Caches.ALL
            assert EncapsulationKey.from_bytes(bytes(key), trusted_cache=export).caches == Caches.ALL
            continue
        for how in ({"cache": export, "mac_key": MAC_KEY}, {"trusted_cache": export}):
            arguments: Any = how
            with pytest.raises(InvalidCache, match=f"^not a cache of this {key.parameter_set.name} encapsulation key"):
                EncapsulationKey.from_bytes(bytes(key), **arguments)


@pytest.mark.parametrize("caches", [Caches.NONE, Caches.H_EK | Caches.T_HAT, Caches.A_HAT, Caches.ALL], ids=int)
def test_every_bit_of_an_export_is_under_the_mac(caches: Caches) -> None:
    ek = MlKem512.key_gen(SEED, caches=caches)[0]
    export = ek.export_cache(MAC_KEY)
    places = {*range(48), *range(48, len(export) - 32, 97), *range(len(export) - 40, len(export))}
    for at, bit in itertools.product(sorted(places), (1, 0x80)):
        changed = bytearray(export)
        changed[at] ^= bit
        with pytest.raises(InvalidCache):
            EncapsulationKey.from_bytes(bytes(ek), cache=changed, mac_key=MAC_KEY)
    for length in (0, 1, 7, 8, 40, len(export) - 1):
        for how in ({"cache": export[:length], "mac_key": MAC_KEY}, {"trusted_cache": export[:length]}):
            arguments: Any = how
            with pytest.raises(InvalidCache):
                EncapsulationKey.from_bytes(bytes(ek), **arguments)
    with pytest.raises(InvalidCache):
        EncapsulationKey.from_bytes(bytes(ek), trusted_cache=export + b"\0")


def test_a_forged_matrix_is_found_by_the_mac_and_only_by_it() -> None:
    ek, dk = MlKem512.key_gen(SEED)
    export = bytearray(ek.export_cache(MAC_KEY))
    export[40:43] = (0).to_bytes(3, "little")  # two coefficients of A_hat
    with pytest.raises(InvalidCache):
        EncapsulationKey.from_bytes(bytes(ek), cache=export, mac_key=MAC_KEY)
    ss, ct = EncapsulationKey.from_bytes(bytes(ek), trusted_cache=export).encaps()
    assert dk.decaps(ct) != ss


def test_another_mac_key_is_refused() -> None:
    ek = MlKem512.key_gen(SEED)[0]
    for other in (MAC_KEY[:-1], MAC_KEY + b"\0", bytes(40)):
        with pytest.raises(InvalidCache):
            EncapsulationKey.from_bytes(bytes(ek), cache=ek.export_cache(MAC_KEY), mac_key=other)


@pytest.mark.parametrize("length", [0, 31])
def test_a_short_mac_key_is_refused(length: int) -> None:
    ek = MlKem512.key_gen(SEED)[0]
    for refuse in (
        lambda: ek.export_cache(bytes(length)),
        lambda: EncapsulationKey.from_bytes(bytes(ek), cache=ek.export_cache(MAC_KEY), mac_key=bytes(length)),
    ):
        with pytest.raises(ValueError, match=f"^a mac_key is at least 32 bytes, got {length}$"):
            refuse()
    assert EncapsulationKey.from_bytes(bytes(ek), cache=ek.export_cache(bytes(32)), mac_key=bytes(32)) == ek


def test_how_caches_come_in_is_said_once() -> None:
    ek = MlKem512.key_gen(SEED)[0]
    export = ek.export_cache(MAC_KEY)
    together: list[Any] = [
        {"cache": export},
        {"mac_key": MAC_KEY},
        {"trusted_cache": export, "mac_key": MAC_KEY},
        {"trusted_cache": export, "cache": export, "mac_key": MAC_KEY},
        {"caches": Caches.ALL, "cache": export, "mac_key": MAC_KEY},
        {"caches": Caches.ALL, "trusted_cache": export},
    ]
    for arguments in together:
        with pytest.raises(ValueError, match=r"^cache and mac_key are given together|^caches are derived") as caught:
            EncapsulationKey.from_bytes(bytes(ek), **arguments)
        assert not isinstance(caught.value, GirihError)


def test_a_wrong_key_is_no_wrong_cache() -> None:
    ek = MlKem512.key_gen(SEED)[0]
    export = ek.export_cache(MAC_KEY)
    with pytest.raises(InvalidKey, match="it has a coefficient of q"):
        EncapsulationKey.from_bytes(b"\xff" * 800, cache=export, mac_key=MAC_KEY)
    with pytest.raises(InvalidKey, match="is 800 bytes, got 799"):
        MlKem512.encapsulation_key(bytes(799), trusted_cache=export)
    assert issubclass(InvalidCache, ValueError) and not issubclass(InvalidCache, InvalidKey)


@pytest.mark.parametrize("backend", girih.backends())
def test_an_export_is_the_same_from_every_backend(backend: str) -> None:
    expected = MlKem512.key_gen(SEED)[0].export_cache(MAC_KEY)
    with testing.use_backend(backend):
        ek = MlKem512.key_gen(SEED)[0]
        assert ek.export_cache(bytearray(MAC_KEY)) == ek.export_cache(memoryview(MAC_KEY)) == expected
