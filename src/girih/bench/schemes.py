"""What `girih bench` asks of a scheme: its workloads, and who can do its operations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from girih.bench import native, native_kem, nist, nist_kem, peers
from girih.bench.peers.girih_own import Girih, GirihKem
from girih.bench.race import Contestant
from girih.bench.workload import KemWorkload, Workload


class Scheme(Protocol):
    """One scheme.

    `grain`: items come in multiples of it. `items`: what they are called. `threaded`: the forms of girih's that threads
    and processes are compared in, "" for the best.
    """

    grain: int
    items: str
    threaded: tuple[str, ...]

    def workloads(
        self, sets: Sequence[str], ops: Sequence[str], sizes: Sequence[int], count: int
    ) -> Iterator[tuple[Any, str]]:
        """Set by set, operation by operation, size by size of the messages."""

    def own(self, work: Any, op: str, alone: bool) -> Iterator[Contestant]:
        """girih's Python interface."""

    def own_native(self, work: Any, op: str) -> Iterator[Contestant]:
        """girih's core."""

    def peer(self, name: str) -> Any:
        """The adapter of a package. Raises Absent."""

    def libraries(self, argument: str) -> Sequence[Any]:
        """The families of a library of ``--lib``. Raises Unusable."""


class MlDsa:
    """ML-DSA."""

    grain, items = 1, "messages"
    threaded: tuple[str, ...] = ("",)

    def workloads(
        self, sets: Sequence[str], ops: Sequence[str], sizes: Sequence[int], count: int
    ) -> Iterator[tuple[Workload, str]]:
        """Key generation has no message: it runs once."""
        for name in sets:
            for op in ops:
                for size in sizes[:1] if op == "keygen" else sizes:
                    yield Workload(name, size, count), op

    def own(self, work: Workload, op: str, alone: bool) -> Iterator[Contestant]:
        """Alone, the prepared key is shown."""
        return (c for c in Girih().contestants(work, op) if c.form == "prepared" or not alone)

    own_native = staticmethod(native.own_contestants)
    peer = staticmethod(peers.load)
    libraries = staticmethod(nist.load)


class MlKem:
    """ML-KEM."""

    grain, items = native_kem.BATCH, "ciphertexts"
    threaded: tuple[str, ...] = ("", "batch")

    def workloads(
        self, sets: Sequence[str], ops: Sequence[str], sizes: Sequence[int], count: int
    ) -> Iterator[tuple[KemWorkload, str]]:
        """There are no messages. One workload a set: keys and ciphertexts are made once."""
        for name in sets:
            work = KemWorkload(name, count)
            for op in ops:
                yield work, op

    def own(self, work: KemWorkload, op: str, alone: bool) -> Iterator[Contestant]:
        """All the forms, alone too."""
        return GirihKem().contestants(work, op)

    own_native = staticmethod(native_kem.own_contestants)
    peer = staticmethod(peers.load_kem)
    libraries = staticmethod(nist_kem.load)


SCHEMES: dict[str, Scheme] = {"mldsa": MlDsa(), "mlkem": MlKem()}
