"""The subcommand ``girih bench``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from girih.bench.race import Contestant, Plan
    from girih.bench.schemes import Scheme


class _Names(NamedTuple):
    """What the command line of a scheme knows."""

    prefix: str
    sets: tuple[str, ...]
    operations: tuple[str, ...]
    peers: tuple[str, ...]


_SCHEMES = {
    "mldsa": _Names(
        "ML-DSA-",
        ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87"),
        ("keygen", "sign", "verify"),
        ("fast-mldsa", "cryptography", "pqcrypto", "liboqs-python", "dilithium-py"),
    ),
    "mlkem": _Names(
        "ML-KEM-",
        ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"),
        ("keygen", "encaps", "decaps"),
        ("cryptography", "mlkem", "pqcrypto", "liboqs-python", "kyber-py"),
    ),
}
_MESSAGE_SIZES = (59, 1024, 32 * 1024)

_DESCRIPTION = """\
Time key generation, signing and verification of ML-DSA, or key generation, encapsulation and decapsulation of ML-KEM.

Signing is deterministic and everything comes from fixed seeds, so two runs do the same work. Rows of ML-KEM whose form
ends in "given" take their randomness from the workload, those with "system" draw it from the operating system.
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
  girih bench mlkem --peers                       ML-KEM beside every other package that is installed
  girih bench mlkem --lib ./libpeer.so            any library with crypto_kem_* functions
  girih bench mlkem --caches --set 768            what A_hat, H(ek) and t_hat save and cost, alone and combined
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
    parser.set_defaults(parser=parser)
    add = parser.add_argument
    add("scheme", nargs="?", choices=tuple(_SCHEMES), default="mldsa", help="mldsa (default) or mlkem")
    add(
        "--set",
        dest="sets",
        action="append",
        metavar="SET",
        help="44, 65 or 87; 512, 768 or 1024; may be repeated (default: all)",
    )
    add(
        "--op",
        dest="ops",
        action="append",
        metavar="OP",
        help="keygen, sign, verify; keygen, encaps, decaps; may be repeated (default: all)",
    )
    add(
        "--message-size",
        dest="sizes",
        action="append",
        type=_natural,
        metavar="BYTES",
        help="of ML-DSA; may be repeated (default: 59, 1024, 32768)",
    )
    add(
        "--messages",
        type=_positive,
        metavar="N",
        help="different messages, ciphertexts or seeds (default: 64; in a race 256)",
    )
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
        metavar="PEER",
        help="race the packages that are installed, or those named: "
        + "; ".join(f"{scheme}: {', '.join(names.peers)}" for scheme, names in _SCHEMES.items()),
    )
    add("--lib", dest="libs", action="append", metavar="PATH[:NAMES[:SHAPE]]",
        help="race a shared library with the NIST API against girih's C core; NAMES is a pattern such as crypto_sign_* or crypto_kem_*, "
             "SHAPE (of signatures) is ctx, ctx-mu or plain (see girih.bench.nist and nist_kem)")  # fmt: skip
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
        help="time each of many signatures of ML-DSA by itself instead, and count its attempts (girih alone)",
    )
    add(
        "--caches",
        action="store_true",
        help="what each cache of an ML-KEM key saves and costs instead, alone and combined (girih's C core)",
    )
    add("--signatures", type=_positive, default=16_384, metavar="N", help="with --latency (default: 16384)")
    add("--plot", type=_picture, metavar="FILE", help="with --latency: draw histogram and tail as a .png or .svg")
    add("--json", action="store_true", help="print one JSON object a row instead of the table")
    add("--save", metavar="FILE", help="append the JSON lines to FILE too")
    return parser


def run(args: argparse.Namespace) -> int:
    """Run ``girih bench``. Returns 0, or 2 where something could not be raced or drawn or gave a wrong result."""
    _check(args, _SCHEMES[args.scheme])
    from girih.bench.latency import NoPlot
    from girih.bench.nist import Unusable
    from girih.bench.race import Mismatch

    mode = _latencies if args.latency else _cache_effects if args.caches else _scalings if args.threads else _races
    try:
        records = list(mode(args))
    except (Mismatch, NoPlot, Unusable) as error:
        print(f"girih: bench: {error}", file=sys.stderr)
        return 2
    if args.save:
        from pathlib import Path

        from girih.bench.report import append

        append(Path(args.save), records)
    return 0


def _check(args: argparse.Namespace, names: _Names) -> None:
    """What depends on the scheme: mistakes end the command like other mistakes on the command line."""
    for wanted, known in ((args.ops or (), names.operations), (args.peers or (), names.peers)):
        for name in wanted:
            if name not in known:
                args.parser.error(f"invalid choice: {name!r} (choose from {', '.join(known)})")
    digits = [name.removeprefix(names.prefix) for name in names.sets]
    sets = [
        names.prefix + text.upper().removeprefix(names.prefix).removeprefix("MLDSA").removeprefix("MLKEM")
        for text in args.sets or ()
    ]
    for text, name in zip(args.sets or (), sets, strict=True):
        if name not in names.sets:
            args.parser.error(f"a set is {', '.join(digits[:-1])} or {digits[-1]}, got {text!r}")
    of_the_other = (
        {"--latency": args.latency, "--message-size": args.sizes}
        if args.scheme == "mlkem"
        else {"--caches": args.caches}
    )
    for option, given in of_the_other.items():
        if given:
            args.parser.error(f"{option} is no option of {args.scheme}")
    args.sets, args.ops = sets or names.sets, args.ops or names.operations


