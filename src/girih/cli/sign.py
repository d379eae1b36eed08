"""`girih sign`: the signature of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from girih.cli import keys, options
from girih.cli.files import STREAM, Mistake, Output, check_free, shown, write_all, write_stream

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """\
  girih sign -k key.pem report.pdf                      writes report.pdf.sig
  girih sign -k key.pem --context invoices report.pdf   good only for the same context
  tar c src | girih sign -k key.pem - -o src.sig        reads standard input
  girih sign -k key.pem --prehash SHA2-512 disk.img     HashML-DSA, for verifiers that ask for it
"""


def add_parser(subparsers: options.Subparsers) -> None:
    parser = options.add(subparsers, "sign", "sign a file", _EXAMPLES)
    parser.add_argument("-k", "--key", metavar="FILE", required=True, help="the private key (PEM)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the signature, raw bytes (default: FILE.sig; - is standard output, the default for standard input)",
    )
    options.add_message(parser)
    parser.add_argument(
        "--deterministic", action="store_true", help="the same signature each time, without fresh randomness"
    )
    parser.add_argument(
        "--checked", action="store_true", help="verify the signature before it is written, against hardware faults"
    )
    options.add_force(parser)


def run(args: argparse.Namespace) -> int:
    output = args.output or (STREAM if args.file == STREAM else args.file + ".sig")
    if output != STREAM:
        check_free((output,), args.force, inputs=(args.key, args.file))
    ctx = options.context_of(args)
    sk = keys.signing_key(args.key)
    how = {"deterministic": args.deterministic, "checked": args.checked}

    def hashed() -> bytes:
        return options.digest_of(args.file, args.prehash) if args.prehash else options.mu_of(args.file, sk, ctx)

    message = hashed()
    # A checked signature is verified against this hash, so the hash is made twice; standard input is read only once.
    if args.checked and args.file != STREAM and hashed() != message:
        raise Mistake(f"{shown(args.file)} changed while it was read, or this machine is faulty; nothing is signed")
    sig = sk.sign_digest(message, args.prehash, ctx, **how) if args.prehash else sk.sign_mu(message, **how)
    if output == STREAM:
        write_stream(sig)
    else:
        write_all((Output(output, sig),), args.force)
        print(f"wrote {sk.parameter_set.name} signature: {shown(output)} ({len(sig)} bytes)")
    return 0
