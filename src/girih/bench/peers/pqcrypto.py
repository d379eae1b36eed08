"""pqcrypto (PyPI): Rust."""

from __future__ import annotations

from collections.abc import Iterator

from girih.bench.peers import KemRows, Rows, require
from girih.bench.race import PythonContestant
from girih.bench.workload import KemWorkload, Workload


class PqCrypto:
    """Nothing is prepared: its key objects wrap bytes, so every row is from-bytes. Hedged only; takes no seed.

    Holds the interpreter lock.
    """

    name = "pqcrypto"

    def __init__(self) -> None:
        self._module, self.version = require("pqcrypto", "pqcrypto.sign")

    def contestants(self, work: Workload, op: str) -> Iterator[PythonContestant]:
        """The flat functions."""
        rows = Rows(f"{self.name} {self.version}", work)
        scheme = getattr(self._module, work.parameter_set.lower().replace("-", "_"))
        if op == "keygen":
            yield rows.random_keygen("to-bytes", scheme.keygen, lambda pair: bytes(pair[0]))
        elif op == "sign":
            encoded = work.secret_key
            yield rows.hedged_sign("from-bytes", lambda msg: scheme.sign(encoded, msg))
        else:
            public_key = work.public_key
            yield rows.verify("from-bytes", lambda sig, msg: scheme.verify(public_key, msg, sig), good=None)


class PqCryptoKem:
    """Nothing is prepared: every row is from-bytes. Takes no seed. Holds the interpreter lock."""

    name = "pqcrypto"

    def __init__(self) -> None:
        self._module, self.version = require("pqcrypto", "pqcrypto.kem")

    def contestants(self, work: KemWorkload, op: str) -> Iterator[PythonContestant]:
        """The flat functions."""
        rows = KemRows(f"{self.name} {self.version}", work)
        scheme = getattr(self._module, work.parameter_set.lower().replace("-", "_"))
        if op == "keygen":
            yield rows.random_keygen("to-bytes", scheme.keygen, lambda pair: bytes(pair[0]))
        elif op == "encaps":
            encaps, ek = scheme.encaps, work.ek
            yield rows.random_encaps("from-bytes", lambda: encaps(ek), secret_first=False)
        else:
            decaps, dk = scheme.decaps, work.dk
            yield rows.decaps("from-bytes", lambda ct: decaps(dk, ct))
