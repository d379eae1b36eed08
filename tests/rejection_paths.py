"""Seeds whose key pair signs one message, M', along one rejection path each: found by search, small to keep.

A seed is SHAKE256 of a name and a number; the tables hold the numbers. `python -m tests.rejection_paths` searches anew, on
the C interface, and prints them. There is none for c t0 over its bound, which is not possible but in ML-DSA-44 and takes
millions of signatures to meet there: NIST's known answers, which Wycheproof holds too, take that path.
"""

from __future__ import annotations

import functools
import hashlib
from itertools import count

from tests.spec import mldsa as spec

Failed = tuple[str, ...]

M_PRIME = bytes(4)
# By what the one rejected attempt fails.
SINGLE: dict[str, dict[Failed, int]] = {
    "ML-DSA-44": {
        ("z",): 96,
        ("r0",): 14,
        ("r0", "z"): 25,
        ("hint",): 4439,
    },
    "ML-DSA-65": {
        ("z",): 99,
        ("r0",): 18,
        ("r0", "z"): 11,
        ("hint",): 3521,
    },
    "ML-DSA-87": {
        ("z",): 22,
        ("r0",): 2,
        ("r0", "z"): 6,
        ("hint",): 2034,
    },
}
# Signatures that take many attempts, and how many of them are rejected.
MANY: dict[str, tuple[int, int]] = {
    "ML-DSA-44": (44, 3902),
    "ML-DSA-65": (56, 5196),
    "ML-DSA-87": (31, 3366),
}
# A seed of ML-DSA-65 for which RejBoundedPoly squeezes SHAKE256 a third time, which is rare with eta = 4 and does not
# happen with eta = 2.
LONG_SAMPLING = 29628


def seed(parameter_set: str, number: int) -> bytes:
    """The seed with a number."""
    return hashlib.shake_256(f"girih {parameter_set} {number}".encode()).digest(32)


@functools.cache
def log_of(parameter_set: str, seed: bytes, m_prime: bytes) -> tuple[bytes, list[Failed]]:
    """The oracle's deterministic signature, and what each rejected attempt fails."""
    p = spec.PARAMETER_SETS[parameter_set]
    log: list[Failed] = []

    def judge(failed: frozenset[str]) -> bool:
        if failed:
            log.append(tuple(sorted(failed)))
        return not failed

    secret_key = spec.ml_dsa_keygen_internal(p, seed)[1]
    return spec.ml_dsa_sign_internal(p, secret_key, m_prime, bytes(32), judge), log


def attempts(parameter_set: str, number: int) -> tuple[bytes, list[Failed]]:
    """`log_of` a seed of ours."""
    return log_of(parameter_set, seed(parameter_set, number), M_PRIME)


def sampling_blocks(parameter_set: str, key: int) -> int:
    """The most SHAKE256 blocks that a polynomial of s1 or s2 takes."""
    p = spec.PARAMETER_SETS[parameter_set]
    rho_prime = spec.h(seed(parameter_set, key) + bytes([p.k, p.l]), 96)[32:]
    most = 0
    for r in range(p.k + p.l):
        halves = [half for byte in spec.h(rho_prime + bytes([r, 0]), 136 * 4) for half in (byte % 16, byte // 16)]
        kept = [i for i, half in enumerate(halves) if spec.coeff_from_half_byte(p, half) is not None]
        most = max(most, kept[spec.N - 1] // (2 * 136) + 1)
    return most


def search() -> None:
    """Fill the tables anew and print them."""
    from tests.subjects import native

    fastest = native.subjects()[-1]
    for parameter_set in spec.PARAMETER_SETS:
        wanted = {("z",), ("r0",), ("r0", "z"), ("hint",)}
        single: dict[Failed, int] = {}
        many = (0, 0)
        for number in range(20_000):
            native.events()
            fastest.key_pair(parameter_set, seed(parameter_set, number)).sign_internal(M_PRIME)
            events = native.events()
            rejected = sum(events.values()) - events["accept"]
            many = max(many, (rejected, number))
            if rejected == 1 and (not events["r0"] or {("r0",), ("r0", "z")} & wanted):
                failed = attempts(parameter_set, number)[1][0]
                if failed in wanted:
                    wanted.remove(failed)
                    single[failed] = number
        print(parameter_set, single, many, flush=True)
    print("third block", next(n for n in count() if sampling_blocks("ML-DSA-65", n) > 2))


if __name__ == "__main__":
    search()