def _plan(args: argparse.Namespace, scheme: Scheme, interleaved: bool, count: int) -> Plan:
    """The plan of a race of about `count` items: as many as its rounds and the scheme's grain ask for."""
    from girih.bench.race import Plan

    rounds = args.repeats or (min(32, count) if interleaved else 5)
    return Plan(
        max(rounds, -(-count // scheme.grain)) * scheme.grain if scheme.grain > 1 else count,
        rounds,
        args.duration or (2.0 if interleaved else 1.0),
        args.warmup,
        interleaved,
        args.clock,
        scheme.grain,
    )


def _races(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Run every race asked for; prints the rows as they come and yields them."""
    from girih.bench import report
    from girih.bench.race import race
    from girih.bench.schemes import SCHEMES

    if args.libs or args.native:
        _require_loop("--lib and --native")
    scheme = SCHEMES[args.scheme]
    families = [family for argument in args.libs or () for family in scheme.libraries(argument)]
    for family in families:
        if family.parameter_set not in args.sets:
            _say_left_out(family.name, f"it is {family.parameter_set}")
    peers = _peers(args, scheme)
    native = bool(families) or args.native
    interleaved = native or args.peers is not None
    plan = _plan(args, scheme, interleaved, args.messages or (256 if interleaved else 64))
    shown = report.columns(interleaved, args.scheme == "mldsa")
    if not args.json:
        _print_head(f"{plan.count} {scheme.items}, {plan.rounds} rounds", args)
        print("min, max, stdev: operations a second over the rounds\n")
        print(report.header(shown))
    for work, op in scheme.workloads(args.sets, args.ops, args.sizes or _MESSAGE_SIZES, plan.count):
        contestants = list(_contestants(scheme, work, op, peers, families, native))
        if not contestants:
            continue
        for row in report.rows(work, op, contestants, race(contestants, plan), args.clock):
            fields = row.fields()
            print(json.dumps(fields) if args.json else report.line(row, shown), flush=True)
            yield fields


def _scalings(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Compare threads with processes; prints and yields the results."""
    from girih.bench import report, threads
    from girih.bench.schemes import SCHEMES

    scheme = SCHEMES[args.scheme]
    rounds, seconds = args.repeats or 9, args.duration or 9.0
    entrants = [*(("girih", form) for form in scheme.threaded), *((peer.name, "") for peer in _peers(args, scheme))]
    for work, op in scheme.workloads(args.sets, args.ops, args.sizes or _MESSAGE_SIZES, args.messages or 64):
        for name, form in entrants:
            scaling = threads.measure(name, work, op, args.threads, rounds, seconds / rounds / 2, form)
            if scaling is None:
                _say_left_out(name, f"{' '.join((op, form)).strip()} of {work.parameter_set} is not there")
                continue
            fields = report.scaling_fields(scaling, work, args.threads)
            print(json.dumps(fields) if args.json else report.scaling_line(scaling, work, args.threads), flush=True)
            yield fields


def _cache_effects(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Measure the caches of ML-KEM, set by set; prints and yields the results."""
    _require_loop("--caches")
    from girih.bench import caches
    from girih.bench.schemes import SCHEMES
    from girih.bench.workload import KemWorkload

    plan = _plan(args, SCHEMES[args.scheme], True, args.messages or 1024)
    if not args.json:
        _print_head(f"{plan.count} operations each, {plan.rounds} rounds", args)
    for name in args.sets:
        rows = caches.measure(KemWorkload(name, plan.count), plan)
        print("\n".join(map(json.dumps, rows) if args.json else ["", *caches.lines(rows)]), flush=True)
        yield from rows


def _require_loop(what: str) -> None:
    """Unusable where the core cannot be called in a loop."""
    from girih.bench import native, nist

    if not native.available():
        raise nist.Unusable(f"{what} need a build with pointers of 64 bits")


def _latencies(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Measure the distribution of signing, set by set; prints and yields the results, and draws them last."""
    from pathlib import Path

    from girih.bench import latency

    if args.plot:
        latency.require_matplotlib()
    samples = []
    for name in args.sets:
        samples.append(latency.measure(name, args.signatures, args.clock))
        fields = samples[-1].fields()
        print(json.dumps(fields) if args.json else "\n".join([*latency.lines(fields), ""]), flush=True)
        yield fields
    if args.plot:
        latency.plot(samples, Path(args.plot))


def _contestants(
    scheme: Scheme, work: Any, op: str, peers: list[Any], families: list[Any], native: bool
) -> Iterator[Contestant]:
    """Everybody who can do an operation: girih and the packages; girih's core and the libraries of the set."""
    if peers or not native:
        yield from scheme.own(work, op, alone=not peers)
        for peer in peers:
            found = list(peer.contestants(work, op))
            if not found:
                _say_left_out(peer.name, f"{op} of {work.parameter_set} is not there")
            yield from found
    mine = [family for family in families if family.parameter_set == work.parameter_set]
    if native and (mine or not families):
        yield from scheme.own_native(work, op)
        for family in mine:
            yield from family.contestants(work, op)


def _say_left_out(name: str, reason: object) -> None:
    print(f"girih: bench: {name} is left out: {reason}", file=sys.stderr)


def _peers(args: argparse.Namespace, scheme: Scheme) -> list[Any]:
    """The packages asked for that are there; says on standard error which are not."""
    from girih.bench.peers import Absent

    found = []
    for name in () if args.peers is None else args.peers or _SCHEMES[args.scheme].peers:
        try:
            found.append(scheme.peer(name))
        except Absent as reason:
            _say_left_out(name, reason)
    return found


def _print_head(what: str, args: argparse.Namespace) -> None:
    from girih.bench.environment import describe, load_average

    facts, load = describe(), load_average()
    print(f"girih {facts['version']} ({facts['backend']}), {facts['cpu']}, {facts['python']}, {facts['compiler']}")
    print(f"{what}, {args.clock} time{'' if load is None else f'; load {load:.1f}'}")


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
