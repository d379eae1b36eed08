"""dilithium-py (PyPI): pure Python, a readable reference rather than a rival."""

from __future__ import annotations

from collections.abc import Iterator

from girih.bench.peers import Rows, require
from girih.bench.race import PythonContestant
from girih.bench.workload import Workload


class DilithiumPy:
    """Nothing is prepared: every row is from-bytes. Deterministic where asked.

    Python code, so it holds the interpreter lock.
    """

    name = "dilithium-py"

    def __init__(self) -> None:
        self._module, self.version = require("dilithium-py", "dilithium_py.ml_dsa")

    def contestants(self, work: Workload, op: str) -> Iterator[PythonContestant]:
        """The functions on encoded keys."""
        rows = Rows(f"{self.name} {self.version}", work)
        scheme = getattr(self._module, work.parameter_set.replace("-", "_"))
        if op == "keygen":
            yield rows.keygen("to-bytes", scheme.key_derive, lambda pair: bytes(pair[0]))
        elif op == "sign":
            encoded = work.secret_key
            yield rows.sign("from-bytes", lambda msg: scheme.sign(encoded, msg, deterministic=True))
        else:
            public_key = work.public_key
            yield rows.verify("from-bytes", lambda sig, msg: scheme.verify(public_key, msg, sig))
