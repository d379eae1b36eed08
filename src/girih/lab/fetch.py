"""Memory in front of a flash: what fetches and loads of constants meet in buffers and caches, followed under emulation,
and what wait states then cost. A model, to compare placements and clocks with; no part was measured."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from girih.lab.build import plugin
from girih.lab.emulate import command, marks_of, read_log
from girih.lab.errors import LabError
from girih.lab.image import Image
from girih.lab.tools import run

HERTZ_A_WAIT_STATE = 30_000_000  # of the flash of an STM32F4 or F7 at 2.7 to 3.6 V: 24 MHz needs none, 216 MHz seven


def wait_states(hertz: int) -> int:
    """Wait states that a clock needs."""
    return (hertz - 1) // HERTZ_A_WAIT_STATE


@dataclass(frozen=True)
class Memory:
    """What lies between a core and its flash. Caches as (ways, sets) of lines; (0, 0): none, and what is fetched is a
    line at a time. fill: cycles of a fetched line beside the wait states. hidden: cycles of a line's fetch that
    prefetching hides where the line follows the one before."""

    name: str
    line: int  # bytes
    code: tuple[int, int]
    data: tuple[int, int]
    fill: int
    hidden: int

    def penalty(self, seen: Seen, states: int) -> float:
        """Cycles a call waits."""
        line = self.fill + states
        return line * (seen.random + seen.misses) + max(0, line - self.hidden) * seen.sequential


# A Cortex-M7 with caches of 16 KB (STM32F767); a Cortex-M4 has none of its own, and an accelerator of 64 lines of code
# and 8 of data (STM32F4) where it is on. What prefetching hides is the time in which the line before is executed.
MEMORIES = {
    ("m7", False): Memory("16 KB caches", 32, (2, 256), (4, 128), 4, 0),
    ("m7", True): Memory("16 KB caches, prefetch", 32, (2, 256), (4, 128), 4, 8),
    ("m4", False): Memory("line buffer", 16, (0, 0), (0, 0), 0, 0),
    ("m4", True): Memory("accelerator of 64 and 8 lines, prefetch", 16, (64, 1), (8, 1), 0, 5),
}


@dataclass(frozen=True)
class Seen:
    """Of one call: lines fetched, random and sequential ones that were not cached, loads of constants and those not
    cached."""

    lines: float
    random: float
    sequential: float
    loads: float
    misses: float


Ranges = Sequence[tuple[int, int]]


def follow(image: Image, arguments: list[str], paths: Sequence[tuple[Memory, Ranges]]) -> dict[str, list[Seen]]:
    """Runs an app with every memory of `paths` followed at once, each with the address ranges that it has in a memory
    without wait states: by operation, what each path saw in the mean call."""
    ops, options = marks_of(image)
    begin, end = image.address_of("__flash_begin"), image.address_of("__flash_end")
    if begin is None or end is None:
        raise LabError(f"{image.path.name} does not say where its flash is")
    options.append(f"flash={begin:x}:{end:x}")
    for number, (memory, near) in enumerate(paths):
        options.append(f"path={memory.line}:{memory.code[0]}:{memory.code[1]}:{memory.data[0]}:{memory.data[1]}")
        options += [f"near={number}:{low:x}:{high:x}" for low, high in near]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        loaded = ",".join([f"file={plugin('fetch')}", f"out={report}", *options])
        read_log(run([*command(image.target, image.path, arguments), "-plugin", loaded], timeout=1200))
        return _read(report.read_text(), ops)


def _read(text: str, ops: Sequence[str]) -> dict[str, list[Seen]]:
    found: dict[str, list[Seen]] = {}
    for line in text.splitlines():
        op, _, calls, *numbers = map(int, line.split()[1:])
        found.setdefault(ops[op], []).append(Seen(*(number / calls for number in numbers)))
    return found
