"""`girih public`: the public key of a private key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from girih.cli import keys, options
from girih.cli.files import Output, check_free, shown, write_all

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """\
  girih public -k key.pem -o key.pub
"""


def add_parser(subparsers: options.Subparsers) -> None:
    parser = options.add(subparsers, "public", "write the public key of a private key", _EXAMPLES)
    parser.add_argument("-k", "--key", metavar="FILE", required=True, help="the private key (PEM)")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the public key (PEM)")
    options.add_force(parser)


def run(args: argparse.Namespace) -> int:
    check_free((args.output,), args.force, inputs=(args.key,))
    public = keys.public_half(args.key)
    write_all((Output(args.output, public.to_pem()),), args.force)
    print(f"wrote {public.parameter_set.name} public key: {shown(args.output)}")
    return 0
