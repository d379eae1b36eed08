"""How long a signature takes, as a distribution: attempts are nearly geometric, so the tail is long and a budget bounds it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from girih.lab import rows
from girih.lab.build import Build
from girih.lab.emulate import count
from girih.lab.image import Image
from girih.lab.sources import version

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


def distance(attempts: Sequence[int], model: Geometric) -> tuple[float, float]:
    """The largest difference between the measured and the model's distribution, and what it exceeds once in a hundred samples of this size when the
    model holds (Kolmogorov; for a discrete distribution the bound is on the safe side)."""
    n = len(attempts)
    largest = max(abs(sum(a > k for a in attempts) / n - model.exceeds(k)) for k in range(max(attempts) + 1))
    return largest, 1.63 / math.sqrt(n)


def latency(build: Build, messages: int = 256) -> rows.Row:
    """Signs `messages` messages of the fixed stream and describes attempts and instructions."""
    (path,) = build.images("speed")
    run = count(Image(path, build.of), [str(messages)])
    attempts = [call["attempts"] for call in run.calls("sign")]
    instructions = [interval.instructions for interval in run.trace.of("sign")]
    fit = rows.attempts_fit(attempts, instructions) or {"a": 0.0, "b": 0.0}
    model = Geometric(EXPECTED_ATTEMPTS[build.scheme])
    largest, bound = distance(attempts, model)
    return {
        "scheme": build.scheme,
        "op": "latency",
        "mode": build.mode,
        "target": build.target,
        "machine": build.of.machine,
        "kind": "emulated",
        "instructions": {**rows.summary(instructions), "p99": percentile(instructions, 0.99)},
        "attempts": {**rows.summary(attempts), "p99": percentile(attempts, 0.99)},
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
                "instructions": round(fit["a"] + fit["b"] * budget),
                "exhausted": round(sum(a > budget for a in attempts) / len(attempts), 4),
                "exhausted_model": round(model.exceeds(budget), 6),
            }
            for budget in BUDGETS
        ],
        "samples": {"attempts": attempts, "instructions": instructions},
        "kernel": build.kernel,
        "hardening": build.hardening,
        "compiler": run.head["compiler"],
        "flags": run.head["flags"],
        "commit": version(),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
