"""A lower bound of a function's stack, read from its instructions: frames along the deepest chain of direct calls."""

from __future__ import annotations

import re

from girih.lab.image import Image, Instruction


def frame_bytes(code: list[Instruction], riscv: bool) -> int:
    """Bytes by which a function's own instructions lower the stack pointer."""
    frame = 0
    for instruction in code:
        text = instruction.mnemonic.split(".")[0]
        if riscv:
            found = re.fullmatch(r"sp, (?:sp, )?-(0x[0-9a-f]+|\d+)", instruction.operands)
            if instruction.mnemonic in ("addi", "c.addi", "c.addi16sp") and found:
                frame += int(found[1], 0)
            continue
        if text in ("push", "vpush"):
            frame += instruction.registers * (8 if text == "vpush" and "d" in instruction.operands else 4)
        elif text in ("stmdb", "stmfd") and instruction.operands.startswith("sp!"):
            frame += 4 * instruction.registers
        elif text in ("sub", "subw"):
            found = re.fullmatch(r"sp, (?:sp, )?#(0x[0-9a-f]+|\d+)", instruction.operands)
            if found:
                frame += int(found[1], 0)
        elif text in ("str", "strd"):
            found = re.search(r"\[sp, #-(0x[0-9a-f]+|\d+)\]!", instruction.operands)
            if found:
                frame += int(found[1], 0)
    return frame


def _calls(code: list[Instruction]) -> set[int]:
    targets = set()
    for instruction in code:
        if instruction.kind == "branch":
            found = re.search(r"#?(-?0x[0-9a-f]+|-?\d+)$", instruction.operands)
            if found:
                value = int(found[1], 0)
                targets.add(value if instruction.mnemonic.startswith(("b", "cb")) else instruction.address + value)
                targets.add(instruction.address + value)
    return targets


def static_stack(image: Image, executed: set[str]) -> int:
    """Bytes of the deepest chain of direct calls among the functions `executed`. Calls through pointers and
    allocations of variable size are not seen."""
    instructions = image.instructions
    functions = {f.address: f for f in image.functions if f.name in executed}
    code = {
        f.address: [instructions[a] for a in range(f.address, f.address + f.size) if a in instructions]
        for f in functions.values()
    }
    riscv = image.target.arch == "riscv"
    depth: dict[int, int] = {}

    def below(address: int) -> int:
        if address not in depth:
            depth[address] = 0  # a cycle adds nothing
            callees = [below(target) for target in _calls(code[address]) if target in functions and target != address]
            depth[address] = frame_bytes(code[address], riscv) + max(callees, default=0)
        return depth[address]

    return max(map(below, functions), default=0)
