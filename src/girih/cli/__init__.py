"""The `girih` command. One module a subcommand; each has `add_parser(subparsers)` and `run(args) -> exit status`.

Exit status: 0 good, 1 a signature is bad, 2 a mistake or a failure (one line on standard error says which).
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

import girih
from girih.cli.files import Mistake, shown
from girih.errors import FaultDetected, GirihError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

GOOD, BAD_SIGNATURE, FAILED = 0, 1, 2


class Command(Protocol):
    """What the module of a subcommand offers."""

    def add_parser(self, subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> object: ...

    def run(self, args: argparse.Namespace) -> int: ...


# Each subcommand and its module, which is imported when the subcommand is run or listed.
COMMANDS = {
    "keygen": "girih.cli.keygen",
    "public": "girih.cli.public",
    "sign": "girih.cli.sign",
    "verify": "girih.cli.verify",
    "encaps": "girih.cli.encaps",
    "decaps": "girih.cli.decaps",
    "info": "girih.cli.info",
    "bench": "girih.bench.cli",
    "lab": "girih.lab.cli",
}

_EXAMPLES = """\
examples:
  girih keygen -o key.pem               a new key pair: key.pem (secret) and key.pub
  girih sign -k key.pem report.pdf      writes report.pdf.sig
  girih verify -k key.pub report.pdf    reads report.pdf.sig; exit status 0 good, 1 bad, 2 a mistake
  girih encaps kem.pub -o ct --secret-out ss
  girih decaps kem.pem ct --secret-out ss
  girih sign --help                     options and examples of one command
"""


class _Stopped(BaseException):
    """A signal that asks the process to end: it unwinds like Ctrl-C, so that no half-written file stays behind."""

    def __init__(self, number: int) -> None:
        self.number = number


def parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """The command line of `girih`: the subcommand that `argv` begins with, or all of them."""
    top = argparse.ArgumentParser(
        prog="girih",
        description="Post-quantum signatures (ML-DSA, FIPS 204) for files of any size, and shared secrets (ML-KEM, FIPS 203).",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"girih {girih.__version__}")
    subparsers = top.add_subparsers(dest="command", metavar="command", required=True)
    for name in argv[:1] if COMMANDS.keys() & argv[:1] else COMMANDS:
        _module(name).add_parser(subparsers)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: this process's) and return its exit status."""
    argv = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where the process was started with it closed
            stream.reconfigure(errors="backslashreplace")
    try:
        with _signals_unwind():
            args = parser(argv).parse_args(argv)
            status = _module(args.command).run(args)
            if sys.stdout is not None:
                sys.stdout.flush()
            return status
    except BrokenPipeError:
        # Whoever read the output is gone. Nothing more can be said, not even by the flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAILED
    except OSError as error:
        reason = error.strerror or str(error)
        return _fail(reason if error.filename is None else f"{shown(error.filename)}: {reason}")
    except FaultDetected as error:
        return _fail(f"{error}. Nothing was written. Try again; if it recurs, do not trust this machine")
    except (Mistake, GirihError, ValueError, MemoryError) as error:
        return _fail(str(error) or "out of memory")
    except KeyboardInterrupt:
        _end_by(signal.SIGINT)
    except _Stopped as stopped:
        _end_by(stopped.number)


def _module(name: str) -> Command:
    return cast(Command, importlib.import_module(COMMANDS[name]))


def _fail(text: str) -> int:
    print(f"girih: {text}", file=sys.stderr)
    return FAILED


class _signals_unwind:
    """Within it, SIGTERM and SIGHUP raise where their default would end the process on the spot."""

    def __enter__(self) -> None:
        self._before = {}
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
                if signal.getsignal(number) == signal.SIG_DFL:  # a SIGHUP ignored by nohup stays ignored
                    self._before[number] = signal.signal(number, _stop)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    raise _Stopped(number)


def _end_by(number: int) -> NoReturn:
    """End as the signal would have ended the process, so that a calling shell sees what happened."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    raise SystemExit(128 + number)  # where the signal does not end the process (Windows)
