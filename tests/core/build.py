"""Builds the test library of the core: one build directory for each set of options, under build/ of the checkout.

The library (`girih_test`) holds the whole core with every symbol visible, and the doors of tests/core/doors.c. A second call with the
same options only asks the build tool whether a source has changed; a lock makes parallel test runs wait for each other.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "core"
BUILDS = ROOT / "build" / "core-tests"
SUFFIXES = (".so", ".dylib", ".dll")


class BuildError(RuntimeError):
    """The core could not be configured or built; the text is the build tool's output."""


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on the file at `path` (made where absent)."""
    import fcntl

    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")


def build_directory(definitions: Sequence[str], source: Path = CORE) -> Path:
    """The build directory of a set of CMake definitions; the same set has the same directory."""
    key = hashlib.sha256("\n".join(sorted(definitions)).encode()).hexdigest()[:16]
    return BUILDS / (key if source == CORE else f"{source.name}-{key}")


@functools.cache
def build(target: str, *definitions: str, source: Path = CORE) -> Path:
    """Build one target and return its build directory.

    definitions: CMake cache entries as `NAME=VALUE`. source: where the CMakeLists.txt is. Raises BuildError.
    """
    cmake = shutil.which("cmake")
    if cmake is None:
        raise BuildError("the core's tests need cmake (pip install cmake, or apt-get install cmake)")
    directory = build_directory(definitions, source)
    directory.mkdir(parents=True, exist_ok=True)
    with _locked(directory / "lock"):
        configure = [cmake, "-S", str(source), "-B", str(directory), *(f"-D{d}" for d in sorted(definitions))]
        if shutil.which("ninja") and not (directory / "CMakeCache.txt").exists():
            configure += ["-G", "Ninja"]
        _run(configure)
        _run([cmake, "--build", str(directory), "--target", target, "--parallel", str(os.cpu_count() or 1)])
    return directory


def test_library(*options: str, compiler: str | None = None, flags: str = "", build_type: str = "Release") -> Path:
    """Build the test library and return its path.

    options: switches of core/CMakeLists.txt to turn on, such as `GIRIH_REDZONES` or `GIRIH_CT_CHECK`.
    compiler: a C compiler other than the default one. flags: C and linker flags in front of the build type's own;
    with build_type `None` (the CMake name of a type without flags) they are all there is. Raises BuildError.
    """
    definitions = ["GIRIH_TEST_DOORS=ON", f"CMAKE_BUILD_TYPE={build_type}", *(f"{name}=ON" for name in options)]
    if compiler is not None:
        definitions.append(f"CMAKE_C_COMPILER={compiler}")
    if flags:
        definitions += [f"CMAKE_C_FLAGS={flags}", f"CMAKE_SHARED_LINKER_FLAGS={flags}"]
    directory = build("girih_test", *definitions)
    found = [path for suffix in SUFFIXES for path in sorted(directory.rglob(f"*girih_test{suffix}"))]
    if len(found) != 1:
        raise BuildError(f"expected one girih_test library under {directory}, found {len(found)}")
    return found[0]


test_library.__test__ = False  # type: ignore[attr-defined]  # a builder, not a test, for all that its name begins like one
