"""Where the C sources are: beside the package in a wheel, in the tree of a checkout."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import girih
from girih.lab.errors import LabError

_HERE = Path(__file__).resolve().parent


def source_root() -> Path:
    """The folder that holds core/ and firmware/. GIRIH_SOURCES names another one."""
    named = os.environ.get("GIRIH_SOURCES")
    roots = [Path(named)] if named else [_HERE / "c", _HERE.parents[2]]
    for root in roots:
        if (root / "core" / "CMakeLists.txt").is_file() and (root / "firmware" / "CMakeLists.txt").is_file():
            return root.resolve()
    raise LabError(f"no C sources of girih (core/ and firmware/) in {' or '.join(map(str, roots))}")


def plugin_source(name: str) -> Path:
    """The C source of a qemu plugin."""
    return _HERE / f"{name}.c"


def version() -> str:
    """The commit of a checkout, or of the one that the package was built from ("+" behind it: with changes), or the version of
    the package."""
    root = source_root()
    if (root / ".git").exists():
        try:
            describe = ["git", "-C", str(root), "describe", "--always", "--abbrev=12", "--dirty=+"]
            return subprocess.run(describe, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            pass
    commit = girih._core.core_info()["commit"]
    return commit[:12] + "+" * commit.endswith("+") if commit else f"girih {girih.__version__}"


def cache_folder() -> Path:
    """Where builds are kept between runs: GIRIH_LAB_CACHE, or the user's cache folder."""
    named = os.environ.get("GIRIH_LAB_CACHE")
    if named:
        return Path(named).resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "girih" / "lab"
