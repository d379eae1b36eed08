"""kyber-py (PyPI): pure Python, a readable reference rather than a rival."""

from __future__ import annotations

from collections.abc import Iterator

from girih.bench.peers import KemRows, require
from girih.bench.race import PythonContestant
from girih.bench.workload import KemWorkload


class KyberPy:
    """Nothing is prepared: every row is from-bytes. Python code, so it holds the interpreter lock."""

    name = "kyber-py"

    def __init__(self) -> None:
        self._module, self.version = require("kyber-py", "kyber_py.ml_kem")

    def contestants(self, work: KemWorkload, op: str) -> Iterator[PythonContestant]:
        """The functions on encoded keys."""
        rows = KemRows(f"{self.name} {self.version}", work)
        scheme = getattr(self._module, work.parameter_set.replace("-", "_"))
        if op == "keygen":
            yield rows.random_keygen("to-bytes", scheme.keygen, lambda pair: bytes(pair[0]))
            yield rows.keygen("to-bytes", scheme.key_derive, lambda pair: bytes(pair[0]))
        elif op == "encaps":
            ek = work.ek
            yield rows.random_encaps("from-bytes", lambda: scheme.encaps(ek))
        else:
            dk = work.dk
            yield rows.decaps("from-bytes", lambda ct: scheme.decaps(dk, ct))
