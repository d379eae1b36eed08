"""`girih lab`: the embedded laboratory on the command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from girih.lab import rows
from girih.lab.build import KERNELS, MODES, SCHEMES, Build
from girih.lab.errors import LabError
from girih.lab.measure import OPS, Measurement, measure
from girih.lab.targets import TARGETS
from girih.lab.tools import require_package


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Registers `lab` and its commands."""
    parser = subparsers.add_parser(
        "lab",
        help="what the core costs on a microcontroller, under emulation",
        epilog="examples:\n  girih lab run --target m4,m33       one row for each operation and mode\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="lab_command", required=True, metavar="COMMAND")
    _add_run(commands)
    _add_device(commands)
    return parser


def run(args: argparse.Namespace) -> int:
    """Runs the chosen command: 0, or 2 with one message on standard error."""
    try:
        return int(args.lab_run(args) or 0)
    except LabError as error:
        print(f"girih lab: {error}", file=sys.stderr)
        return 2


class _Names(argparse.Action):
    """An option that may be repeated and may hold several names with commas between them."""

    def __init__(self, *args: Any, allowed: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.allowed = allowed
        self.given = False

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        names = [name for name in str(values).split(",") if name]
        for name in names:
            if name not in self.allowed:
                parser.error(f"argument {option_string}: no {name!r}; choose from {', '.join(self.allowed)}")
        earlier = getattr(namespace, self.dest) if self.given else []
        self.given = True
        setattr(namespace, self.dest, [*earlier, *(name for name in names if name not in earlier)])


def _choice_options(parser: argparse.ArgumentParser, *, modes: list[str], ops: list[str] | None) -> None:
    parser.add_argument(
        "--target", action=_Names, allowed=tuple(TARGETS), default=["m33"], metavar="NAMES", help=", ".join(TARGETS)
    )
    parser.add_argument(
        "--scheme",
        action=_Names,
        allowed=tuple(SCHEMES),
        default=["ml-dsa-65"],
        metavar="NAMES",
        help=", ".join(SCHEMES),
    )
    parser.add_argument("--mode", action=_Names, allowed=MODES, default=modes, metavar="NAMES", help=", ".join(MODES))
    if ops is not None:
        parser.add_argument("--op", action=_Names, allowed=OPS, default=ops, metavar="NAMES", help=", ".join(OPS))


def _build_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--kernel",
        choices=KERNELS,
        default="c32",
        help="Keccak on 64-bit lanes or interleaved 32-bit words (default: c32)",
    )
    parser.add_argument("--compiler", choices=("gcc", "clang"), default="gcc")
    parser.add_argument("--optimise", default="-Os", metavar="FLAGS", help="optimisation flags (default: -Os)")
    parser.add_argument("--no-lto", dest="lto", action="store_false", help="without link-time optimisation")
    parser.add_argument(
        "--no-hardening",
        dest="hardening",
        action="store_false",
        help="without initialised automatics and stack protector",
    )
    parser.add_argument(
        "--placement", type=Path, metavar="FOLDER", help="folder with the placement.ld that `girih lab profile` wrote"
    )


def _build(args: argparse.Namespace, target: str, scheme: str, mode: str) -> Build:
    lto = args.lto and args.compiler == "gcc"
    return Build(
        target,
        scheme,
        mode,
        args.kernel,
        args.compiler,
        args.optimise,
        lto,
        hardening=args.hardening,
        placement=args.placement,
    )


@contextmanager
def steps(total: int) -> Iterator[Any]:
    """A progress bar on standard error, where that is a terminal; gives a function that takes a text and the steps done with it."""
    progress = require_package("rich.progress")
    console = require_package("rich.console").Console(stderr=True)
    columns = (
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TimeElapsedColumn(),
    )
    with progress.Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total)

        def tell(text: str, done: int = 0) -> None:
            bar.update(task, description=text, advance=done)

        yield tell


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("run", help="build for a target, run under emulation, report")
    _choice_options(parser, modes=["expanded"], ops=list(OPS))
    _build_options(parser)
    parser.add_argument(
        "--messages", type=int, default=200, metavar="N", help="signatures to sample, 1 to 256 (default: 200)"
    )
    parser.add_argument(
        "--json", metavar="FILE", help="append the result lines to FILE; - prints them and nothing else"
    )
    parser.add_argument("--functions", action="store_true", help="also a table of instructions by function")
    parser.set_defaults(lab_run=_run)


def _run(args: argparse.Namespace) -> int:
    plans = _plans(args)
    found: list[Measurement] = []
    with steps(len(plans)) as tell:
        for target, scheme, mode in plans:
            for measurement in measure(_build(args, target, scheme, mode), args.op, args.messages, tell):
                found.append(measurement)
                if args.json == "-":
                    print(json.dumps(measurement.row), flush=True)
            tell("", 1)
    if not found:
        raise LabError(f"no mode of {', '.join(args.mode)} has an operation of {', '.join(args.op)}")
    if args.json != "-":
        _give(args, [measurement.row for measurement in found], functions=args.functions)
    return 0


def _add_device(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    for name, what in (
        ("attest", "a device signs a report about itself; this checks it"),
        ("boot", "a boot loader verifies an image and starts it, and refuses a tampered one"),
    ):
        parser = commands.add_parser(name, help=what, description=what)
        _choice_options(parser, modes=["expanded"], ops=None)
        _build_options(parser)
        parser.set_defaults(lab_run=_attest if name == "attest" else _boot)
    commands.choices["attest"].add_argument(
        "--json", metavar="FILE", help="append the result lines to FILE; - prints them and nothing else"
    )


def _attest(args: argparse.Namespace) -> int:
    from girih.lab import device

    found = []
    for target, scheme, mode in _plans(args):
        attestation = device.attest(_build(args, target, scheme, mode), "many")
        if not attestation.released or not device.check_attestation(scheme, attestation):
            raise LabError(f"{target} {scheme} {mode}: the signature is not the device's")
        found.append(attestation.row)
    _give(args, found)
    return 0


def _boot(args: argparse.Namespace) -> int:
    from girih.lab import device

    for target, scheme, mode in _plans(args):
        build = _build(args, target, scheme, mode)
        good = device.boot(build)
        if {"app": "payload"} not in good or good[-1] != {"end": "ok"}:
            raise LabError(f"{target} {scheme} {mode}: a signed image did not start: {good}")
        size = good[0]["image"]
        for byte in (16, device.IMAGE_AT - device.HEADER_AT, device.IMAGE_AT - device.HEADER_AT + size - 1):
            if {"app": "payload"} in device.boot(build, byte):
                raise LabError(f"{target} {scheme} {mode}: an image with byte {byte} changed was started")
        print(f"{target} {scheme} {mode}: started a signed image of {size} bytes, refused 3 tampered ones")
    return 0


def _plans(args: argparse.Namespace) -> list[tuple[str, str, str]]:
    return [(target, scheme, mode) for target in args.target for scheme in args.scheme for mode in args.mode]


def _give(args: argparse.Namespace, found: list[rows.Row], *, functions: bool = False) -> None:
    """Prints rows as a table, or puts them where --json says."""
    if args.json == "-":
        for row in found:
            print(json.dumps(row))
        return
    if args.json:
        rows.append(Path(args.json), found)
    from girih.lab import tables

    tables.show_run(found, functions=functions)
