"""Options that several subcommands share, and the parser that shows their examples."""

from __future__ import annotations

import argparse
import hashlib
from typing import TYPE_CHECKING

from girih import mldsa, mlkem
from girih.cli.files import Mistake, stream

if TYPE_CHECKING:
    from girih.mldsa import SigningKey, VerificationKey

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

PARAMETER_SETS: tuple[mldsa.ParameterSet | mlkem.ParameterSet, ...] = (*mldsa.PARAMETER_SETS, *mlkem.PARAMETER_SETS)

# FIPS 204, section 5.4: the approved hashes under ACVP's names; hashlib's name; digest length of the two SHAKEs.
_HASHES: dict[str, tuple[str, int | None]] = {
    "SHA2-224": ("sha224", None),
    "SHA2-256": ("sha256", None),
    "SHA2-384": ("sha384", None),
    "SHA2-512": ("sha512", None),
    "SHA2-512/224": ("sha512_224", None),
    "SHA2-512/256": ("sha512_256", None),
    "SHA3-224": ("sha3_224", None),
    "SHA3-256": ("sha3_256", None),
    "SHA3-384": ("sha3_384", None),
    "SHA3-512": ("sha3_512", None),
    "SHAKE-128": ("shake_128", 32),
    "SHAKE-256": ("shake_256", 64),
}


def add(subparsers: Subparsers, name: str, summary: str, examples: str) -> argparse.ArgumentParser:
    """A subcommand's parser. `summary` is a phrase without capital or full stop; `examples` are shell lines."""
    return subparsers.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="replace existing output files")


def add_secret_out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--secret-out",
        metavar="FILE",
        required=True,
        help="the shared secret, 32 raw bytes, readable by its owner only (- is standard output)",
    )


def add_message(parser: argparse.ArgumentParser) -> None:
    """The message and what is hashed with it: the same options for signing and verifying."""
    parser.add_argument("file", metavar="FILE", help="the file, of any size; - reads standard input")
    context = parser.add_mutually_exclusive_group()
    context.add_argument("--context", metavar="TEXT", help="context string of at most 255 bytes, as UTF-8")
    context.add_argument("--context-hex", metavar="HEX", help="the same in hexadecimal digits")
    parser.add_argument(
        "--prehash",
        metavar="HASH",
        type=str.upper,
        choices=_HASHES,
        help=f"HashML-DSA with this hash instead of pure ML-DSA: {', '.join(_HASHES)}",
    )


def context_of(args: argparse.Namespace) -> bytes:
    """The context string that the options ask for."""
    if args.context_hex is not None:
        try:
            return bytes.fromhex(args.context_hex)
        except ValueError:
            raise Mistake("--context-hex takes pairs of hexadecimal digits") from None
    return (args.context or "").encode("utf-8", "surrogateescape")


def digest_of(path: str, name: str) -> bytes:
    """Digest of a file under one of the approved hashes."""
    algorithm, length = _HASHES[name]
    try:
        h = hashlib.new(algorithm)
    except ValueError:
        raise Mistake(f"this Python's hashlib has no {name}") from None
    stream(path, h.update)
    return h.digest() if length is None else h.digest(length)  # type: ignore[call-arg]


def mu_of(path: str, key: SigningKey | VerificationKey, ctx: bytes) -> bytes:
    """mu of a file: what is signed and verified for it (FIPS 204, Algorithm 2, line 10, and Algorithm 7, line 6)."""
    hasher = key.mu_hasher(ctx)
    stream(path, hasher.update)
    return hasher.digest()
