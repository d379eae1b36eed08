"""The fixed DER and PEM of RFC 9881 and 9935, byte by byte. Their example files: test_formats_keys.py, test_formats_kem.py."""

from __future__ import annotations

import base64
import itertools

import pytest

from girih.errors import InvalidKey
from girih.formats import der, pem, pkix

SEED = bytes(range(32))
NAMES = [algorithm.name for algorithm in pkix.ALGORITHMS]
LAST_ARCS = {
    "ML-DSA-44": "0311",
    "ML-DSA-65": "0312",
    "ML-DSA-87": "0313",
    "ML-KEM-512": "0401",
    "ML-KEM-768": "0402",
    "ML-KEM-1024": "0403",
}
BY_NAME = {algorithm.name: algorithm for algorithm in pkix.ALGORITHMS}


def seed_of(name: str) -> bytes:
    """32 bytes, or the 64 of ML-KEM."""
    return bytes(range(64)) if name.startswith("ML-KEM") else SEED


def seed_der(name: str = "ML-DSA-44") -> bytes:
    """The private key of 54 bytes, or 86, spelt out: SEQUENCE { 0, SEQUENCE { oid }, OCTET STRING { [0] seed } }."""
    seed = seed_of(name)
    lengths = {32: ("34", "22 8020"), 64: ("54", "42 8040")}[len(seed)]
    head = f"30{lengths[0]} 020100 300b 0609 60864801650304 {LAST_ARCS[name]} 04{lengths[1]}"
    return bytes.fromhex(head) + seed


def public_der(name: str = "ML-DSA-44", length: int | None = None) -> bytes:
    """SEQUENCE { SEQUENCE { oid }, BIT STRING { 0 unused bits, key } } with a key of 0xA5."""
    key = b"\xa5" * (BY_NAME[name].public_bytes if length is None else length)
    identifier = bytes.fromhex("300b 0609 60864801650304" + LAST_ARCS[name])
    bits = b"\x03\x82" + (len(key) + 1).to_bytes(2, "big") + b"\0" + key
    return b"\x30\x82" + (len(identifier) + len(bits)).to_bytes(2, "big") + identifier + bits


def expanded_der(name: str, both: bool) -> bytes:
    """The two other forms of the CHOICE, with an expanded key of 0x5A."""
    expanded = b"\x5a" * BY_NAME[name].expanded_bytes
    choice = der.header(der.OCTET_STRING, len(expanded)) + expanded
    if both:
        choice = bytes((0x04, len(seed_of(name)))) + seed_of(name) + choice
        choice = der.header(der.SEQUENCE, len(choice)) + choice
    body = bytes.fromhex("020100 300b 0609 60864801650304" + LAST_ARCS[name])
    body += der.header(der.OCTET_STRING, len(choice)) + choice
    return der.header(der.SEQUENCE, len(body)) + body


