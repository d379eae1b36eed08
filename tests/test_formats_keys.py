"""Keys in and out of PEM and DER: the examples of RFC 9881, other libraries, keys that contradict themselves."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import mldsa as theirs

from girih import MlDsa44, MlDsa65, MlDsa87, mldsa
from girih.errors import InvalidKey
from girih.formats import der, pem, pkix
from tests.spec import mldsa as spec
from tests.vectors import load

SEED = bytes(range(32))
SETS = {p.name: p for p in (MlDsa44, MlDsa65, MlDsa87)}
PEERS: dict[str, tuple[Any, Any]] = {
    "ML-DSA-44": (theirs.MLDSA44PrivateKey, theirs.MLDSA44PublicKey),
    "ML-DSA-65": (theirs.MLDSA65PrivateKey, theirs.MLDSA65PublicKey),
    "ML-DSA-87": (theirs.MLDSA87PrivateKey, theirs.MLDSA87PublicKey),
}
each_set = pytest.mark.parametrize("name", SETS)
examples = pytest.mark.corpus("RFC 9881 ML-DSA examples")


def example(name: str) -> str:
    """The text of one of the example files."""
    (text,) = (case["text"] for case in load("RFC 9881 ML-DSA examples") if case["name"] == name)
    return str(text)


def private_der(name: str, seed: bytes | None, expanded: bytes | bytearray | None) -> bytes:
    """A OneAsymmetricKey in any of the three forms, right or wrong."""
    parts = [(der.OCTET_STRING, part) for part in (seed, expanded) if part is not None]
    choice = b"".join(der.header(tag, len(part)) + part for tag, part in parts)
    if len(parts) == 2:
        choice = der.header(der.SEQUENCE, len(choice)) + choice
    oid = next(der.object_identifier(a.oid) for a in pkix.ALGORITHMS if a.name == name)
    body = (
        b"\x02\x01\x00" + der.header(der.SEQUENCE, len(oid)) + oid + der.header(der.OCTET_STRING, len(choice)) + choice
    )
    return der.header(der.SEQUENCE, len(body)) + body


# ---- the examples of RFC 9881: the key pairs of the seed 000102..1f


@examples
@each_set
def test_the_example_public_key_is_read_and_written_byte_for_byte(name: str) -> None:
    text = example(f"{name}.pub")
    vk = mldsa.VerificationKey.from_pem(text)
    assert bytes(vk) == spec.ml_dsa_keygen_internal(spec.PARAMETER_SETS[name], SEED)[0]
    assert bytes(vk.to_pem()).decode() == text


@examples
@each_set
def test_the_example_seed_is_read_and_written_byte_for_byte(name: str) -> None:
    text = example(f"{name}-seed.priv")
    sk = mldsa.SigningKey.from_pem(text)
    assert sk.seed() == bytearray(SEED)
    assert sk.to_pem().decode() == text


@examples
@each_set
@pytest.mark.parametrize("form", ["seed", "expanded", "both"])
def test_every_form_of_the_example_private_key_is_the_same_key(name: str, form: str) -> None:
    sk = mldsa.SigningKey.from_pem(example(f"{name}-{form}.priv"))
    assert sk.to_bytes() == spec.ml_dsa_keygen_internal(spec.PARAMETER_SETS[name], SEED)[1]
    assert sk.seed() == (None if form == "expanded" else SEED)


@examples
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_bad_examples_are_refused(number: int) -> None:
    with pytest.raises(InvalidKey):
        mldsa.SigningKey.from_pem(example(f"bad-ML-DSA-44-{number}.priv"))


@examples
@each_set
def test_the_example_certificate_verifies(name: str) -> None:
    certificate = x509.load_pem_x509_certificate(example(f"{name}.crt").encode())
    vk = mldsa.VerificationKey.from_pem(example(f"{name}.pub"))
    assert vk.verify(certificate.signature, certificate.tbs_certificate_bytes)


# ---- what OpenSSL 3.5 writes


@pytest.mark.corpus("OpenSSL 3.5 ML-DSA keys and certificates")
@each_set
def test_the_keys_and_certificate_of_openssl_belong_together(name: str) -> None:
    files = {
        case["name"].rsplit("_")[1]: case["der"]
        for case in load("OpenSSL 3.5 ML-DSA keys and certificates")
        if case["name"].startswith(name.lower())
    }
    keys = [mldsa.SigningKey.from_der(files[form]) for form in ("seed", "expandedkey", "both")]
    assert keys[0].to_der() == files["seed"]
    assert [key.to_bytes() for key in keys] == [keys[0].to_bytes()] * 3
    certificate = x509.load_der_x509_certificate(files["ta.der"])
    assert keys[0].verification_key.verify(certificate.signature, certificate.tbs_certificate_bytes)


# ---- keys of our own


@each_set
def test_a_key_pair_survives_pem_and_der(name: str) -> None:
    vk, sk = SETS[name].key_gen(SEED)
    for read, written in ((mldsa.VerificationKey.from_pem, vk.to_pem()), (mldsa.VerificationKey.from_der, vk.to_der())):
        assert bytes(read(written)) == bytes(vk)
    for load_key, kept in ((mldsa.SigningKey.from_pem, sk.to_pem()), (mldsa.SigningKey.from_der, sk.to_der())):
        assert load_key(kept).to_bytes() == sk.to_bytes()


@each_set
def test_secrets_come_out_wipeable(name: str) -> None:
    _, sk = SETS[name].key_gen(SEED)
    assert type(sk.to_pem()) is bytearray
    assert type(sk.to_der()) is bytearray


@each_set
def test_a_key_without_its_seed_cannot_be_written(name: str) -> None:
    _, sk = SETS[name].key_gen(SEED)
    seedless = mldsa.SigningKey.from_bytes(sk.to_bytes())
    for write in (seedless.to_pem, seedless.to_der):
        with pytest.raises(ValueError, match="seed"):
            write()


@each_set
@pytest.mark.parametrize("with_seed", [False, True])
def test_an_expanded_key_is_loaded(name: str, with_seed: bool) -> None:
    _, sk = SETS[name].key_gen(SEED)
    loaded = mldsa.SigningKey.from_der(private_der(name, SEED if with_seed else None, sk.to_bytes()))
    assert loaded.to_bytes() == sk.to_bytes()
    assert loaded.seed() == (SEED if with_seed else None)


@each_set
def test_a_seed_that_is_not_that_of_the_expanded_key_is_refused(name: str) -> None:
    _, sk = SETS[name].key_gen(SEED)
    with pytest.raises(InvalidKey):
        mldsa.SigningKey.from_der(private_der(name, bytes(32), sk.to_bytes()))


@each_set
@pytest.mark.parametrize("with_seed", [False, True])
@pytest.mark.parametrize("part", ["rho", "K", "tr", "s1", "t0"])
def test_an_expanded_key_with_one_wrong_bit_is_refused(name: str, with_seed: bool, part: str) -> None:
    _, sk = SETS[name].key_gen(SEED)
    expanded = bytearray(sk.to_bytes())
    expanded[{"rho": 0, "K": 32, "tr": 64, "s1": 128, "t0": len(expanded) - 1}[part]] ^= 1
    key = private_der(name, SEED if with_seed else None, bytes(expanded))
    if part == "K" and not with_seed:  # nothing else depends on K: any 32 bytes are right
        assert mldsa.SigningKey.from_der(key).to_bytes() == expanded
    else:
        with pytest.raises(InvalidKey):
            mldsa.SigningKey.from_der(key)


def test_the_object_identifier_decides_the_set() -> None:
    key = MlDsa44.key_gen(SEED)[1].to_der()
    key[17] = 0x12
    assert mldsa.SigningKey.from_der(key).to_bytes() == MlDsa65.key_gen(SEED)[1].to_bytes()


def test_damaged_keys_raise_invalid_key_and_nothing_else() -> None:
    dice = random.Random(9881)
    vk, sk = MlDsa44.key_gen(SEED)
    for original, read in ((vk.to_der(), pkix.decode_public_key), (sk.to_der(), pkix.decode_private_key)):
        for _ in range(3000):
            damaged = bytearray(original)
            for _ in range(dice.randrange(1, 4)):
                damaged[dice.randrange(min(len(damaged), 40))] = dice.randrange(256)
            del damaged[dice.choice((len(damaged), dice.randrange(len(damaged)))) :]
            try:
                read(damaged)
            except InvalidKey as error:
                assert str(error)


def test_damaged_text_raises_invalid_key_and_nothing_else() -> None:
    dice = random.Random(7468)
    original = MlDsa44.key_gen(SEED)[1].to_pem()
    for _ in range(3000):
        damaged = bytearray(original)
        for _ in range(dice.randrange(1, 4)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        try:
            pem.from_pem(pem.PRIVATE_KEY, damaged)
        except InvalidKey as error:
            assert str(error)


# ---- cryptography on the other side


@each_set
def test_cryptography_writes_the_same_private_key(name: str) -> None:
    key = PEERS[name][0].from_seed_bytes(SEED)
    _, sk = SETS[name].key_gen(SEED)
    pkcs8, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    assert key.private_bytes(serialization.Encoding.PEM, pkcs8, plain) == sk.to_pem()
    assert key.private_bytes(serialization.Encoding.DER, pkcs8, plain) == sk.to_der()


@each_set
def test_cryptography_writes_the_same_public_key(name: str) -> None:
    key = PEERS[name][0].from_seed_bytes(SEED).public_key()
    vk, _ = SETS[name].key_gen(SEED)
    spki = serialization.PublicFormat.SubjectPublicKeyInfo
    assert key.public_bytes(serialization.Encoding.PEM, spki) == vk.to_pem()
    assert key.public_bytes(serialization.Encoding.DER, spki) == vk.to_der()


@each_set
def test_each_side_verifies_what_the_other_signs_with_a_key_from_pem(name: str) -> None:
    vk, sk = SETS[name].key_gen()
    their_sk: Any = serialization.load_pem_private_key(bytes(sk.to_pem()), None)
    their_vk: Any = serialization.load_pem_public_key(bytes(vk.to_pem()))
    assert isinstance(their_vk, PEERS[name][1])
    their_vk.verify(sk.sign(b"message"), b"message")
    assert vk.verify(their_sk.sign(b"message"), b"message")


@each_set
def test_errors_name_the_set(name: str) -> None:
    number = re.escape(name)
    with pytest.raises(InvalidKey, match=f"an {number} seed is 32 bytes, got 31"):
        key = bytes(pkix.encode_seed(name, SEED))
        mldsa.SigningKey.from_der(b"\x30\x33" + key[2:19] + b"\x21\x80\x1f" + SEED[:31])
