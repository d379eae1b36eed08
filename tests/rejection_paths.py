"""Key pairs and messages whose deterministic signature takes one rejection path each: found by search, small to keep.

A seed is SHAKE256 of a name and a number, a message M' is a number in four bytes; the tables hold the numbers.
`python -m tests.rejection_paths` searches anew, on the C interface, and prints them.
"""

from __future__ import annotations

import functools
import hashlib
from itertools import count
from typing import NamedTuple

from tests.spec import mldsa as spec

Failed = tuple[str, ...]


class Path(NamedTuple):
    """A signature: the number of the seed, the number of the message."""

    key: int
    message: int

    def m_prime(self) -> bytes:
        """What is signed."""
        return self.message.to_bytes(4, "big")


# By what one of the rejected attempts fails, and nothing else. c t0 can reach gamma2 in ML-DSA-44 only: tau 2^12 is less
# than it elsewhere.
SINGLE: dict[str, dict[Failed, Path]] = {
    "ML-DSA-44": {
        ("z",): Path(key=96, message=0),
        ("r0",): Path(key=14, message=0),
        ("r0", "z"): Path(key=25, message=0),
        ("hint",): Path(key=4439, message=0),
    },
    "ML-DSA-65": {
        ("z",): Path(key=99, message=0),
        ("r0",): Path(key=18, message=0),
        ("r0", "z"): Path(key=11, message=0),
        ("hint",): Path(key=3521, message=0),
    },
    "ML-DSA-87": {
        ("z",): Path(key=22, message=0),
        ("r0",): Path(key=2, message=0),
        ("r0", "z"): Path(key=6, message=0),
        ("hint",): Path(key=2034, message=0),
    },
}
# Signatures that take many attempts, and how many of them are rejected.
MANY: dict[str, tuple[int, Path]] = {
    "ML-DSA-44": (44, Path(key=3902, message=0)),
    "ML-DSA-65": (56, Path(key=5196, message=0)),
    "ML-DSA-87": (31, Path(key=3366, message=0)),
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


def attempts(parameter_set: str, path: Path) -> tuple[bytes, list[Failed]]:
    """`log_of` a path."""
    return log_of(parameter_set, seed(parameter_set, path.key), path.m_prime())


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


def energy_of_t0(parameter_set: str, key: int) -> int:
    """The largest sum of squares of a polynomial of t0: where it is large, c t0 is too."""
    p = spec.PARAMETER_SETS[parameter_set]
    secret_key = spec.ml_dsa_keygen_internal(p, seed(parameter_set, key))[1]
    return max(sum(x * x for x in f) for f in spec.sk_decode(p, secret_key)[5])


def search() -> None:
    """Fill the tables anew and print them."""
    from tests.subjects import native

    fastest = native.subjects()[-1]

    def rejections(parameter_set: str, path: Path) -> dict[str, int]:
        native.events()
        fastest.key_pair(parameter_set, seed(parameter_set, path.key)).sign_internal(path.m_prime())
        return {name: n for name, n in native.events().items() if name != "accept"}

    for parameter_set in spec.PARAMETER_SETS:
        wanted = {("z",), ("r0",), ("r0", "z"), ("hint",)}
        single: dict[Failed, Path] = {}
        many = (0, Path(0, 0))
        for number in range(20_000):
            path = Path(number, 0)
            counts = rejections(parameter_set, path)
            many = max(many, (sum(counts.values()), path))
            if sum(counts.values()) == 1 and (counts["z"] or counts["hint"] or {("r0",), ("r0", "z")} & wanted):
                failed = attempts(parameter_set, path)[1][0]
                if failed in wanted:
                    wanted.remove(failed)
                    single[failed] = path
        print(parameter_set, single, many, flush=True)
    print("third block", next(n for n in count() if sampling_blocks("ML-DSA-65", n) > 2), flush=True)

    key = max(range(5000), key=lambda number: energy_of_t0("ML-DSA-44", number))
    pair = fastest.key_pair("ML-DSA-44", seed("ML-DSA-44", key))
    native.events()
    for message in count():
        pair.sign_internal(Path(key, message).m_prime())
        if message % 1000 == 0 and native.events()["ct0"]:
            break
    for earlier in range(message - 1000, message + 1):
        pair.sign_internal(Path(key, earlier).m_prime())
        if native.events()["ct0"]:
            print("ct0", Path(key, earlier), attempts("ML-DSA-44", Path(key, earlier))[1], flush=True)


if __name__ == "__main__":
    search()
