"""Runs the stages of `make test`, prints the seconds of each, and ends with what pytest said last in each.

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


STAGES: dict[str, Callable[[], list[tuple[str, ...]]]] = {
    "style": style,
    "pages": pages,
    "builds": lambda: pytest("tests/build", "tests/core"),
    "constant-time": lambda: pytest("tests/ct"),
    "mutants": lambda: pytest("tests/mutants"),
    "suite": lambda: pytest("tests", *(f"--ignore={folder}" for folder in EVIDENCE)),
}


def run(command: tuple[str, ...]) -> tuple[bool, str]:
    """Run a command with its output shown. Whether it succeeded, and the last line that it wrote."""
    last = ""
    try:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    except FileNotFoundError as error:
        print(error)
        return False, ""
    assert process.stdout is not None
    for line in process.stdout:
        print(line, end="", flush=True)
        last = line.strip() or last
    return process.wait() == 0, last


def main(names: list[str]) -> int:
    """Exit status."""
    unknown = [name for name in names if name not in STAGES]
    if unknown:
        print(f"no stage {', '.join(unknown)}; there are {', '.join(STAGES)}", file=sys.stderr)
        return 2
    seconds: dict[str, float] = {}
    closing: list[str] = []
    failed = False
    for name in names or STAGES:
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        for command in STAGES[name]():
            good, last = run(command)
            if not good:
                failed = True
                print(f"FAILED: {' '.join(command[:6])}", flush=True)
            if "pytest" in command:
                closing.append(f"{name}: {last}")
            elif not good:
                closing.append(f"{name}: failed: {' '.join(command[:4])}")
        seconds[name] = time.monotonic() - started
    print("\n== seconds per stage")
    for name, time_taken in seconds.items():
        print(f"{time_taken:8.1f} s  {name}")
    print(f"{sum(seconds.values()):8.1f} s  together\n")
    print("\n".join(closing))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
