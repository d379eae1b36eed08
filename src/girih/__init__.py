"""Post-quantum signatures and key encapsulation: ML-DSA (FIPS 204) and ML-KEM (FIPS 203).

    from girih import MlDsa, MlKem

    vk, sk = MlDsa.key_gen()
    sig = sk.sign(b"message")
    assert vk.verify(sig, b"message")

    ek, dk = MlKem.key_gen()
    ss, ct = ek.encaps()
    assert dk.decaps(ct) == ss

The environment variable GIRIH_BACKEND (c, c32, avx2, avx512) chooses an implementation; without it the CPU decides.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from girih import _core, errors, mldsa, mlkem
from girih.mldsa import MlDsa, MlDsa44, MlDsa65, MlDsa87, SigningKey, VerificationKey
from girih.mlkem import DecapsulationKey, EncapsulationKey, MlKem, MlKem512, MlKem768, MlKem1024

if TYPE_CHECKING:
    from girih._core import CoreInfo
    from girih.xwing import XWing

__all__ = [
    "DecapsulationKey",
    "EncapsulationKey",
    "MlDsa",
    "MlDsa44",
    "MlDsa65",
    "MlDsa87",
    "MlKem",
    "MlKem512",
    "MlKem768",
    "MlKem1024",
    "SigningKey",
    "VerificationKey",
    "XWing",
    "backend",
    "backends",
    "core_info",
    "errors",
    "mldsa",
    "mlkem",
    "set_table_budget",
]

__version__: str = _core.core_info()["version"]


def __getattr__(name: str) -> object:
    """XWing, which is imported when it is asked for: its hashes and X25519 come from other libraries."""
    if name == "XWing":
        from girih.xwing import XWing

        return XWing
    raise AttributeError(f"module 'girih' has no attribute {name!r}")


def backend() -> str:
    """The name of the backend in use: "c", "c32", "avx2" or "avx512"."""
    return _core.backend()


def backends() -> tuple[str, ...]:
    """The names of the backends that this build holds and this CPU runs."""
    return _core.backends()


def core_info() -> CoreInfo:
    """What the core knows of itself and of the process: version, compiler, CPU, locked memory, tables.

    Sizes in bytes. secret_bytes: what keys hold; secret_pages_bytes: the pages that they lie in; locked_bytes: those
    pages that are locked in memory; lock_limit: how much this process may lock, None where there is no limit.
    """
    return _core.core_info()


def set_table_budget(bytes: int) -> None:
    """How much memory tables may take that are made without being asked for (lazily): 256 MiB unless set.

    Beyond it keys stay compact, and slower. Tables that exist stay.
    """
    _core.set_table_budget(bytes)


def _choose_backend() -> None:
    name = os.environ.get("GIRIH_BACKEND")
    if not name:
        return
    try:
        _core.use_backend(name)
    except ValueError as error:
        raise ImportError(f"GIRIH_BACKEND: {error}") from None


_choose_backend()
