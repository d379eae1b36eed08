"""Keys of the command line, from their files."""

from __future__ import annotations

from girih.cli.files import Mistake, key_file, shown
from girih.errors import InvalidKey
from girih.mldsa import SigningKey, VerificationKey


def signing_key(path: str) -> SigningKey:
    """The private key in a PEM file."""
    with key_file(path, secret=True) as text:
        try:
            return SigningKey.from_pem(text)
        except InvalidKey as error:
            raise Mistake(f"{shown(path)}: {error}") from error


def verification_key(path: str) -> VerificationKey:
    """The public key in a PEM file."""
    with key_file(path) as text:
        try:
            return VerificationKey.from_pem(text)
        except InvalidKey as error:
            raise Mistake(f"{shown(path)}: {error}") from error
