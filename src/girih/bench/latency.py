"""How long a signature takes, as a distribution: ``girih bench --latency``.

The mean of signing hides that each attempt succeeds with a chance of a fifth to a fourth: a deadline is about the
tail. Each call is timed alone, and its attempts are known, so that the machine's noise and the algorithm's tail can
be told apart.
"""

from __future__ import annotations

import gc
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from girih.bench.attempts import EXPECTED_ATTEMPTS, Geometric, distribution, exceed
from girih.bench.environment import describe, load_average
from girih.bench.race import CLOCKS
from girih.bench.workload import SETS
from girih.testing import ml_dsa_sign_mu_attempts

WARMUP = 64  # signatures before the first that counts


class NoPlot(Exception):
    """A picture cannot be drawn; the message says what to install."""


@dataclass(frozen=True)
class Sample:
    """Attempts and time of each signature of one set, in the order in which they were made."""

    parameter_set: str
    clock: str
    attempts: Sequence[int]
    nanoseconds: Sequence[int]

    def fields(self) -> dict[str, Any]:
        """What the sample says as JSON holds it: times in nanoseconds, how many signatures took each number of attempts."""
        return {
            "who": "girih",
            "op": "latency",
            "set": self.parameter_set,
            "form": "prepared",
            "clock": self.clock,
            **distribution(self.parameter_set.lower(), self.attempts, self.nanoseconds, "ns"),
            "counts": {str(k): n for k, n in sorted(Counter(self.attempts).items())},
            "load": load_average(),
            **describe(),
        }


def measure(parameter_set: str, signatures: int, clock: str = "wall") -> Sample:
    """Sign `signatures` different mu of a fixed stream, deterministically, with one prepared key; time each call."""
    signing_key = SETS[parameter_set].key_gen(_derive(parameter_set, "seed", 0, 32))[1]
    mus = [_derive(parameter_set, "mu", i, 64) for i in range(signatures)]
    sign, now, rnd = ml_dsa_sign_mu_attempts, CLOCKS[clock], bytes(32)
    attempts, nanoseconds = [], []
    for mu in mus[:WARMUP]:
        sign(signing_key, mu, rnd)
    collects = gc.isenabled()
    gc.disable()
    try:
        for mu in mus:
            start = now()
            _, taken = sign(signing_key, mu, rnd)
            nanoseconds.append(max(1, now() - start))
            attempts.append(taken)
    finally:
        if collects:
            gc.enable()
    return Sample(parameter_set, clock, attempts, nanoseconds)


def lines(row: dict[str, Any]) -> list[str]:
    """A row for people."""
    ns, attempts, model, fit = row["ns"], row["attempts"], row["geometric"], row["attempts_fit"]
    shown = [
        f"{row['set']}: {ns['n']} signatures, {row['clock']} time",
        f"{'':<22}{'mean':>10}{'median':>10}{'p99':>10}{'worst':>10}",
        _line("us", [ns[key] / 1000 for key in ("mean", "median", "p99", "max")], ".1f"),
        _line("attempts", [attempts[key] for key in ("mean", "median", "p99", "max")], "g"),
        _line("attempts, geometric", [model[key] for key in ("mean", "median", "p99")], "g"),
        f"us = {fit['a'] / 1000:.2f} + {fit['b'] / 1000:.2f} x attempts; largest distance from the geometric distribution "
        f"{model['distance']:.4f} (1 % bound of a sample of this size {model['distance_bound']:.4f})",
        f"one signature in a million needs more than {model['one_in_a_million']} attempts, "
        f"{(fit['a'] + fit['b'] * model['one_in_a_million']) / 1000:.0f} us",
        f"{'budget of attempts':<22}{'us at most':>10}{'exhausted':>12}{'model':>12}",
    ]
    shown += [
        f"{b['attempts']:>18}{b['ns'] / 1000:>14.0f}{b['exhausted']:>12.2%}{b['exhausted_model']:>12.4%}"
        for b in row["budgets"]
    ]
    return shown


def require_matplotlib() -> Any:
    """matplotlib, which draws; NoPlot when it is not installed."""
    try:
        import matplotlib
    except ImportError as error:
        raise NoPlot("--plot needs matplotlib: pip install 'girih[bench]'") from error
    matplotlib.use("Agg")
    return matplotlib


def plot(samples: Sequence[Sample], path: Path) -> None:
    """Draw a row for each sample: the histogram of its times, and the tail of its attempts, each against the model.

    `path` ends in .png or .svg. Raises NoPlot without matplotlib.
    """
    require_matplotlib().rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(samples), 2, figsize=(9.5, 2.9 * len(samples)), squeeze=False)
    for (left, right), sample in zip(axes, samples, strict=True):
        _histogram(left, sample)
        _tail(right, sample)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _histogram(axes: Any, sample: Sample) -> None:
    """Times up to 1.5 times the 99th percentile; beside them the model: the cost a + b k with the chance of k attempts."""
    row = sample.fields()
    fit, ns, model = row["attempts_fit"], row["ns"], Geometric(row["geometric"]["mean"])
    most = min(1.5 * ns["p99"], ns["max"]) / 1000
    axes.hist(
        [t / 1000 for t in sample.nanoseconds], bins=120, range=(0, most), color="#4477aa", alpha=0.8, label="measured"
    )
    costs = [(fit["a"] + fit["b"] * k) / 1000 for k in range(1, max(sample.attempts) + 1)]
    chances = [model.exceeds(k) - model.exceeds(k + 1) for k in range(len(costs))]
    bins = max(1.0, fit["b"] / 1000 / (most / 120))  # an attempt is as wide as this many bars
    axes.step(
        costs, [len(sample.attempts) * c / bins for c in chances], where="mid", color="#cc6677", label="geometric model"
    )
    for name, style in (("median", "--"), ("p99", ":")):
        axes.axvline(
            ns[name] / 1000, color="black", linestyle=style, linewidth=1, label=f"{name} {ns[name] / 1000:.0f} us"
        )
    axes.set_xlim(0, most)
    axes.set_xlabel(f"us a signature, {sample.parameter_set}; worst {ns['max'] / 1000:.0f}")
    axes.set_ylabel("signatures")
    axes.legend(fontsize=8, loc="upper right")


def _tail(axes: Any, sample: Sample) -> None:
    """The share of signatures that need more attempts than k, on a logarithmic scale, down to one in a million."""
    model = Geometric(EXPECTED_ATTEMPTS[sample.parameter_set.lower()])
    last = model.quantile(1 - 1e-6)
    shares = exceed(sample.attempts)
    axes.step(range(len(shares) - 1), shares[:-1], where="post", color="#4477aa", label="measured")
    axes.plot(
        range(last + 1),
        [model.exceeds(k) for k in range(last + 1)],
        color="#cc6677",
        linewidth=1,
        label="geometric model",
    )
    axes.plot([last], [model.exceeds(last)], "o", color="#cc6677", markersize=4)
    axes.annotate(
        f"one in a million: {last}", (last, 1e-6), textcoords="offset points", xytext=(-10, -2), ha="right", fontsize=8
    )
    axes.set_yscale("log")
    axes.set_xlabel("attempts")
    axes.set_ylabel("share that needs more")
    axes.legend(fontsize=8, loc="upper right")


def _line(name: str, values: Sequence[float], form: str) -> str:
    return f"{name:<22}" + "".join(f"{value:>10{form}}" for value in values)


def _derive(parameter_set: str, what: str, index: int, length: int) -> bytes:
    return hashlib.shake_256(f"girih latency {parameter_set} {what} {index}".encode()).digest(length)
