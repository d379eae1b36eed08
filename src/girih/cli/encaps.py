"""`girih encaps`: a shared secret for the owner of a public key, and the ciphertext that tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from girih.cli import keys, options
from girih.cli.files import STREAM, Mistake, Output, check_free, check_stream, shown, wipe, write_all, write_stream

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """\
  girih encaps kem.pub -o ct --secret-out ss            ct goes to the owner of kem.pub, ss stays here
  girih encaps kem.pub -o - --secret-out ss | ssh host 'cat > ct'
"""


def add_parser(subparsers: options.Subparsers) -> None:
    parser = options.add(subparsers, "encaps", "make a shared secret and its ciphertext", _EXAMPLES)
    parser.add_argument("key", metavar="PUBLIC", help="the public key (PEM, RFC 9935)")
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the ciphertext, raw bytes (- is standard output)"
    )
    options.add_secret_out(parser)
    options.add_force(parser)


def run(args: argparse.Namespace) -> int:
    if args.output == STREAM and args.secret_out == STREAM:
        raise Mistake("the ciphertext and the shared secret cannot both go to standard output")
    check_free([path for path in (args.output, args.secret_out) if path != STREAM], args.force, inputs=(args.key,))
    if STREAM in (args.output, args.secret_out):
        check_stream()
    ek = keys.encapsulation_key(args.key)
    ss, ct = ek.encaps()
    try:
        # The ciphertext first: without the secret it is harmless.
        outputs = (Output(args.output, ct), Output(args.secret_out, ss, secret=True))
        write_all([output for output in outputs if output.path != STREAM], args.force)
        for output in outputs:
            if output.path == STREAM:
                write_stream(output.data)
    finally:
        wipe(ss)
    if STREAM not in (args.output, args.secret_out):
        name = ek.parameter_set.name
        print(f"wrote {name} ciphertext: {shown(args.output)} and shared secret: {shown(args.secret_out)} (secret)")
    return 0
