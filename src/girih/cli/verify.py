"""`girih verify`: is this the signature of this file?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from girih.cli import keys, options
from girih.cli.files import STREAM, Mistake, read_up_to, shown

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """\
  girih verify -k key.pub report.pdf                    reads report.pdf.sig
  girih verify -k key.pub report.pdf other.sig
  girih verify -k key.pub --context invoices report.pdf
  curl URL | girih verify -k key.pub - report.pdf.sig && echo good
exit status: 0 the signature is good, 1 it is bad, 2 a mistake (no such file, no key, ...)
"""


def add_parser(subparsers: options.Subparsers) -> None:
    parser = options.add(subparsers, "verify", "verify the signature of a file", _EXAMPLES)
    parser.add_argument("-k", "--key", metavar="FILE", required=True, help="the public key (PEM)")
    options.add_message(parser)
    parser.add_argument(
        "signature", metavar="SIG", nargs="?", help="the signature (default: FILE.sig; - is standard input)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing: the exit status is the answer")


def run(args: argparse.Namespace) -> int:
    if args.file == STREAM and args.signature in (None, STREAM):
        raise Mistake("the message comes from standard input, so the signature needs a file of its own")
    signature = args.signature or args.file + ".sig"
    ctx = options.context_of(args)
    vk = keys.verification_key(args.key)
    size = vk.parameter_set.signature_size
    sig = read_up_to(signature, size + 1)  # one byte more shows that it is too long
    if args.prehash:
        good = vk.verify_digest(sig, options.digest_of(args.file, args.prehash), args.prehash, ctx)
    else:
        good = vk.verify_mu(sig, options.mu_of(args.file, vk, ctx))
    if not args.quiet:
        name = vk.parameter_set.name
        why = "" if len(sig) == size else f": {shown(signature)} has not the {size} bytes of an {name} signature"
        print(f"{'good' if good else 'BAD'} {name} signature of {shown(args.file)}{why}")
    return 0 if good else 1
