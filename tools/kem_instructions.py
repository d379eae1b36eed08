"""What each cache of an ML-KEM key saves, in instructions: `girih bench mlkem --caches` counted instead of timed.

Runs the program girih_kem of benchmarks/c under valgrind's callgrind, an operation at a time, and prints a JSON line for each set and
combination of caches; add them to benchmarks/results/mlkem-instructions.jsonl. Instructions repeat exactly, whatever else the machine does.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import subprocess
from pathlib import Path

from girih.bench.environment import describe
from girih.bench.native_kem import COMBINATIONS, cache_flags

ROOT = Path(__file__).resolve().parent.parent
OPERATIONS = ("encaps", "decaps", "keygen", "load")
SETS = ("512", "768", "1024")


def build() -> Path:
    """The program, with symbols."""
    folder = ROOT / "build" / "kem_instructions"
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS=-g"]
    for command in (["-S", str(ROOT / "benchmarks" / "c"), "-B", str(folder), *options], ["--build", str(folder)]):
        subprocess.run(["cmake", *command], check=True, capture_output=True)
    return folder / "girih_kem"


def count(program: Path, *arguments: str) -> int:
    """Instructions of one operation."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=measured"]
    done = subprocess.run([*command, str(program), *arguments], check=True, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found, done.stderr
    return int(found[1])


def main(arguments: list[str] | None = None) -> None:
    """Count what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", choices=SETS, help="may be repeated (default: all)")
    parser.add_argument("--backend", default="c", help="default: c, the portable one")
    args = parser.parse_args(arguments)
    program = build()
    facts = {
        **describe(),
        "backend": args.backend,
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }
    for number in args.set or SETS:
        for name in COMBINATIONS:
            counts = {op: count(program, args.backend, number, str(cache_flags(name)), op) for op in OPERATIONS}
            row = {"op": "instructions", "set": f"ML-KEM-{number}", "caches": name, "instructions": counts, **facts}
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
