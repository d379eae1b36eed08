"""Where the time of key generation, signing and verification goes, as flame graphs: `make flamegraph`.

The benchmark in C runs one operation under `perf record` where perf works, else under callgrind, which counts instructions instead of
time (and emulates no AVX-512). For each operation an SVG comes to build/flamegraph/, and its functions' own shares are printed. A box is
a function, as wide as its share, on top of its caller; the pointer on a box shows the share.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "flamegraph"
OPERATIONS = {"keygen": "seed_load", "sign": "sign", "verify": "verify"}  # what benchmarks/c calls them
ROUNDS = {"seed_load": 3000, "sign": 100, "verify": 100}  # of 100 us for each key or message: enough samples
WIDTH, ROW = 1200, 18  # pixels
SHOWN = 0.002  # of all: narrower boxes are left out

Stacks = dict[tuple[str, ...], float]
"""Costs of stacks of functions, outermost first."""


@dataclass
class CallGraph:
    """What callgrind writes: each function's own cost, and the cost of its calls of others, all that they call included."""

    own: Counter[str] = field(default_factory=Counter)
    calls: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def total(self, function: str) -> int:
        """A function's own cost and that of all its calls."""
        return self.own[function] + self.calls[function].total()

    def stacks(self, root: str) -> Stacks:
        """The stacks above `root`. A graph does not say which caller's calls were the dear ones: each is charged in proportion."""
        found: Stacks = {}
        self._descend((root,), 1.0, found)
        return found

    def _descend(self, stack: tuple[str, ...], share: float, found: Stacks) -> None:
        function = stack[-1]
        if self.own[function]:
            found[stack] = self.own[function] * share
        for callee, cost in self.calls[function].items():
            whole = self.total(callee)
            if callee not in stack and whole:
                self._descend((*stack, callee), share * cost / whole, found)


def read_callgrind(text: str) -> CallGraph:
    """A graph from callgrind's output (Callgrind Format Specification): the first event counts.

    Names are compressed: `(4) name` defines, `(4)` refers. The line after `calls=` has the cost of these calls.
    """
    graph = CallGraph()
    names: dict[str, str] = {}
    function = callee = ""
    called = False
    for line in text.splitlines():
        if match := re.match(r"(c?fn)=(?:\((\d+)\))?\s*(.*)", line):
            kind, number, name = match.groups()
            if number and name:
                names[number] = name
            name = name or names[number]
            if kind == "fn":
                function = name
            else:
                callee = name
        elif line.startswith("calls="):
            called = True
        elif match := re.match(r"[+*\-]?\d*\s+(\d+)", line):
            if called:
                graph.calls[function][callee] += int(match[1])
            else:
                graph.own[function] += int(match[1])
            called = False
    return graph


def read_perf(text: str, root: str) -> Stacks:
    """The stacks above `root` from the output of `perf script -F ip,sym`: samples apart by empty lines, innermost function first."""
    found: Counter[tuple[str, ...]] = Counter()
    for sample in re.split(r"\n\s*\n", text):
        frames = [line.split(maxsplit=1)[1].strip() for line in sample.splitlines() if len(line.split(maxsplit=1)) == 2]
        if root in frames:
            found[tuple(reversed(frames[: frames.index(root) + 1]))] += 1
    return dict(found)


def shares(stacks: Stacks) -> list[tuple[str, float]]:
    """Each function's own share of everything, the largest first."""
    own: defaultdict[str, float] = defaultdict(float)
    whole = sum(stacks.values())
    for stack, cost in stacks.items():
        own[stack[-1]] += cost / whole
    return sorted(own.items(), key=lambda item: item[1], reverse=True)


@dataclass
class Box:
    """A function at one place of the picture."""

    cost: float = 0.0
    above: dict[str, Box] = field(default_factory=dict)


