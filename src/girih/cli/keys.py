"""Keys of the command line, from their files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from girih.cli.files import Mistake, key_file, shown, wipe
from girih.errors import InvalidKey
from girih.formats import pem, pkix
from girih.mldsa import SigningKey, VerificationKey
from girih.mlkem import DecapsulationKey, EncapsulationKey

_Key = TypeVar("_Key")


def signing_key(path: str) -> SigningKey:
    """The ML-DSA private key in a PEM file."""
    return _read(path, SigningKey.from_pem, secret=True)


def verification_key(path: str) -> VerificationKey:
    """The ML-DSA public key in a PEM file."""
    return _read(path, VerificationKey.from_pem)


def decapsulation_key(path: str) -> DecapsulationKey:
    """The ML-KEM private key in a PEM file."""
    return _read(path, DecapsulationKey.from_pem, secret=True)


def encapsulation_key(path: str) -> EncapsulationKey:
    """The ML-KEM public key in a PEM file."""
    return _read(path, EncapsulationKey.from_pem)


def public_half(path: str) -> VerificationKey | EncapsulationKey:
    """The public key of a private key of any scheme in a PEM file."""
    return _read(path, _public_half, secret=True)


def _public_half(text: memoryview) -> VerificationKey | EncapsulationKey:
    der = pem.from_pem(pem.PRIVATE_KEY, text)
    try:
        if pkix.private_key_scheme(der) == "ML-KEM":
            return DecapsulationKey.from_der(der).encapsulation_key
        return SigningKey.from_der(der).verification_key
    finally:
        wipe(der)


def _read(path: str, read: Callable[[memoryview], _Key], secret: bool = False) -> _Key:
    with key_file(path, secret) as text:
        try:
            return read(text)
        except InvalidKey as error:
            raise Mistake(f"{shown(path)}: {error}") from error
