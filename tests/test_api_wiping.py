"""What is left of secrets in memory: a process makes keys and signatures, and its parent looks through all of its memory.

Linux shows a process the memory of its child (/proc); the tests are for that system.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# The child says what the parent must look for, but masked, and wipes its own copies: what is found is the library's.
CHILD = """
import sys
from girih import {name}, SigningKey
def tell(secret):
    masked = [byte ^ 0xA5 for byte in secret]
    secret[:] = bytes(len(secret))
    print(*masked)
def wait(step):
    print(step, flush=True)
    sys.stdin.readline()
_, key = {name}.key_gen()
encoded = key.to_bytes()
tell(key.seed())
k, s1, t0 = encoded[32:64], encoded[128:192], encoded[-64:]
tell(k); tell(s1); tell(t0)
{more}
encoded[:] = bytes(len(encoded))
wait("in use")
del key
wait("freed")
"""

SEEDED = "key.sign(b'm'); key.sign(b'm', checked=True); key.sign_many([b'm'] * 3)"
COMPACT = "key = {name}.signing_key(key.seed(), compact=True); " + SEEDED
ENCODED = "key = SigningKey.from_bytes(encoded); " + SEEDED
ENCODED_COMPACT = "key = SigningKey.from_bytes(encoded, compact=True); " + SEEDED
SECRETS = ("seed", "K", "s1", "t0")


def memory(pid: int) -> bytes:
    """Everything that a process can write to, but for what only the kernel can read."""
    regions = re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw..", Path(f"/proc/{pid}/maps").read_text(), re.MULTILINE)
    parts = []
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as mem:
        for first, end in regions:
            mem.seek(int(first, 16))
            parts.append(mem.read(int(end, 16) - int(first, 16)))
    return b"|".join(parts)


def found(name: str, more: str) -> Iterator[set[str]]:
    """Which secrets are in the memory of a child that holds a key; then, of one that has freed it."""
    code = CHILD.format(name=name, more=more.format(name=name))
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with child:
        assert child.stdin is not None and child.stdout is not None
        lines = iter(child.stdout.readline, "")
        secrets = {what: bytes(int(word) ^ 0xA5 for word in next(lines).split()) for what in SECRETS}
        for step in ("in use", "freed"):
            assert next(lines).strip() == step
            image = memory(child.pid)
            yield {what for what, secret in secrets.items() if secret in image}
            child.stdin.write("\n")
            child.stdin.flush()
    assert child.returncode == 0


if sys.platform == "linux":
    every_set = pytest.mark.parametrize("name", ["MlDsa44", "MlDsa65", "MlDsa87"])

    @every_set
    @pytest.mark.parametrize(
        ("more", "held"),
        [
            (SEEDED, {"seed", "K"}),  # s1 and t0 lie in the form that products want
            (COMPACT, {"seed"}),
            (ENCODED, {"K", "s1", "t0"}),
            (ENCODED_COMPACT, {"K", "s1", "t0"}),
        ],
        ids=["seeded", "compact", "encoded", "encoded compact"],
    )
    def test_a_key_holds_what_it_needs_and_leaves_nothing(name: str, more: str, held: set[str]) -> None:
        in_use, freed = found(name, more)
        assert in_use == held
        assert freed == set()

    @every_set
    def test_secrets_are_locked_and_out_of_core_dumps(name: str) -> None:
        code = f"""
import girih
keys = girih.{name}.key_gen()
print(open("/proc/self/smaps").read())
print(girih.core_info()["locked_bytes"], girih.core_info()["secret_pages_bytes"])
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        locked, pages = map(int, done.stdout.splitlines()[-1].split())
        flags = [set(line.split()) for line in re.findall(r"^VmFlags: (.*)$", done.stdout, re.MULTILINE)]
        sizes = [int(size) << 10 for size in re.findall(r"^Size: +(\d+) kB$", done.stdout, re.MULTILINE)]
        regions = list(zip(sizes, flags, strict=True))
        assert 0 < locked == sum(size for size, flag in regions if {"lo", "dd"} <= flag)
        assert locked <= pages <= sum(size for size, flag in regions if "dd" in flag)  # workspaces are among these
