"""ML-KEM (FIPS 203): parameter sets, keys, shared secrets.

Bytes-like objects go in, `bytes` come out; secrets come out as `bytearray`, so that callers can wipe them. Keys are
immutable and may be shared between threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntFlag
from typing import TYPE_CHECKING, NoReturn, Self

from girih import _core
from girih._core import MlKemParameterSet as ParameterSet
from girih._shared import in_slices, integer, size, wipe
from girih.errors import InvalidKey

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "PARAMETER_SETS",
    "Caches",
    "DecapsulationKey",
    "EncapsulationKey",
    "MlKem",
    "MlKem512",
    "MlKem768",
    "MlKem1024",
    "ParameterSet",
    "check_decapsulation_key",
    "check_encapsulation_key",
]


class Caches(IntFlag):
    """What of its public data a key keeps between calls, each a switch of its own. Same bytes in every combination.

    A_HAT: the matrix, 2, 4.5 or 8 KiB for ML-KEM-512, 768 and 1024; spares both operations its sampling.
    H_EK: the hash of the encapsulation key, 32 bytes; spares encapsulation that hash. A decapsulation key holds it
    in any case.
    T_HAT: the parsed encapsulation key, 1, 1.5 or 2 KiB; spares both its decoding.
    """

    NONE = 0
    A_HAT = 1
    H_EK = 2
    T_HAT = 4
    ALL = 7


class EncapsulationKey(_core.MlKemEncapsulationKey):
    """An ML-KEM encapsulation (public) key. From `ParameterSet.key_gen`, `ParameterSet.encapsulation_key` or `from_bytes`."""

    __slots__ = ()

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        caches: Caches | None = None,
        cache: Buffer | None = None,
        mac_key: Buffer | None = None,
        trusted_cache: Buffer | None = None,
    ) -> EncapsulationKey:
        """The key of an encoding, whose length tells the set: 800, 1184 or 1568 bytes, else InvalidKey.

        So is a key that fails the modulus check of FIPS 203, section 7.2. The rest as in
        `ParameterSet.encapsulation_key`: what is kept is derived (`caches`, None: all) or imported (`cache` with
        `mac_key`, or `trusted_cache`, whose MAC is not looked at), else InvalidCache.
        """
        return _set_of_encapsulation_key(data).encapsulation_key(
            data, caches=caches, cache=cache, mac_key=mac_key, trusted_cache=trusted_cache
        )

    @property
    def caches(self) -> Caches:
        """What the key keeps."""
        return Caches(self._caches)

    def encaps_many(self, n: int, *, threads: int = 1) -> list[tuple[bytearray, bytes]]:
        """What `n` calls of `encaps` give, from fresh randomness each. n: an int >= 0. threads: how many work, >= 1."""
        return in_slices(
            integer("n", n, 0), threads, lambda part: _core.mlkem_encaps_batch(self, part.stop - part.start)
        )

    def to_der(self) -> bytes:
        """SubjectPublicKeyInfo. Source: RFC 9935, section 4."""
        from girih.formats import pkix

        return pkix.encode_public_key(self.parameter_set.name, self.to_bytes())

    @classmethod
    def from_der(cls, data: Buffer, *, caches: Caches | None = None) -> EncapsulationKey:
        """The key in a SubjectPublicKeyInfo. Raises InvalidKey for anything but its one DER encoding."""
        from girih.formats import pkix

        name, encoded = pkix.decode_public_key(data, "ML-KEM")
        return _BY_NAME[name].encapsulation_key(encoded, caches=caches)

    def to_pem(self) -> bytes:
        """The PEM form of `to_der`: ASCII text."""
        from girih.formats import pem

        return bytes(pem.to_pem(pem.PUBLIC_KEY, self.to_der()))

    @classmethod
    def from_pem(cls, text: str | Buffer, *, caches: Caches | None = None) -> EncapsulationKey:
        """The key in the one PEM block of `text`, else InvalidKey."""
        from girih.formats import pem

        return cls.from_der(pem.from_pem(pem.PUBLIC_KEY, text), caches=caches)

    def __repr__(self) -> str:
        return f"<{self.parameter_set.name} EncapsulationKey {self.to_bytes()[:8].hex()}...>"

    def __reduce__(self) -> tuple[Callable[[Buffer], EncapsulationKey], tuple[bytes]]:
        return EncapsulationKey.from_bytes, (self.to_bytes(),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class DecapsulationKey(_core.MlKemDecapsulationKey):
    """An ML-KEM decapsulation (private) key. From `ParameterSet.key_gen`, `ParameterSet.decapsulation_key` or `from_bytes`.

    Wiped when it is freed. Comparison takes constant time; there is no hash, no copy and no pickling.
    """

    __slots__ = ()

    @classmethod
    def from_bytes(cls, data: Buffer, *, caches: Caches | None = None) -> DecapsulationKey:
        """The key of an expanded encoding, whose length tells the set: 1632, 2400 or 3168 bytes.

        InvalidKey for another length, and for an encoding that fails the hash check of FIPS 203, section 7.3, or whose
        encapsulation key fails the modulus check. caches: what is kept; None: all.
        """
        return _set_of_decapsulation_key(data).decapsulation_key(data, caches=caches)

    @property
    def caches(self) -> Caches:
        """What the key keeps."""
        return Caches(self._caches)

    def decaps_many(self, cts: Iterable[Buffer], *, threads: int = 1) -> list[bytearray]:
        """`decaps` for each ciphertext. threads: how many work on it, >= 1. A wrong length among them: ValueError."""
        ciphertexts = tuple(cts)
        return in_slices(
            len(ciphertexts), threads, lambda part: _core.mlkem_decaps_batch(self, ciphertexts[part], part.start)
        )

    def to_der(self) -> bytearray:
        """PKCS#8 with the seed, in a bytearray to be wiped after use. ValueError where the key came without a seed.

        Source: RFC 9935, section 6.
        """
        from girih.formats import pkix

        return pkix.encode_private_key(self.parameter_set.name, self.seed())

    @classmethod
    def from_der(cls, data: Buffer, *, caches: Caches | None = None) -> DecapsulationKey:
        """The key in a PKCS#8 structure that holds the seed, the expanded key, or both, which must then agree.

        One without a seed must decapsulate what its encapsulation key encapsulates. Raises InvalidKey for a key that
        fails, and for anything but its one DER encoding.
        """
        from girih.formats import pkix

        dk = pkix.load_private_key(
            data, "ML-KEM", lambda name, form: _BY_NAME[name].decapsulation_key(form, caches=caches)
        )
        ss, ct = dk.encapsulation_key.encaps()
        if dk.decaps(ct) != ss:
            raise InvalidKey(f"the halves of this {dk.parameter_set.name} private key do not belong together")
        return dk

    def to_pem(self) -> bytearray:
        """The PEM form of `to_der`: ASCII text, in a bytearray to be wiped after use."""
        from girih.formats import pem

        der = self.to_der()
        try:
            return pem.to_pem(pem.PRIVATE_KEY, der)
        finally:
            wipe(der)

    @classmethod
    def from_pem(cls, text: str | Buffer, *, caches: Caches | None = None) -> DecapsulationKey:
        """The key in the one PEM block of `text`, else InvalidKey. A str cannot be wiped: prefer bytes-like text."""
        from girih.formats import pem

        der = pem.from_pem(pem.PRIVATE_KEY, text)
        try:
            return cls.from_der(der, caches=caches)
        finally:
            wipe(der)

    def __repr__(self) -> str:
        return f"<{self.parameter_set.name} DecapsulationKey of {self.encapsulation_key!r}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a decapsulation key is not pickled: store its seed()")

    def __copy__(self) -> NoReturn:
        raise TypeError("a decapsulation key is not copied: it is immutable, so share it")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__copy__()


PARAMETER_SETS: tuple[ParameterSet, ...] = _core.mlkem_parameter_sets(EncapsulationKey, DecapsulationKey)
MlKem512, MlKem768, MlKem1024 = PARAMETER_SETS
MlKem = MlKem768

_BY_NAME = {parameter_set.name: parameter_set for parameter_set in PARAMETER_SETS}


def check_encapsulation_key(data: Buffer) -> None:
    """Raise InvalidKey unless these are the bytes of an encapsulation key of one of the sets, each coefficient below q.

    Every key that is made has passed it. `ParameterSet.check_encapsulation_key` is the same for one set.
    Source: FIPS 203, section 7.2.
    """
    _set_of_encapsulation_key(data).check_encapsulation_key(data)


def check_decapsulation_key(data: Buffer) -> None:
    """Raise InvalidKey unless these are the bytes of a decapsulation key of one of the sets, and its hash is right.

    Every key that is made has passed it. `ParameterSet.check_decapsulation_key` is the same for one set.
    Source: FIPS 203, section 7.3.
    """
    _set_of_decapsulation_key(data).check_decapsulation_key(data)


def _set_of_encapsulation_key(data: Buffer) -> ParameterSet:
    got = size(data)
    for parameter_set in PARAMETER_SETS:
        if got == parameter_set.encapsulation_key_size:
            return parameter_set
    raise InvalidKey(f"an ML-KEM encapsulation key is 800, 1184 or 1568 bytes, got {got}")


def _set_of_decapsulation_key(data: Buffer) -> ParameterSet:
    got = size(data)
    for parameter_set in PARAMETER_SETS:
        if got == parameter_set.decapsulation_key_size:
            return parameter_set
    hint = ": a seed does not tell its set, MlKem768.decapsulation_key(seed) does" if got == MlKem.seed_size else ""
    raise InvalidKey(f"an ML-KEM decapsulation key is 1632, 2400 or 3168 bytes, got {got}{hint}")
