"""girih itself, as one contestant among others."""

from __future__ import annotations

from collections.abc import Iterator

import girih
from girih.bench.peers import Rows
from girih.bench.race import PythonContestant
from girih.bench.workload import Workload


class Girih:
    """girih's Python interface.

    Prepared: a signing or verification key that holds its tables (A_hat, the secrets and t1 in product form, tr).
    Deterministic where asked. The interpreter lock is released while the core works. From bytes, a verification key
    is used once without making tables; a signing key is checked in full (s1, s2, t0 and tr must belong together)
    before it signs.
    """

    name = "girih"

    @property
    def version(self) -> str:
        """girih's version."""
        return girih.__version__

    def contestants(self, work: Workload, op: str) -> Iterator[PythonContestant]:
        """girih's rows for one operation."""
        params = work.params
        rows = Rows("girih", work)
        if op == "keygen":
            yield rows.keygen("prepared", params.key_gen, lambda pair: bytes(pair[0]))
        elif op == "sign":
            sign = params.signing_key(work.seeds[0]).sign
            encoded, seed = work.secret_key, work.seeds[0]
            yield rows.sign("prepared", lambda msg: sign(msg, deterministic=True))
            yield rows.sign("from-bytes", lambda msg: params.signing_key(encoded).sign(msg, deterministic=True))
            yield rows.sign("from-seed", lambda msg: params.signing_key(seed).sign(msg, deterministic=True))
        else:
            public_key = work.public_key
            key = params.verification_key(public_key)
            key.expand()
            yield rows.verify("prepared", key.verify)
            yield rows.verify("from-bytes", lambda sig, msg: params.verification_key(public_key).verify(sig, msg))
