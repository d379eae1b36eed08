"""Shared libraries that export the NIST signature API, for ``girih bench --lib``.

A library is given as ``PATH``, ``PATH:NAMES`` or ``PATH:NAMES:SHAPE``. NAMES is the pattern of its function names,
where ``*`` stands for ``keypair``, ``signature`` (or ``sign``) and ``verify``: ``crypto_sign_*``,
``pqcrystals_dilithium3_avx2_*``; without it every such family of names in the file is raced. SHAPE is the form of the
functions, which no library can be asked for:

- ``ctx``, the default: ``signature(sig, *siglen, m, mlen, ctx, ctxlen, sk)`` and ``verify(sig, siglen, m, mlen, ctx,
  ctxlen, pk)``. Where the library also exports ``signature_internal(sig, *siglen, m, mlen, pre, prelen, rnd, sk)``, that
  is called with rnd = 0, so that the signatures can be compared; ``keypair_internal(pk, sk, seed)`` likewise.
- ``ctx-mu``: the same, with one more argument of ``signature_internal`` at the end, a flag for an external mu, 0 here.
- ``plain``, without context: ``signature(sig, *siglen, m, mlen, sk)``, ``verify(sig, siglen, m, mlen, pk)``.

The set of parameters is found by making a key pair and seeing how many bytes of the public key were written. Keys are
encoded as in FIPS 204 and are girih's, so seeds and messages are the same for all. A library needs its own
randomness: link its randombytes into it.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from girih.bench.native import Memory, NativeContestant, equal_to, run
from girih.bench.race import Contestant
from girih.bench.workload import SETS, Workload

SHAPES = ("ctx", "ctx-mu", "plain")
_LARGEST = 8192  # bytes: more than any key of ML-DSA


class Unusable(Exception):
    """A library cannot be raced; the text says why."""


@dataclass(frozen=True)
class Family:
    """The functions of one parameter set in a library, as addresses; None where it has no such function."""

    name: str
    shape: str
    parameter_set: str
    keypair: int
    keypair_internal: int | None
    signature: int
    signature_internal: int | None
    verify: int

    def contestants(self, work: Workload, op: str) -> Iterator[Contestant]:
        """The library's contestant for an operation on a workload of its set.

        It prepares nothing: from bytes, to bytes.
        """
        m = Memory()
        ctx = () if self.shape == "plain" else (0, 0)
        if op == "keygen":
            length = len(work.public_key)
            pks, sk = [m.space(length) for _ in work.seeds], m.space(len(work.secret_key))
            if self.keypair_internal:
                internal = self.keypair_internal
                calls = [[(internal, (pk, sk, m.put(seed)))] for pk, seed in zip(pks, work.seeds, strict=True)]
                yield NativeContestant(self.name, op, "to-bytes", m, calls, pks, length, equal_to(work.public_keys))
            else:
                yield NativeContestant(self.name, op, "to-bytes", m, [[(self.keypair, (pk, sk))] for pk in pks])
        elif op == "sign":
            sk, written, length = m.put(work.secret_key), m.space(8), work.params.signature_size
            sigs = [m.space(length) for _ in work.messages]
            heads = [(sig, written, m.put(msg), len(msg)) for sig, msg in zip(sigs, work.messages, strict=True)]
            if self.signature_internal:
                # M' = 0 || |ctx| || ctx || M: the prefix of an empty context; rnd = 0
                tail = (m.put(bytes(2)), 2, m.put(bytes(32)), sk, *((0,) if self.shape == "ctx-mu" else ()))
                calls = [[(self.signature_internal, (*head, *tail))] for head in heads]
                yield NativeContestant(self.name, op, "from-bytes", m, calls, sigs, length, equal_to(work.signatures))
            else:
                key = work.params.verification_key(work.public_key)
                calls = [[(self.signature, (*head, *ctx, sk))] for head in heads]
                yield NativeContestant(
                    self.name,
                    op,
                    "from-bytes",
                    m,
                    calls,
                    sigs,
                    length,
                    lambda i, got: key.verify(got, work.messages[i]),
                )
        else:
            pk = m.put(work.public_key)
            calls = [
                [(self.verify, (m.put(sig), len(sig), m.put(msg), len(msg), *ctx, pk))]
                for sig, msg in zip(work.signatures, work.messages, strict=True)
            ]
            yield NativeContestant(self.name, op, "from-bytes", m, calls)


def load(argument: str) -> list[Family]:
    """The families of a library, from the argument of ``--lib``.

    Raises Unusable where there is none that can be raced.
    """
    path, names, shape = _split(argument)
    if not path.is_file():
        raise Unusable(f"{path}: no such file")
    try:
        library = ctypes.CDLL(str(path.resolve()))
    except OSError as error:
        raise Unusable(
            f"{path}: cannot be loaded ({error}); link everything it needs, its randombytes too, into it"
        ) from error
    patterns = [names] if names else _families(path)
    if not patterns:
        raise Unusable(f"{path}: no names *keypair, *signature, *verify in it; give them as PATH:NAMES")
    return [_family(library, path, pattern, shape) for pattern in patterns]


def _split(argument: str) -> tuple[Path, str | None, str]:
    """PATH, NAMES and SHAPE. A colon in the path (a Windows drive) is no separator when what follows it is a slash."""
    path, *rest = re.split(r":(?![\\/])", argument)
    names = rest[0] if rest and rest[0] else None
    shape = rest[1] if len(rest) > 1 else SHAPES[0]
    if len(rest) > 2 or shape not in SHAPES:
        raise Unusable(
            f"--lib takes PATH, PATH:NAMES or PATH:NAMES:SHAPE with SHAPE one of {', '.join(SHAPES)}; got {argument!r}"
        )
    if names and names.count("*") > 1:
        raise Unusable(f"a pattern of names holds one *, got {names!r}")
    return Path(path), names if names is None or "*" in names else f"{names}*", shape


def _families(path: Path) -> list[str]:
    """Patterns of the names in a library's symbol table: those of *signature whose *keypair and *verify are there too."""
    names = {name.decode() for name in re.findall(rb"[A-Za-z_][A-Za-z0-9_]{5,127}(?=\0)", path.read_bytes())}
    found = set()
    for name in names:
        head, _, tail = name.rpartition("signature")
        if (
            not tail.startswith("_internal")
            and {f"{head}keypair{tail}", f"{head}verify{tail}"} <= names
            and "signature" in name
        ):
            found.add(f"{head}*{tail}")
    return sorted(found)


