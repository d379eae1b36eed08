"""The judge of operand timings, on synthetic logs: a constant core, a multiplier that ends early, jitter."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from girih.lab.build import Build
from girih.lab.emulate import run_image
from girih.lab.errors import LabError
from girih.lab.timing import PAIRS, judge

CHAIN, REPETITIONS = 64, 16


def log(cycles: Callable[[int, int], float], seed: int = 1, jitter: float = 0.0) -> list[dict[str, Any]]:
    """A log of one instruction: cycles(a, b) for each instruction of a chain, and jitter of that many cycles a run."""
    chance = random.Random(seed)
    pairs = [(0, 0), (1, 1), (0xFFFFFFFF, 0xFFFFFFFF), (255, 255)] + [
        (chance.getrandbits(32), chance.getrandbits(8 * (1 + i % 4))) for i in range(PAIRS - 4)
    ]
    return [
        {"timing": "smull", "pair": i, "a": a, "b": b, "chain": CHAIN,
         "cycles": round(CHAIN * cycles(a, b) + chance.uniform(0, jitter))}
        for i, (a, b) in enumerate(pairs)
        for _ in range(REPETITIONS)
    ]  # fmt: skip


def early(a: int, b: int) -> float:
    """A multiplier that takes a step for each byte of its second operand that is not empty."""
    del a
    return 2 + (b.bit_length() + 7) // 8


def verdict(lines: list[dict[str, Any]]) -> str:
    return judge(lines)[0].verdict


def test_a_constant_core_is_constant() -> None:
    assert verdict(log(lambda _a, _b: 3)) == "constant"


def test_a_constant_core_with_little_jitter_is_constant() -> None:
    assert [verdict(log(lambda _a, _b: 3, seed, jitter=12)) for seed in range(20)] == ["constant"] * 20


def test_an_early_terminating_multiplier_is_found() -> None:
    (found,) = judge(log(early))
    assert found.verdict == "data-dependent"
    assert found.spread == 4.0
    assert found.fastest == "0x00000000 x 0x00000000"


def test_one_slow_pair_is_found() -> None:
    assert verdict(log(lambda a, _b: 3 + (a == 1) / CHAIN)) == "data-dependent"


def test_an_early_terminating_multiplier_is_found_under_jitter() -> None:
    assert [verdict(log(early, seed, jitter=30)) for seed in range(20)] == ["data-dependent"] * 20


def test_much_jitter_leaves_it_open() -> None:
    assert [verdict(log(lambda _a, _b: 3, seed, jitter=400)) for seed in range(20)] == ["noisy"] * 20


def test_an_interrupted_run_spoils_nothing() -> None:
    lines = log(lambda _a, _b: 3)
    lines[5]["cycles"] += 5000
    assert verdict(lines) == "constant"


def test_missing_pairs_are_refused() -> None:
    with pytest.raises(LabError, match="timings of 23 operand pairs, expected 24"):
        judge([line for line in log(lambda _a, _b: 3) if line["pair"] != 7])


def test_too_few_repetitions_are_refused() -> None:
    with pytest.raises(LabError, match="fewer than 3 times"):
        judge(log(lambda _a, _b: 3)[:: REPETITIONS // 2])


def test_a_log_without_timings_is_refused() -> None:
    with pytest.raises(LabError, match="no operand timings"):
        judge([{"end": "ok"}])


@pytest.mark.parametrize("target", ["m0", "m3", "m33", "rv32imc"])
def test_the_app_writes_a_log_that_the_judge_reads(target: str) -> None:
    """Under emulation there are no cycles; "steps" has the app count its own steps, which is as constant as a core
    can be."""
    build = Build(target)
    (path,) = build.images("timing")
    verdicts = judge(run_image(path, build.of, ["steps"]))
    assert {v.verdict for v in verdicts} == {"constant"}
    assert {"mul", "montgomery"} <= {v.instruction for v in verdicts}


def test_without_a_cycle_counter_the_app_says_so() -> None:
    build = Build("m33")
    (path,) = build.images("timing")
    with pytest.raises(LabError, match="no cycle counter"):
        run_image(path, build.of, [])
