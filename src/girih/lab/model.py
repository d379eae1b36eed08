"""Cycle models: what a core would take, from exact counts of its instructions.

A model is a weight for each of a few counts: instructions, loads that no load or store follows (the pipeline hides
the second cycle of the others), pairs and multiples by their registers, divisions, taken branches. It knows no caches
and no wait states, and it is a model: each one says how far it was from hardware (`error`), and rows that it fills
are labelled. A core without a calibrated model has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from girih.lab.image import Instruction


@dataclass(frozen=True)
class Counts:
    """Executed, between two marks."""

    instructions: int = 0
    lone_loads: int = 0  # single loads that no load or store follows
    pairs: int = 0  # ldrd, strd
    multiple_registers: int = 0  # of ldm, stm, push, pop
    divides: int = 0
    taken: int = 0  # branches


@dataclass(frozen=True)
class Model:
    """cycles = sum of weight times count. error: largest relative difference from the published figures it was
    compared with (docs/embedded.md)."""

    name: str
    lone_load: float
    pair: float
    multiple_register: float
    divide: float
    taken: float
    error: float
    scale: float = 1.0

    def cycles(self, counts: Counts) -> float:
        """Modelled cycles, code and data in memory without wait states."""
        return self.scale * (
            counts.instructions
            + self.lone_load * counts.lone_loads
            + self.pair * counts.pairs
            + self.multiple_register * counts.multiple_registers
            + self.divide * counts.divides
            + self.taken * counts.taken
        )

    def formula(self) -> str:
        """The weights in words."""
        words = (
            (self.lone_load, "loads that no load or store follows"),
            (self.pair, "ldrd and strd"),
            (self.multiple_register, "registers of multiple loads and stores"),
            (self.divide, "divisions"),
            (self.taken, "taken branches"),
        )
        sum_ = " + ".join(what if weight == 1 else f"{weight:g} x {what}" for weight, what in words)
        return sum_ if self.scale == 1 else f"{sum_}, all times {self.scale:g}"


# Weights as the cores' manuals give them; for the M4, the cost of a taken branch and the scale are fitted on ten
# published figures (rows `fit` of benchmarks/results/lab-model.jsonl), which they meet within 0.8 %; the error is what
# code unlike theirs may be off. The M33 is not fitted.
MODELS = {
    "m4": Model("m4", lone_load=1, pair=2, multiple_register=1, divide=6, taken=3.9, error=0.05, scale=1.037),
    "m33": Model("m33", lone_load=1, pair=2, multiple_register=1, divide=6, taken=2, error=0.10),
}


def count_kinds(
    instructions: Mapping[int, Instruction], executed: Mapping[int, int], taken: Mapping[int, int]
) -> Counts:
    """The counts of a model, from executions and taken branches by instruction address."""
    total = lone = pairs = multiple = divides = 0
    for address, times in executed.items():
        total += times
        instruction = instructions.get(address)
        if instruction is None:
            continue
        if instruction.kind == "divide":
            divides += times
        elif instruction.kind in ("load", "store"):
            if instruction.mnemonic.startswith(("ldrd", "strd")):
                pairs += times
            elif _is_multiple(instruction):
                multiple += times * instruction.registers
            elif instruction.kind == "load":
                following = instructions.get(address + instruction.size)
                if following is None or following.kind not in ("load", "store"):
                    lone += times
    return Counts(total, lone, pairs, multiple, divides, sum(taken.values()))


def _is_multiple(instruction: Instruction) -> bool:
    return "{" in instruction.operands and instruction.mnemonic.startswith(
        ("ldm", "stm", "push", "pop", "vldm", "vstm", "vpush", "vpop")
    )


def flash_cycles(counts: Counts, model: Model, wait_states: int, line: int = 16) -> float:
    """Cycles with code in flash of `wait_states`, a prefetch buffer of `line` bytes and no cache: every taken branch
    refills it, straight code hides the fetch of the next line behind the current one unless the line is shorter than
    the wait. A bound to compare placements with, not a prediction for a part."""
    refill = wait_states * counts.taken
    straight = counts.instructions * 3 / line * max(0, wait_states - line / 3)
    return model.cycles(counts) + refill + straight
