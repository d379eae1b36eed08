"""`make mutants`: judges every mutant and lists those that survive.

usage: python -m tests.mutants [--file NAME ...] [--jobs N]

Exit status 1 when a mutant survives that argued.txt does not argue, or an argued one is gone or is noticed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.mutants.argued import argued
from tests.mutants.suite import FILES, Suite, all_mutants


def main() -> int:
    """Exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description="judge every mutant of the C of ML-DSA and ML-KEM"
    )
    parser.add_argument("--file", action="append", choices=FILES, help="only this file; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    chosen = [mutant for mutant in all_mutants() if not options.file or mutant.file in options.file]
    known = argued()
    counts: Counter[str] = Counter()
    bad = 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(Path(folder))
        with ThreadPoolExecutor(options.jobs) as pool:
            for mutant, verdict in zip(chosen, pool.map(suite.judge, chosen), strict=True):
                counts[verdict or "survived"] += 1
                wrong = (verdict is None) != (str(mutant) in known)
                if wrong and verdict != "stillborn":
                    bad += 1
                    print(
                        f"{'SURVIVED' if verdict is None else f'argued, yet noticed by {verdict}'}: {mutant}",
                        flush=True,
                    )
    print(f"{len(chosen)} mutants in {time.monotonic() - started:.0f} s")
    for verdict, count in counts.most_common():
        print(f"{count:6}  {verdict}")
    gone = known.keys() - {str(mutant) for mutant in all_mutants()}
    for name in sorted(gone):
        print(f"argued, yet there is no such mutant: {name}")
    return int(bool(bad or gone))


if __name__ == "__main__":
    sys.exit(main())
