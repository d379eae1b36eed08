"""Published vectors of ML-KEM on every backend: from bytes, and in every combination of the caches."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterator
from itertools import islice

import pytest

from tests.spec import mlkem as spec
from tests.subjects import Refused, mlkem, native
from tests.subjects.mlkem import Mlkem
from tests.vectors import Case, failures, load, of_set

KEY_GEN = "ACVP ML-KEM-keyGen-FIPS203"
ENCAP_DECAP = ("ACVP ML-KEM-encapDecap-FIPS203", "ACVP ML-KEM-encapDecap-FIPS203-tr1")
DIGESTS = "accumulated ML-KEM digests"
MODULI, STRCMP, UNLUCKY = (f"CCTV ML-KEM {what}" for what in ("moduli", "strcmp", "unluckysample"))

KEMS = mlkem.subjects()
BYTES = [kem for kem in KEMS if kem.caches is None]
each = pytest.mark.parametrize("kem", KEMS, ids=[kem.name for kem in KEMS])
from_bytes = pytest.mark.parametrize("kem", BYTES, ids=[kem.name for kem in BYTES])
each_set = pytest.mark.parametrize("parameter_set", spec.PARAMETER_SETS)


def wycheproof(what: str) -> pytest.MarkDecorator:
    """Parametrises a test over the three files of one kind."""
    names = [f"Wycheproof mlkem_{n}{'_' + what if what else ''}" for n in (512, 768, 1024)]
    return pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.corpus(name)) for name in names])


def accepts_ek(parameter_set: str, ek: bytes) -> bool:
    """Whether the check of section 7.2 alone passes."""
    return mlkem.call("check_ek", mlkem.NUMBERS[parameter_set], ek, len(ek)) == native.Status.OK


def accepts_dk(kem: Mlkem, parameter_set: str, dk: bytes) -> bool:
    """Whether the check of section 7.3 alone passes."""
    return mlkem.call("check_dk", mlkem.NUMBERS[parameter_set], kem.number, dk, len(dk)) == native.Status.OK


def refuses(function: object, *arguments: object) -> bool:
    """Whether a call is Refused."""
    try:
        function(*arguments)  # type: ignore[operator]
    except Refused:
        return True
    return False


@each
@pytest.mark.corpus(KEY_GEN)
def test_acvp_key_gen(kem: Mlkem) -> None:
    def holds(case: Case) -> bool:
        seed = case.hex("d") + case.hex("z")
        return kem.key_gen(case["parameterSet"], seed) == (case.hex("ek"), case.hex("dk"))

    assert failures(load(KEY_GEN), holds) == []


@each
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.corpus(name)) for name in ENCAP_DECAP])
def test_acvp_encaps_decaps_and_key_checks(name: str, kem: Mlkem) -> None:
    def holds(case: Case) -> bool:
        p = case["parameterSet"]
        match case["function"]:
            case "encapsulation":
                return kem.encaps(p, case.hex("ek"), case.hex("m")) == (case.hex("k"), case.hex("c"))
            case "decapsulation":
                key = case.hex("dk") if "dk" in case else case.hex("d") + case.hex("z")
                return kem.decaps(p, key, case.hex("c")) == case.hex("k")
            case "encapsulationKeyCheck":
                ek, good = case.hex("ek"), bool(case["testPassed"])
                return accepts_ek(p, ek) is good and refuses(kem.encaps, p, ek, bytes(32)) is not good
            case "decapsulationKeyCheck":
                dk, good = case.hex("dk"), bool(case["testPassed"])
                c = bytes(spec.PARAMETER_SETS[p].ct_size)
                return accepts_dk(kem, p, dk) is good and refuses(kem.decaps, p, dk, c) is not good
        return False

    assert failures(load(name), holds) == []


@wycheproof("keygen_seed")
@each
def test_wycheproof_key_gen(name: str, kem: Mlkem) -> None:
    def holds(case: Case) -> bool:
        return kem.key_gen(case["parameterSet"], case.hex("seed")) == (case.hex("ek"), case.hex("dk"))

    assert failures(load(name), holds) == []


@wycheproof("encaps")
@each
def test_wycheproof_encaps(name: str, kem: Mlkem) -> None:
    def holds(case: Case) -> bool:
        p, ek = case["parameterSet"], case.hex("ek")
        if case["result"] == "invalid":
            return refuses(kem.encaps, p, ek, case.hex("m")) and not accepts_ek(p, ek)
        return kem.encaps(p, ek, case.hex("m")) == (case.hex("K"), case.hex("c"))

    assert failures(load(name), holds) == []


@wycheproof("")
@each
def test_wycheproof_decaps_from_a_seed(name: str, kem: Mlkem) -> None:
    def holds(case: Case) -> bool:
        p, seed, c = case["parameterSet"], case.hex("seed"), case.hex("c")
        if case["result"] == "invalid":
            wrong = len(seed) != 64 or len(c) != spec.PARAMETER_SETS[p].ct_size
            return wrong and (len(seed) != 64 or refuses(kem.decaps, p, seed, c))
        if "ek" in case and kem.key_gen(p, seed)[0] != case.hex("ek"):
            return False
        return kem.decaps(p, seed, c) == case.hex("K")

    assert failures(load(name), holds) == []


@wycheproof("semi_expanded_decaps")
@each
def test_wycheproof_decaps_from_an_encoded_key(name: str, kem: Mlkem) -> None:
    def holds(case: Case) -> bool:
        p, dk, c = case["parameterSet"], case.hex("dk"), case.hex("c")
        if case["result"] == "invalid":
            return refuses(kem.decaps, p, dk, c)
        return kem.decaps(p, dk, c) == case.hex("K")

    assert failures(load(name), holds) == []


@from_bytes
@pytest.mark.corpus(MODULI)
def test_cctv_keys_out_of_range_are_refused(kem: Mlkem) -> None:
    """One coefficient of each key, at every position, lies in q to 4095."""

    def holds(case: Case) -> bool:
        p, ek = case["parameterSet"], case.hex("value")
        return not accepts_ek(p, ek) and refuses(kem.encaps, p, ek, bytes(32)) and refuses(kem.public, p, ek)

    assert failures(load(MODULI), holds) == []


@each
@pytest.mark.corpus(STRCMP)
def test_cctv_a_comparison_goes_on_behind_a_zero(kem: Mlkem) -> None:
    def holds(case: Case) -> bool:
        return kem.decaps(case["parameterSet"], case.hex("dk"), case.hex("c")) == case.hex("K")

    assert failures(load(STRCMP), holds) == []


@each
@pytest.mark.corpus(UNLUCKY)
def test_cctv_an_unlucky_entry_of_the_matrix(kem: Mlkem) -> None:
    """An entry that wants more than 575 bytes of SHAKE128. The keys are a draft's; encapsulation and decapsulation are not."""

    def holds(case: Case) -> bool:
        p = case["parameterSet"]
        return kem.encaps(p, case.hex("ek"), case.hex("m")) == (case.hex("K"), case.hex("c")) and kem.decaps(
            p, case.hex("dk"), case.hex("c")
        ) == case.hex("K")

    assert failures(load(UNLUCKY), holds) == []


