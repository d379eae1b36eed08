"""The system's randomness fails: no key, no signature, a clear error; interrupted and short reads are no failure.

A library that is loaded before the C library answers in its place, as each test tells it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import preload

SHIM = r"""
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

/* Once armed, call number `fail_at` fails (0: none); the others give bytes that name their call, `short_by` fewer than
 * are asked for; with `interrupt`, a signal comes before each. */
static int armed, fail_at, short_by, interrupt, calls, interrupted;

__attribute__((visibility("default"))) void shim_arm(int fail, int less, int by_signals)
{
    armed = 1, fail_at = fail, short_by = less, interrupt = by_signals, calls = 0, interrupted = 0;
}

__attribute__((visibility("default"))) int shim_calls(void)
{
    armed = 0;
    return calls;
}

static int answer(unsigned char *out, size_t len, size_t *given)
{
    if (interrupt && (interrupted = !interrupted))
        return EINTR;
    if (++calls == fail_at)
        return EIO;
    *given = (size_t)short_by < len ? len - (size_t)short_by : 1;
    memset(out, calls, *given);
    return 0;
}

#if defined(__APPLE__)
#include <sys/random.h>
static int replacement(void *out, size_t len)
{
    size_t given;
    if (!armed)
        return getentropy(out, len);
    errno = answer(out, len, &given);
    return errno == 0 ? 0 : -1;
}
__attribute__((used, section("__DATA,__interpose"))) static const struct {
    const void *with, *what;
} interpose = {(const void *)replacement, (const void *)getentropy};
#else
#include <sys/syscall.h>
#include <unistd.h>
ssize_t getrandom(void *out, size_t len, unsigned flags)
{
    size_t given;
    if (!armed)
        return syscall(SYS_getrandom, out, len, flags);
    errno = answer(out, len, &given);
    return errno == 0 ? (ssize_t)given : -1;
}
#endif
"""

PRELUDE = """
import ctypes, gc, girih
from girih.errors import RandomnessError
from girih import MlDsa44, MlDsa65, MlDsa87
shim = ctypes.CDLL({shim!r})
def raises(call):
    try:
        call()
    except RandomnessError as error:
        assert str(error) == "the operating system gave no random bytes", error
        return True
    return False
def secrets():
    gc.collect()
    return girih.core_info()["secret_bytes"]
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return preload.build(SHIM, tmp_path_factory.mktemp("shim"))


def run(shim: Path, code: str) -> None:
    preload.run(shim, PRELUDE.format(shim=str(shim)) + code)


@pytest.mark.parametrize("name", ["MlDsa44", "MlDsa65", "MlDsa87"])
@pytest.mark.parametrize("mode", ["", "compact=True", "expand=True"])
def test_no_key_without_randomness(shim: Path, name: str, mode: str) -> None:
    run(
        shim,
        f"""
before = secrets()
shim.shim_arm(1, 0, 0)
assert raises(lambda: {name}.key_gen({mode}))
assert shim.shim_calls() == 1
assert secrets() == before
vk, sk = {name}.key_gen({mode})
assert vk.verify(sk.sign(b"m"), b"m")
""",
    )


@pytest.mark.parametrize("name", ["MlDsa44", "MlDsa65", "MlDsa87"])
@pytest.mark.parametrize(
    "call",
    [
        "sk.sign(b'm')",
        "sk.sign(b'm', checked=True)",
        "sk.sign(b'm', max_attempts=1000)",
        "sk.sign_mu(bytes(64))",
        "sk.sign_digest(bytes(64), 'SHA2-512')",
        "sk.sign_many([b'm'])",
        "sk.sign_many([b'm', b'n'], threads=2)",
    ],
)
def test_no_hedged_signature_without_randomness(shim: Path, name: str, call: str) -> None:
    run(
        shim,
        f"""
shim.shim_arm(2, 0, 0)
vk, sk = {name}.key_gen()
assert raises(lambda: {call})
assert shim.shim_calls() >= 2
assert vk.verify(sk.sign(b"m"), b"m")
shim.shim_arm(1, 0, 0)
sk.sign(b"m", deterministic=True)
sk.sign_many([b"m"] * 3, deterministic=True)
assert shim.shim_calls() == 0
assert {name}.key_gen(bytes(range(32)))[1].seed() == bytes(range(32))
""",
    )


def test_no_signature_of_a_batch_when_randomness_fails_on_the_way(shim: Path) -> None:
    run(
        shim,
        """
vk, sk = MlDsa44.key_gen()
shim.shim_arm(3, 0, 0)
assert raises(lambda: sk.sign_many([b"m"] * 1000))
assert shim.shim_calls() == 3
sigs = sk.sign_many([b"m"] * 100)
assert len(set(sigs)) == 100 and all(vk.verify_many(sigs, [b"m"] * 100))
""",
    )


def test_a_lazy_key_survives_a_failure(shim: Path) -> None:
    run(
        shim,
        """
sk = MlDsa65.signing_key(MlDsa65.key_gen()[1].to_bytes())
before = secrets()
shim.shim_arm(1, 0, 0)
assert raises(lambda: sk.sign(b"m"))
shim.shim_calls()
assert secrets() == before and not sk.expanded
assert sk.verification_key.verify(sk.sign(b"m"), b"m") and sk.expanded
""",
    )


def test_the_seed_is_what_the_system_gave(shim: Path) -> None:
    run(
        shim,
        """
shim.shim_arm(0, 0, 0)
assert MlDsa65.key_gen()[1].seed() == b"\\1" * 32
assert MlDsa65.key_gen()[1].seed() == b"\\2" * 32
assert shim.shim_calls() == 2
""",
    )


if sys.platform == "linux":  # getentropy, elsewhere, gives all or nothing

    def test_signals_and_short_reads_are_no_failure(shim: Path) -> None:
        run(
            shim,
            """
shim.shim_arm(0, 20, 1)
assert MlDsa65.key_gen()[1].seed() == b"\\1" * 12 + b"\\2" + b"\\3" + bytes(range(4, 22))
shim.shim_calls()
""",
        )

    def test_a_short_read_then_a_failure_is_a_failure(shim: Path) -> None:
        run(
            shim,
            """
shim.shim_arm(2, 20, 1)
assert raises(MlDsa65.key_gen)
assert shim.shim_calls() == 2
""",
        )
