"""`girih decaps`: the shared secret of a ciphertext."""

from __future__ import annotations

from typing import TYPE_CHECKING

from girih.cli import keys, options
from girih.cli.files import (
    STREAM,
    Mistake,
    Output,
    check_free,
    check_stream,
    read_up_to,
    shown,
    wipe,
    write_all,
    write_stream,
)

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """\
  girih decaps kem.pem ct --secret-out ss
A ciphertext that was made for another key, or was changed, gives another secret and exit status 0: whether both sides
have the same one shows in its use.
"""


def add_parser(subparsers: options.Subparsers) -> None:
    parser = options.add(subparsers, "decaps", "find the shared secret of a ciphertext", _EXAMPLES)
    parser.add_argument("key", metavar="KEY", help="the private key (PEM, RFC 9935)")
    parser.add_argument("ciphertext", metavar="CT", help="the ciphertext, raw bytes (- is standard input)")
    options.add_secret_out(parser)
    options.add_force(parser)


def run(args: argparse.Namespace) -> int:
    if args.secret_out == STREAM:
        check_stream()
    else:
        check_free((args.secret_out,), args.force, inputs=(args.key, args.ciphertext))
    dk = keys.decapsulation_key(args.key)
    name, size = dk.parameter_set.name, dk.parameter_set.ciphertext_size
    ct = read_up_to(args.ciphertext, size + 1)  # one byte more shows that it is too long
    if len(ct) != size:
        raise Mistake(f"{shown(args.ciphertext)} has not the {size} bytes of an {name} ciphertext")
    ss = dk.decaps(ct)
    try:
        if args.secret_out == STREAM:
            write_stream(ss)
        else:
            write_all((Output(args.secret_out, ss, secret=True),), args.force)
            print(f"wrote {name} shared secret: {shown(args.secret_out)} (secret)")
    finally:
        wipe(ss)
    return 0
