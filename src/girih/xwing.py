"""X-Wing: X25519 and ML-KEM-768 in one key encapsulation, secure while either of them is.

    from girih import XWing

    ek, dk = XWing.key_gen()
    ss, ct = ek.encaps()
    assert dk.decaps(ct) == ss

X25519 is that of `cryptography`: pip install girih[xwing]. Source: draft-connolly-cfrg-xwing-kem, whose names are used.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from typing import TYPE_CHECKING, Final, NoReturn

from girih import _core
from girih._shared import wipe
from girih.errors import InvalidKey, RandomnessError
from girih.formats.der import octets
from girih.mlkem import Caches, MlKem768

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

    from girih.mlkem import DecapsulationKey as MlKemDecapsulationKey
    from girih.mlkem import EncapsulationKey as MlKemEncapsulationKey

__all__ = ["DecapsulationKey", "EncapsulationKey", "ParameterSet", "XWing"]

_LABEL = rb"\.//^" + b"\\"  # XWingLabel: 5c 2e 2f 2f 5e 5c
_BASE_POINT = (9).to_bytes(32, "little")
_X25519_SIZE = 32


class EncapsulationKey:
    """An X-Wing encapsulation (public) key. From `XWing.key_gen`, `XWing.encapsulation_key` or `from_bytes`."""

    __slots__ = ("_pk_m", "_pk_x")

    def __init__(self, pk_m: MlKemEncapsulationKey, pk_x: bytes) -> None:
        self._pk_m = pk_m
        self._pk_x = pk_x

    @staticmethod
    def from_bytes(data: Buffer, *, caches: Caches | None = None) -> EncapsulationKey:
        """The key of its encoding, 1216 bytes, else InvalidKey. So is one whose ML-KEM key fails its input check."""
        return XWing.encapsulation_key(data, caches=caches)

    @property
    def parameter_set(self) -> ParameterSet:
        """XWing."""
        return XWing

    def encaps(self) -> tuple[bytearray, bytes]:
        """A fresh shared secret, 32 bytes in a bytearray to be wiped after use, and its ciphertext, 1120 bytes.

        Source: draft-connolly-cfrg-xwing-kem, section 5.4.
        """
        ss_m, ct_m = self._pk_m.encaps()
        return _encapsulated(self, ss_m, ct_m, _random(_X25519_SIZE))

    def to_bytes(self) -> bytes:
        """The encoded key: the ML-KEM-768 key, then the X25519 key."""
        return self._pk_m.to_bytes() + self._pk_x

    __bytes__ = to_bytes

    def __eq__(self, other: object) -> bool:
        return self.to_bytes() == other.to_bytes() if isinstance(other, EncapsulationKey) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        return f"<X-Wing EncapsulationKey {self.to_bytes()[:8].hex()}...>"

    def __reduce__(self) -> tuple[Callable[[Buffer], EncapsulationKey], tuple[bytes]]:
        return EncapsulationKey.from_bytes, (self.to_bytes(),)


class DecapsulationKey:
    """An X-Wing decapsulation (private) key. From `XWing.key_gen`, `XWing.decapsulation_key` or `from_bytes`.

    Wiped when it is freed, as far as hashlib and X25519's library go along. Comparison takes constant time; there is no hash, no
    copy and no pickling.
    """

    __slots__ = ("_ek", "_seed", "_sk_m", "_sk_x")

    def __init__(self, seed: bytearray, sk_m: MlKemDecapsulationKey, sk_x: bytearray) -> None:
        self._seed = seed
        self._sk_m = sk_m
        self._sk_x = sk_x
        self._ek = EncapsulationKey(sk_m.encapsulation_key, bytes(_x25519(sk_x, _BASE_POINT)))

    @staticmethod
    def from_bytes(data: Buffer, *, caches: Caches | None = None) -> DecapsulationKey:
        """The key of its encoding, which is its seed of 32 bytes, else InvalidKey."""
        return XWing.decapsulation_key(data, caches=caches)

    @property
    def parameter_set(self) -> ParameterSet:
        """XWing."""
        return XWing

    @property
    def encapsulation_key(self) -> EncapsulationKey:
        """The EncapsulationKey of the pair."""
        return self._ek

    def decaps(self, ct: Buffer) -> bytearray:
        """The shared secret of a ciphertext, 32 bytes in a bytearray to be wiped after use.

        ct: exactly 1120 bytes, else ValueError. A ciphertext that was not made for this key, or was changed, gives
        another secret. Source: draft-connolly-cfrg-xwing-kem, section 5.5.
        """
        data = _exactly("ciphertext", ct, XWing.ciphertext_size, ValueError)
        ct_m, ct_x = data[: MlKem768.ciphertext_size], data[MlKem768.ciphertext_size :]
        ss_m = self._sk_m.decaps(ct_m)
        return _combined(ss_m, _x25519(self._sk_x, ct_x), ct_x, self._ek._pk_x)

    def seed(self) -> bytearray:
        """The 32-byte seed in a bytearray to be wiped after use: all that needs to be stored."""
        return bytearray(self._seed)

    to_bytes = seed

    def __eq__(self, other: object) -> bool:
        return hmac.compare_digest(self._seed, other._seed) if isinstance(other, DecapsulationKey) else NotImplemented

    def __repr__(self) -> str:
        return f"<X-Wing DecapsulationKey of {self._ek!r}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a decapsulation key is not pickled: store its seed()")

    def __copy__(self) -> NoReturn:
        raise TypeError("a decapsulation key is not copied: it is immutable, so share it")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__copy__()

    def __del__(self) -> None:
        for secret in (getattr(self, name, None) for name in ("_seed", "_sk_x")):
            if secret is not None:
                wipe(secret)


class ParameterSet:
    """X-Wing, of which there is one set: `XWing`. Sizes in bytes."""

    __slots__ = ()

    name: Final = "X-Wing"
    encapsulation_key_size: Final = 1216
    decapsulation_key_size: Final = 32
    ciphertext_size: Final = 1120
    shared_secret_size: Final = 32
    seed_size: Final = 32

    def key_gen(
        self, seed: Buffer | None = None, *, caches: Caches | None = None
    ) -> tuple[EncapsulationKey, DecapsulationKey]:
        """A key pair (encapsulation key, decapsulation key), from fresh randomness or from a seed.

        seed: exactly 32 bytes, else ValueError. caches: what the ML-KEM keys keep; None: all.
        Source: draft-connolly-cfrg-xwing-kem, section 5.2.
        """
        given = _random(self.seed_size) if seed is None else _exactly("seed", seed, self.seed_size, ValueError)
        dk = _expanded(given, caches)
        return dk.encapsulation_key, dk

    def encapsulation_key(self, data: Buffer, *, caches: Caches | None = None) -> EncapsulationKey:
        """The encapsulation key of its encoding, 1216 bytes, else InvalidKey. caches: what is kept; None: all."""
        encoded = _exactly("encapsulation key", data, self.encapsulation_key_size, InvalidKey)
        size_m = MlKem768.encapsulation_key_size
        return EncapsulationKey(MlKem768.encapsulation_key(encoded[:size_m], caches=caches), bytes(encoded[size_m:]))

    def decapsulation_key(self, data: Buffer, *, caches: Caches | None = None) -> DecapsulationKey:
        """The decapsulation key of its seed, 32 bytes, else InvalidKey. caches: what is kept; None: all."""
        return _expanded(_exactly("decapsulation key", data, self.seed_size, InvalidKey), caches)

    def __repr__(self) -> str:
        return "girih.XWing"

    def __reduce__(self) -> str:
        return "XWing"


XWing = ParameterSet()


def encaps_derand(ek: EncapsulationKey, eseed: Buffer) -> tuple[bytearray, bytes]:
    """The shared secret and the ciphertext of given randomness, for `girih.testing`. eseed: exactly 64 bytes.

    Source: draft-connolly-cfrg-xwing-kem, section 5.4.1 (EncapsulateDerand).
    """
    given = _exactly("eseed", eseed, 64, ValueError)
    ss_m, ct_m = _core.mlkem_encaps_internal(ek._pk_m, given[:32])
    return _encapsulated(ek, ss_m, ct_m, given[32:])


def _expanded(seed: bytearray, caches: Caches | None) -> DecapsulationKey:
    """Section 5.2: expandDecapsulationKey."""
    expanded = bytearray(hashlib.shake_256(seed).digest(96))
    _, sk_m = MlKem768.key_gen(expanded[:64], caches=caches)
    try:
        return DecapsulationKey(seed, sk_m, expanded[64:])
    finally:
        wipe(expanded)


def _encapsulated(ek: EncapsulationKey, ss_m: bytearray, ct_m: bytes, ek_x: bytearray) -> tuple[bytearray, bytes]:
    """Section 5.4, from the X25519 scalar on, which is wiped."""
    try:
        ct_x = bytes(_x25519(ek_x, _BASE_POINT))
        return _combined(ss_m, _x25519(ek_x, ek._pk_x), ct_x, ek._pk_x), ct_m + ct_x
    finally:
        wipe(ek_x)


def _combined(ss_m: bytearray, ss_x: bytearray, ct_x: Buffer, pk_x: bytes) -> bytearray:
    """Section 5.3: Combiner. The two secrets are wiped."""
    h = hashlib.sha3_256(ss_m)
    for part in (ss_x, ct_x, pk_x, _LABEL):
        h.update(part)
    wipe(ss_m)
    wipe(ss_x)
    return bytearray(h.digest())


def _x25519(scalar: bytearray, point: bytes | bytearray) -> bytearray:
    """X25519 (RFC 7748, section 5). A point of small order gives zeros, as there: the combiner needs no check."""
    try:
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    except ImportError as error:
        raise ImportError("X-Wing takes its X25519 from `cryptography`: pip install girih[xwing]") from error

    private = X25519PrivateKey.from_private_bytes(scalar)
    try:
        return bytearray(private.exchange(X25519PublicKey.from_public_bytes(bytes(point))))
    except ValueError:  # which is how that library reports a secret of zeros
        return bytearray(_X25519_SIZE)


def _random(count: int) -> bytearray:
    try:
        return bytearray(os.urandom(count))
    except (OSError, NotImplementedError) as error:
        raise RandomnessError("the operating system gave no random bytes") from error


def _exactly(what: str, data: Buffer, expected: int, error: type[ValueError]) -> bytearray:
    """A copy of bytes that must be so many."""
    view = octets(data)
    if len(view) != expected:
        raise error(f"an X-Wing {what} is {expected} bytes, got {len(view)}")
    return bytearray(view)
