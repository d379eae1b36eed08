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
from girih.lab.build import KEM_MODES, KEM_SCHEMES, KERNELS, MODES, SCHEMES, Build
from girih.lab.errors import LabError
from girih.lab.flash import KERNELS as KERNELS_IN_FLASH
from girih.lab.measure import KEM_OPS, OPS, Measurement, measure
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
    _add_profile(commands)
    _add_sweep(commands)
    _add_latency(commands)
    _add_ladder(commands)
    _add_ingest(commands)
    _add_timing(commands)
    _add_report(commands)
    _add_device(commands)
    _add_mlkem(commands)
    _add_flash(commands)
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


def _choice_options(
    parser: argparse.ArgumentParser, *, modes: list[str], ops: list[str] | None, kem: bool = False
) -> None:
    """kem: ML-KEM may be chosen too; its first mode is then the default, `modes` that of ML-DSA."""
    schemes = (*SCHEMES, *(KEM_SCHEMES if kem else ()))
    allowed = tuple(dict.fromkeys([*MODES, *(KEM_MODES if kem else ())]))
    operations = tuple(dict.fromkeys([*OPS, *(KEM_OPS if kem else ())]))
    parser.add_argument(
        "--target", action=_Names, allowed=tuple(TARGETS), default=["m33"], metavar="NAMES", help=", ".join(TARGETS)
    )
    parser.add_argument(
        "--scheme", action=_Names, allowed=schemes, default=["ml-dsa-65"], metavar="NAMES", help=", ".join(schemes)
    )
    parser.add_argument("--mode", action=_Names, allowed=allowed, metavar="NAMES", help=", ".join(allowed))
    parser.set_defaults(default_modes=modes)
    if ops is not None:
        parser.add_argument(
            "--op", action=_Names, allowed=operations, default=ops, metavar="NAMES", help=", ".join(operations)
        )


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
    """A progress bar on standard error, where that is a terminal; gives a function that takes a text and the steps
    done with it."""
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
    _choice_options(parser, modes=["expanded"], ops=list(dict.fromkeys([*OPS, *KEM_OPS])), kem=True)
    _build_options(parser)
    parser.add_argument(
        "--messages",
        type=int,
        default=200,
        metavar="N",
        help="signatures to sample, 1 to 256 (default: 200); key pairs of ML-KEM: 16",
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
            having = [op for op in args.op if op in (KEM_OPS if scheme in KEM_SCHEMES else OPS)]
            for measurement in (
                measure(_build(args, target, scheme, mode), having, args.messages, tell) if having else ()
            ):
                found.append(measurement)
                if args.json == "-":
                    print(json.dumps(measurement.row), flush=True)
            tell("", 1)
    if not found:
        chosen = dict.fromkeys(f"{scheme} {mode}" for _, scheme, mode in plans)
        raise LabError(f"none of {', '.join(chosen)} has an operation of {', '.join(args.op)}")
    if args.json != "-" and _to_file(args, [measurement.row for measurement in found]):
        from girih.lab import tables

        tables.show_run([measurement.row for measurement in found], functions=args.functions)
    return 0


def _add_profile(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("profile", help="rank hot code and data, write their placement for an ITCM and a DTCM")
    _choice_options(parser, modes=["expanded"], ops=["sign"], kem=True)
    _build_options(parser)
    parser.add_argument("--itcm", type=_size, default=8192, metavar="BYTES", help="room for code (8K by default)")
    parser.add_argument(
        "--dtcm", type=_size, default=4096, metavar="BYTES", help="room for constants and the stack (4K by default)"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FOLDER",
        help="write placement.ld there; use it with run --placement FOLDER",
    )
    parser.set_defaults(lab_run=_profile)


def _size(text: str) -> int:
    """Bytes, with K or k for 1,024 of them."""
    number = text[:-1] if text[-1:] in "Kk" else text
    if not number.isdigit():
        raise argparse.ArgumentTypeError(f"not a size: {text!r}")
    return int(number) * (1024 if number is not text else 1)


def _profile(args: argparse.Namespace) -> int:
    from girih.lab import profile, tables

    for target, scheme, mode in _plans(args):
        for op in args.op:
            found = profile.profile(_build(args, target, scheme, mode), op)
            placement = profile.place(found, args.itcm, args.dtcm)
            tables.show_profile(f"{target} {scheme} {mode} {op}", found, placement)
            if args.output:
                print(f"written: {profile.write(placement, args.itcm, args.dtcm, args.output)}")
    return 0


def _add_sweep(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("sweep", help="build and measure a matrix of options, show what helps")
    _choice_options(parser, modes=["expanded"], ops=None)
    _build_options(parser)
    parser.add_argument("--messages", type=int, default=50, metavar="N", help="signatures to sample (default: 50)")
    parser.add_argument(
        "--json", metavar="FILE", help="append the result lines to FILE; - prints them and nothing else"
    )
    parser.set_defaults(lab_run=_sweep)


def _sweep(args: argparse.Namespace) -> int:
    from girih.lab import sweep, tables

    plans = _plans(args)
    found: list[rows.Row] = []
    with steps(len(plans) * len(sweep.VARIANTS)) as tell:
        for target, scheme, mode in plans:
            found += sweep.sweep(_build(args, target, scheme, mode), args.messages, tell)
    if _to_file(args, found):
        tables.show_sweep(found)
    return 0


def _add_latency(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("latency", help="the distribution of attempts and instructions of a signature")
    _choice_options(parser, modes=["expanded"], ops=None)
    _build_options(parser)
    parser.add_argument("--messages", type=int, default=256, metavar="N", help="signatures (default and at most 256)")
    parser.add_argument(
        "--json", metavar="FILE", help="append the result lines to FILE; - prints them and nothing else"
    )
    parser.set_defaults(lab_run=_latency)


def _latency(args: argparse.Namespace) -> int:
    from girih.lab import latency, tables

    plans = _plans(args)
    found = []
    with steps(len(plans)) as tell:
        for target, scheme, mode in plans:
            tell(f"{target} {scheme} {mode}")
            found.append(latency.latency(_build(args, target, scheme, mode), args.messages))
            tell("", 1)
    if _to_file(args, found):
        for row in found:
            tables.show_latency(row)
    return 0


def _add_ladder(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("ladder", help="forms of Keccak on a 32-bit core, from 64-bit lanes to lazy rotations")
    parser.add_argument(
        "--target", action=_Names, allowed=tuple(TARGETS), default=["m33"], metavar="NAMES", help=", ".join(TARGETS)
    )
    parser.add_argument(
        "--json", metavar="FILE", help="append the result lines to FILE; - prints them and nothing else"
    )
    parser.set_defaults(lab_run=_ladder)


def _ladder(args: argparse.Namespace) -> int:
    from girih.lab import ladder, tables

    found = []
    with steps(len(args.target)) as tell:
        for target in args.target:
            tell(f"{target} ladder")
            found += ladder.climb(Build(target))
            tell("", 1)
    if _to_file(args, found):
        tables.show_ladder(found)
    return 0


def _add_ingest(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("ingest", help="turn the log of a real board into result lines")
    parser.add_argument(
        "log",
        type=Path,
        metavar="LOG",
        help="what the app speed wrote to the UART (built with GIRIH_CYCLES and GIRIH_UART_LOG)",
    )
    parser.add_argument("--board", required=True, metavar="NAME", help="what the board is, for the rows")
    parser.add_argument("--clock", type=int, metavar="HZ", help="its clock, for milliseconds")
    parser.add_argument(
        "--json", metavar="FILE", help="append the result lines to FILE; - prints them and nothing else"
    )
    parser.set_defaults(lab_run=_ingest)


def _ingest(args: argparse.Namespace) -> int:
    from girih.lab import ingest, tables

    found = ingest.ingest(_text(args.log), args.board, args.clock)
    if _to_file(args, found):
        tables.show_measured(found)
    return 0


def _add_timing(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("timing", help="judge the log of the operand-timing app of a real board")
    parser.add_argument("log", type=Path, metavar="LOG")
    parser.set_defaults(lab_run=_timing)


def _timing(args: argparse.Namespace) -> int:
    """Exit status 1 when an instruction's time depends on its operands, or cannot be told."""
    from girih.lab import ingest, tables, timing

    verdicts = timing.judge(ingest.log_lines(_text(args.log)))
    tables.show_timing(verdicts)
    return 0 if all(verdict.verdict == "constant" for verdict in verdicts) else 1


def _add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("report", help="write docs/embedded.md and its plots from the result lines")
    parser.add_argument(
        "--results", type=Path, default=Path("benchmarks/results"), metavar="FOLDER", help="default: benchmarks/results"
    )
    parser.add_argument("--docs", type=Path, default=Path("docs"), metavar="FOLDER", help="default: docs")
    parser.set_defaults(lab_run=_report)


def _report(args: argparse.Namespace) -> int:
    from girih.lab import report

    if not args.results.is_dir():
        raise LabError(f"no results in {args.results}; `girih lab run --json {args.results}/lab.jsonl` makes some")
    print(f"written: {report.report(args.results, args.docs)}")
    return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise LabError(f"cannot read {path}: {error.strerror}") from error


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
    if _to_file(args, found):
        from girih.lab import tables

        tables.show_run(found)
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


def _add_flash(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    what = "write the tables of a key for a device that keeps them in flash"
    parser = commands.add_parser("flash", help=what, description=what)
    parser.add_argument("key", metavar="KEY", help="a public or a private key (PEM)")
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the image; its place is a multiple of 64"
    )
    parser.add_argument(
        "--kernel", choices=sorted(KERNELS_IN_FLASH), default="c32", help="the device's Keccak; default: c32"
    )
    parser.add_argument(
        "--with-secret", action="store_true", help="the secret table too: whoever reads the image can sign"
    )
    parser.add_argument("--force", action="store_true", help="replace the file where there is one")
    parser.set_defaults(lab_run=_flash)


def _flash(args: argparse.Namespace) -> int:
    from girih.cli.files import Mistake, Output, check_free, wipe, write_all
    from girih.cli.keys import signing_key, verification_key
    from girih.lab.flash import flash_image

    image = bytearray()
    try:
        check_free((args.output,), args.force, inputs=(args.key,))
        private = args.with_secret or "PRIVATE KEY" in _text(Path(args.key))
        key = signing_key(args.key) if private else verification_key(args.key)
        image, secret_at = flash_image(key, args.kernel, args.with_secret)
        write_all((Output(args.output, image, secret=args.with_secret),), args.force)
    except Mistake as mistake:
        raise LabError(str(mistake)) from mistake
    finally:
        wipe(image)
    print(f"wrote {key.parameter_set.name} tables: {args.output}, {len(image)} bytes")
    if args.with_secret:
        print(f"the secret table begins at {secret_at}; keep the file as you keep the key")
    return 0


def _add_mlkem(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from girih.lab import mlkem

    what = "ML-KEM from flash: caches, placements, clocks, one direction at a time and together"
    parser = commands.add_parser("mlkem", help=what, description=what)
    for name, allowed in (("target", mlkem.TARGETS), ("scheme", tuple(KEM_SCHEMES))):
        parser.add_argument(
            f"--{name}", action=_Names, allowed=allowed, default=list(allowed), metavar="NAMES", help=", ".join(allowed)
        )
    parser.add_argument(
        "--json", metavar="FILE", help="append the result lines to FILE; - prints them and nothing else"
    )
    parser.add_argument(
        "--host", action="store_true", help="count what caches save on this host's portable backend (callgrind) instead"
    )
    parser.add_argument(
        "--report", action="store_true", help="write docs/mlkem-embedded.md and its plots from the result lines instead"
    )
    parser.add_argument(
        "--results", type=Path, default=Path("benchmarks/results"), metavar="FOLDER", help="default: benchmarks/results"
    )
    parser.add_argument("--docs", type=Path, default=Path("docs"), metavar="FOLDER", help="default: docs")
    parser.set_defaults(lab_run=_mlkem)


def _mlkem(args: argparse.Namespace) -> int:
    from girih.lab import host, mlkem, mlkem_report, tables
    from girih.lab.results import KemResults

    if args.report:
        (name,) = KemResults.FILES
        if not (args.results / name).is_file():
            raise LabError(f"no {name} in {args.results}; `girih lab mlkem --json` makes one")
        print(f"written: {mlkem_report.report(args.results, args.docs)}")
        return 0
    if args.host:
        found = list(host.host_rows())
    else:
        plans = [(target, scheme) for target in args.target for scheme in args.scheme]
        found = []
        with steps(len(plans)) as tell:
            for target, scheme in plans:
                found += mlkem.experiment(target, scheme, tell)
                tell("", 1)
    if _to_file(args, found):
        tables.show_kem(found)
    return 0


def _plans(args: argparse.Namespace) -> list[tuple[str, str, str]]:
    """Targets, schemes, and of the modes those that each scheme has."""
    plans = []
    for target in args.target:
        for scheme in args.scheme:
            kem = scheme in KEM_SCHEMES
            modes = args.mode or (list(KEM_MODES[:1]) if kem else args.default_modes)
            having = [mode for mode in modes if mode in (KEM_MODES if kem else MODES)]
            if not having:
                raise LabError(f"{scheme} has no mode {', '.join(modes)}")
            plans += [(target, scheme, mode) for mode in having]
    return plans


def _to_file(args: argparse.Namespace, found: list[rows.Row]) -> bool:
    """Puts rows where --json says; whether a table is to be shown as well."""
    if args.json == "-":
        for row in found:
            print(json.dumps(row))
        return False
    if args.json:
        rows.append(Path(args.json), found)
    return True
