"""Where the figures come from: commit, compiler, flags, processor, versions."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import sys
from functools import cache
from pathlib import Path

import girih

UNKNOWN = "unknown"


@cache
def describe() -> dict[str, str]:
    """The facts that every row of results carries. What cannot be found out is "unknown"."""
    build = girih.core_info()
    return {
        "version": girih.__version__,
        "commit": _commit_of_checkout() or build["commit"] or UNKNOWN,
        "compiler": build["compiler"] or UNKNOWN,
        "flags": build["flags"] or UNKNOWN,
        "cpu": _cpu_model(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "backend": girih.backend(),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


def load_average() -> float | None:
    """How many processes ran or waited to, over the last minute: above 1 (the measuring one), figures are noisy.

    None where unknown.
    """
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def _commit_of_checkout() -> str | None:
    """The commit of the working tree that this file is tracked in, with "+" where tracked files were changed since; None outside one."""
    here = Path(__file__).resolve()
    if _git(here.parent, "ls-files", "--error-unmatch", here.name) is None:
        return None
    return _git(here.parent, "describe", "--always", "--abbrev=40", "--dirty=+", "--exclude=*")


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _cpu_model() -> str:
    """The processor's name as the system gives it."""
    try:
        if sys.platform == "linux":
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
                key, _, value = line.partition(":")
                if key.strip() in ("model name", "Model", "Hardware"):
                    return value.strip()
        elif sys.platform == "darwin":
            done = subprocess.run(
                ["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, check=True, timeout=10
            )
            return done.stdout.strip()
    except (OSError, subprocess.SubprocessError):
        pass
    return platform.processor() or UNKNOWN
