"""What the package says of itself, and the choice of its backend."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import girih

HEADER = Path(__file__).parent.parent / "core/include/girih/girih.h"


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=False
    )


def test_the_version_is_that_of_the_core() -> None:
    written = re.search(r'#define GIRIH_VERSION "(.+)"', HEADER.read_text())
    assert written is not None
    assert girih.__version__ == metadata.version("girih") == written[1]


def test_import_needs_nothing_else() -> None:
    assert not [need for need in metadata.requires("girih") or [] if "extra ==" not in need]
    done = python("import sys; before = set(sys.modules); import girih; print(*set(sys.modules) - before)")
    ours = {name.split(".")[0] for name in done.stdout.split()}
    assert ours - set(sys.stdlib_module_names) == {"girih"}


@pytest.mark.parametrize("name", girih.backends())
def test_the_environment_chooses_the_backend(name: str) -> None:
    code = "import girih; vk, sk = girih.MlDsa.key_gen(); print(girih.backend(), vk.verify(sk.sign(b''), b''))"
    assert python(code, GIRIH_BACKEND=name).stdout.split() == [name, "True"]


@pytest.mark.parametrize("name", ["abacus", "C", "neon", " c"])
def test_another_backend_is_an_import_error(name: str) -> None:
    done = python("import girih", GIRIH_BACKEND=name)
    assert done.returncode == 1
    assert f"ImportError: GIRIH_BACKEND: there is no backend {name!r} here" in done.stderr


def test_without_a_choice_the_cpu_decides() -> None:
    done = python("import girih; print(girih.backend())", GIRIH_BACKEND="")
    assert done.stdout.strip() == girih.backends()[-1 if len(girih.backends()) > 2 else 0]


def test_portable_backends_are_everywhere() -> None:
    assert girih.backends()[:2] == ("c", "c32")


def test_the_info_adds_up() -> None:
    keys = girih.MlDsa.key_gen()
    info = girih.core_info()
    assert info["version"] == girih.__version__
    assert info["compiler"] and info["flags"]
    assert 0 < info["secret_bytes"] <= info["secret_pages_bytes"]
    assert 0 <= info["locked_bytes"] <= info["secret_pages_bytes"]
    assert keys[1].expanded
    assert ("avx2" in girih.backends()) <= ("avx2" in info["cpu_features"])


# A privileged process may lock what it likes, so privileges are dropped first.
LIMITED = """
import os, resource, girih
os.geteuid() or os.setuid(65534)
resource.setrlimit(resource.RLIMIT_MEMLOCK, ({limit}, {limit}))
keys = [girih.MlDsa87.key_gen() for _ in range(20)]
assert all(vk.verify(sk.sign(b''), b'') for vk, sk in keys)
info = girih.core_info()
print(info['locked_bytes'], info['lock_limit'])
"""


def test_keys_work_where_memory_may_not_be_locked() -> None:
    done = python(LIMITED.format(limit=0))
    assert done.stdout.split() == ["0", "0"], done.stderr


def test_memory_is_locked_up_to_the_limit() -> None:
    done = python(LIMITED.format(limit=262144))
    locked, limit = map(int, done.stdout.split())
    assert 0 < locked <= limit == 262144, done.stderr
