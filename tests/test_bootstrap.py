"""tools/bootstrap.sh on machines that lack something: it names what and the line that installs it, and changes nothing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NEEDED = ("sh", "dirname", "cat", "mktemp", "rm", "printf", "head", "find", "sort", "cksum")
OLD_PYTHON = 'if [ "$1" = --version ]; then echo Python 3.9.2; fi\nexit 1'
PYTHON_WITHOUT = 'case "$2" in *{what}*) exit 1 ;; esac\nexit 0'
FULL_PYTHON = "exit 0"
COMPILER = "exit 0"


class Machine:
    """A machine that has exactly the commands it is given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commands = folder / "bin"
        self.commands.mkdir()
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "tools" / "bootstrap.sh", folder / "tools")
        for name in NEEDED:
            if found := shutil.which(name):
                (self.commands / name).symlink_to(found)

    def has(self, name: str, script: str) -> Machine:
        path = self.commands / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return self

    def debian(self, user: int = 1000) -> Machine:
        return self.has("apt-get", "exit 1").has("id", f"echo {user}")

    def macos(self) -> Machine:
        return self.has("uname", "echo Darwin").has("brew", "exit 1")

    def bootstrap(self, **environment: str) -> list[str]:
        """The lines that it says. It ends with status 2 and leaves no .venv."""
        done = subprocess.run(
            ["sh", "tools/bootstrap.sh"],
            cwd=self.folder,
            env={"PATH": str(self.commands), **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert not (self.folder / ".venv").exists()
        return done.stderr.splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_debian_without_anything(machine: Machine) -> None:
    assert machine.debian().bootstrap() == [
        "girih: missing: Python 3.11 or newer, a C compiler with its library. Install it with:",
        "girih:     sudo apt-get install -y python3 python3-venv python3-dev gcc libc6-dev",
    ]


def test_root_needs_no_sudo(machine: Machine) -> None:
    assert machine.debian(user=0).has("python3", FULL_PYTHON).bootstrap() == [
        "girih: missing: a C compiler with its library. Install it with:",
        "girih:     apt-get install -y gcc libc6-dev",
    ]


def test_debian_with_an_old_python(machine: Machine) -> None:
    said = machine.debian().has("python3", OLD_PYTHON).has("cc", COMPILER).bootstrap()
    assert said[:2] == [
        "girih: missing: Python 3.11 or newer. Install it with:",
        "girih:     sudo apt-get install -y python3 python3-venv python3-dev",
    ]
    assert "python3 here is Python 3.9.2" in said[2]


@pytest.mark.parametrize(
    ("module", "what", "package"),
    [("ensurepip", "the venv module of python3", "python3-venv"), ("Python.h", "Python.h of python3", "python3-dev")],
)
def test_debian_without_a_part_of_python(machine: Machine, module: str, what: str, package: str) -> None:
    machine.debian().has("python3", PYTHON_WITHOUT.format(what=module)).has("cc", COMPILER)
    assert machine.bootstrap() == [
        f"girih: missing: {what}. Install it with:",
        f"girih:     sudo apt-get install -y {package}",
    ]


def test_the_packages_are_those_of_the_python_that_is_used(machine: Machine) -> None:
    machine.debian().has("python3", OLD_PYTHON).has("python3.12", PYTHON_WITHOUT.format(what="ensurepip"))
    assert machine.has("cc", COMPILER).bootstrap()[-1] == "girih:     sudo apt-get install -y python3.12-venv"


def test_a_compiler_that_compiles_nothing_is_none(machine: Machine) -> None:
    machine.debian().has("python3", FULL_PYTHON).has("cc", "exit 1").has("gcc", "exit 1").has("clang", "exit 1")
    assert machine.bootstrap()[-1] == "girih:     sudo apt-get install -y gcc libc6-dev"


def test_a_compiler_that_was_asked_for_is_the_only_one(machine: Machine) -> None:
    machine.debian().has("python3", FULL_PYTHON).has("cc", COMPILER).has("clang", "exit 1")
    assert machine.bootstrap(CC="clang")[-1] == "girih:     sudo apt-get install -y gcc libc6-dev"


def test_macos_without_anything(machine: Machine) -> None:
    assert machine.macos().bootstrap() == [
        "girih: missing: Python 3.11 or newer, a C compiler with its library. Install it with:",
        "girih:     xcode-select --install",
        "girih:     brew install python@3.13",
    ]


def test_macos_without_a_compiler(machine: Machine) -> None:
    assert machine.macos().has("python3", FULL_PYTHON).bootstrap() == [
        "girih: missing: a C compiler with its library. Install it with:",
        "girih:     xcode-select --install",
    ]


def test_another_system(machine: Machine) -> None:
    said = machine.has("uname", "echo FreeBSD").has("python3", FULL_PYTHON).bootstrap()
    assert said[-1] == "girih:     this system's package manager (Debian calls it: gcc libc6-dev)"
