"""The oracle tests/spec/mlkem.py against published values, and its parts against what they are."""

from __future__ import annotations

import random

import pytest

from tests.spec import mlkem as spec
from tests.vectors import Case, failures, load

KEY_GEN = "ACVP ML-KEM-keyGen-FIPS203"
ENCAP_DECAP = "ACVP ML-KEM-encapDecap-FIPS203"
INTERMEDIATE = "CCTV ML-KEM intermediate"
each_set = pytest.mark.parametrize("parameter_set", spec.PARAMETER_SETS)


def few(name: str, wanted: int = 2) -> list[Case]:
    """Some cases of each set and function of a corpus."""
    found: dict[tuple[str, object], list[Case]] = {}
    for case in load(name):
        found.setdefault((case["parameterSet"], case.get("function")), []).append(case)
    return [case for cases in found.values() for case in cases[:wanted]]


@pytest.mark.corpus(KEY_GEN)
def test_key_gen_gives_published_keys() -> None:
    def holds(case: Case) -> bool:
        p = spec.PARAMETER_SETS[case["parameterSet"]]
        return spec.ml_kem_key_gen_internal(case.hex("d"), case.hex("z"), p) == (case.hex("ek"), case.hex("dk"))

    assert failures(few(KEY_GEN), holds) == []


@pytest.mark.corpus(ENCAP_DECAP)
def test_encaps_decaps_and_checks_give_published_answers() -> None:
    def passes(check: object, key: bytes, p: spec.ParameterSet) -> bool:
        try:
            check(key, p)  # type: ignore[operator]
        except spec.InvalidInput:
            return False
        return True

    def holds(case: Case) -> bool:
        p = spec.PARAMETER_SETS[case["parameterSet"]]
        if case["function"] == "encapsulation":
            return spec.ml_kem_encaps_internal(case.hex("ek"), case.hex("m"), p) == (case.hex("k"), case.hex("c"))
        if case["function"] == "decapsulation":
            return spec.ml_kem_decaps_internal(case.hex("dk"), case.hex("c"), p) == case.hex("k")
        if case["function"] == "encapsulationKeyCheck":
            return passes(spec.check_encapsulation_key, case.hex("ek"), p) is case["testPassed"]
        return passes(spec.check_decapsulation_key, case.hex("dk"), p) is case["testPassed"]

    assert failures(few(ENCAP_DECAP), holds) == []


@pytest.mark.corpus(INTERMEDIATE)
def test_intermediate_values_are_the_published_ones() -> None:
    """Key generation there is the draft's, so everything starts from its s, e and rho."""

    def holds(case: Case) -> bool:
        p = spec.PARAMETER_SETS[case["parameterSet"]]
        a_hat = spec.expand_matrix(case.hex("\u03c1"), p)
        key, r = spec.g(case.hex("m") + case.hex("H(ek)"))
        return (
            b"".join(spec.byte_encode(12, poly) for row in a_hat for poly in row) == case.hex("A")
            and (key, r) == (case.hex("K"), case.hex("r"))
            and spec.k_pke_encrypt(case.hex("ek"), case.hex("m"), r, p) == case.hex("c")
            and spec.k_pke_decrypt(case.hex("dk"), case.hex("c"), p) == case.hex("m")
        )

    # the name r comes twice there, first as the randomness: read it from G, which the case's K confirms
    def prepared(case: Case) -> Case:
        return Case({**case, "r": spec.g(case.hex("m") + case.hex("H(ek)"))[1].hex()})

    assert failures([prepared(case) for case in load(INTERMEDIATE)], holds) == []


def test_the_ntt_evaluates_at_the_roots_of_the_standard() -> None:
    f = [random.Random(1).randrange(spec.Q) for _ in range(256)]
    f_hat = spec.ntt(f)
    for i in range(128):
        gamma = pow(spec.ZETA, 2 * spec.bit_rev7(i) + 1, spec.Q)
        even, odd = (sum(f[part + 2 * n] * pow(gamma, n, spec.Q) for n in range(128)) % spec.Q for part in (0, 1))
        assert f_hat[2 * i : 2 * i + 2] == [even, odd]
    assert spec.ntt_inverse(f_hat) == f


def test_multiplying_transforms_multiplies_polynomials() -> None:
    rng = random.Random(2)
    a, b = ([rng.randrange(spec.Q) for _ in range(256)] for _ in range(2))
    product = [0] * 512
    for i, x in enumerate(a):
        for n, y in enumerate(b):
            product[i + n] += x * y
    expected = [(low - high) % spec.Q for low, high in zip(product[:256], product[256:], strict=True)]  # X^256 = -1
    assert spec.ntt_inverse(spec.multiply_ntts(spec.ntt(a), spec.ntt(b))) == expected


@pytest.mark.parametrize("d", [1, 4, 5, 10, 11])
def test_compression_is_the_nearest(d: int) -> None:
    for x in range(spec.Q):
        y = spec.compress(d, x)
        exact = x * 2**d / spec.Q
        assert min(abs(exact - y), abs(exact - y - 2**d)) <= 0.5
        error = abs((spec.decompress(d, y) - x + spec.Q // 2) % spec.Q - spec.Q // 2)
        assert error <= round(spec.Q / 2 ** (d + 1))
    assert all(spec.compress(d, spec.decompress(d, y)) == y for y in range(2**d))


@pytest.mark.parametrize("d", range(1, 13))
def test_encoding_and_decoding_are_inverse(d: int) -> None:
    rng = random.Random(d)
    f = [rng.randrange(min(2**d, spec.Q)) for _ in range(256)]
    assert len(spec.byte_encode(d, f)) == 32 * d
    assert spec.byte_decode(d, spec.byte_encode(d, f)) == f


@each_set
def test_a_fresh_pair_agrees_and_a_changed_ciphertext_is_rejected_implicitly(parameter_set: str) -> None:
    p = spec.PARAMETER_SETS[parameter_set]
    ek, dk = spec.ml_kem_key_gen(p)
    key, c = spec.ml_kem_encaps(ek, p)
    assert (len(ek), len(dk), len(c)) == (p.ek_size, p.dk_size, p.ct_size)
    assert spec.ml_kem_decaps(dk, c, p) == key
    changed = bytes([c[0] ^ 1]) + c[1:]
    assert spec.ml_kem_decaps(dk, changed, p) == spec.j(dk[-32:] + changed)
    for bad in (ek[:-1], b"\xff\xff\xff" + ek[3:]):
        with pytest.raises(spec.InvalidInput):
            spec.ml_kem_encaps(bad, p)
    for bad in (dk[:-1], dk[:-33] + bytes([dk[-33] ^ 1]) + dk[-32:]):
        with pytest.raises(spec.InvalidInput):
            spec.ml_kem_decaps(bad, c, p)
    with pytest.raises(spec.InvalidInput):
        spec.ml_kem_decaps(dk, c + b"\0", p)
