"""Accumulated digests: thousands of seeded key pairs and signatures hashed together; all residues through the rounding.

The first kind draws its seeds from SHAKE-128 of the empty string, and absorbs public key and signature of each into another
SHAKE-128.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from tests.spec import mldsa as spec
from tests.subjects import Subject, native
from tests.vectors import load, of_set

DIGESTS = "accumulated ML-DSA digests"
FIELD = "accumulated ML-DSA field operations"
LONG = "accumulated ML-DSA digests of 60,000,000"
CHUNK = 250
each_set = pytest.mark.parametrize("parameter_set", spec.PARAMETER_SETS)


def seeds() -> Iterator[bytes]:
    """The endless stream cut into seeds. hashlib squeezes from the start only; the core's SHAKE goes on where it was."""
    shake = native.Sha3()
    native.must("girih_sha3_init", ctypes.byref(shake), native.SHA3_KINDS["SHAKE-128"], native.BACKENDS["c"])
    some = ctypes.create_string_buffer(32 * CHUNK)
    while True:
        native.must("girih_shake_squeeze", some, len(some), ctypes.byref(shake))
        stream = some.raw
        for start in range(0, len(stream), 32):
            yield stream[start : start + 32]


def accumulate(subject: Subject, parameter_set: str, iterations: int) -> str:
    """The digest. Threads work on chunks side by side; the order of what is absorbed is that of the seeds."""

    def chunk_of(some: list[bytes]) -> bytes:
        out = b""
        for seed in some:
            pair = subject.key_pair(parameter_set, seed)
            sig = pair.sign(b"")
            if not pair.verify(sig, b""):
                raise AssertionError(f"{parameter_set}: the signature of seed {seed.hex()} does not verify")
            out += pair.public_key + sig
        return out

    total = hashlib.shake_128()
    stream = islice(seeds(), iterations)
    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        while batch := [chunk for _ in range(4 * workers) if (chunk := list(islice(stream, CHUNK)))]:
            for out in pool.map(chunk_of, batch):
                total.update(out)
    return total.hexdigest(32)


def published(parameter_set: str, iterations: int, name: str = DIGESTS) -> str:
    """The expected digest."""
    (case,) = [case for case in of_set(name, parameter_set) if case["iterations"] == iterations]
    return str(case["digest"])


@each_set
@pytest.mark.corpus(DIGESTS)
def test_100_iterations_give_the_published_digest(parameter_set: str, subject: Subject) -> None:
    assert accumulate(subject, parameter_set, 100) == published(parameter_set, 100)


@each_set
@pytest.mark.corpus(DIGESTS)
def test_10000_iterations_give_the_published_digest(parameter_set: str, thorough_subject: Subject) -> None:
    assert accumulate(thorough_subject, parameter_set, 10_000) == published(parameter_set, 10_000)


@each_set
@pytest.mark.slow
@pytest.mark.corpus(LONG)
def test_60000000_iterations_give_the_published_digest(parameter_set: str, fastest_subject: Subject) -> None:
    assert accumulate(fastest_subject, parameter_set, 60_000_000) == published(parameter_set, 60_000_000, LONG)


@pytest.mark.corpus(FIELD)
@pytest.mark.parametrize(
    "backend", [s.backend for s in native.subjects() if "c32" not in s.backend]
)  # c32 rounds as c does
def test_field_operations_on_every_residue_give_the_published_digest(backend: str) -> None:
    (case,) = load(FIELD)
    digest = ctypes.create_string_buffer(32)
    native.library().girih_test_field_operations(native.BACKENDS[backend], digest)
    assert digest.raw == case.hex("digest")
