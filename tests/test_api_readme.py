"""The README examples of fast-mldsa 0.1.0, with only the import changed, behind a prelude that defines msg and ctx.

Two faults of that text are mended: `ctxt` is `ctx`, and the ML-DSA-87 example signs with the ctx that it verifies with.
"""

from __future__ import annotations

from typing import Any

import pytest

PRELUDE = """
from girih import MlDsa, MlDsa87
msg, ctx = b"a message", b"a context"
"""

USAGE = """
from girih import MlDsa

vk, sk = MlDsa.key_gen()  # verification and signing key

msg, ctx = b"...", b"..."
sig = sk.sign(msg, ctx)  # signature over the message and context
valid = vk.verify(sig, msg, ctx)  # check if the signature is valid
assert valid

# you can also sign with no context, which is equivalent to a context of b""
sig = sk.sign(msg)
assert vk.verify(sig, msg, b"")
"""

SEED = """
from girih import MlDsa

seed = bytearray(32)  # this would be a terrible seed (all zeroes) - easy to guess
vk, sk = MlDsa.key_gen(seed)  # verification and signing key from seed
assert MlDsa.key_gen(seed)[0] == vk
"""

WRONG_SEED = """
wrong_len = bytearray(31)
vk, sk = MlDsa.key_gen(wrong_len)  # => ValueError
"""

DETERMINISTIC = """
from girih import MlDsa

vk, sk = MlDsa.key_gen()  # verification and signing key
msg, ctx = b"...", b"..."

sig1 = sk.sign(
    msg, ctx, deterministic=True
)  # deterministic signature over the message and context
sig2 = sk.sign(msg, ctx, deterministic=True)
assert sig1 == sig2

sig1 = sk.sign(msg, ctx)  # "hedged" signature over the message and context
sig2 = sk.sign(msg, ctx)
assert sig1 != sig2
"""

PARAMETER_SET = """
from girih import MlDsa87

vk, sk = MlDsa87.key_gen()  # verification and signing key for ML-DSA-87 parameter set
sig = sk.sign(msg, ctx)  # signature over the message and context
valid = vk.verify(sig, msg, ctx)  # check if the signature is valid
assert valid
"""

EXTERNAL_MU = """
from girih import MlDsa

vk, sk = MlDsa.key_gen()  # verification and signing key

mu = bytes(64)  # mu must be exactly 64 bytes long
sig = sk.sign_mu(mu)  # signature over mu
valid = vk.verify_mu(sig, mu)  # check if the signature is valid
assert valid
"""


def run(example: str) -> None:
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    exec(example, names)


@pytest.mark.parametrize("example", [USAGE, SEED, DETERMINISTIC, PARAMETER_SET, EXTERNAL_MU])
def test_an_example_runs(example: str) -> None:
    run(example)


def test_the_example_of_a_short_seed_raises() -> None:
    with pytest.raises(ValueError, match="32 bytes, got 31"):
        run(WRONG_SEED)
