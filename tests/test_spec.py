"""tests/spec/mldsa.py, the oracle, held against the published vectors and against the standard's own definitions."""

from __future__ import annotations

import hashlib
import itertools
import random

import pytest

from tests.spec import mldsa as spec
from tests.vectors import Case, failures, load

SETS = list(spec.PARAMETER_SETS.values())
each_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
TABLE_1 = {"z", "r0", "ct0", "hint"}


def sample(name: str, groups: int) -> list[Case]:
    """The first `groups` cases of every group of a corpus."""
    by_group = itertools.groupby(load(name), key=lambda case: case["tgId"])
    return [case for _, group in by_group for case in itertools.islice(group, groups)]


def m_prime(case: Case) -> bytes:
    """M' of an ACVP case that gives a message."""
    if case["signatureInterface"] == "internal":
        return case.hex("message")
    if case["preHash"] == "pure":
        return spec.pure_message(case.hex("message"), case.hex("context"))
    return spec.hashed_message(case.hex("message"), case.hex("context"), case["hashAlg"])


# ---- published vectors ----


@pytest.mark.corpus("ACVP ML-DSA-keyGen-FIPS204")
def test_key_generation_gives_the_published_keys() -> None:
    def holds(case: Case) -> bool:
        keys = spec.ml_dsa_keygen_internal(spec.PARAMETER_SETS[case["parameterSet"]], case.hex("seed"))
        return keys == (case.hex("pk"), case.hex("sk"))

    assert failures(sample("ACVP ML-DSA-keyGen-FIPS204", 10), holds) == []


@pytest.mark.corpus("ACVP ML-DSA-sigGen-FIPS204")
def test_signing_gives_the_published_signatures() -> None:
    def holds(case: Case) -> bool:
        p = spec.PARAMETER_SETS[case["parameterSet"]]
        rnd = bytes(32) if case["deterministic"] else case.hex("rnd")
        if case.get("externalMu"):
            return spec.ml_dsa_sign_mu(p, case.hex("sk"), case.hex("mu"), rnd) == case.hex("signature")
        return spec.ml_dsa_sign_internal(p, case.hex("sk"), m_prime(case), rnd) == case.hex("signature")

    assert failures(sample("ACVP ML-DSA-sigGen-FIPS204", 2), holds) == []


@pytest.mark.corpus("ACVP ML-DSA-sigVer-FIPS204")
def test_verification_gives_the_published_verdicts() -> None:
    def holds(case: Case) -> bool:
        p = spec.PARAMETER_SETS[case["parameterSet"]]
        pk, sig = case.hex("pk"), case.hex("signature")
        if case.get("externalMu"):
            return spec.ml_dsa_verify_mu(p, pk, case.hex("mu"), sig) is case["testPassed"]
        return spec.ml_dsa_verify_internal(p, pk, m_prime(case), sig) is case["testPassed"]

    assert failures(load("ACVP ML-DSA-sigVer-FIPS204"), holds) == []


@pytest.mark.corpus("ACVP ML-DSA rejection KATs")
def test_signing_gives_the_published_rejection_hashes() -> None:
    def holds(case: Case) -> bool:
        p = spec.PARAMETER_SETS[case["parameterSet"]]
        pk, sk = spec.ml_dsa_keygen_internal(p, case.hex("seed"))
        sig = spec.ml_dsa_sign_internal(p, sk, case.hex("message"), bytes(32))
        return hashlib.sha256(pk + sk).digest() == case.hex("keyHash") and hashlib.sha256(sig).digest() == case.hex(
            "sigHash"
        )

    assert failures(load("ACVP ML-DSA rejection KATs"), holds) == []


@pytest.mark.corpus("ACVP ML-DSA rejection KATs")
def test_the_judge_sees_every_cause_of_rejection_in_the_first_table_of_ml_dsa_44() -> None:
    def holds(case: Case) -> bool:
        causes: set[str] = set()

        def judge(failed: frozenset[str]) -> bool:
            causes.update(failed)
            return not failed

        sk = spec.ml_dsa_keygen_internal(spec.ML_DSA_44, case.hex("seed"))[1]
        spec.ml_dsa_sign_internal(spec.ML_DSA_44, sk, case.hex("message"), bytes(32), judge)
        return causes == TABLE_1

    cases = [
        case for case in load("ACVP ML-DSA rejection KATs") if (case["parameterSet"], case["table"]) == ("ML-DSA-44", 1)
    ]
    assert failures(cases, holds) == []


