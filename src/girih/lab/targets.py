"""The cores that the laboratory knows, and the machines that emulate them."""

from __future__ import annotations

from dataclasses import dataclass

from girih.lab.errors import LabError


@dataclass(frozen=True)
class Target:
    """A core: `board` is its folder in firmware/boards, `machine` what qemu calls the board that carries it."""

    name: str
    core: str
    arch: str  # "arm" or "riscv"
    machine: str
    small_machine: str | None = None  # a board with little RAM, used where the image fits it
    small_ram: int = 0  # bytes
    model: str | None = None  # the cycle model of girih.lab.model, where there is a calibrated one
    verifies_only: bool = False  # a core whose multiplication tells secrets by its time
    uart: int = 0  # address of the first UART, for logs without a debugger

    @property
    def emulator(self) -> str:
        return "qemu-system-arm" if self.arch == "arm" else "qemu-system-riscv32"

    @property
    def toolchain(self) -> str:
        """Prefix of the compiler and its tools."""
        return "arm-none-eabi-" if self.arch == "arm" else "riscv64-unknown-elf-"


TARGETS = {
    target.name: target
    for target in (
        Target("m0", "Cortex-M0", "arm", "mps2-an385", small_machine="microbit", small_ram=16 * 1024),
        Target("m3", "Cortex-M3", "arm", "mps2-an385", verifies_only=True),
        Target("m4", "Cortex-M4F", "arm", "mps2-an386", model="m4"),
        Target("m7", "Cortex-M7", "arm", "mps2-an500"),
        Target("m33", "Cortex-M33", "arm", "mps2-an505", model="m33"),
        Target("m55", "Cortex-M55", "arm", "mps3-an547"),
        Target("rv32imc", "RV32IMC", "riscv", "virt"),
        Target("rv32imac", "RV32IMAC", "riscv", "virt"),
    )
}


def target_of(name: str) -> Target:
    """The target called `name`; LabError lists the names there are."""
    try:
        return TARGETS[name]
    except KeyError:
        raise LabError(f"no target {name!r}; the targets are {', '.join(TARGETS)}") from None
