"""Every example in README.md and docs/ is run: Python, C with its CMake project, and the shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(page.read_text(encoding="utf-8")) if name == language]


def pages_with(language: str) -> pytest.MarkDecorator:
    pages = [page for page in PAGES if blocks(page, language)]
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.name)


def test_the_pages_have_examples() -> None:
    for language, pages in (("python", 4), ("c", 2), ("sh", 3)):
        assert sum(bool(blocks(page, language)) for page in PAGES) >= pages


def test_the_architecture_page_shows_the_house_as_it_is() -> None:
    (rooms,) = blocks(ROOT / "docs" / "architecture.md", "text")
    named = {line.split()[0].rstrip("/") for line in rooms.splitlines() if not line.startswith(" ")}
    assert [path for path in sorted(named) if not (ROOT / path).is_dir()] == []
    for room in ("core/src", "core/src/backend", "src/girih", "tests"):
        holding_files = {path.parent for path in (ROOT / room).glob("*/[!.]*.*")}
        inside = {str(path.relative_to(ROOT)) for path in holding_files if not path.name.startswith((".", "__"))}
        assert sorted(inside - named) == [], "docs/architecture.md, Rooms, lacks these"


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("command", ["keygen", "public", "sign", "verify", "encaps", "decaps", "info"])
def test_the_command_page_names_every_option(command: str) -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    usage = subprocess.run(
        [sys.executable, "-m", "girih.cli", command, "--help"], capture_output=True, text=True, check=True
    ).stdout
    options = set(re.findall(r"--[a-z-]+", usage)) - {"--help"}
    assert options
    assert sorted(option for option in options if option not in page) == []


def test_the_c_page_names_every_option_of_the_build() -> None:
    page = (ROOT / "docs" / "c.md").read_text(encoding="utf-8")
    build = (ROOT / "core" / "CMakeLists.txt").read_text(encoding="utf-8")
    options = set(re.findall(r"^(?:option|set)\((GIRIH_\w+)", build, re.MULTILINE))
    assert options
    assert sorted(option for option in options if f"`{option}`" not in page) == []


@pages_with("python")
def test_the_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": page.stem}
    for number, text in enumerate(blocks(page, "python"), 1):
        exec(compile(text, f"{page.name}, Python example {number}", "exec"), names)


@pages_with("sh")
def test_the_shell_examples_run(page: Path, tmp_path: Path) -> None:
    command = Path(sysconfig.get_path("scripts")) / "girih"
    assert command.exists(), "the package is installed without its command"
    environment = {**os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-eu", "-c", "\n".join(blocks(page, "sh"))],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The CMake project of docs/c.md, configured, with girih beside it."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "girih").symlink_to(ROOT)
    (text,) = blocks(ROOT / "docs" / "c.md", "cmake")
    (folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    (folder / "main.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    flags = "-Wall -Wextra -Wconversion -Werror"
    options = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_C_FLAGS={flags}"]
    subprocess.run([cmake(), "-S", ".", "-B", "build", *options], cwd=folder, check=True, capture_output=True)
    return folder


def cmake() -> str:
    beside = Path(sysconfig.get_path("scripts")) / "cmake"
    found = str(beside) if beside.exists() else shutil.which("cmake")
    assert found, f"no cmake: {sys.executable} -m pip install cmake"
    return found


@pages_with("c")
def test_the_c_examples_compile_and_run(page: Path, project: Path) -> None:
    for text in blocks(page, "c"):
        (project / "main.c").write_text(text, encoding="utf-8")
        built = subprocess.run(
            [cmake(), "--build", "build", "--parallel", "2"],
            cwd=project,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert built.returncode == 0, built.stdout + built.stderr
        ran = subprocess.run([project / "build" / "app"], capture_output=True, text=True, timeout=60, check=False)
        assert (ran.returncode, ran.stdout) in ((0, "good\n"), (0, "")), text
