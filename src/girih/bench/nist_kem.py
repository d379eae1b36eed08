"""Shared libraries that export the NIST KEM API, for ``girih bench mlkem --lib``.

A library is given as ``PATH`` or ``PATH:NAMES``. NAMES is the pattern of its function names, where ``*`` stands for
``keypair``, ``enc`` and ``dec``: ``crypto_kem_*``; without it every such family of names in the file is raced. The
functions are ``keypair(pk, sk)``, ``enc(ct, ss, pk)`` and ``dec(ss, ct, sk)``. Where the library also exports
``keypair_derand(pk, sk, seed)`` and ``enc_derand(ct, ss, pk, m)``, they are called with the seeds d || z and strings m
of the workload, and what they write must be girih's; the others draw their randomness from the system.

The set of parameters is found as :mod:`girih.bench.nist` finds it, keys are encoded as in FIPS 203 and are girih's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from girih.bench.native_kem import Calls
from girih.bench.nist import Unusable, address, families, open_library, required, set_of, split, title
from girih.bench.race import Contestant
from girih.bench.workload import KEM_SETS, KemWorkload

_ROLES = ("keypair", "enc", "dec")


@dataclass(frozen=True)
class KemFamily:
    """The functions of one parameter set in a library, as addresses; None where it has no such function."""

    name: str
    parameter_set: str
    keypair: int
    enc: int
    dec: int
    keypair_derand: int | None
    enc_derand: int | None

    def contestants(self, work: KemWorkload, op: str) -> Iterator[Contestant]:
        """The library's contestants for an operation on a workload of its set.

        It prepares nothing: from bytes, to bytes.
        """
        calls = Calls(self.name, work)
        if op == "keygen":
            if derand := self.keypair_derand:
                yield calls.key_generation("to-bytes, given", lambda pk, sk, seed: [(derand, (pk, sk, seed))])
            keypair = self.keypair
            yield calls.key_generation("to-bytes, system", lambda pk, sk, _: [(keypair, (pk, sk))], given=False)
        elif op == "encaps":
            if enc_derand := self.enc_derand:
                yield calls.encapsulation("from-bytes, given", lambda ct, ss, m: [(enc_derand, (ct, ss, calls.ek, m))])
            enc = self.enc
            yield calls.encapsulation("from-bytes, system", lambda ct, ss, _: [(enc, (ct, ss, calls.ek))], given=False)
        else:
            yield calls.decapsulation("from-bytes", lambda ss, ct: [(self.dec, (ss, ct, calls.dk))])


def load(argument: str) -> list[KemFamily]:
    """The families of a library, from the argument of ``--lib``.

    Raises Unusable where there is none that can be raced.
    """
    path, names, _ = split(argument)
    library = open_library(path)
    patterns = [names] if names else families(path, *_ROLES)
    if not patterns:
        raise Unusable(f"{path}: no names *keypair, *enc, *dec in it; give them as PATH:NAMES")
    sizes = {name: params.encapsulation_key_size for name, params in KEM_SETS.items()}
    found = []
    for pattern in patterns:
        keypair, enc, dec = (address(library, pattern, role) for role in _ROLES)
        required((keypair, enc, dec), path, pattern, *_ROLES)
        assert keypair and enc and dec
        derand = (address(library, pattern, f"{role}_derand") for role in _ROLES[:2])
        parameter_set = set_of(keypair, path, pattern, sizes)
        found.append(KemFamily(title(path, pattern), parameter_set, keypair, enc, dec, *derand))
    return found
