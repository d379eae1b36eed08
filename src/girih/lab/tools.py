"""Programs and packages that the laboratory stands on."""

from __future__ import annotations

import importlib
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

from girih.lab.errors import LabError, ToolMissing

_APT = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
    "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf",
    "qemu-system-arm": "qemu-system-arm",
    "qemu-system-riscv32": "qemu-system-misc",
    "clang": "clang",
    "cmake": "cmake",
    "cc": "gcc",
    "callgrind_annotate": "valgrind",
}
_PACKAGES = {"elftools": "pyelftools", "capstone": "capstone", "rich": "rich", "matplotlib": "matplotlib"}


def require_programs(*programs: str) -> None:
    """ToolMissing, with one line that installs all of them, unless every program is on PATH."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        packages = sorted({_APT.get(program, program) for program in missing})
        what = ", ".join(missing)
        raise ToolMissing(f"not installed: {what}\n  Debian and Ubuntu: apt-get install {' '.join(packages)}")


def require_package(name: str) -> ModuleType:
    """The module `name` of the extra `lab`, imported."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = _PACKAGES.get(name.partition(".")[0], name)
        raise ToolMissing(f"the Python package {package} is not installed: pip install 'girih[lab]'") from error


def run(command: list[str], *, cwd: Path | None = None, timeout: float | None = None) -> str:
    """Standard output of a command; LabError with the end of what it said when it fails."""
    try:
        done = subprocess.run(command, cwd=cwd, timeout=timeout, capture_output=True, text=True, check=False)
    except subprocess.TimeoutExpired as error:
        raise LabError(f"{command[0]} did not end within {timeout:.0f} s") from error
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-25:])
        raise LabError(f"{Path(command[0]).name} failed with status {done.returncode}:\n{said}")
    return done.stdout
