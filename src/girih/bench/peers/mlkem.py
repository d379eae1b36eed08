"""mlkem (PyPI): Rust."""

from __future__ import annotations

from collections.abc import Iterator

from girih.bench.peers import Absent, KemRows, require
from girih.bench.race import PythonContestant
from girih.bench.workload import KemWorkload


class MlKem:
    """Prepared: key objects keep A_hat. Takes no seed. Holds the interpreter lock."""

    name = "mlkem"

    def __init__(self) -> None:
        self._module, self.version = require("mlkem", "mlkem")
        if not hasattr(self._module, "ML_KEM"):
            raise Absent("another package's module named mlkem is in its place")

    def contestants(self, work: KemWorkload, op: str) -> Iterator[PythonContestant]:
        """Key objects kept, and made of bytes for each call."""
        rows = KemRows(f"{self.name} {self.version}", work)
        scheme = self._module.ML_KEM(getattr(self._module.ParameterSet, work.parameter_set.replace("-", "_")))
        if op == "keygen":
            yield rows.random_keygen("prepared", scheme.key_gen, lambda pair: bytes(pair[0]))
        elif op == "encaps":
            encoded, decode, encaps = work.ek, self._module.EncapsKey.from_bytes, scheme.encaps
            ek = decode(encoded)
            yield rows.random_encaps("prepared", lambda: encaps(ek))
            yield rows.random_encaps("from-bytes", lambda: encaps(decode(encoded)))
        else:
            encoded, decode, decaps = work.dk, self._module.DecapsKey.from_bytes, scheme.decaps
            dk = decode(encoded)
            yield rows.decaps("prepared", lambda ct: decaps(dk, ct))
            yield rows.decaps("from-bytes", lambda ct: decaps(decode(encoded), ct))
