"""What the schemes share: work in slices for threads, sizes of buffers, wiping."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Buffer

_T = TypeVar("_T")


def in_slices(count: int, threads: int, work: Callable[[slice], list[_T]]) -> list[_T]:
    """The results of `work` on `count` items, cut into a slice for each thread."""
    workers = min(integer("threads", threads, 1), count)
    if workers <= 1:
        return work(slice(0, count))
    from concurrent.futures import ThreadPoolExecutor

    cuts = [count * i // workers for i in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(work, map(slice, cuts, cuts[1:]))
        return [result for part in parts for result in part]


def integer(name: str, value: int, least: int) -> int:
    """`value`, an int that is at least `least`, else TypeError or ValueError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is an int >= {least}, not {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} is an int >= {least}, got {value}")
    return value


def size(data: Buffer) -> int:
    """Bytes of a bytes-like object."""
    return memoryview(data).nbytes


def wipe(secret: bytearray) -> None:
    """Overwrite with zeros."""
    secret[:] = bytes(len(secret))
