"""liboqs-python (PyPI): ctypes around the liboqs C library, which holds mldsa-native and mlkem-native."""

from __future__ import annotations

import contextlib
import ctypes.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from girih.bench.peers import Absent, KemRows, Rows, require
from girih.bench.race import PythonContestant
from girih.bench.workload import KemWorkload, Workload


class LibOqs:
    """Nothing is prepared: a Signature object holds bytes.

    Hedged only. ctypes releases the interpreter lock during each call.
    """

    name = "liboqs-python"

    def __init__(self) -> None:
        self._module, self.version = _oqs()

    def contestants(self, work: Workload, op: str) -> Iterator[PythonContestant]:
        """A Signature object with the encoded key in it; verification takes the key with each call."""
        rows = Rows(f"{self.name} {self.version}", work)
        new, name = self._module.Signature, work.parameter_set
        if op == "keygen":
            generator = new(name)
            yield rows.random_keygen("to-bytes", generator.generate_keypair, bytes)
        elif op == "sign":
            signer = new(name, work.secret_key)
            yield rows.hedged_sign("from-bytes", signer.sign)
        else:
            verify, public_key = new(name).verify, work.public_key
            yield rows.verify("from-bytes", lambda sig, msg: verify(msg, sig, public_key))


class LibOqsKem:
    """Nothing is prepared: a KeyEncapsulation object holds bytes. ctypes releases the interpreter lock during each call."""

    name = "liboqs-python"

    def __init__(self) -> None:
        self._module, self.version = _oqs()
        self._enabled = self._module.get_enabled_kem_mechanisms()

    def contestants(self, work: KemWorkload, op: str) -> Iterator[PythonContestant]:
        """A KeyEncapsulation object with the encoded key in it; encapsulation takes the key with each call."""
        rows, name = KemRows(f"{self.name} {self.version}", work), work.parameter_set
        if name not in self._enabled:  # a library may be built with some sets only
            return
        new = self._module.KeyEncapsulation
        if op == "keygen":
            generator = new(name)
            yield rows.random_keygen("to-bytes", generator.generate_keypair, bytes)
            yield rows.keygen("to-bytes", generator.generate_keypair_seed, bytes)
        elif op == "encaps":
            encaps, ek = new(name).encap_secret, work.ek
            yield rows.random_encaps("from-bytes", lambda: encaps(ek), secret_first=False)
        else:
            yield rows.decaps("from-bytes", new(name, work.dk).decap_secret)


def _oqs() -> tuple[Any, str]:
    """The module and its version."""
    # Importing oqs without a library downloads and builds one: look for it first, where oqs itself looks.
    if not library_found():
        raise Absent(
            "no liboqs library found (set OQS_INSTALL_PATH), and importing oqs without one would download and build it"
        )
    with contextlib.redirect_stdout(sys.stderr):  # oqs logs to what is standard output when it is imported
        return require("liboqs-python", "oqs")


def library_found() -> bool:
    """Whether `import oqs` would load its library: one that the system finds, or that of OQS_INSTALL_PATH (else ~/_oqs)."""
    root = Path(os.environ.get("OQS_INSTALL_PATH", str(Path.home() / "_oqs")))
    suffix = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
    candidates = [ctypes.util.find_library("oqs"), ctypes.util.find_library("liboqs")]
    candidates += [str(root / folder / f"liboqs{suffix}") for folder in ("lib", "lib64", "bin")]
    return any(map(_loads, filter(None, candidates)))


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
