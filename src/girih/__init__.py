"""Post-quantum signatures: ML-DSA (FIPS 204).

    from girih import MlDsa

    vk, sk = MlDsa.key_gen()
    sig = sk.sign(b"message")
    assert vk.verify(sig, b"message")

The environment variable GIRIH_BACKEND (c, c32, avx2, avx512) chooses an implementation; without it the CPU decides.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from girih import _core, errors, mldsa
from girih.mldsa import MlDsa, MlDsa44, MlDsa65, MlDsa87, SigningKey, VerificationKey

if TYPE_CHECKING:
    from girih._core import CoreInfo

__all__ = [
    "MlDsa",
    "MlDsa44",
    "MlDsa65",
    "MlDsa87",
    "SigningKey",
    "VerificationKey",
    "backend",
    "backends",
    "core_info",
    "errors",
    "mldsa",
    "set_table_budget",
]

__version__: str = _core.core_info()["version"]


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
