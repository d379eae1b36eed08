"""Keys in the DER that RFC 9881 fixes for ML-DSA and RFC 9935 for ML-KEM: SubjectPublicKeyInfo, OneAsymmetricKey (PKCS#8).

A private key is written as its seed, `[0]` of the CHOICE, the form the standard recommends: everything else is derived
on load. All three forms are read. One algorithm is one row of `ALGORITHMS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from girih.errors import InvalidKey
from girih.formats import der

if TYPE_CHECKING:
    from typing_extensions import Buffer

_Key = TypeVar("_Key")


class Algorithm(NamedTuple):
    """What the encodings need to know of an algorithm: its names, its standard, and the lengths of its keys in bytes."""

    name: str
    scheme: str
    rfc: int
    oid: str
    public_bytes: int
    seed_bytes: int
    expanded_bytes: int


ALGORITHMS = (
    Algorithm("ML-DSA-44", "ML-DSA", 9881, "2.16.840.1.101.3.4.3.17", 1312, 32, 2560),
    Algorithm("ML-DSA-65", "ML-DSA", 9881, "2.16.840.1.101.3.4.3.18", 1952, 32, 4032),
    Algorithm("ML-DSA-87", "ML-DSA", 9881, "2.16.840.1.101.3.4.3.19", 2592, 32, 4896),
    Algorithm("ML-KEM-512", "ML-KEM", 9935, "2.16.840.1.101.3.4.4.1", 800, 64, 1632),
    Algorithm("ML-KEM-768", "ML-KEM", 9935, "2.16.840.1.101.3.4.4.2", 1184, 64, 2400),
    Algorithm("ML-KEM-1024", "ML-KEM", 9935, "2.16.840.1.101.3.4.4.3", 1568, 64, 3168),
)

_BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}
# By the whole element: an arc padded with 0x80 octets reads as the same number, and is no DER.
_BY_OID = {der.object_identifier(algorithm.oid): algorithm for algorithm in ALGORITHMS}
_VERSION_1 = b"\x00"  # OneAsymmetricKey, version v1(0): without attributes and without the public key


class PrivateKey(NamedTuple):
    """A decoded private key: the seed, the expanded key, or both. `wipe` it after use.

    Nothing here says that the two belong together, nor that an expanded key is consistent: who loads the key checks
    both by deriving.
    """

    name: str
    seed: bytearray | None
    expanded: bytearray | None

    def wipe(self) -> None:
        """Overwrite the key material with zeros."""
        for secret in (self.seed, self.expanded):
            if secret is not None:
                der.wipe(secret)

    def __repr__(self) -> str:
        return f"<{self.name} private key>"


def encode_public_key(name: str, pk: Buffer) -> bytes:
    """SubjectPublicKeyInfo of an encoded public key.

    name: the algorithm, such as "ML-DSA-65". pk: exactly its public key's length, else ValueError.
    """
    algorithm = _BY_NAME[name]
    view = der.octets(pk)
    if len(view) != algorithm.public_bytes:
        raise ValueError(f"an {name} public key is {algorithm.public_bytes} bytes, got {len(view)}")
    body = _identifier(algorithm) + der.header(der.BIT_STRING, len(view) + 1) + b"\0" + view
    return der.header(der.SEQUENCE, len(body)) + body


def decode_public_key(data: Buffer, scheme: str | None = None) -> tuple[str, bytes]:
    """Algorithm and public key of a SubjectPublicKeyInfo. Raises InvalidKey for anything but its one DER encoding.

    scheme: "ML-DSA" or "ML-KEM", where a key of no other is wanted.
    """
    view = der.octets(data)
    spki = _open(view, "the public key (SubjectPublicKeyInfo)")
    algorithm = _algorithm(spki, "public key", scheme)
    bits = spki.take(der.BIT_STRING, "key")
    spki.end()
    if len(bits) == 0 or bits[0] != 0:
        raise InvalidKey(f"the {algorithm.name} public key is not a whole number of bytes")
    _check_length(algorithm, "public key", len(bits) - 1, algorithm.public_bytes)
    return algorithm.name, bytes(bits[1:])


def encode_seed(name: str, seed: Buffer) -> bytearray:
    """OneAsymmetricKey with the seed form of the private key, in a bytearray that the caller can wipe.

    seed: exactly the algorithm's seed length, else ValueError.
    """
    algorithm = _BY_NAME[name]
    view = der.octets(seed)
    if len(view) != algorithm.seed_bytes:
        raise ValueError(f"an {name} seed is {algorithm.seed_bytes} bytes, got {len(view)}")
    choice = der.header(der.CONTEXT_0, len(view))
    body = der.header(der.INTEGER, len(_VERSION_1)) + _VERSION_1 + _identifier(algorithm)
    body += der.header(der.OCTET_STRING, len(choice) + len(view)) + choice
    start = der.header(der.SEQUENCE, len(body) + len(view)) + body
    # One buffer of the final size: growing it would leave a copy of the seed behind.
    out = bytearray(len(start) + len(view))
    out[: len(start)] = start
    out[len(start) :] = view
    return out


def encode_private_key(name: str, seed: bytearray | None) -> bytearray:
    """`encode_seed`, after which the seed is wiped. ValueError where a key came without one."""
    if seed is None:
        raise ValueError(f"this {name} key came without its seed, which is what to_der and to_pem write")
    try:
        return encode_seed(name, seed)
    finally:
        der.wipe(seed)


def load_private_key(data: Buffer, scheme: str, make: Callable[[str, bytearray], _Key]) -> _Key:
    """The key of a OneAsymmetricKey, which `make` makes from the algorithm's name and a seed or an expanded key.

    Where there are both, both are made and must be equal, else InvalidKey.
    """
    private = decode_private_key(data, scheme)
    try:
        keys = [make(private.name, form) for form in (private.seed, private.expanded) if form is not None]
        if keys[0] != keys[-1]:
            raise InvalidKey(f"the {private.name} private key's seed does not give its expanded key")
        return keys[0]
    finally:
        private.wipe()


def private_key_scheme(data: Buffer) -> str:
    """ "ML-DSA" or "ML-KEM": what the private key in a OneAsymmetricKey is for. Raises InvalidKey."""
    private = decode_private_key(data)
    private.wipe()
    return _BY_NAME[private.name].scheme


def decode_private_key(data: Buffer, scheme: str | None = None) -> PrivateKey:
    """Read a OneAsymmetricKey whose private key is a seed, an expanded key, or both.

    Raises InvalidKey for anything but its one DER encoding, and for the attributes and the public key that other
    profiles may carry. scheme: "ML-DSA" or "ML-KEM", where a key of no other is wanted.
    """
    view = der.octets(data)
    pkcs8 = _open(view, "the private key (PKCS#8)")
    version = pkcs8.take(der.INTEGER, "version")
    if version != _VERSION_1:
        raise InvalidKey(f"the private key (PKCS#8) has version 0x{version[:8].hex()}, only version 0x00 is read")
    algorithm = _algorithm(pkcs8, "private key", scheme)
    key = pkcs8.take(der.OCTET_STRING, "key")
    pkcs8.end()
    return _choice(algorithm, key)


def _choice(algorithm: Algorithm, key: memoryview) -> PrivateKey:
    """RFC 9881 and 9935, section 6: seed [0], expandedKey, or both."""
    what = f"the {algorithm.name} private key"
    choice = der.Reader(key, what)
    tag = choice.next_tag()
    seed = expanded = None
    if tag == der.CONTEXT_0:
        seed = choice.take(der.CONTEXT_0, "seed")
    elif tag == der.OCTET_STRING:
        expanded = choice.take(der.OCTET_STRING, "expanded key")
    elif tag == der.SEQUENCE:
        both = der.Reader(choice.take(der.SEQUENCE, "pair of seed and expanded key"), what)
        seed = both.take(der.OCTET_STRING, "seed")
        expanded = both.take(der.OCTET_STRING, "expanded key")
        both.end()
    else:
        found = "nothing" if tag is None else f"DER tag 0x{tag:02x}"
        raise InvalidKey(f"{what} is a seed [0], an expanded key or both, found {found}")
    choice.end()
    if seed is not None:
        _check_length(algorithm, "seed", len(seed), algorithm.seed_bytes)
    if expanded is not None:
        _check_length(algorithm, "expanded private key", len(expanded), algorithm.expanded_bytes)
    return PrivateKey(
        algorithm.name,
        None if seed is None else bytearray(seed),
        None if expanded is None else bytearray(expanded),
    )


def _open(view: memoryview, what: str) -> der.Reader:
    outer = der.Reader(view, what)
    contents = outer.take(der.SEQUENCE, "outer SEQUENCE")
    outer.end()
    return der.Reader(contents, what)


def _algorithm(reader: der.Reader, what: str, scheme: str | None) -> Algorithm:
    """The AlgorithmIdentifier; its parameters must be absent (RFC 9881, section 2; RFC 9935, section 3)."""
    identifier = der.Reader(reader.take(der.SEQUENCE, "algorithm identifier"), "the algorithm identifier")
    oid = identifier.take(der.OBJECT_IDENTIFIER, "object identifier")
    algorithm = _BY_OID.get(der.header(der.OBJECT_IDENTIFIER, len(oid)) + oid)
    if algorithm is None or scheme not in (None, algorithm.scheme):
        found = der.dotted_name(oid) if algorithm is None else algorithm.name
        wanted = ", ".join(one.name for one in ALGORITHMS if scheme in (None, one.scheme))
        raise InvalidKey(f"the {what} is for algorithm {found}, not for one of {wanted}")
    if identifier.next_tag() is not None:
        raise InvalidKey(f"the {algorithm.name} algorithm identifier has parameters, RFC {algorithm.rfc} allows none")
    return algorithm


def _identifier(algorithm: Algorithm) -> bytes:
    oid = der.object_identifier(algorithm.oid)
    return der.header(der.SEQUENCE, len(oid)) + oid


def _check_length(algorithm: Algorithm, what: str, got: int, expected: int) -> None:
    if got != expected:
        raise InvalidKey(f"an {algorithm.name} {what} is {expected} bytes, got {got}")