def _family(library: ctypes.CDLL, path: Path, pattern: str, shape: str) -> Family:
    def address(*roles: str) -> int | None:
        for role in roles:
            try:
                function = library[pattern.replace("*", role)]
            except AttributeError:
                continue
            return ctypes.cast(function, ctypes.c_void_p).value
        return None

    keypair, signature, verify = address("keypair"), address("signature", "sign"), address("verify")
    if not (keypair and signature and verify):
        raise Unusable(
            f"{path}: does not export all of {', '.join(pattern.replace('*', r) for r in ('keypair', 'signature', 'verify'))}"
        )
    plain = shape == "plain"
    return Family(
        f"{path.stem}:{re.sub('_?[*]', '', pattern).strip('_')}",
        shape,
        _parameter_set(keypair, path, pattern),
        keypair,
        None if plain else address("keypair_internal"),
        signature,
        None if plain else address("signature_internal"),
        verify,
    )


def _parameter_set(keypair: int, path: Path, pattern: str) -> str:
    """The set whose public key is as long as what the library's keypair writes."""
    m = Memory()
    written = 0
    for fill in (b"\x5a", b"\xa5", b"\x33", b"\xcc"):  # a byte of the key may equal one filling, hardly all
        pk, sk = m.put(fill * _LARGEST), m.space(_LARGEST)
        if not run(keypair, pk, sk):
            raise Unusable(f"{path}: {pattern}: its key generation fails")
        written = max(written, len(m.get(pk, _LARGEST).rstrip(fill)))
    for name, params in SETS.items():
        if params.verification_key_size == written:
            return name
    raise Unusable(f"{path}: {pattern}: writes public keys of {written} bytes, which is no set of ML-DSA")
