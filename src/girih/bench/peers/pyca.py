"""cryptography (PyPI), from version 47: OpenSSL's ML-DSA and ML-KEM."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from girih.bench.peers import Absent, KemRows, Rows, require
from girih.bench.race import PythonContestant
from girih.bench.workload import KemWorkload, Workload


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


class PycaKem:
    """Prepared: key objects keep OpenSSL's key, which holds A_hat. No ML-KEM-512; private keys come from seeds only.

    The interpreter lock is held.
    """

    name = "cryptography"

    def __init__(self) -> None:
        module = "cryptography.hazmat.primitives.asymmetric.mlkem"
        self._module, self.version = require("cryptography", module, at_least=47, scheme="ML-KEM")
        try:
            self._module.MLKEM768PrivateKey.generate()
        except Exception as error:  # UnsupportedAlgorithm, whose module depends on the version
            raise Absent(f"version {self.version} is built without ML-KEM: {error}") from error

    def contestants(self, work: KemWorkload, op: str) -> Iterator[PythonContestant]:
        """Keys kept, made of the seed (decapsulation) and of bytes (encapsulation)."""
        rows = KemRows(f"{self.name} {self.version}", work)
        digits = work.parameter_set.removeprefix("ML-KEM-")
        private = getattr(self._module, f"MLKEM{digits}PrivateKey", None)
        if private is None:
            return
        from_seed = private.from_seed_bytes
        if op == "keygen":
            yield rows.random_keygen("prepared", private.generate, _encoded)
            yield rows.keygen("prepared", from_seed, _encoded)
        elif op == "encaps":
            encoded, decode = work.ek, getattr(self._module, f"MLKEM{digits}PublicKey").from_public_bytes
            yield rows.random_encaps("prepared", decode(encoded).encapsulate)
            yield rows.random_encaps("from-bytes", lambda: decode(encoded).encapsulate())
        else:
            seed = work.seeds[0]
            yield rows.decaps("prepared", from_seed(seed).decapsulate)
            yield rows.decaps("from-seed", lambda ct: from_seed(seed).decapsulate(ct))


def _encoded(private_key: Any) -> bytes:
    return bytes(private_key.public_key().public_bytes_raw())
