"""Threads against processes: does a second thread in one process do what a second process does?

Both run the same loop over the same workload, in turns. Where the interpreter lock is held during a call, N threads
do the work of one; where it is released, the ratio is near 1. The worker processes are started once and wait for
their turns.

``python -m girih.bench.threads WHO SET OP SIZE COUNT FORM`` is such a worker: for each line on standard input (seconds
to run) it prints operations and nanoseconds.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from girih.bench.peers import load, load_kem
from girih.bench.peers.girih_own import Girih, GirihKem
from girih.bench.race import Contestant
from girih.bench.stats import Series
from girih.bench.workload import AnyWorkload, KemWorkload, workload_of

_CHUNK = 16  # operations between two looks at the clock


@dataclass(frozen=True)
class Scaling:
    """Aggregate times of N threads and of N processes: one slice a round, of wall time divided by all the operations done in it."""

    who: str
    op: str
    form: str
    threads: Series
    processes: Series


def contestant_of(name: str, work: AnyWorkload, op: str, form: str = "") -> Contestant | None:
    """The best form of an operation of girih or a peer, which is its first contestant, or the one whose form begins so.

    None where it lacks the set or the form.
    """
    found: Iterator[Contestant]
    if isinstance(work, KemWorkload):
        found = (GirihKem() if name == GirihKem.name else load_kem(name)).contestants(work, op)
    else:
        found = (Girih() if name == Girih.name else load(name)).contestants(work, op)
    return next((contestant for contestant in found if contestant.form.startswith(form)), None)


def measure(
    name: str, work: AnyWorkload, op: str, workers: int, rounds: int, seconds: float, form: str = ""
) -> Scaling | None:
    """Run `rounds` rounds, each `seconds` of N threads and `seconds` of N processes, in alternating order.

    None where there is no such contestant (see `contestant_of`).
    """
    contestant = contestant_of(name, work, op, form)
    if contestant is None:
        return None
    scaling = Scaling(contestant.who, op, contestant.form, Series(), Series())
    with _Processes(name, work, op, workers, form) as processes:
        turns: list[tuple[Series, Callable[[], Sequence[tuple[int, int]]]]] = [
            (scaling.threads, lambda: _threads(contestant, work.count, workers, seconds)),
            (scaling.processes, lambda: processes.run(seconds)),
        ]
        for r in range(-1, rounds):  # round -1 warms up
            for series, turn in turns if r % 2 else turns[::-1]:
                done = turn()
                if r >= 0:
                    _add(series, r, done)
    return scaling


def _add(series: Series, round_: int, done: Sequence[tuple[int, int]]) -> None:
    """Add what the workers of one turn did.

    Rates add up, so that a worker that ran a little longer does not count for more.
    """
    operations = sum(n for n, _ in done)
    rate = sum(n / ns for n, ns in done)
    series.add(round_, operations, round(operations / rate))


def _loop(contestant: Contestant, count: int, seconds: float) -> tuple[int, int]:
    """Do operations for about `seconds`, over and over the `count` items; returns their number and the nanoseconds they took."""
    contestant.check(0, 1, contestant.run(0, 1))
    begin = time.perf_counter_ns()
    end = begin + int(seconds * 1e9)
    done = 0
    while (now := time.perf_counter_ns()) < end or not done:
        start = done % count
        stop = min(start + _CHUNK, count)
        contestant.run(start, stop)
        done += stop - start
    return done, now - begin


def _threads(contestant: Contestant, count: int, workers: int, seconds: float) -> list[tuple[int, int]]:
    results: list[tuple[int, int]] = []
    barrier = threading.Barrier(workers)

    def work() -> None:
        barrier.wait()
        results.append(_loop(contestant, count, seconds))

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


class _Processes:
    """Worker processes that wait for their turns."""

    def __init__(self, name: str, work: AnyWorkload, op: str, workers: int, form: str = "") -> None:
        arguments = [name, work.parameter_set, op, str(work.message_size or 0), str(work.count), form]
        command = [sys.executable, "-m", "girih.bench.threads", *arguments]
        self._workers = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
            for _ in range(workers)
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.communicate()  # the end of its input ends it

    def run(self, seconds: float) -> list[tuple[int, int]]:
        """One turn of all the workers at once."""
        for worker in self._workers:
            assert worker.stdin
            worker.stdin.write(f"{seconds}\n")
        results = []
        for worker in self._workers:
            assert worker.stdout
            line = worker.stdout.readline().split()
            if len(line) != 2:
                raise RuntimeError("a worker process ended early; its error is above")
            results.append((int(line[0]), int(line[1])))
        return results


def main(arguments: Sequence[str]) -> None:
    """The loop of a worker process."""
    name, parameter_set, op, size, count, form = arguments
    work = workload_of(parameter_set, int(size), int(count))
    contestant = contestant_of(name, work, op, form)
    assert contestant
    _loop(contestant, work.count, 0)
    for line in sys.stdin:
        print(*_loop(contestant, work.count, float(line)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