def svg(stacks: Stacks, title: str) -> str:
    """The picture."""
    base = Box()
    for stack, cost in stacks.items():
        box = base
        for name in stack:
            box = box.above.setdefault(name, Box())
            box.cost += cost
    height = (2 + max(len(stack) for stack in stacks)) * ROW
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11">',
        f'<text x="4" y="13">{escape(title)}</text>',
        *_boxes(base, 0.0, height - ROW, WIDTH / sum(stacks.values())),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _boxes(box: Box, x: float, y: int, scale: float) -> Iterable[str]:
    for name, child in sorted(box.above.items()):
        width = child.cost * scale
        if width >= SHOWN * WIDTH:
            green = 120 + sum(map(ord, name)) % 110  # from red to yellow, the same for the same name
            text = name[: int(width / 6.5)] if width > 40 else ""
            yield (
                f'<g><title>{escape(name)}: {width / WIDTH:.1%}</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 1}" '
                f'fill="rgb(245,{green},90)"/><text x="{x + 3:.1f}" y="{y + 13}">{escape(text)}</text></g>'
            )
            yield from _boxes(child, x, y - ROW, scale)
        x += width


def perf_works() -> bool:
    """Whether perf is there and may take samples."""
    if shutil.which("perf") is None:
        return False
    FOLDER.mkdir(parents=True, exist_ok=True)
    return (
        subprocess.run(
            ["perf", "record", "-q", "-o", str(FOLDER / "perf.data"), "true"], capture_output=True, check=False
        ).returncode
        == 0
    )


def build() -> Path:
    """The benchmark in C with symbols and frame pointers."""
    folder = FOLDER / "bench"
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS=-g -fno-omit-frame-pointer"]
    run(["cmake", "-S", str(ROOT / "benchmarks" / "c"), "-B", str(folder), *options])
    run(["cmake", "--build", str(folder), "--parallel", "2"])
    return folder / "girih_bench"


def measure(program: Path, by: str, backend: str, what: str, number: str) -> Stacks:
    """The stacks of one operation of the benchmark."""
    case, root = f"{backend} {what} {number}", f"run_{what}"
    if by == "perf":
        data = FOLDER / "perf.data"
        run(
            [
                "perf",
                "record",
                "-q",
                "-F",
                "5000",
                "--call-graph",
                "fp",
                "-o",
                str(data),
                str(program),
                "--rounds",
                str(ROUNDS[what]),
                case,
            ]
        )
        return read_perf(run(["perf", "script", "--no-inline", "-F", "ip,sym", "-i", str(data)]), root)
    out = FOLDER / "callgrind.out"
    run(
        [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={out}",
            f"--toggle-collect={root}",
            str(program),
            "--rounds",
            "1",
            case,
        ]
    )
    return read_callgrind(out.read_text(encoding="utf-8")).stacks(root)


def run(command: list[str]) -> str:
    """Standard output of a command; what it said, and the end, when it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        sys.exit(
            f"flamegraph: {command[0]} is not installed (Debian and Ubuntu: apt-get install cmake linux-perf valgrind)"
        )
    if done.returncode != 0:
        sys.exit(f"flamegraph: {' '.join(command)} failed:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def main(arguments: list[str] | None = None) -> None:
    """Draw the operations asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--op", action="append", choices=OPERATIONS, help="may be repeated (default: all)")
    parser.add_argument("--set", default="65", choices=("44", "65", "87"), help="default: 65")
    parser.add_argument("--backend", default="avx2", help="default: avx2")
    parser.add_argument("--by", choices=("perf", "callgrind"), help="default: perf where it works")
    args = parser.parse_args(arguments)
    by = args.by or ("perf" if perf_works() else "callgrind")
    program = build()
    for op in args.op or OPERATIONS:
        stacks = measure(program, by, args.backend, OPERATIONS[op], args.set)
        if not stacks:
            sys.exit(f"flamegraph: no sample of {args.backend} {op} {args.set}: does this machine have the backend?")
        path = FOLDER / f"{op}-{args.set}-{args.backend}.svg"
        path.write_text(svg(stacks, f"{op} ML-DSA-{args.set}, {args.backend}, by {by}"), encoding="utf-8")
        print(f"{path.relative_to(ROOT)} ({by})")
        for name, share in shares(stacks)[:12]:
            print(f"  {share:6.1%}  {name}")


if __name__ == "__main__":
    main()