# ---- DER


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_has_the_encoding_of_the_standard(name: str) -> None:
    assert pkix.encode_seed(name, seed_of(name)) == seed_der(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_key_has_the_encoding_of_the_standard(name: str) -> None:
    assert pkix.encode_public_key(name, b"\xa5" * BY_NAME[name].public_bytes) == public_der(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_key_is_read_back(name: str) -> None:
    assert pkix.decode_public_key(public_der(name)) == (name, b"\xa5" * BY_NAME[name].public_bytes)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_is_read_back(name: str) -> None:
    assert pkix.decode_private_key(seed_der(name)) == pkix.PrivateKey(name, bytearray(seed_of(name)), None)


@pytest.mark.parametrize("name", NAMES)
def test_an_expanded_key_is_read(name: str) -> None:
    expanded = bytearray(b"\x5a" * BY_NAME[name].expanded_bytes)
    assert pkix.decode_private_key(expanded_der(name, both=False)) == pkix.PrivateKey(name, None, expanded)


@pytest.mark.parametrize("name", NAMES)
def test_seed_and_expanded_key_together_are_read(name: str) -> None:
    expanded = bytearray(b"\x5a" * BY_NAME[name].expanded_bytes)
    assert pkix.decode_private_key(expanded_der(name, both=True)) == pkix.PrivateKey(
        name, bytearray(seed_of(name)), expanded
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_key_of_another_scheme_is_refused(name: str) -> None:
    own, other = ("ML-KEM", "ML-DSA") if name.startswith("ML-KEM") else ("ML-DSA", "ML-KEM")
    assert pkix.decode_public_key(public_der(name), own)[0] == pkix.decode_private_key(seed_der(name), own).name == name
    assert pkix.private_key_scheme(seed_der(name)) == own
    message = f"is for algorithm {name}, not for one of {', '.join(n for n in NAMES if n.startswith(other))}$"
    with pytest.raises(InvalidKey, match=message):
        pkix.decode_public_key(public_der(name), other)
    with pytest.raises(InvalidKey, match=message):
        pkix.decode_private_key(seed_der(name), other)


def test_any_bytes_like_object_goes_in() -> None:
    key = seed_der()
    spread = memoryview(bytes(itertools.chain.from_iterable(zip(key, key, strict=True))))[::2]
    for data in (bytearray(key), memoryview(key), spread):
        assert pkix.decode_private_key(data).seed == bytearray(SEED)


def test_a_decoded_key_can_be_wiped() -> None:
    key = pkix.decode_private_key(expanded_der("ML-DSA-44", both=True))
    key.wipe()
    assert key.seed == bytearray(32)
    assert key.expanded == bytearray(2560)


def test_repr_of_a_private_key_shows_no_secret() -> None:
    assert repr(pkix.decode_private_key(seed_der())) == "<ML-DSA-44 private key>"


@pytest.mark.parametrize("length", [0, 31, 33])
def test_encoding_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"^an ML-DSA-65 seed is 32 bytes, got {length}$"):
        pkix.encode_seed("ML-DSA-65", bytes(length))


@pytest.mark.parametrize("length", [0, 1951, 1953])
def test_encoding_a_public_key_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"^an ML-DSA-65 public key is 1952 bytes, got {length}$"):
        pkix.encode_public_key("ML-DSA-65", bytes(length))


@pytest.mark.parametrize("length", [1311, 1313])
def test_a_public_key_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(InvalidKey, match=f"^an ML-DSA-44 public key is 1312 bytes, got {length}$"):
        pkix.decode_public_key(public_der(length=length))


@pytest.mark.parametrize("length", [31, 33])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    key = bytes((0x30, 20 + length, *seed_der()[2:18], 0x04, 2 + length, 0x80, length)) + bytes(length)
    with pytest.raises(InvalidKey, match=f"^an ML-DSA-44 seed is 32 bytes, got {length}$"):
        pkix.decode_private_key(key)


def test_an_expanded_key_of_another_set_is_refused() -> None:
    key = expanded_der("ML-DSA-65", both=False).replace(bytes.fromhex("6503040312"), bytes.fromhex("6503040311"))
    with pytest.raises(InvalidKey, match="an ML-DSA-44 expanded private key is 2560 bytes, got 4032"):
        pkix.decode_private_key(key)


def test_every_truncation_of_a_private_key_is_refused() -> None:
    for key in (seed_der(), expanded_der("ML-DSA-44", both=True)):
        for length in range(len(key)):
            with pytest.raises(InvalidKey):
                pkix.decode_private_key(key[:length])


def test_every_truncation_of_a_public_key_is_refused() -> None:
    key = public_der()
    for length in range(len(key)):
        with pytest.raises(InvalidKey):
            pkix.decode_public_key(key[:length])


def test_every_other_value_of_every_byte_before_the_seed_is_refused_or_names_another_set() -> None:
    key = seed_der()
    accepted = []
    for at, value in itertools.product(range(len(key) - 32), range(256)):
        try:
            accepted.append((at, value, pkix.decode_private_key(key[:at] + bytes((value,)) + key[at + 1 :]).name))
        except InvalidKey:
            continue
    unchanged = [(at, key[at], "ML-DSA-44") for at in range(len(key) - 32)]
    assert sorted(accepted) == sorted([*unchanged, (17, 0x12, "ML-DSA-65"), (17, 0x13, "ML-DSA-87")])


def test_every_other_value_of_every_byte_before_the_public_key_is_refused() -> None:
    key = public_der()
    header = len(key) - 1312
    accepted = []
    for at, value in itertools.product(range(header), range(256)):
        try:
            pkix.decode_public_key(key[:at] + bytes((value,)) + key[at + 1 :])
        except InvalidKey:
            continue
        accepted.append((at, value))
    assert accepted == [(at, key[at]) for at in range(header)]


PRIVATE_MISTAKES = {
    "empty": ("", "ends before its outer SEQUENCE"),
    "trailing data": (seed_der().hex() + "00", "followed by 1 bytes"),
    "indefinite length": ("3080" + seed_der()[2:].hex() + "0000", "indefinite length: BER, not DER"),
    "outer length in a longer form": ("308134" + seed_der()[2:].hex(), "shortest form: BER, not DER"),
    "outer length with a leading zero": ("30820034" + seed_der()[2:].hex(), "shortest form: BER, not DER"),
    "length of five octets": ("30850000000034" + seed_der()[2:].hex(), "takes 5 bytes"),
    "version 1": (seed_der().hex().replace("020100", "020101", 1), "version 0x01"),
    "version of two bytes": ("3035" + seed_der()[2:].hex().replace("020100", "02020000", 1), "version 0x0000"),
    "NULL parameters": (
        "3036020100300d0609608648016503040311050004228020" + SEED.hex(),
        "algorithm identifier has parameters",
    ),
    "RSA": (
        "3036020100300d06092a864886f70d010101050004228020" + SEED.hex(),
        "for algorithm 1.2.840.113549.1.1.1, not for one of ML-DSA-44, ML-DSA-65, ML-DSA-87",
    ),
    "HashML-DSA": (seed_der().hex().replace("6503040311", "6503040320"), "2.16.840.1.101.3.4.3.32"),
    "padded object identifier": (
        "3035020100300c060a6086480165030403801104228020" + SEED.hex(),
        "not for one of ML-DSA-44",
    ),
    "unfinished object identifier": (seed_der().hex().replace("6503040311", "6503040391"), "608648016503040391"),
    "no object identifier": ("30290201003000042280 20" + SEED.hex(), "ends before its object identifier"),
    "attributes after the key": ("3036" + seed_der()[2:].hex() + "a000", "followed by 2 bytes"),
    "public key after the key": ("3036" + seed_der()[2:].hex() + "8100", "followed by 2 bytes"),
    "no form at all": ("3012020100300b06096086480165030403110400", "found nothing"),
    "a form that is none": (seed_der().hex().replace("04228020", "04228120"), "found DER tag 0x81"),
    "constructed seed": (seed_der().hex().replace("04228020", "0422a020"), "found DER tag 0xa0"),
    "seed and more": (
        "3036020100300b060960864801650304031104248020" + SEED.hex() + "0500",
        "followed by 2 bytes",
    ),
    "a raw seed": (SEED.hex(), "outer SEQUENCE has DER tag 0x30, found 0x00"),
}


@pytest.mark.parametrize(("key", "message"), PRIVATE_MISTAKES.values(), ids=PRIVATE_MISTAKES)
def test_a_private_key_with_a_mistake_is_refused_with_its_cause(key: str, message: str) -> None:
    with pytest.raises(InvalidKey, match=message):
        pkix.decode_private_key(bytes.fromhex(key))


PUBLIC_MISTAKES = {
    "trailing data": (public_der() + b"\0", "followed by 1 bytes"),
    "unused bits": (public_der().replace(b"\x00\xa5", b"\x01\xa5", 1), "whole number of bytes"),
    "no unused-bits octet": (bytes.fromhex("300f300b06096086480165030403110300"), "whole number of bytes"),
    "a private key": (seed_der(), "algorithm identifier has DER tag 0x30, found 0x02"),
    "an octet string": (public_der().replace(b"\x03\x82", b"\x04\x82", 1), "key has DER tag 0x03, found 0x04"),
}


@pytest.mark.parametrize(("key", "message"), PUBLIC_MISTAKES.values(), ids=PUBLIC_MISTAKES)
def test_a_public_key_with_a_mistake_is_refused_with_its_cause(key: bytes, message: str) -> None:
    with pytest.raises(InvalidKey, match=message):
        pkix.decode_public_key(key)


def test_a_very_long_object_identifier_is_refused_with_a_short_message() -> None:
    oid = b"\xff" * 100_000 + b"\x01"
    body = b"\x02\x01\x00" + der.header(der.SEQUENCE, len(oid) + 4) + der.header(der.OBJECT_IDENTIFIER, len(oid)) + oid
    with pytest.raises(InvalidKey) as caught:
        pkix.decode_private_key(der.header(der.SEQUENCE, len(body)) + body)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("length", [0, 1, 127, 128, 255, 256, 65535, 65536])
def test_a_length_is_written_as_it_is_read(length: int) -> None:
    data = der.header(der.OCTET_STRING, length) + bytes(length)
    reader = der.Reader(memoryview(data), "it")
    assert len(reader.take(der.OCTET_STRING, "string")) == length
    reader.end()


# ---- PEM


@pytest.mark.parametrize("length", [*range(50), 95, 96, 97, 143, 144, 145, 1312])
def test_pem_of_any_length_is_what_base64_says(length: int) -> None:
    data = bytes(i * 37 % 256 for i in range(length))
    coded = base64.b64encode(data).decode()
    lines = [coded[i : i + 64] for i in range(0, len(coded), 64)]
    text = "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----", ""])
    assert pem.to_pem(pem.PUBLIC_KEY, data) == text.encode()
    assert pem.from_pem(pem.PUBLIC_KEY, text) == data


