"""Want of memory: a key without its table works all the same; a key without room for its secret is not made."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import preload

SHIM = r"""
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int no_tables, no_pages, refused;

__attribute__((visibility("default"))) void shim_arm(int tables, int pages)
{
    no_tables = tables, no_pages = pages, refused = 0;
}

__attribute__((visibility("default"))) int shim_refused(void)
{
    return refused;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    void *p;
    if (no_tables && ++refused)
        return NULL;
    return posix_memalign(&p, alignment, size) == 0 ? p : NULL;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if (no_pages && (flags & MAP_ANONYMOUS) && ++refused) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
"""

PRELUDE = """
import ctypes, girih
from girih import {name} as params, SigningKey
shim = ctypes.CDLL({shim!r})
def works(vk, sk):
    sigs = [sk.sign(b"m", checked=True), *sk.sign_many([b"m"] * 3)]
    return all(vk.verify(sig, b"m") for sig in sigs) and vk.verify_many(sigs, [b"m"] * 4) == [True] * 4
def raises(call):
    try:
        call()
    except MemoryError:
        return True
    return False
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return preload.build(SHIM, tmp_path_factory.mktemp("shim"))


def run(shim: Path, name: str, code: str) -> None:
    preload.run(shim, PRELUDE.format(name=name, shim=str(shim)) + code)


if sys.platform == "linux":  # where a library's calls of the C library can be answered by another
    every_set = pytest.mark.parametrize("name", ["MlDsa44", "MlDsa65", "MlDsa87"])

    @every_set
    @pytest.mark.parametrize("mode", ["", "expand=True"])
    def test_keys_without_memory_for_tables_work(shim: Path, name: str, mode: str) -> None:
        run(
            shim,
            name,
            f"""
shim.shim_arm(1, 0)
vk, sk = params.key_gen({mode})
assert not vk.expanded and not sk.expanded and works(vk, sk)
encoded, public = SigningKey.from_bytes(sk.to_bytes()), params.verification_key(bytes(vk))
assert works(public, encoded) and not encoded.expanded and not public.expanded
public.expand()
assert not public.expanded and shim.shim_refused() > 4
assert girih.core_info()["table_budget_used"] == 0
shim.shim_arm(0, 0)
assert works(vk, sk) and vk.expanded and sk.expanded
assert works(public, encoded) and public.expanded and encoded.expanded
""",
        )

    @every_set
    def test_no_key_without_memory_for_its_secret(shim: Path, name: str) -> None:
        run(
            shim,
            name,
            """
vk, sk = girih.MlDsa44.key_gen()  # a workspace is there
seed = sk.seed()
shim.shim_arm(0, 1)
keys = []
assert raises(lambda: [keys.append(params.key_gen()) for _ in range(100_000)])
assert shim.shim_refused() > 0
shim.shim_arm(0, 0)
assert all(works(*pair) for pair in keys[::len(keys) // 20 + 1])
assert works(*params.key_gen())
""",
        )

    @every_set
    def test_no_signature_without_a_workspace(shim: Path, name: str) -> None:
        run(
            shim,
            name,
            """
before = girih.core_info()["secret_bytes"]
shim.shim_arm(0, 1)
assert raises(params.key_gen) and raises(lambda: params.key_gen(bytes(32), compact=True))
assert raises(lambda: params.verification_key(bytes(params.verification_key_size), expand=True))
public = params.verification_key(bytes(params.verification_key_size))
assert raises(lambda: public.verify(b"", b"m")) and raises(lambda: public.verify_many([b""], [b"m"]))
assert girih.core_info()["secret_bytes"] == before
shim.shim_arm(0, 0)
assert public.verify(b"", b"m") is False and works(*params.key_gen())
""",
        )
