"""Does a core's multiplier take the same time whatever it multiplies? Judges the log of the operand-timing app of a
real board.

The app times each instruction in a chain of dependent ones, for 24 pairs of operands, many times over. A core is
judged instruction by instruction: `constant` when every pair took the same, `data-dependent` when pairs differ by
more than repetitions of one pair do and by at least a hundredth of a cycle an instruction, `noisy` when repetitions
of one pair already differ so much that neither can be said. A verdict of `constant` is evidence about one core and
these operands, no proof."""

from __future__ import annotations

import random
import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from girih.lab.errors import LabError

PAIRS = 24
SMALLEST_EFFECT = 0.01  # cycles an instruction
MAX_JITTER = 0.25  # cycles an instruction: beyond it repetitions say too little


@dataclass(frozen=True)
class Verdict:
    """What the timings of one instruction say. spread and jitter are in cycles an instruction."""

    instruction: str
    verdict: str  # "constant", "data-dependent", "noisy"
    spread: float
    jitter: float
    fastest: str
    slowest: str


def judge(lines: Iterable[dict[str, Any]]) -> list[Verdict]:
    """Verdicts on the lines {"timing": instruction, "pair": n, "a": .., "b": .., "chain": length, "cycles": n} of a
    log."""
    samples: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    operands: dict[tuple[str, int], str] = {}
    for line in lines:
        if "timing" in line:
            name, pair = line["timing"], line["pair"]
            samples[name][pair].append(line["cycles"] / line["chain"])
            operands[name, pair] = f"{line['a']:#010x} x {line['b']:#010x}"
    if not samples:
        raise LabError("the log holds no operand timings")
    verdicts = []
    for name, pairs in samples.items():
        if len(pairs) != PAIRS:
            raise LabError(f"{name}: timings of {len(pairs)} operand pairs, expected {PAIRS}")
        if any(len(times) < 3 for times in pairs.values()):
            raise LabError(f"{name}: an operand pair was timed fewer than 3 times")
        verdicts.append(_verdict(name, pairs, operands))
    return verdicts


def _verdict(name: str, pairs: dict[int, list[float]], operands: dict[tuple[str, int], str]) -> Verdict:
    """The centre of a pair is its median, so that one interrupted run spoils nothing; jitter is the median distance
    of a repetition from its centre."""
    centres = {pair: statistics.median(times) for pair, times in pairs.items()}
    residuals = [t - centres[pair] for pair, times in pairs.items() for t in times]
    jitter = statistics.median(map(abs, residuals))
    fastest, slowest = min(centres, key=centres.__getitem__), max(centres, key=centres.__getitem__)
    spread = centres[slowest] - centres[fastest]
    if spread > max(SMALLEST_EFFECT, _spread_of_noise(residuals, min(map(len, pairs.values())))):
        verdict = "data-dependent"
    elif jitter > MAX_JITTER:
        verdict = "noisy"
    else:
        verdict = "constant"
    return Verdict(name, verdict, round(spread, 4), round(jitter, 4), operands[name, fastest], operands[name, slowest])


def _spread_of_noise(residuals: list[float], repetitions: int) -> float:
    """How far apart the centres of 24 pairs come to lie by noise alone: the largest of 300 draws from the noise that
    was seen, and half as much."""
    chance = random.Random(0)
    largest = 0.0
    for _ in range(300):
        centres = [statistics.median(chance.choices(residuals, k=repetitions)) for _ in range(PAIRS)]
        largest = max(largest, max(centres) - min(centres))
    return 1.5 * largest
