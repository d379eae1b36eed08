"""girih itself, as one contestant among others."""

from __future__ import annotations

from collections.abc import Iterator

import girih
from girih.bench.peers import KemRows, Rows
from girih.bench.race import BatchContestant, Contestant, PythonContestant
from girih.bench.workload import KemWorkload, Workload
from girih.mlkem import Caches
from girih.testing import ml_kem_encaps_internal


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


class GirihKem:
    """girih's Python interface to ML-KEM.

    Prepared: an encapsulation or decapsulation key that holds its caches, all of them. The interpreter lock is released
    while the core works. From bytes, a key is checked (FIPS 203, 7.2 and 7.3), keeps nothing and is used once.
    """

    name = "girih"

    @property
    def version(self) -> str:
        """girih's version."""
        return girih.__version__

    def contestants(self, work: KemWorkload, op: str) -> Iterator[Contestant]:
        """girih's rows for one operation."""
        params, rows = work.params, KemRows("girih", work)
        if op == "keygen":
            yield rows.random_keygen("prepared", params.key_gen, lambda pair: pair[0].to_bytes())
            yield rows.keygen("prepared", params.key_gen, lambda pair: pair[0].to_bytes())
        elif op == "encaps":
            encoded, decode = work.ek, params.encapsulation_key
            ek = decode(encoded)
            yield rows.random_encaps("prepared", ek.encaps)
            yield rows.random_encaps("from-bytes", lambda: decode(encoded, caches=Caches.NONE).encaps())
            yield rows.encaps("prepared", lambda m: ml_kem_encaps_internal(ek, m))
            yield BatchContestant(
                rows.who,
                op,
                "batch, system",
                lambda start, stop: ek.encaps_many(stop - start),
                lambda _, got: work.agrees(*got),
            )
        else:
            encoded, seed, load = work.dk, work.seeds[0], params.decapsulation_key
            dk, cts = load(seed), [ct for _, ct in work.encapsulations]
            yield rows.decaps("prepared", dk.decaps)
            yield rows.decaps("from-bytes", lambda ct: load(encoded, caches=Caches.NONE).decaps(ct))
            yield rows.decaps("from-seed", lambda ct: load(seed).decaps(ct))
            yield BatchContestant(
                rows.who,
                op,
                "batch",
                lambda start, stop: dk.decaps_many(cts[start:stop]),
                lambda i, got: bool(got == work.encapsulations[i][0]),
            )
