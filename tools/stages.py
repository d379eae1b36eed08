"""Runs the stages of `make test`, two side by side, prints the seconds of each, and ends with what pytest said last in each.

usage: python tools/stages.py [STAGE ...]      all of them without an argument. Exit status 1 when a command of one fails.

Every stage runs even where an earlier one failed: one run shows all that is wrong. What a stage wants and the machine lacks (a compiler, a corpus) is
named by it; with CI=true that is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
PYTEST = (PYTHON, "-m", "pytest", "--quiet", "--durations=3", "--durations-min=5")
EVIDENCE = ("tests/build", "tests/core", "tests/ct", "tests/mutants")


def c_files(*suffixes: str) -> list[str]:
    """The C files that people write, from the root."""
    listed = subprocess.run(("git", "ls-files"), cwd=ROOT, capture_output=True, text=True)
    names = listed.stdout.split() if listed.returncode == 0 else [str(p.relative_to(ROOT)) for p in ROOT.rglob("*")]
    folders = ("core/", "src/", "tests/", "benchmarks/", "firmware/")
    written = [name for name in names if name.startswith(folders) and name.endswith(suffixes)]
    return sorted(name for name in written if not name.startswith("firmware/apps/answers/"))


def style() -> list[tuple[str, ...]]:
    """Formatting and static checks; the two for C only where they are installed."""
    commands: list[tuple[str, ...]] = [
        (PYTHON, "-m", "ruff", "check", "--quiet", "."),
        (PYTHON, "-m", "ruff", "format", "--quiet", "--check", "."),
        (PYTHON, "-m", "mypy"),
    ]
    checks = {
        "clang-format": ("clang-format", "--dry-run", "--Werror", *c_files(".c", ".h")),
        "cppcheck": (
            "cppcheck", "--quiet", "--error-exitcode=1", "--enable=warning,performance,portability", "--std=c11", "-DGIRIH_X86_AVX2",
            "-D__GNUC__", "-D__x86_64__", "-Icore/include", "-Icore/src", "core/src", "core/ports",
        ),
    }  # fmt: skip
    for tool, command in checks.items():
        if shutil.which(tool) or os.environ.get("CI") == "true":
            commands.append(command)
        else:
            print(f"not run for want of {tool}; install with: apt-get install -y {tool}")
    return commands


def pages() -> list[tuple[str, ...]]:
    """The pages of docs/ that programs write are what the sources say."""
    return [(PYTHON, "-m", f"tools.{name}", "--check") for name in ("ct_report", "traceability")]


def pytest(*arguments: str) -> list[tuple[str, ...]]:
    """One run of pytest."""
    return [(*PYTEST, *arguments)]


LANES = 2


def lab() -> list[tuple[str, ...]]:
    """The core on microcontrollers, under emulation; only where the compilers and qemu are installed."""
    tools = {
        "arm-none-eabi-gcc": "gcc-arm-none-eabi", "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf",
        "qemu-system-arm": "qemu-system-arm", "qemu-system-riscv32": "qemu-system-misc",
        "valgrind": "valgrind",
    }  # fmt: skip
    missing = [package for tool, package in tools.items() if shutil.which(tool) is None]
    if missing and os.environ.get("CI") != "true":
        print(f"lab: not run for want of {', '.join(missing)}; install with: apt-get install -y {' '.join(missing)}")
        return []
    return pytest(*sorted(f"tests/{path.name}" for path in (ROOT / "tests").glob("test_lab_*.py")))


STAGES: dict[str, Callable[[], list[tuple[str, ...]]]] = {
    "suite": lambda: pytest(  # the longest first
        "tests", "--ignore-glob=tests/test_lab_*", *(f"--ignore={folder}" for folder in EVIDENCE)
    ),
    "lab": lab,
    "builds": lambda: pytest("tests/build", "tests/core"),
    "constant-time": lambda: pytest("tests/ct"),
    "mutants": lambda: pytest("tests/mutants"),
    "style": style,
    "pages": pages,
}


@dataclass
class Result:
    """What a stage did."""

    name: str
    output: str = ""
    failed: bool = False
    seconds: float = 0.0
    closing: list[str] = field(default_factory=list)  # what pytest said last, or which check failed


def run(name: str) -> Result:
    """Run the commands of a stage, all of them."""
    result = Result(name)
    started = time.monotonic()
    for command in STAGES[name]():
        done = subprocess.run(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        result.output += done.stdout
        if done.returncode != 0:
            result.failed = True
            result.output += f"FAILED: {' '.join(command[:6])}\n"
        if "pytest" in command:
            result.closing.append(f"{name}: {done.stdout.strip().splitlines()[-1]}")
        elif done.returncode != 0:
            result.closing.append(f"{name}: failed: {' '.join(command[:4])}")
    result.seconds = time.monotonic() - started
    return result


def main(names: list[str]) -> int:
    """Exit status."""
    unknown = [name for name in names if name not in STAGES]
    if unknown:
        print(f"no stage {', '.join(unknown)}; there are {', '.join(STAGES)}", file=sys.stderr)
        return 2
    started = time.monotonic()
    with ThreadPoolExecutor(min(LANES, os.cpu_count() or 1)) as lanes:
        results = []
        for job in as_completed([lanes.submit(run, name) for name in names or STAGES]):
            result = job.result()
            print(f"\n== {result.name}: {result.seconds:.0f} s\n{result.output}", flush=True)
            results.append(result)
    print("\n== seconds per stage (two run side by side)")
    for result in results:
        print(f"{result.seconds:8.1f} s  {result.name}")
    print(f"{time.monotonic() - started:8.1f} s  in all\n")
    closing = [line for result in results for line in result.closing]
    print("\n".join(sorted(closing, key=lambda line: ": failed: " not in line)))
    return int(any(result.failed for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
