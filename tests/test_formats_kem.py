"""Keys of ML-KEM in and out of PEM and DER: the examples of RFC 9935, `cryptography`, keys that contradict themselves."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from girih import MlDsa44, MlKem512, MlKem768, MlKem1024, SigningKey, VerificationKey
from girih.errors import InvalidKey
from girih.formats import pkix
from girih.mlkem import PARAMETER_SETS, Caches, DecapsulationKey, EncapsulationKey
from tests.spec import mlkem as spec
from tests.test_formats_keys import private_der
from tests.vectors import load

SEED = bytes(range(64))
SETS = {p.name: p for p in PARAMETER_SETS}
each_set = pytest.mark.parametrize("name", SETS)
examples = pytest.mark.corpus("RFC 9935 ML-KEM examples")


def example(name: str) -> str:
    """The text of one of the example files."""
    (text,) = (case["text"] for case in load("RFC 9935 ML-KEM examples") if case["name"] == name)
    return str(text)


def expected(name: str) -> tuple[bytes, bytes]:
    """The key pair of the examples, from the oracle."""
    return spec.ml_kem_key_gen_internal(SEED[:32], SEED[32:], spec.PARAMETER_SETS[name])


# ---- the examples of RFC 9935: the key pairs of the seed 000102..3f


@examples
@each_set
def test_the_example_public_key_is_read_and_written_byte_for_byte(name: str) -> None:
    text = example(f"{name}.pub")
    ek = EncapsulationKey.from_pem(text)
    assert bytes(ek) == expected(name)[0]
    assert ek.to_pem().decode() == text


@examples
@each_set
def test_the_example_seed_is_read_and_written_byte_for_byte(name: str) -> None:
    text = example(f"{name}-seed.priv")
    dk = DecapsulationKey.from_pem(text)
    assert dk.seed() == bytearray(SEED)
    assert dk.to_pem().decode() == text


@examples
@each_set
@pytest.mark.parametrize("form", ["seed", "expanded", "both"])
def test_every_form_of_the_example_private_key_is_the_same_key(name: str, form: str) -> None:
    dk = DecapsulationKey.from_pem(example(f"{name}-{form}.priv"))
    assert dk.to_bytes() == expected(name)[1]
    assert dk.seed() == (None if form == "expanded" else SEED)


@examples
@pytest.mark.parametrize(
    ("number", "why"),
    [(1, "seed does not give"), (2, "halves"), (3, "has not the hash"), (4, "seed does not give")],
)
def test_the_bad_examples_are_refused(number: int, why: str) -> None:
    with pytest.raises(InvalidKey, match=why):
        DecapsulationKey.from_pem(example(f"bad-ML-KEM-512-{number}.priv"))


@examples
@each_set
def test_the_example_certificate_holds_the_key(name: str) -> None:
    certificate = x509.load_pem_x509_certificate(example(f"{name}.crt").encode())
    assert EncapsulationKey.from_pem(example(f"{name}.pub")).to_der() in certificate.tbs_certificate_bytes


# ---- keys of our own


@each_set
def test_a_key_pair_survives_pem_and_der(name: str) -> None:
    ek, dk = SETS[name].key_gen(SEED)
    for read, written in ((EncapsulationKey.from_pem, ek.to_pem()), (EncapsulationKey.from_der, ek.to_der())):
        assert read(written) == ek
        assert read(written, caches=Caches.A_HAT).caches == Caches.A_HAT
    for load_key, kept in ((DecapsulationKey.from_pem, dk.to_pem()), (DecapsulationKey.from_der, dk.to_der())):
        assert type(kept) is bytearray
        assert load_key(kept) == dk and load_key(kept).seed() == bytearray(SEED)
        assert load_key(kept, caches=Caches.NONE).caches == Caches.NONE


@each_set
def test_a_key_without_its_seed_cannot_be_written(name: str) -> None:
    seedless = DecapsulationKey.from_bytes(SETS[name].key_gen(SEED)[1].to_bytes())
    for write in (seedless.to_pem, seedless.to_der):
        with pytest.raises(ValueError, match=f"^this {name} key came without its seed"):
            write()


@each_set
@pytest.mark.parametrize("with_seed", [False, True])
def test_an_expanded_key_is_loaded(name: str, with_seed: bool) -> None:
    _, dk = SETS[name].key_gen(SEED)
    loaded = DecapsulationKey.from_der(private_der(name, SEED if with_seed else None, dk.to_bytes()))
    assert loaded == dk
    assert loaded.seed() == (SEED if with_seed else None)


@each_set
@pytest.mark.parametrize("with_seed", [False, True])
@pytest.mark.parametrize("part", ["s", "ek", "H(ek)", "z"])
def test_an_expanded_key_with_one_wrong_bit_is_refused(name: str, with_seed: bool, part: str) -> None:
    _, dk = SETS[name].key_gen(SEED)
    expanded = dk.to_bytes()
    at = {"s": 0, "ek": len(expanded) - 65, "H(ek)": len(expanded) - 64, "z": len(expanded) - 1}[part]
    expanded[at] ^= 1
    key = private_der(name, SEED if with_seed else None, expanded)
    if part == "z" and not with_seed:  # nothing else depends on z: any 32 bytes are right
        assert DecapsulationKey.from_der(key).to_bytes() == expanded
    else:
        with pytest.raises(InvalidKey):
            DecapsulationKey.from_der(key)


def test_the_scheme_decides_who_reads_a_key() -> None:
    vk, sk = MlDsa44.key_gen()
    ek, dk = MlKem512.key_gen()
    for refuse in (
        lambda: EncapsulationKey.from_der(vk.to_der()),
        lambda: DecapsulationKey.from_pem(sk.to_pem()),
        lambda: VerificationKey.from_pem(ek.to_pem()),
        lambda: SigningKey.from_der(dk.to_der()),
    ):
        with pytest.raises(InvalidKey, match="is for algorithm ML-"):
            refuse()


def test_parameters_are_refused_in_the_name_of_the_right_standard() -> None:
    key = bytes(MlKem512.key_gen(SEED)[1].to_der())
    with_null = b"\x30\x56" + key[2:5] + b"\x30\x0d" + key[7:18] + b"\x05\x00" + key[18:]
    with pytest.raises(InvalidKey, match="ML-KEM-512 algorithm identifier has parameters, RFC 9935 allows none"):
        pkix.decode_private_key(with_null)


# ---- `cryptography`, which has the two larger sets


@pytest.mark.parametrize("params", [MlKem768, MlKem1024], ids=lambda p: p.name)
def test_each_side_decapsulates_what_the_other_encapsulates_with_a_key_from_pem(params: Any) -> None:
    ek, dk = params.key_gen()
    their_dk: Any = serialization.load_pem_private_key(bytes(dk.to_pem()), None)
    their_ek: Any = serialization.load_pem_public_key(ek.to_pem())
    ss, ct = ek.encaps()
    assert their_dk.decapsulate(ct) == ss
    their_ss, their_ct = their_ek.encapsulate()
    assert dk.decaps(their_ct) == their_ss
    pkcs8 = (serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    assert dk.to_der() == their_dk.private_bytes(*pkcs8)
