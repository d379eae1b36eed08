"""A linked image: its symbols, its sizes, its instructions."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from girih.lab.targets import Target
from girih.lab.tools import require_package

# What an instruction does, for the mix and the cycle models.
_LOADS = ("ldr", "ldm", "pop", "vldr", "vldm", "vpop", "lw", "lh", "lb", "ldrex")
_STORES = ("str", "stm", "push", "vstr", "vstm", "vpush", "sw", "sh", "sb", "strex")
_BRANCHES = (
    "b",
    "bl",
    "blx",
    "bx",
    "cbz",
    "cbnz",
    "tbb",
    "tbh",
    "j",
    "jal",
    "jalr",
    "jr",
    "ret",
    "beqz",
    "bnez",
    "le",
    "wls",
    "dls",
)
_CONDITIONS = ("eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al")
_MULTIPLIES = ("mul", "mla", "mls", "smul", "smla", "smml", "umul", "umla", "umaal", "smmul")
_DIVIDES = ("sdiv", "udiv", "div", "rem")


@dataclass(frozen=True)
class Instruction:
    """One instruction of the disassembly. `kind`: alu, load, store, branch, multiply, divide."""

    address: int
    size: int
    mnemonic: str
    operands: str
    kind: str
    registers: int  # of a multiple load or store, else 1 for memory accesses, 0 elsewhere


@dataclass(frozen=True)
class Symbol:
    name: str
    address: int
    size: int


def classify(mnemonic: str, operands: str) -> tuple[str, int]:
    """Kind and register count of an instruction, from its text."""
    base = mnemonic.lower().removesuffix(".w").removesuffix(".n").removeprefix("c.")
    plain = base.split(".")[0]
    for condition in _CONDITIONS:
        if plain.endswith(condition) and plain.removesuffix(condition) in _BRANCHES:
            return "branch", 0
    if plain in _BRANCHES or plain in (
        "beq",
        "bne",
        "blt",
        "bge",
        "bltu",
        "bgeu",
        "bgez",
        "bltz",
        "blez",
        "bgtz",
        "bgt",
        "ble",
    ):
        return "branch", 0
    if plain.startswith(_DIVIDES):
        return "divide", 0
    if plain.startswith(_MULTIPLIES):
        return "multiply", 0
    for kind, names in (("load", _LOADS), ("store", _STORES)):
        if plain.startswith(names) and not plain.startswith(("sbc", "sbfx", "shadd", "shsub", "sbclr")):
            if plain.startswith(("ldrd", "strd")):
                return kind, 2
            if plain.startswith(("ldm", "stm", "push", "pop", "vldm", "vstm", "vpush", "vpop")):
                return kind, _register_count(operands)
            return kind, 1
    return "alu", 0


def _register_count(operands: str) -> int:
    """Registers of a list such as "{r4, r5-r7, lr}"."""
    inside = operands[operands.find("{") + 1 : operands.find("}")]
    count = 0
    for part in inside.split(","):
        first, _, last = part.strip().partition("-")
        count += int(last[1:]) - int(first[1:]) + 1 if last else bool(first)
    return count


@dataclass
class Image:
    """An ELF file."""

    path: Path
    target: Target
    _elf: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        elffile = require_package("elftools.elf.elffile")
        with self.path.open("rb") as file:
            elf = elffile.ELFFile(file)
            self._sections = [
                (
                    section.name,
                    section["sh_addr"],
                    section["sh_size"],
                    section["sh_type"],
                    section["sh_flags"],
                    section.data() if section["sh_type"] == "SHT_PROGBITS" else b"",
                )
                for section in elf.iter_sections()
            ]
            table = elf.get_section_by_name(".symtab")
            thumb = ~1 if self.target.arch == "arm" else ~0
            self._all_symbols = [
                (
                    symbol.name,
                    symbol["st_value"] & thumb if symbol["st_info"]["type"] == "STT_FUNC" else symbol["st_value"],
                    symbol["st_size"],
                    symbol["st_info"]["type"],
                )
                for symbol in table.iter_symbols()
            ]

    @cached_property
    def functions(self) -> list[Symbol]:
        """Functions by address."""
        found = {
            address: Symbol(name, address, size)
            for name, address, size, kind in self._all_symbols
            if kind == "STT_FUNC" and size
        }
        return [found[address] for address in sorted(found)]

    @cached_property
    def objects(self) -> list[Symbol]:
        """Data objects by address."""
        found = {
            address: Symbol(name, address, size)
            for name, address, size, kind in self._all_symbols
            if kind == "STT_OBJECT" and size
        }
        return [found[address] for address in sorted(found)]

    def address_of(self, name: str) -> int | None:
        """Address of a symbol, or None."""
        for symbol, address, _, _ in self._all_symbols:
            if symbol == name:
                return int(address)
        return None

    def function_at(self, address: int) -> str:
        """The function that holds an instruction address."""
        return _symbol_at(self.functions, self._function_addresses, address)

    def object_at(self, address: int) -> str:
        """The data object that holds an address."""
        return _symbol_at(self.objects, self._object_addresses, address)

    @cached_property
    def constants(self) -> list[Symbol]:
        """Data objects that a program only reads, by address."""
        write, alloc = 1, 2
        fixed = [
            (address, address + size)
            for _, address, size, kind, flags, _ in self._sections
            if kind == "SHT_PROGBITS" and flags & alloc and not flags & write
        ]
        return [symbol for symbol in self.objects if any(low <= symbol.address < high for low, high in fixed)]

    @cached_property
    def _function_addresses(self) -> list[int]:
        return [symbol.address for symbol in self.functions]

    @cached_property
    def _object_addresses(self) -> list[int]:
        return [symbol.address for symbol in self.objects]

    @property
    def flash_bytes(self) -> int:
        """Bytes of the image in flash: vectors, code, constants and initial values."""
        alloc = 2
        return sum(size for _, _, size, kind, flags, _ in self._sections if kind == "SHT_PROGBITS" and flags & alloc)

    @property
    def written_static_bytes(self) -> int:
        """Bytes of static memory that a program may write: initialised and zeroed data."""
        write, alloc = 1, 2
        return sum(
            size
            for name, _, size, kind, flags, _ in self._sections
            if flags & write
            and flags & alloc
            and kind in ("SHT_PROGBITS", "SHT_NOBITS")
            and not name.startswith(".itcm")
        )

    @cached_property
    def instructions(self) -> dict[int, Instruction]:
        """The disassembly of the executable sections, by address."""
        capstone = require_package("capstone")
        if self.target.arch == "arm":
            mode = capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS
            if self.target.name in ("m33", "m55"):
                mode |= capstone.CS_MODE_V8
            engine = capstone.Cs(capstone.CS_ARCH_ARM, mode)
        else:
            engine = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC)
        found: dict[int, Instruction] = {}
        code = [
            (address, data)
            for _, address, _, kind, flags, data in self._sections
            if kind == "SHT_PROGBITS" and flags & 4
        ]
        for function in self.functions:
            for base, data in code:
                if base <= function.address < base + len(data):
                    self._disassemble(engine, data[function.address - base :][: function.size], function.address, found)
        return found

    @staticmethod
    def _disassemble(engine: Any, data: bytes, address: int, found: dict[int, Instruction]) -> None:
        at = 0
        while at < len(data):
            for where, size, mnemonic, operands in engine.disasm_lite(data[at:], address + at):
                kind, registers = classify(mnemonic, operands)
                found[where] = Instruction(where, size, mnemonic, operands, kind, registers)
                at = where + size - address
            at += 2  # a literal, or an instruction that the disassembler does not know


def _symbol_at(symbols: list[Symbol], addresses: list[int], address: int) -> str:
    i = bisect.bisect_right(addresses, address) - 1
    if i >= 0 and address < symbols[i].address + symbols[i].size:
        return symbols[i].name
    return "?"
