"""Runs of an image under qemu: its log, and what the plugin counted."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from girih.lab.build import plugin
from girih.lab.errors import LabError
from girih.lab.image import Image
from girih.lab.targets import Target
from girih.lab.tools import require_programs, run

PREFIX = "girih_begin_"


@dataclass(frozen=True)
class Interval:
    """One measured call: instructions, lowest store to the stack (0: not traced), the instruction that made it, taken
    branches."""

    op: str
    instructions: int
    lowest_store: int
    lowest_pc: int
    taken: int


@dataclass
class Trace:
    """What the plugin reported; maps go from operation to address."""

    intervals: list[Interval] = field(default_factory=list)
    counts: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    taken: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    data: dict[str, dict[int, tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(dict)
    )  # granule: loads, stores

    def of(self, op: str) -> list[Interval]:
        return [interval for interval in self.intervals if interval.op == op]


@dataclass
class Run:
    """The log of a run, line by line as JSON, and its trace."""

    log: list[dict[str, Any]]
    trace: Trace

    @property
    def head(self) -> dict[str, Any]:
        return self.log[0]

    def calls(self, op: str) -> list[dict[str, Any]]:
        return [line for line in self.log if line.get("op") == op]


def command(target: Target, image: Path, arguments: list[str], machine: str | None = None) -> list[str]:
    """The emulator's command line: log on standard output, exit status that of the app."""
    require_programs(target.emulator)
    settings = ",".join(
        ["enable=on", "target=native", "chardev=log", f"arg={image.stem}", *(f"arg={a}" for a in arguments)]
    )
    line = [target.emulator, "-M", machine or target.machine, "-display", "none", "-monitor", "none", "-serial", "none"]
    if target.arch == "riscv":
        line += ["-bios", "none"]
    return [*line, "-chardev", "stdio,id=log", "-semihosting-config", settings, "-kernel", str(image)]


def run_image(
    image: Path,
    target: Target,
    arguments: list[str],
    *,
    machine: str | None = None,
    timeout: float = 600,
    cwd: Path | None = None,
) -> list[dict[str, Any]]:
    """The log of an app, run without counting."""
    return read_log(run(command(target, image, arguments, machine), timeout=timeout, cwd=cwd))


def run_uart(image: Path, target: Target, timeout: float = 120) -> str:
    """What an app of a UART build writes, up to its last line. It does not end by itself: a board has nowhere to go."""
    line = [word for word in command(target, image, []) if not word.startswith(("stdio,id", "enable=on"))]
    for option in ("-chardev", "-semihosting-config"):
        line.remove(option)
    line[line.index("-serial") + 1] = "stdio"
    said: list[str] = []
    with subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as emulator:
        clock = threading.Timer(timeout, emulator.kill)
        clock.start()
        try:
            assert emulator.stdout is not None
            for text in emulator.stdout:
                said.append(text)
                if text.startswith('{"end"'):
                    break
        finally:
            clock.cancel()
            emulator.kill()
    if not said or not said[-1].startswith('{"end"'):
        raise LabError(f"the image said nothing more for {timeout:.0f} s: {''.join(said[-1:]) or 'nothing'}")
    return "".join(said)


def marks_of(image: Image) -> tuple[list[str], list[str]]:
    """The operations that an image marks, and the plugins' arguments that say where."""
    ops: list[str] = []
    marks: list[str] = []
    for symbol in image.functions:
        if symbol.name.startswith(PREFIX):
            marks.append(f"begin={symbol.address:x}:{len(ops)}")
            ops.append(symbol.name.removeprefix(PREFIX))
    end = image.address_of("girih_end")
    if not ops or end is None:
        raise LabError(f"{image.path.name} has no marks")
    return ops, [*marks, f"end={end & ~1:x}"]


def count(
    image: Image, arguments: list[str], *, stack: int = 0, machine: str | None = None, timeout: float = 1200
) -> Run:
    """Runs an app with the plugin. stack: where the stack's memory begins; 0 leaves out branches, data and the
    stack's depth, and is faster."""
    ops, marks = marks_of(image)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        options = [
            str(plugin()),
            f"out={report}",
            *marks,
            *([f"stack={stack:x}"] if stack else []),
        ]
        line = [*command(image.target, image.path, arguments, machine), "-plugin", "file=" + ",".join(options)]
        log = read_log(run(line, timeout=timeout))
        return Run(log, _read_trace(report.read_text(), ops))


def read_log(text: str) -> list[dict[str, Any]]:
    """The JSON lines of an app's log; LabError unless it ended well."""
    lines = []
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                lines.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise LabError(f"not a log line: {line!r}") from error
    if not lines or lines[-1].get("end") != "ok":
        last = text.strip().splitlines()[-1:] or ["nothing"]
        raise LabError(f"the image did not end well; it said: {last[0]}")
    return lines


def _read_trace(text: str, ops: list[str]) -> Trace:
    trace = Trace()
    for line in text.splitlines():
        kind, number, *rest = line.split()
        op = ops[int(number)]
        if kind == "interval":
            instructions, lowest, pc, taken = rest
            store = int(lowest, 16)
            trace.intervals.append(
                Interval(op, int(instructions), 0 if store == 2**64 - 1 else store, int(pc, 16), int(taken))
            )
        elif kind == "code":
            address = int(rest[0], 16)
            trace.counts[op][address] = int(rest[1])
            if int(rest[2]):
                trace.taken[op][address] = int(rest[2])
        else:
            trace.data[op][int(rest[0], 16)] = (int(rest[1]), int(rest[2]))
    return trace
