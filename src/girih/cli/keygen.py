"""`girih keygen`: a new key pair in two files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from girih.cli import options
from girih.cli.files import STREAM, Mistake, Output, check_free, shown, wipe, write_all

if TYPE_CHECKING:
    import argparse

_SETS = {parameter_set.name.lower(): parameter_set for parameter_set in options.PARAMETER_SETS}

_EXAMPLES = """\
  girih keygen -o key.pem                      ML-DSA-65: key.pem (secret) and key.pub
  girih keygen --set ml-dsa-87 -o root.pem
  girih keygen --set ml-kem-768 -o kem.pem     for girih encaps and decaps
  girih keygen -o private.pem --public site.pub
"""


def add_parser(subparsers: options.Subparsers) -> None:
    parser = options.add(subparsers, "keygen", "make a key pair", _EXAMPLES)
    parser.add_argument(
        "--set",
        "--scheme",
        dest="set",
        type=str.lower,
        choices=_SETS,
        default="ml-dsa-65",
        help="parameter set: %(choices)s (default %(default)s)",
        metavar="SET",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help="the private key: its seed as PEM (RFC 9881, RFC 9935), readable by its owner only",
    )
    parser.add_argument(
        "--public", metavar="FILE", help="the public key as PEM (default: the private key's name ending in .pub)"
    )
    options.add_force(parser)


def run(args: argparse.Namespace) -> int:
    private = args.output
    public = args.public or os.path.splitext(private)[0] + ".pub"
    if STREAM in (private, public):
        raise Mistake("a key pair is written to two files, not to standard output")
    check_free((public, private), args.force)
    public_key, private_key = _SETS[args.set].key_gen()
    pem = private_key.to_pem()
    try:
        # The public key first: a public key without its private one is harmless, the other way round is not.
        write_all((Output(public, public_key.to_pem()), Output(private, pem, secret=True)), args.force)
    finally:
        wipe(pem)
    print(f"wrote {public_key.parameter_set.name} key pair: {shown(private)} (secret) and {shown(public)}")
    return 0