# ---- accumulated digests ----


def stream() -> Iterator[bytes]:
    """SHAKE-128 of nothing, byte by byte."""
    shake = native.Sha3()
    native.must("girih_sha3_init", ctypes.byref(shake), native.SHA3_KINDS["SHAKE-128"], native.BACKENDS["c"])
    some = ctypes.create_string_buffer(1 << 16)
    while True:
        native.must("girih_shake_squeeze", some, len(some), ctypes.byref(shake))
        yield some.raw


def draws(lengths: tuple[int, ...]) -> Iterator[list[bytes]]:
    """The stream cut into pieces of these lengths, again and again."""
    pieces, rest = stream(), b""
    while True:
        found = []
        for length in lengths:
            while len(rest) < length:
                rest += next(pieces)
            found.append(rest[:length])
            rest = rest[length:]
        yield found


def accumulate(kem: Mlkem, parameter_set: str, iterations: int) -> str:
    """The digest: ek, c, K and the key of a random ciphertext, of each draw."""
    total = hashlib.shake_128()
    for seed, m, ct in islice(draws((64, 32, spec.PARAMETER_SETS[parameter_set].ct_size)), iterations):
        ek, dk = kem.key_gen(parameter_set, seed)
        key, c = kem.encaps(parameter_set, ek, m)
        if kem.decaps(parameter_set, dk, c) != key:
            raise AssertionError(f"{parameter_set} {kem.name}: the keys of seed {seed.hex()} do not agree")
        total.update(ek + c + key + kem.decaps(parameter_set, seed, ct))
    return total.hexdigest(32)


def published(parameter_set: str, iterations: int) -> str:
    """The expected digest."""
    (case,) = [case for case in of_set(DIGESTS, parameter_set) if case["iterations"] == iterations]
    return str(case["digest"])


@each
@each_set
@pytest.mark.corpus(DIGESTS)
def test_100_iterations_give_the_published_digest(parameter_set: str, kem: Mlkem) -> None:
    assert accumulate(kem, parameter_set, 100) == published(parameter_set, 100)


@from_bytes
@each_set
@pytest.mark.corpus(DIGESTS)
def test_10000_iterations_give_the_published_digest(parameter_set: str, kem: Mlkem) -> None:
    assert accumulate(kem, parameter_set, 10_000) == published(parameter_set, 10_000)


@pytest.mark.slow
@pytest.mark.corpus(DIGESTS)
def test_1000000_iterations_give_the_published_digest() -> None:
    assert accumulate(BYTES[-1], "ML-KEM-768", 1_000_000) == published("ML-KEM-768", 1_000_000)
