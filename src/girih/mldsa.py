"""ML-DSA (FIPS 204): parameter sets, keys, signatures.

Bytes-like objects go in, `bytes` come out; secrets come out as `bytearray`, so that callers can wipe them. Keys are
immutable and may be shared between threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NoReturn, Self

from girih import _core
from girih._core import MuHasher, ParameterSet
from girih._shared import in_slices, size, wipe
from girih.errors import InvalidKey, InvalidSignature

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "PARAMETER_SETS",
    "MlDsa",
    "MlDsa44",
    "MlDsa65",
    "MlDsa87",
    "MuHasher",
    "ParameterSet",
    "SigningKey",
    "VerificationKey",
    "verify_many",
]


class VerificationKey(_core.MlDsaVerificationKey):
    """An ML-DSA verification (public) key. From `ParameterSet.key_gen`, `ParameterSet.verification_key` or `from_bytes`."""

    __slots__ = ()

    @classmethod
    def from_bytes(cls, data: Buffer, *, expand: bool = False, compact: bool = False) -> VerificationKey:
        """The key of an encoding, whose length tells the set: 1312, 1952 or 2592 bytes, else InvalidKey.

        expand: make the table at once, not at the second verification; compact: never.
        Source: FIPS 204, Algorithm 23 (pkDecode).
        """
        got = size(data)
        for parameter_set in PARAMETER_SETS:
            if got == parameter_set.verification_key_size:
                return parameter_set.verification_key(data, expand=expand, compact=compact)
        raise InvalidKey(f"an ML-DSA verification key is 1312, 1952 or 2592 bytes, got {got}")

    def require(self, sig: Buffer, msg: Buffer, ctx: Buffer | None = None) -> None:
        """Raise InvalidSignature unless `sig` is a valid signature of `msg` under `ctx`.

        sig: any bytes; only a `signature_size`-byte one can be valid.
        msg: bytes of any length. ctx: at most 255 bytes, else ValueError.
        Source: FIPS 204, Algorithm 3.
        """
        if not self.verify(sig, msg, ctx):
            raise InvalidSignature(f"not a valid {self.parameter_set.name} signature of this message and context")

    def verify_many(
        self, sigs: Iterable[Buffer], msgs: Iterable[Buffer], ctx: Buffer | None = None, *, threads: int = 1
    ) -> list[bool]:
        """`verify` for each pair of a signature and a message. As many of one as of the other, else ValueError.

        threads: how many work on it, >= 1.
        """
        return _verify_many((self,), tuple(sigs), tuple(msgs), ctx, threads)

    def to_der(self) -> bytes:
        """SubjectPublicKeyInfo. Source: RFC 9881, section 4."""
        from girih.formats import pkix

        return pkix.encode_public_key(self.parameter_set.name, self.to_bytes())

    @classmethod
    def from_der(cls, data: Buffer, *, expand: bool = False, compact: bool = False) -> VerificationKey:
        """The key in a SubjectPublicKeyInfo. Raises InvalidKey for anything but its one DER encoding."""
        from girih.formats import pkix

        name, encoded = pkix.decode_public_key(data, "ML-DSA")
        return _BY_NAME[name].verification_key(encoded, expand=expand, compact=compact)

    def to_pem(self) -> bytes:
        """The PEM form of `to_der`: ASCII text."""
        from girih.formats import pem

        return bytes(pem.to_pem(pem.PUBLIC_KEY, self.to_der()))

    @classmethod
    def from_pem(cls, text: str | Buffer, *, expand: bool = False, compact: bool = False) -> VerificationKey:
        """The key in the one PEM block of `text`, else InvalidKey."""
        from girih.formats import pem

        return cls.from_der(pem.from_pem(pem.PUBLIC_KEY, text), expand=expand, compact=compact)

    def __repr__(self) -> str:
        return f"<{self.parameter_set.name} VerificationKey {self.to_bytes()[:8].hex()}...>"

    def __reduce__(self) -> tuple[Callable[[Buffer], VerificationKey], tuple[bytes]]:
        return VerificationKey.from_bytes, (self.to_bytes(),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class SigningKey(_core.MlDsaSigningKey):
    """An ML-DSA signing (private) key. From `ParameterSet.key_gen`, `ParameterSet.signing_key` or `from_bytes`.

    Wiped when it is freed. Comparison takes constant time; there is no hash, no copy and no pickling.
    """

    __slots__ = ()

    @classmethod
    def from_bytes(cls, data: Buffer, *, expand: bool = False, compact: bool = False) -> SigningKey:
        """The key of an expanded encoding, whose length tells the set: 2560, 4032 or 4896 bytes.

        InvalidKey for another length, and for an encoding that is out of range or contradicts itself.
        expand: make the tables at once, not at the first signature; compact: never.
        Source: FIPS 204, Algorithm 25 (skDecode).
        """
        got = size(data)
        for parameter_set in PARAMETER_SETS:
            if got == parameter_set.signing_key_size:
                return parameter_set.signing_key(data, expand=expand, compact=compact)
        hint = ": a seed does not tell its set, MlDsa65.signing_key(seed) does" if got == MlDsa.seed_size else ""
        raise InvalidKey(f"an ML-DSA signing key is 2560, 4032 or 4896 bytes, got {got}{hint}")

    def sign_many(
        self,
        msgs: Iterable[Buffer],
        ctx: Buffer | None = None,
        deterministic: bool = False,
        *,
        max_attempts: None = None,
        checked: bool = False,
        threads: int = 1,
    ) -> list[bytes]:
        """`sign` for each message. threads: how many work on it, >= 1. An attempt budget is refused (ValueError)."""
        if max_attempts is not None:
            raise ValueError("max_attempts bounds one signature: sign_many takes none")
        messages = tuple(msgs)
        return in_slices(
            len(messages),
            threads,
            lambda part: _core.mldsa_sign_batch(self, messages[part], ctx, deterministic, checked),
        )

    def to_der(self) -> bytearray:
        """PKCS#8 with the seed, in a bytearray to be wiped after use. ValueError where the key came without a seed.

        Source: RFC 9881, section 6.
        """
        from girih.formats import pkix

        return pkix.encode_private_key(self.parameter_set.name, self.seed())

    @classmethod
    def from_der(cls, data: Buffer, *, expand: bool = False, compact: bool = False) -> SigningKey:
        """The key in a PKCS#8 structure that holds the seed, the expanded key, or both, which must then agree.

        Raises InvalidKey for anything but its one DER encoding.
        """
        from girih.formats import pkix

        return pkix.load_private_key(
            data, "ML-DSA", lambda name, form: _BY_NAME[name].signing_key(form, expand=expand, compact=compact)
        )

    def to_pem(self) -> bytearray:
        """The PEM form of `to_der`: ASCII text, in a bytearray to be wiped after use."""
        from girih.formats import pem

        der = self.to_der()
        try:
            return pem.to_pem(pem.PRIVATE_KEY, der)
        finally:
            wipe(der)

    @classmethod
    def from_pem(cls, text: str | Buffer, *, expand: bool = False, compact: bool = False) -> SigningKey:
        """The key in the one PEM block of `text`, else InvalidKey. A str cannot be wiped: prefer bytes-like text."""
        from girih.formats import pem

        der = pem.from_pem(pem.PRIVATE_KEY, text)
        try:
            return cls.from_der(der, expand=expand, compact=compact)
        finally:
            wipe(der)

    def __repr__(self) -> str:
        return f"<{self.parameter_set.name} SigningKey of {self.verification_key!r}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a signing key is not pickled: store its seed()")

    def __copy__(self) -> NoReturn:
        raise TypeError("a signing key is not copied: it is immutable, so share it")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__copy__()


PARAMETER_SETS: tuple[ParameterSet, ...] = _core.mldsa_parameter_sets(VerificationKey, SigningKey)
MlDsa44, MlDsa65, MlDsa87 = PARAMETER_SETS
MlDsa = MlDsa65

_BY_NAME = {parameter_set.name: parameter_set for parameter_set in PARAMETER_SETS}


def verify_many(
    vks: Iterable[VerificationKey],
    sigs: Iterable[Buffer],
    msgs: Iterable[Buffer],
    ctx: Buffer | None = None,
    *,
    threads: int = 1,
) -> list[bool]:
    """`vk.verify(sig, msg, ctx)` for each triple, of any keys and sets. Unequal lengths: ValueError.

    threads: how many work on it, >= 1.
    """
    keys = tuple(vks)
    messages = tuple(msgs)
    if len(keys) != len(messages):
        raise ValueError(f"as many keys as messages are needed, got {len(keys)} keys for {len(messages)} messages")
    return _verify_many(keys, tuple(sigs), messages, ctx, threads)


def _verify_many(
    vks: tuple[VerificationKey, ...],
    sigs: tuple[Buffer, ...],
    msgs: tuple[Buffer, ...],
    ctx: Buffer | None,
    threads: int,
) -> list[bool]:
    if len(sigs) != len(msgs):
        raise ValueError(
            f"as many signatures as messages are needed, got {len(sigs)} signatures for {len(msgs)} messages"
        )

    def verify(part: slice) -> list[bool]:
        return _core.mldsa_verify_batch(vks if len(vks) == 1 else vks[part], sigs[part], msgs[part], ctx)

    return in_slices(len(msgs), threads, verify)
