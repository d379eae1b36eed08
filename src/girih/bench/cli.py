"""The subcommand ``girih bench``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from girih.bench.nist import Family
    from girih.bench.peers import Peer
    from girih.bench.race import Contestant
    from girih.bench.workload import Workload

_SETS = ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87")
_OPERATIONS = ("keygen", "sign", "verify")
_MESSAGE_SIZES = (59, 1024, 32 * 1024)
_PEERS = ("fast-mldsa", "cryptography", "pqcrypto", "liboqs-python", "dilithium-py")

_DESCRIPTION = """\
Time key generation, signing and verification.

Signing is deterministic and everything comes from fixed seeds, so two runs do the same work.
With --peers, --lib or --native it is a race: each round does the next messages by everybody in turn, what comes out is
checked, and ratios are taken within the rounds. A race of more than one message size, set and operation takes minutes."""

_EXAMPLES = """\
examples:
  girih bench                                     the table, in half a minute
  girih bench --set 65 --op verify --peers        beside every other package that is installed
  girih bench --peers fast-mldsa --messages 2000 --duration 5
  girih bench --lib ./libpeer.so                  C against C: any library with crypto_sign_* functions
  girih bench --lib libpeer.so:peer65_*:ctx-mu    with the pattern of its names and the shape of its functions
  girih bench --op sign --threads 2               two threads against two processes
  girih bench --latency --plot latency.svg        signing as a distribution: median, 99th percentile, worst
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Add the subcommand to the `girih` command."""
    parser = subparsers.add_parser(
        "bench",
        help="time the operations, alone or beside other implementations",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "--set",
        dest="sets",
        action="append",
        type=_set,
        metavar="SET",
        help="44, 65 or 87; may be repeated (default: all)",
    )
    add("--op", dest="ops", action="append", choices=_OPERATIONS, help="may be repeated (default: all)")
    add(
        "--message-size",
        dest="sizes",
        action="append",
        type=_natural,
        metavar="BYTES",
        help="may be repeated (default: 59, 1024, 32768)",
    )
    add("--messages", type=_positive, metavar="N", help="different messages or seeds (default: 64; in a race 256)")
    add("--duration", type=_seconds, metavar="S", help="most seconds for a row (default: 1; in a race 2; threads: 9)")
    add("--repeats", type=_positive, metavar="N", help="rounds (default: 5; in a race 32; threads: 9)")
    add("--warmup", type=_seconds, default=0.1, metavar="S", help="seconds before the first round (default: 0.1)")
    add(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="what counts: time passed, or time of this thread (default: wall)",
    )
    add(
        "--peers",
        nargs="*",
        choices=_PEERS,
        metavar="PEER",
        help=f"race the packages that are installed, or those named: {', '.join(_PEERS)}",
    )
    add("--lib", dest="libs", action="append", metavar="PATH[:NAMES[:SHAPE]]",
        help="race a shared library with the NIST signature API against girih's C core; NAMES is a pattern such as crypto_sign_*, "
             "SHAPE is ctx, ctx-mu or plain (see girih.bench.nist)")  # fmt: skip
    add("--native", action="store_true", help="race girih's C core too, without a peer")
    add(
        "--threads",
        type=_positive,
        metavar="N",
        help="throughput of N threads against N processes instead (girih and --peers)",
    )
    add(
        "--latency",
        action="store_true",
        help="time each of many signatures by itself instead, and count its attempts (girih alone)",
    )
    add("--signatures", type=_positive, default=16_384, metavar="N", help="with --latency (default: 16384)")
    add("--plot", type=_picture, metavar="FILE", help="with --latency: draw histogram and tail as a .png or .svg")
    add("--json", action="store_true", help="print one JSON object a row instead of the table")
    add("--save", metavar="FILE", help="append the JSON lines to FILE too")
    return parser


def run(args: argparse.Namespace) -> int:
    """Run ``girih bench``. Returns 0, or 2 where something could not be raced or drawn or gave a wrong result."""
    from girih.bench.latency import NoPlot
    from girih.bench.nist import Unusable
    from girih.bench.race import Mismatch

    try:
        records = list(_latencies(args) if args.latency else _scalings(args) if args.threads else _races(args))
    except (Mismatch, NoPlot, Unusable) as error:
        print(f"girih: bench: {error}", file=sys.stderr)
        return 2
    if args.save:
        from pathlib import Path

        from girih.bench.report import append

        append(Path(args.save), records)
    return 0


def _races(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Run every race asked for; prints the rows as they come and yields them."""
    from girih.bench import native as c
    from girih.bench import nist, report
    from girih.bench.race import Plan, race

    if (args.libs or args.native) and not c.available():
        raise nist.Unusable("--lib and --native need a build with pointers of 64 bits")
    families = [family for argument in args.libs or () for family in nist.load(argument)]
    peers = _peers(args)
    native = bool(families) or args.native
    interleaved = native or args.peers is not None
    count = args.messages or (256 if interleaved else 64)
    plan = Plan(
        count,
        args.repeats or (min(32, count) if interleaved else 5),
        args.duration or (2.0 if interleaved else 1.0),
        args.warmup,
        interleaved,
        args.clock,
    )
    if not args.json:
        _print_head(plan.count, plan.rounds, args)
        print(report.header(interleaved))
    for work, op in _workloads(args, count):
        contestants = list(_contestants(work, op, peers, families, native))
        if not contestants:
            continue
        for row in report.rows(work, op, contestants, race(contestants, plan), args.clock):
            fields = row.fields()
            print(json.dumps(fields) if args.json else report.line(row), flush=True)
            yield fields


