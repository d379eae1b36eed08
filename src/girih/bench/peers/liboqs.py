"""liboqs-python (PyPI): ctypes around the liboqs C library, which holds mldsa-native."""

from __future__ import annotations

import ctypes.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from girih.bench.peers import Absent, Rows, require
from girih.bench.race import PythonContestant
from girih.bench.workload import Workload


class LibOqs:
    """Nothing is prepared: a Signature object holds bytes. Hedged only. ctypes releases the interpreter lock during each call."""

    name = "liboqs-python"

    def __init__(self) -> None:
        # Importing oqs without a library downloads and builds one: look for it first, where oqs itself looks.
        if not library_found():
            raise Absent(
                "no liboqs library found (set OQS_INSTALL_PATH), and importing oqs without one would download and build it"
            )
        self._module, self.version = require("liboqs-python", "oqs")

    def contestants(self, work: Workload, op: str) -> Iterator[PythonContestant]:
        """Objects made of bytes; making one is part of each signature, as the key is given to the constructor."""
        rows = Rows(f"{self.name} {self.version}", work)
        new, name = self._module.Signature, work.parameter_set
        if op == "keygen":
            generator = new(name)
            yield rows.random_keygen("to-bytes", generator.generate_keypair, bytes)
        elif op == "sign":
            signer = new(name, bytes(work.secret_key))
            yield rows.hedged_sign("from-bytes", signer.sign)
        else:
            verify, public_key = new(name).verify, work.public_key
            yield rows.verify("from-bytes", lambda sig, msg: verify(msg, sig, public_key))


def library_found() -> bool:
    """Whether `import oqs` would find its library: by the system's search, or in OQS_INSTALL_PATH (else ~/_oqs)."""
    if ctypes.util.find_library("oqs") or ctypes.util.find_library("liboqs"):
        return True
    root = Path(os.environ.get("OQS_INSTALL_PATH", str(Path.home() / "_oqs")))
    suffix = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
    return any((root / folder / f"liboqs{suffix}").is_file() for folder in ("lib", "lib64", "bin"))