def private_pem() -> bytes:
    return bytes(pem.to_pem(pem.PRIVATE_KEY, seed_der()))


HARMLESS = {
    "text before": b"Our signing key, since 2026:\n\n" + private_pem(),
    "text in another alphabet before": "Schlüssel\n".encode() + private_pem(),
    "CRLF": private_pem().replace(b"\n", b"\r\n"),
    "CR": private_pem().replace(b"\n", b"\r"),
    "no line end at the end": private_pem().rstrip(),
    "blank lines after": private_pem() + b"\r\n\n  \n",
    "blanks at line ends": private_pem().replace(b"\n", b" \t\n"),
    "short lines": private_pem().replace(b"MDQC", b"M\nD\nQ\nC\n"),
    "one long line": private_pem().replace(b"UWFxgZ\n", b"UWFxgZ"),
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_what_carries_no_meaning_is_tolerated(text: bytes) -> None:
    assert pem.from_pem(pem.PRIVATE_KEY, text) == seed_der()


WRONG_TEXT = {
    "nothing": (b"", "there is no PEM block"),
    "DER": (seed_der(), "there is no PEM block"),
    "another label": (bytes(pem.to_pem(pem.PUBLIC_KEY, b"x")), "expected .* PRIVATE KEY, found PUBLIC KEY"),
    "encrypted": (bytes(pem.to_pem("ENCRYPTED PRIVATE KEY", b"x")), "found ENCRYPTED PRIVATE KEY; .*decrypt it first"),
    "a label that only begins alike": (bytes(pem.to_pem("PRIVATE KEYS", b"x")), "found PRIVATE KEYS"),
    "two blocks": (private_pem() * 2, "followed by something else"),
    "text after": (private_pem() + b"thanks\n", "followed by something else"),
    "no end": (private_pem()[:100], "cut short: no line says -----END PRIVATE KEY-----"),
    "the end of another": (private_pem().replace(b"END PRIVATE", b"END PUBLIC"), "begins as .* and ends as PUBLIC KEY"),
    "a beginning inside": (
        private_pem().replace(b"-----END", b"-----BEGIN PRIVATE KEY-----\n-----END"),
        "no end before the next one begins",
    ),
    "a boundary without dashes": (private_pem().replace(b"KEY-----\nM", b"KEY---\nM"), "does not end in -----"),
    "headers": (private_pem().replace(b"\nMDQC", b"\nProc-Type: 4,ENCRYPTED\n\nMDQC"), "multiple of 4|not base64"),
    "a character too many": (private_pem().replace(b"MDQC", b"MDQCA"), "73 base64 characters"),
    "url-safe base64": (private_pem().replace(b"MDQC", b"MD_C"), "not base64"),
    "a letter outside ASCII": (private_pem().replace(b"MDQC", "MDQé".encode()[:4]), "not base64|multiple"),
    "padding inside": (private_pem().replace(b"MDQC", b"MD=="), "not base64"),
}


@pytest.mark.parametrize(("text", "message"), WRONG_TEXT.values(), ids=WRONG_TEXT)
def test_text_with_a_mistake_is_refused_with_its_cause(text: bytes, message: str) -> None:
    with pytest.raises(InvalidKey, match=message):
        pem.from_pem(pem.PRIVATE_KEY, text)


@pytest.mark.parametrize("body", ["AB==", "AAB=", "A===", "====", "AA=A"])
def test_each_string_of_bytes_has_one_base64_spelling(body: str) -> None:
    with pytest.raises(InvalidKey, match="padding"):
        pem.from_pem("X", f"-----BEGIN X-----\n{body}\n-----END X-----\n")


def test_a_text_string_is_read_like_its_bytes() -> None:
    assert pem.from_pem(pem.PRIVATE_KEY, private_pem().decode()) == seed_der()
    assert pem.from_pem(pem.PRIVATE_KEY, "Schlüssel \ud800\n" + private_pem().decode()) == seed_der()


def test_a_text_string_with_a_letter_outside_ascii_in_the_body_is_refused() -> None:
    with pytest.raises(InvalidKey, match="not base64"):
        pem.from_pem(pem.PRIVATE_KEY, private_pem().decode().replace("MDQC", "MDQ\xe9"))


def test_errors_show_nothing_of_the_key() -> None:
    for text, _ in WRONG_TEXT.values():
        with pytest.raises(InvalidKey) as caught:
            pem.from_pem(pem.PRIVATE_KEY, text)
        assert "MDQC" not in str(caught.value)