def _scalings(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Compare threads with processes; prints and yields the results."""
    from girih.bench import report, threads

    rounds, seconds = args.repeats or 9, args.duration or 9.0
    names = ["girih", *(peer.name for peer in _peers(args))]
    for work, op in _workloads(args, args.messages or 64):
        for name in names:
            scaling = threads.measure(name, work, op, args.threads, rounds, seconds / rounds / 2)
            fields = report.scaling_fields(scaling, work, args.threads)
            print(json.dumps(fields) if args.json else report.scaling_line(scaling, work, args.threads), flush=True)
            yield fields


def _latencies(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Measure the distribution of signing, set by set; prints and yields the results, and draws them last."""
    from pathlib import Path

    from girih.bench import latency

    if args.plot:
        latency.require_matplotlib()
    samples = []
    for name in args.sets or _SETS:
        samples.append(latency.measure(name, args.signatures, args.clock))
        fields = samples[-1].fields()
        print(json.dumps(fields) if args.json else "\n".join([*latency.lines(fields), ""]), flush=True)
        yield fields
    if args.plot:
        latency.plot(samples, Path(args.plot))


def _workloads(args: argparse.Namespace, count: int) -> Iterator[tuple[Workload, str]]:
    """Set by set, operation by operation, size by size. Key generation has no message: it runs once."""
    from girih.bench.workload import Workload

    sizes = args.sizes or _MESSAGE_SIZES
    for name in args.sets or _SETS:
        for op in args.ops or _OPERATIONS:
            for size in sizes[:1] if op == "keygen" else sizes:
                yield Workload(name, size, count), op


def _contestants(
    work: Workload, op: str, peers: list[Peer], families: list[Family], native: bool
) -> Iterator[Contestant]:
    """Everybody who can do an operation: girih and the packages; girih's core and the libraries of the set."""
    from girih.bench.native import own_contestants
    from girih.bench.peers.girih_own import Girih

    if peers or not native:
        own = Girih().contestants(work, op)
        yield from own if peers else (c for c in own if c.form == "prepared")
        for peer in peers:
            yield from peer.contestants(work, op)
    mine = [family for family in families if family.parameter_set == work.parameter_set]
    if native and (mine or not families):
        yield from own_contestants(work, op)
        for family in mine:
            yield from family.contestants(work, op)


def _peers(args: argparse.Namespace) -> list[Peer]:
    """The packages asked for that are there; says on standard error which are not."""
    from girih.bench.peers import Absent, load

    found = []
    for name in () if args.peers is None else args.peers or _PEERS:
        try:
            found.append(load(name))
        except Absent as reason:
            print(f"girih: bench: {name} is left out: {reason}", file=sys.stderr)
    return found


def _print_head(count: int, rounds: int, args: argparse.Namespace) -> None:
    from girih.bench.environment import describe, load_average

    facts, load = describe(), load_average()
    print(f"girih {facts['version']} ({facts['backend']}), {facts['cpu']}, {facts['python']}, {facts['compiler']}")
    print(f"{count} messages, {rounds} rounds, {args.clock} time{'' if load is None else f'; load {load:.1f}'}")
    print("min, max, stdev: operations a second over the rounds\n")


def _set(text: str) -> str:
    name = "ML-DSA-" + text.upper().removeprefix("ML-DSA-").removeprefix("MLDSA")
    if name not in _SETS:
        raise argparse.ArgumentTypeError(f"a set is 44, 65 or 87, got {text!r}")
    return name


def _picture(text: str) -> str:
    if not text.lower().endswith((".png", ".svg")):
        raise argparse.ArgumentTypeError(f"a name that ends in .png or .svg is needed, got {text!r}")
    return text


def _natural(text: str) -> int:
    return _number(text, 0)


def _positive(text: str) -> int:
    return _number(text, 1)


def _number(text: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise argparse.ArgumentTypeError(f"a whole number of at least {least} is needed, got {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"seconds are needed, got {text!r}")
    return seconds
