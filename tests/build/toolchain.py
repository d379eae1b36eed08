"""The compilers and tools that the builds under test want, and the programs of tests/core built with them.

The core is always built by its own CMakeLists.txt (tests/core/build.py keeps one directory for each set of options); a program is one
C file of tests/core linked against that library. Builds are shared between tests and between runs.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.core.build import CORE, ROOT, build

TESTS = ROOT / "tests"
BACKENDS = tuple(re.findall(r'return "(.+)";', (CORE / "src" / "backend" / "choose.c").read_text()))

# ---- tools ----


@dataclass(frozen=True)
class Tool:
    """A tool that `make test` uses where it is present."""

    packages: str  # Debian's name for it
    present: Callable[[], bool]


def _links(*command: str, text: str = "int main(void) { return 0; }") -> bool:
    """Whether a compiler with these options links a program."""
    if shutil.which(command[0]) is None:
        return False
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "a.c")
        source.write_text(text)
        done = subprocess.run([*command, str(source), "-o", str(Path(scratch, "a"))], capture_output=True)
    return done.returncode == 0


def _found(*names: str) -> bool:
    return all(shutil.which(name) for name in names)


STRING = '#include <string.h>\nint main(void) { return (int)strlen(""); }'
TOOLS = {
    "gcc": Tool("gcc libc6-dev", lambda: _links("gcc", text=STRING)),
    "clang": Tool("clang libclang-rt-14-dev", lambda: _links("clang", "-fsanitize=address,undefined")),
    "sanitizers": Tool("gcc libc6-dev", lambda: _links("gcc", "-fsanitize=address,undefined")),
    "g++": Tool("g++", lambda: _found("g++")),
    "clang++": Tool("clang", lambda: _found("clang++")),
    "m32": Tool("gcc-multilib g++-multilib", lambda: _links("gcc", "-m32", text=STRING)),
    "arm": Tool("gcc-arm-none-eabi libnewlib-arm-none-eabi", lambda: _found("arm-none-eabi-gcc")),
    "rv32": Tool("gcc-riscv64-unknown-elf", lambda: _found("riscv64-unknown-elf-gcc")),
    "binutils": Tool("binutils", lambda: _found("objdump", "nm", "ld")),
    "valgrind": Tool(
        "valgrind", lambda: _found("valgrind") and _links("cc", text=f"#include <valgrind/memcheck.h>\n{STRING}")
    ),
    "clang-format": Tool("clang-format", lambda: _found("clang-format")),
    "cppcheck": Tool("cppcheck", lambda: _found("cppcheck")),
}


@functools.cache
def has(name: str) -> bool:
    """Whether a tool of TOOLS is present and works."""
    return TOOLS[name].present()


def describe(missing: Iterable[str]) -> str:
    """Names of missing tools, and the line that installs them."""
    names = sorted(missing)
    packages = sorted({package for name in names for package in TOOLS[name].packages.split()})
    return f"{', '.join(names)}; install with: apt-get install -y {' '.join(packages)}"


# ---- builds ----


@dataclass(frozen=True)
class Target:
    """A compiler and the options that choose what it compiles for."""

    compiler: str
    flags: str = ""  # of every compilation and link
    tools: str = ""  # prefix of its binutils
    cmake: tuple[str, ...] = ()  # cache entries for the core

    def core(self, flags: str = "", *definitions: str) -> Path:
        """libgirih_core.a for this target. flags: of the C compiler, all there are. definitions: NAME=VALUE for CMake."""
        directory = build(
            "girih_core",
            f"CMAKE_C_COMPILER={self.compiler}",
            f"CMAKE_C_FLAGS={f'{self.flags} {flags}'.strip()}",
            "CMAKE_BUILD_TYPE=None",
            "GIRIH_WERROR=ON",
            *self.cmake,
            *definitions,
        )
        return directory / "libgirih_core.a"

    def program(self, source: Path, flags: str = "", *definitions: str, sources: Sequence[Path] = ()) -> Path:
        """An executable of one file of tests, linked with the core of the same flags."""
        library = self.core(flags, *definitions)
        output = library.parent / source.stem
        newest = max(path.stat().st_mtime for path in (library, source, *(TESTS / "core").glob("*.h")))
        if not output.exists() or output.stat().st_mtime < newest:
            scratch = output.with_suffix(f".{os.getpid()}")
            run(
                self.compiler, *self.flags.split(), *flags.split(), "-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror",
                "-I", str(CORE / "include"), str(source), *map(str, sources), str(library), "-o", str(scratch),
            )  # fmt: skip
            scratch.rename(output)
        return output


BARE = ("CMAKE_SYSTEM_NAME=Generic", "CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
HOSTS = {"gcc": Target("gcc"), "clang": Target("clang")}
M32 = Target("gcc", "-m32")
BINDS = (1, 2, 4, 5)  # backends that firmware may bind (core/CMakeLists.txt)
FIRMWARE = {
    "arm": Target(
        "arm-none-eabi-gcc", "-mcpu=cortex-m33 -mthumb", "arm-none-eabi-", (*BARE, "CMAKE_SYSTEM_PROCESSOR=arm")
    ),
    "rv32": Target(
        "riscv64-unknown-elf-gcc",
        "-march=rv32imac -mabi=ilp32",
        "riscv64-unknown-elf-",
        (*BARE, "CMAKE_SYSTEM_PROCESSOR=riscv32"),
    ),
}


def run(*command: str, timeout: float = 600) -> str:
    """Standard output of a command that must succeed; its error output where it does not is in the exception's text."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def host() -> Target:
    """A compiler for this machine: the first of HOSTS that is here, else cc."""
    return next((target for name, target in HOSTS.items() if has(name)), Target("cc"))


@functools.cache
def host_backends() -> tuple[str, ...]:
    """The backends that this machine runs."""
    api_test = host().program(TESTS / "core" / "api_test.c", "-O1")
    done = {name: subprocess.run([str(api_test), name], capture_output=True).returncode for name in BACKENDS}
    return tuple(name for name, status in done.items() if status != 2)


def disassembly(file: Path, prefix: str = "") -> list[tuple[str, str, str]]:
    """(function, mnemonic, operands) of every instruction of an object, archive or image."""
    text = run(f"{prefix}objdump", "-d", "--no-show-raw-insn", str(file))
    found = []
    function = ""
    for row in text.splitlines():
        if label := re.match(r"^[0-9a-f]+ <(.+)>:$", row):
            function = label[1]
        elif instruction := re.match(r"^\s+[0-9a-f]+:\s+(\S+)\s*(.*)$", row):
            found.append((function, instruction[1], instruction[2]))
    return found
