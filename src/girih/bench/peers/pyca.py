"""cryptography (PyPI), from version 47: OpenSSL's ML-DSA."""

from __future__ import annotations

from collections.abc import Iterator

from girih.bench.peers import Absent, Rows, require
from girih.bench.race import PythonContestant
from girih.bench.workload import Workload


class Pyca:
    """Prepared: key objects keep OpenSSL's key, which holds A_hat. Signing is always hedged; private keys come from seeds only.

    The interpreter lock is released while signing and verifying, held during key generation.
    """

    name = "cryptography"

    def __init__(self) -> None:
        self._module, self.version = require(
            "cryptography", "cryptography.hazmat.primitives.asymmetric.mldsa", at_least=47
        )
        try:
            self._module.MLDSA65PrivateKey.generate()
        except Exception as error:  # UnsupportedAlgorithm, whose module depends on the version
            raise Absent(f"version {self.version} is built without ML-DSA: {error}") from error

    def contestants(self, work: Workload, op: str) -> Iterator[PythonContestant]:
        """Keys kept, made of the seed (signing) and of bytes (verification)."""
        rows = Rows(f"{self.name} {self.version}", work)
        digits = work.parameter_set.removeprefix("ML-DSA-")
        from_seed = getattr(self._module, f"MLDSA{digits}PrivateKey").from_seed_bytes
        decode = getattr(self._module, f"MLDSA{digits}PublicKey").from_public_bytes
        if op == "keygen":
            yield rows.keygen("prepared", from_seed, lambda sk: bytes(sk.public_key().public_bytes_raw()))
        elif op == "sign":
            seed = work.seeds[0]
            yield rows.hedged_sign("prepared", from_seed(seed).sign)
            yield rows.hedged_sign("from-seed", lambda msg: from_seed(seed).sign(msg))
        else:
            encoded = work.public_key
            yield rows.verify("prepared", decode(encoded).verify, good=None)
            yield rows.verify("from-bytes", lambda sig, msg: decode(encoded).verify(sig, msg), good=None)
