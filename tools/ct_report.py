"""Writes docs/ct.md: everything that the core declassifies, and why. `--check` only compares.

Refuses a declassification without a reason, and one whose arguments name a secret.
"""

from __future__ import annotations

import re
import sys

from tools.csource import CORE, ROOT, call_arguments, functions, sources, without_comments
from tools.generated import write_or_check

PAGE = ROOT / "docs" / "ct.md"
# Names that stand for secrets in the core: none may be an argument, whatever surrounds it.
SECRETS = {
    "K", "SEED_BYTES", "SEED_K", "SEED_RHO_PRIME", "challenge", "encoded", "form", "forms", "key", "mask", "masks", "product", "rho_prime", "rnd", "s", "s1", "s1_hat", "s_hat", "e_hat", "noise", "sigma", "differ", "j", "m", "mac_key", "s2", "s2_hat",
    "secret", "seed", "sk", "t", "t0", "t0_hat", "w", "w0", "y", "y_hat", "z",
}  # fmt: skip

HEAD = """# Constant time

This page is written by tools/ct_report.py (`make docs`); `make test` fails where it is out of date.

Secret are, in ML-DSA: the seed, K, rho' and rho'', rnd, s1, s2, t0, y, w, w0, and z until it is released; in ML-KEM: d, z, m, sigma, r, s, e, y, e1, e2,
the decrypted message, the shared secrets, and whether a ciphertext was the right one. No branch, no address and no division depends on them. That is checked, not hoped for: `make ct` builds the core so that memcheck takes secrets for undefined memory (`GIRIH_SECRET` where they are
born, and the test program for what a caller brings), runs every operation of every parameter set on every backend that the CPU has and valgrind decodes (not AVX-512), as gcc and clang
compile it at -O1, -O2, -O3 and -Os, and fails when a jump or an address depends on one. Leaks put in on purpose (a branch, and an index, on each
of seventeen secrets) are found by the same run. tests/build/test_instructions.py looks for divisions in what the compilers wrote.

What a caller may learn, or a signature shows, is declassified: `GIRIH_DECLASSIFY(pointer, length, "reason")`. These are all of them; s1, s2, t0, K
and y are not among them, and tools/ct_report.py refuses them. What the run cannot see is in [soundness.md](soundness.md).

| what | where | why it may be known |
|---|---|---|
"""


def rows() -> list[str]:
    """The table, one row for each declassification; SystemExit for one that must not be."""
    found = []
    for path in sources(".c", ".h"):
        text = without_comments(path.read_text())
        inside = list(functions(path))
        for call in re.finditer(r"(?<!define )\bGIRIH_DECLASSIFY\(", text):
            pointer, length, reason = call_arguments(text, call.end() - 1)
            where = [f.name for f in inside if f.start <= call.start() < f.start + len(f.body)]
            place = f"{path.relative_to(CORE)}, `{where[0]}`" if where else str(path.relative_to(CORE))
            if not re.fullmatch(r'"[^"]{8,}"', reason):
                raise SystemExit(f"{place}: a declassification wants a reason, a plain string")
            named = set(re.findall(r"\w+\b(?!->|\.)", f"{pointer} {length}")) & SECRETS
            if named:
                raise SystemExit(f"{place}: {', '.join(sorted(named))} must never be declassified")
            found.append(f"| `{pointer}` ({length}) | {place} | {reason[1:-1]} |")
    return found


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE, HEAD + "\n".join(rows()) + "\n"))