# ---- the external functions ----


@each_set
def test_external_functions_agree_with_each_other(p: spec.ParameterSet) -> None:
    pk, sk = spec.ml_dsa_keygen(p)
    sig = spec.ml_dsa_sign(p, sk, b"message", b"context")
    assert spec.ml_dsa_verify(p, pk, b"message", sig, b"context")
    assert not spec.ml_dsa_verify(p, pk, b"message", sig, b"other")


@each_set
def test_hash_functions_are_bound_into_the_signature(p: spec.ParameterSet) -> None:
    pk, sk = spec.ml_dsa_keygen_internal(p, bytes(32))
    sig = spec.hash_ml_dsa_sign(p, sk, b"message", b"", "SHA2-512/256", bytes(32))
    verdicts = {ph: spec.hash_ml_dsa_verify(p, pk, b"message", sig, b"", ph) for ph in spec.PRE_HASHES}
    assert verdicts == {ph: ph == "SHA2-512/256" for ph in spec.PRE_HASHES}


@pytest.mark.parametrize("message", [spec.pure_message, lambda m, ctx: spec.hashed_message(m, ctx, "SHA2-256")])
def test_a_context_over_255_bytes_is_refused(message) -> None:  # type: ignore[no-untyped-def]
    assert message(b"", bytes(255))
    with pytest.raises(ValueError, match="at most 255 bytes, got 256"):
        message(b"", bytes(256))


@each_set
def test_signatures_of_a_wrong_length_are_invalid_and_keys_an_error(p: spec.ParameterSet) -> None:
    pk, sk = spec.ml_dsa_keygen_internal(p, bytes(32))
    sig = spec.ml_dsa_sign(p, sk, b"", b"", bytes(32))
    assert (len(pk), len(sk), len(sig)) == (p.pk_size, p.sk_size, p.sig_size)
    assert not any(spec.ml_dsa_verify(p, pk, b"", wrong) for wrong in (b"", sig[:-1], sig + b"\0"))
    with pytest.raises(ValueError, match="public key is"):
        spec.ml_dsa_verify(p, pk[:-1], b"", sig)


# ---- codecs: the fast ones against Algorithms 9 to 13, and round trips ----


def random_poly(low: int, high: int, seed: int) -> spec.Poly:
    """256 coefficients in [low, high], both ends among them."""
    rng = random.Random(seed)
    return [low, high, *(rng.randint(low, high) for _ in range(254))]


@pytest.mark.parametrize("b", [2, 4, 8, 15, 43, 1023, 2**13 - 1, 2**18 - 1, 2**20 - 1])
def test_bit_packing_is_that_of_the_bit_conversions(b: int) -> None:
    w = random_poly(0, b, b)
    width = spec.bitlen(b)
    packed = spec.simple_bit_pack(w, b)
    assert packed == spec.bits_to_bytes([bit for x in w for bit in spec.integer_to_bits(x, width)])
    bits = spec.bytes_to_bits(packed)
    assert spec.simple_bit_unpack(packed, b) == [
        spec.bits_to_integer(bits[i : i + width]) for i in range(0, 256 * width, width)
    ]
    assert spec.simple_bit_unpack(packed, b) == w


@pytest.mark.parametrize(("a", "b"), [(2, 2), (4, 4), (2**12 - 1, 2**12), (2**17 - 1, 2**17), (2**19 - 1, 2**19)])
def test_signed_bit_packing_round_trips(a: int, b: int) -> None:
    w = random_poly(-a, b, a)
    assert spec.bit_unpack(spec.bit_pack(w, a, b), a, b) == w


@pytest.mark.parametrize("x", [0, 1, 255, 256, 0x123456])
def test_integers_are_stored_little_endian(x: int) -> None:
    assert spec.integer_to_bytes(x, 3) == x.to_bytes(3, "little")


