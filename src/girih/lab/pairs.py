"""A guess at the cycles of a Cortex-M7: two instructions at once where they do not stand in each other's way.

Nobody calibrated it: it serves to compare images with each other, and rows that it fills are labelled so."""

from __future__ import annotations

import re
from collections.abc import Mapping

from girih.lab.image import Instruction

LABEL = "uncalibrated"
TAKEN = 1  # cycles of a taken branch beside its own
DIVIDE = 6  # of a division beside its own

_ALIASES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12", "sp": "r13", "lr": "r14", "pc": "r15"}
_REGISTER = re.compile(r"\b(r\d{1,2}|sb|sl|fp|ip|sp|lr|pc)\b")
_ONLY_READ = ("cmp", "cmn", "tst", "teq", "str", "b", "cbz", "cbnz", "it")
_TWO_WRITTEN = ("umull", "smull", "umlal", "smlal", "umaal", "ldrd")
_CONDITION = re.compile(r"^(it|b(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)|adc|sbc|rrx)")
_SETS_FLAGS = re.compile(r"^(cmp|cmn|tst|teq|(add|sub|and|orr|eor|bic|lsl|lsr|asr|ror|rsb|mul|mov|mvn|adc|sbc)s)$")


def _registers(instruction: Instruction) -> tuple[set[str], set[str]]:
    """Registers that an instruction writes and reads; "flags" among them."""
    name = instruction.mnemonic.split(".")[0]
    found = [_ALIASES.get(register, register) for register in _REGISTER.findall(instruction.operands)]
    first = 0 if name.startswith(_ONLY_READ) and not name.startswith("bic") else 2 if name in _TWO_WRITTEN else 1
    written, read = set(found[:first]), set(found[first:])
    if "!" in instruction.operands or "], #" in instruction.operands:
        written |= set(found[first:])
    if _SETS_FLAGS.match(name):
        written.add("flags")
    if _CONDITION.match(name):
        read.add("flags")
    return written, read


def _pair(first: Instruction, second: Instruction) -> bool:
    """Whether two neighbours start in one cycle: not both in the memory or in the multiplier, no multiple load or store,
    no division, no branch before another instruction, and nothing of the first wanted or written again by the
    second."""
    memory = ("load", "store")
    kinds = (first.kind, second.kind)
    if first.registers > 1 or second.registers > 1 or "divide" in kinds or first.kind == "branch":
        return False
    if (first.kind in memory and second.kind in memory) or kinds == ("multiply", "multiply"):
        return False
    written, _ = _registers(first)
    again, read = _registers(second)
    return not written & (read | again)


def cycles(instructions: Mapping[int, Instruction], executed: Mapping[int, int], taken: Mapping[int, int]) -> float:
    """Cycles with code and data in memories without wait states: instructions, less those that start beside the one
    before, and what branches taken, registers of multiple loads and stores in excess of two a cycle, and divisions
    add."""
    total = float(sum(executed.values()) + TAKEN * sum(taken.values()))
    beside = False
    before: Instruction | None = None
    for address in sorted(executed):
        instruction = instructions.get(address)
        if instruction is None:
            before, beside = None, False
            continue
        if instruction.kind == "divide":
            total += DIVIDE * executed[address]
        if instruction.registers > 2:
            total += executed[address] * ((instruction.registers + 1) // 2 - 1)
        adjacent = before is not None and before.address + before.size == address
        if before is not None and adjacent and not beside and _pair(before, instruction):
            total -= min(executed[before.address] - taken.get(before.address, 0), executed[address])
            beside = True
        else:
            beside = False
        before = instruction
    return total
