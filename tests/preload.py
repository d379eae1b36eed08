"""Libraries that are loaded before the C library and answer in its place, to make it fail as a test wants."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def build(source: str, folder: Path) -> Path:
    """The shared library of one C source, made in `folder`."""
    code, library = folder / "shim.c", folder / "shim.so"
    code.write_text(source)
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    subprocess.run([*compiler, "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", str(library), str(code)], check=True)
    return library


def run(library: Path, code: str) -> None:
    """Run Python code with the library loaded first; it must end well."""
    first = {"LD_PRELOAD": str(library), "DYLD_INSERT_LIBRARIES": str(library)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | first, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