@each_set
def test_hints_round_trip_up_to_omega(p: spec.ParameterSet) -> None:
    hint = [[0] * 256 for _ in range(p.k)]
    for place in random.Random(p.k).sample(range(256 * p.k), p.omega):
        hint[place // 256][place % 256] = 1
    assert spec.hint_bit_unpack(p, spec.hint_bit_pack(p, hint)) == hint


@each_set
def test_malformed_hints_are_refused(p: spec.ParameterSet) -> None:
    good = bytes([3, 7] + [0] * (p.omega - 2) + [2] * p.k)

    def changed(**bytes_at: int) -> bytes:
        out = bytearray(good)
        for place, value in bytes_at.items():
            out[int(place[1:])] = value
        return bytes(out)

    assert spec.hint_bit_unpack(p, good) is not None
    cuts = f"_{p.omega}"
    for bad in (changed(_1=3), changed(_1=2), changed(_2=1), changed(**{cuts: 3}), changed(**{cuts: p.omega + 1})):
        assert spec.hint_bit_unpack(p, bad) is None


# ---- arithmetic ----


def test_the_ntt_multiplies_polynomials() -> None:
    a, b = random_poly(0, spec.Q - 1, 1), random_poly(0, spec.Q - 1, 2)
    product = [0] * 512
    for i, j in itertools.product(range(256), repeat=2):
        product[i + j] += a[i] * b[j]
    expected = [(low - high) % spec.Q for low, high in zip(product[:256], product[256:], strict=True)]
    assert spec.ntt_inverse(spec.multiply_ntt(spec.ntt(a), spec.ntt(b))) == expected


def test_the_ntt_evaluates_at_the_roots_of_the_standard() -> None:
    w = random_poly(0, spec.Q - 1, 3)
    roots = [pow(spec.ZETA, 2 * spec.bit_rev8(i) + 1, spec.Q) for i in range(256)]
    assert spec.ntt(w) == [sum(x * pow(root, i, spec.Q) for i, x in enumerate(w)) % spec.Q for root in roots]


def test_vectors_add_coefficient_by_coefficient() -> None:
    v, w = [random_poly(0, spec.Q - 1, 4)], [random_poly(0, spec.Q - 1, 5)]
    assert spec.add_vector_ntt(v, w) == spec.add(v, w)


def test_montgomery_reduction_divides_by_2_to_the_32() -> None:
    rng = random.Random(6)
    edge = spec.Q << 31
    for a in (0, 1, -1, edge, -edge, *(rng.randint(-edge, edge) for _ in range(1000))):
        r = spec.montgomery_reduce(a)
        assert (r << 32) % spec.Q == a % spec.Q
        assert abs(r) < spec.Q or abs(a) == edge


def boundary_values(p: spec.ParameterSet) -> list[int]:
    """Residues around every edge of Power2Round and Decompose."""
    edges = {
        k * step + half
        for step in (1 << spec.D, 2 * p.gamma2)
        for k in range(spec.Q // step + 1)
        for half in (0, step // 2)
    }
    return sorted({(edge + d) % spec.Q for edge in edges for d in (-1, 0, 1)})


@each_set
def test_rounding_splits_every_boundary_value(p: spec.ParameterSet) -> None:
    for r in boundary_values(p):
        r1, r0 = spec.power2round(r)
        assert r == r1 * 2**spec.D + r0 and -(2 ** (spec.D - 1)) < r0 <= 2 ** (spec.D - 1)
        r1, r0 = spec.decompose(p, r)
        assert r == (r1 * 2 * p.gamma2 + r0) % spec.Q and -p.gamma2 <= r0 <= p.gamma2 and 0 <= r1 <= p.w1_max
        assert (r1, r0) == (spec.high_bits(p, r), spec.low_bits(p, r))


@each_set
def test_hints_recover_the_high_bits(p: spec.ParameterSet) -> None:
    for r in boundary_values(p):
        for z in (-p.gamma2, -1, 0, 1, p.gamma2):
            assert spec.use_hint(p, spec.make_hint(p, z, r), r) == spec.high_bits(p, r + z)


@each_set
def test_samples_are_in_range_and_fill_it(p: spec.ParameterSet) -> None:
    c = spec.sample_in_ball(p, bytes(p.lam // 4))
    assert sorted(map(abs, c)) == [0] * (256 - p.tau) + [1] * p.tau
    s1, s2 = spec.expand_s(p, bytes(64))
    assert {x for f in s1 + s2 for x in f} == set(range(-p.eta, p.eta + 1))
    assert (len(s1), len(s2)) == (p.l, p.k)
    assert all(-p.gamma1 < x <= p.gamma1 for f in spec.expand_mask(p, bytes(64), 7) for x in f)


def test_streams_go_on_where_they_stopped() -> None:
    stream = spec.Stream(spec.g, b"seed")
    pieces = [stream.squeeze(n) for n in (0, 1, 1000, 168, 5000)]
    assert b"".join(pieces) == hashlib.shake_128(b"seed").digest(6169)
