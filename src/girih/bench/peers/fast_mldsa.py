"""fast-mldsa (PyPI): Rust, portable in its wheels."""

from __future__ import annotations

from collections.abc import Iterator

from girih.bench.peers import Rows, require
from girih.bench.race import PythonContestant
from girih.bench.workload import Workload

_CLASSES = {"ML-DSA-44": "MlDsa44", "ML-DSA-65": "MlDsa65", "ML-DSA-87": "MlDsa87"}


class FastMlDsa:
    """Prepared: key objects keep A_hat. Deterministic where asked. Holds the interpreter lock throughout."""

    name = "fast-mldsa"

    def __init__(self) -> None:
        self._module, self.version = require("fast-mldsa", "fast_mldsa")

    def contestants(self, work: Workload, op: str) -> Iterator[PythonContestant]:
        """Key objects kept, and made of bytes for each call."""
        rows = Rows(f"{self.name} {self.version}", work)
        params = getattr(self._module, _CLASSES[work.parameter_set])
        if op == "keygen":
            yield rows.keygen("prepared", params.key_gen, lambda pair: bytes(pair[0]))
        elif op == "sign":
            decode, encoded = self._module.SigningKey.from_bytes, work.secret_key
            sign = decode(encoded).sign
            yield rows.sign("prepared", lambda msg: sign(msg, deterministic=True))
            yield rows.sign("from-bytes", lambda msg: decode(encoded).sign(msg, deterministic=True))
        else:
            decode, encoded = self._module.VerificationKey.from_bytes, work.public_key
            yield rows.verify("prepared", decode(encoded).verify)
            yield rows.verify("from-bytes", lambda sig, msg: decode(encoded).verify(sig, msg))
