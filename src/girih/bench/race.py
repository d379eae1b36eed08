"""The engine: contestants take turns at the same slices of work, and what they return is checked.

Machines are noisy and change speed, so figures of different runs do not compare. Here every round runs one small
slice of the work by each contestant, in an order that turns from round to round; a ratio is taken within each round,
where the machine was the same.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from girih.bench.stats import Series

CLOCKS: dict[str, Callable[[], int]] = {"wall": time.perf_counter_ns, "cpu": time.thread_time_ns}


class Mismatch(Exception):
    """A contestant returned something wrong. Its times would mean nothing."""


class Contestant(Protocol):
    """Someone who can do one operation on any part of a workload.

    `who` names the implementation and its version, `group` is "python" or "c" (only likes compare), `op` is an
    operation of the scheme, and `form` says what the key is before the clock starts: "prepared" (an object, made once,
    in its fastest form), "from-bytes" (encoded, decoded by each operation) or "from-seed". Key generation is
    "prepared" when it ends with such an object, "to-bytes" otherwise. "batch" is many operations with a prepared key
    in one call. Where the operation takes randomness and the scheme is ML-KEM, the form says whose it is: "prepared,
    given" or "prepared, system".
    """

    @property
    def who(self) -> str: ...
    @property
    def group(self) -> str: ...
    @property
    def op(self) -> str: ...
    @property
    def form(self) -> str: ...

    def run(self, start: int, stop: int) -> Any:
        """Do the items start <= i < stop. Timed."""

    def check(self, start: int, stop: int, result: Any) -> None:
        """Raise Mismatch unless `result`, of run(start, stop), is right. Not timed."""


@dataclass(frozen=True)
class PythonContestant:
    """Calls a Python callable once for each item (a tuple of arguments).

    `accept` compares what came back with the list `expected`: it gets the result and the expected value. With `keep`
    False only the last result of a slice lives on and is looked at: key pairs are large, and a program that makes
    many does not keep them all.
    """

    who: str
    op: str
    form: str
    call: Callable[..., Any]
    items: Sequence[tuple[Any, ...]]
    expected: Sequence[Any]
    accept: Callable[[Any, Any], bool]
    keep: bool = True
    group: str = "python"

    def run(self, start: int, stop: int) -> Any:
        call = self.call
        if self.keep:
            return [call(*item) for item in self.items[start:stop]]
        result = None
        for item in self.items[start:stop]:
            result = call(*item)
        return [result]

    def check(self, start: int, stop: int, result: Any) -> None:
        first = stop - len(result)
        for i, (got, want) in enumerate(zip(result, self.expected[first:stop], strict=True), first):
            if not self.accept(got, want):
                raise Mismatch(f"{self.who}: {self.op} ({self.form}) of item {i} gave a wrong result")


@dataclass(frozen=True)
class BatchContestant:
    """Calls a Python callable once for a slice: it gets where the slice begins and ends, and returns its results in order."""

    who: str
    op: str
    form: str
    call: Callable[[int, int], Sequence[Any]]
    accept: Callable[[int, Any], bool]
    group: str = "python"

    def run(self, start: int, stop: int) -> Any:
        return self.call(start, stop)

    def check(self, start: int, stop: int, result: Any) -> None:
        for i, got in zip(range(start, stop), result, strict=True):
            if not self.accept(i, got):
                raise Mismatch(f"{self.who}: {self.op} ({self.form}) of item {i} gave a wrong result")


@dataclass(frozen=True)
class Plan:
    """How a workload of `count` items is run.

    Alone (`interleaved` False), each of `rounds` rounds passes over all the items, as often as fits `seconds` /
    `rounds`: every round does the same work, as in the table of fast-mldsa. Interleaved, round r does the r-th part
    of the items, once, and a contestant that would need more than `seconds` for all of them takes part in every k-th
    round. Slices begin and end at multiples of `grain`, which divides `count`: so many items are the least that some
    contestant does in one call.
    """

    count: int
    rounds: int
    seconds: float
    warmup: float
    interleaved: bool
    clock: str = "wall"
    grain: int = 1

    def bounds(self, round_: int) -> tuple[int, int]:
        """The items of a round."""
        if not self.interleaved:
            return 0, self.count
        grains = self.count // self.grain
        return round_ * grains // self.rounds * self.grain, (round_ + 1) * grains // self.rounds * self.grain


def race(contestants: Sequence[Contestant], plan: Plan) -> list[Series]:
    """Run the contestants; returns a series for each, in their order. Raises Mismatch for a wrong result."""
    if plan.interleaved and plan.count < plan.rounds * plan.grain:
        raise ValueError(f"a race of {plan.rounds} rounds needs {plan.rounds * plan.grain} items, got {plan.count}")
    clock = CLOCKS[plan.clock]
    first = plan.bounds(0)[1]
    estimates = [_warm_up(c, plan.warmup, first, plan.grain) for c in contestants]
    strides = [max(1, round(plan.count * e / plan.seconds)) if plan.interleaved else 1 for e in estimates]
    passes = [
        1 if plan.interleaved else max(1, round(plan.seconds / plan.rounds / (plan.count * e))) for e in estimates
    ]
    series = [Series() for _ in contestants]
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()  # its pauses would hit one contestant or the other
    try:
        for r in range(plan.rounds):
            start, stop = plan.bounds(r)
            for k in _turned(range(len(contestants)), r):
                if r % strides[k]:
                    continue
                contestant = contestants[k]
                contestant.run(
                    start, start + plan.grain
                )  # bring code and keys back into the caches, for everybody alike
                elapsed = 0
                for _ in range(passes[k]):
                    begin = clock()
                    result = contestant.run(start, stop)
                    elapsed += clock() - begin
                    contestant.check(start, stop, result)
                series[k].add(r, passes[k] * (stop - start), elapsed)
    finally:
        if enabled:
            gc.enable()
    return series


def _turned(order: Iterable[int], round_: int) -> list[int]:
    """The order of a round: there and back (A B, B A), starting one place further each time, so that nobody keeps the same neighbour."""
    items = list(order)
    shift = round_ // 2 % len(items)
    turned = items[shift:] + items[:shift]
    return turned[::-1] if round_ % 2 else turned


def _warm_up(contestant: Contestant, seconds: float, limit: int, grain: int) -> float:
    """Run the least slices for about `seconds`, at least one of them; returns the mean time of an item in seconds."""
    begin = time.perf_counter()
    done, running = 0, 0.0
    while True:
        i = done % limit
        start = time.perf_counter()
        result = contestant.run(i, i + grain)
        running += time.perf_counter() - start
        contestant.check(i, i + grain, result)
        done += grain
        if time.perf_counter() - begin >= seconds:
            return running / done
