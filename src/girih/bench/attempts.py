"""Attempts as a distribution: they are nearly geometric, so the tail is long and a budget bounds it."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from girih.lab.rows import attempts_fit, summary

# Mean attempts that FIPS 204's parameters give (Dilithium's analysis, section 3.4, with the standard's gamma1, gamma2, beta).
EXPECTED_ATTEMPTS = {"ml-dsa-44": 4.25, "ml-dsa-65": 5.1, "ml-dsa-87": 3.85}
BUDGETS = (1, 2, 4, 8, 10, 16, 32, 64)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the sample does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True)
class Geometric:
    """Attempts until the first success, each succeeding with probability 1/mean."""

    mean: float

    def exceeds(self, attempts: int) -> float:
        """Probability of more than `attempts` attempts."""
        return float((1 - 1 / self.mean) ** attempts)

    def quantile(self, share: float) -> int:
        """The fewest attempts that suffice with probability `share`."""
        return max(1, math.ceil(math.log(1 - share) / math.log(1 - 1 / self.mean)))


def exceed(attempts: Sequence[int]) -> list[float]:
    """The measured shares of signatures that need more than 0, 1, 2, ... attempts; the last share is 0."""
    counts = Counter(attempts)
    left, shares = len(attempts), []
    for k in range(max(attempts) + 1):
        left -= counts[k]
        shares.append(left / len(attempts))
    return shares


def distance(attempts: Sequence[int], model: Geometric) -> tuple[float, float]:
    """The largest difference between the measured and the model's distribution, and its bound.

    When the model holds, one sample of this size in a hundred exceeds the bound (Kolmogorov; for a discrete
    distribution that is on the safe side).
    """
    largest = max(abs(share - model.exceeds(k)) for k, share in enumerate(exceed(attempts)))
    return largest, 1.63 / math.sqrt(len(attempts))


def distribution(scheme: str, attempts: Sequence[int], costs: Sequence[float], unit: str) -> dict[str, Any]:
    """What a sample of signatures of a scheme ("ml-dsa-65") says, as a row of results holds it.

    Attempts and costs (in `unit`, the key that they get) with their 99th percentile, the line cost = a + b x attempts
    through the medians of each number of attempts (an interrupted call is no part of the algorithm's cost), the geometric
    model with the mean of the standard's parameters beside the sample, and what budgets bound.
    """
    by_attempts: dict[int, list[float]] = {}
    for taken, cost in zip(attempts, costs, strict=True):
        by_attempts.setdefault(taken, []).append(cost)
    middle = {taken: statistics.median(values) for taken, values in by_attempts.items()}
    fit = attempts_fit(attempts, [middle[taken] for taken in attempts]) or {"a": statistics.fmean(costs), "b": 0.0}
    model = Geometric(EXPECTED_ATTEMPTS[scheme])
    largest, bound = distance(attempts, model)
    return {
        unit: {**summary(costs), "p99": percentile(costs, 0.99)},
        "attempts": {**summary(attempts), "p99": percentile(attempts, 0.99)},
        "attempts_fit": fit,
        "geometric": {
            "mean": model.mean,
            "median": model.quantile(0.5),
            "p99": model.quantile(0.99),
            "one_in_a_million": model.quantile(1 - 1e-6),
            "distance": round(largest, 4),
            "distance_bound": round(bound, 4),
        },
        "budgets": [
            {
                "attempts": budget,
                unit: round(fit["a"] + fit["b"] * budget),
                "exhausted": round(sum(a > budget for a in attempts) / len(attempts), 4),
                "exhausted_model": round(model.exceeds(budget), 6),
            }
            for budget in BUDGETS
        ],
    }
