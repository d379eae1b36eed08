"""What is made of the times: a summary of each contestant, and ratios between two of them."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Slice:
    """One timed run of one contestant: `operations` of them in `nanoseconds`, in round `round`."""

    round: int
    operations: int
    nanoseconds: int

    @property
    def us_per_op(self) -> float:
        """Microseconds an operation."""
        return self.nanoseconds / self.operations / 1000


@dataclass(frozen=True)
class Summary:
    """Microseconds an operation over the rounds of a series.

    `mean` weighs every operation equally; the others every round.
    """

    n: int
    rounds: int
    min: float
    median: float
    mean: float
    max: float
    stdev: float

    @property
    def ops_per_second(self) -> float:
        """Operations a second of the median round."""
        return 1e6 / self.median


@dataclass(frozen=True)
class Rates:
    """Operations a second over the rounds of a series."""

    median: float
    min: float
    max: float
    stdev: float


@dataclass(frozen=True)
class Ratio:
    """How many times longer one series took than another in the rounds that both ran."""

    median: float
    mean: float
    rounds: int


@dataclass
class Series:
    """The slices of one contestant."""

    slices: list[Slice] = field(default_factory=list)

    def add(self, round_: int, operations: int, nanoseconds: int) -> None:
        """Append a slice. Its time is at least 1 ns, so that coarse clocks divide."""
        self.slices.append(Slice(round_, operations, max(1, nanoseconds)))

    def summary(self) -> Summary:
        """Summarise; at least one slice."""
        times = [s.us_per_op for s in self.slices]
        n = sum(s.operations for s in self.slices)
        mean = sum(s.nanoseconds for s in self.slices) / n / 1000
        return Summary(n, len(times), min(times), statistics.median(times), mean, max(times), _stdev(times))

    def rates(self) -> Rates:
        """Operations a second; at least one slice."""
        rates = [1e6 / s.us_per_op for s in self.slices]
        return Rates(statistics.median(rates), min(rates), max(rates), _stdev(rates))


def ratio(slower: Series, faster: Series) -> Ratio | None:
    """Times of `slower` over times of `faster`: the median of the ratios of each round, and the ratio of the means.

    Only rounds that both ran count: they hold the same work. None when there is no such round.
    """
    a = {s.round: s for s in slower.slices}
    b = {s.round: s for s in faster.slices}
    common = sorted(a.keys() & b.keys())
    if not common:
        return None
    each = [a[r].us_per_op / b[r].us_per_op for r in common]
    return Ratio(statistics.median(each), _mean([a[r] for r in common]) / _mean([b[r] for r in common]), len(common))


def _mean(slices: list[Slice]) -> float:
    return sum(s.nanoseconds for s in slices) / sum(s.operations for s in slices)


def _stdev(values: list[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0.0
