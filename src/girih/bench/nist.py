"""Shared libraries that export the NIST signature API, for ``girih bench --lib``; what KEMs share (:mod:`girih.bench.nist_kem`).

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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from girih.bench.native import Memory, NativeContestant, equal_to, run
from girih.bench.race import Contestant
from girih.bench.workload import SETS, Workload

SHAPES = ("ctx", "ctx-mu", "plain")
_LARGEST = 8192  # bytes: more than any key


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
    path, names, shape = split(argument, SHAPES)
    library = open_library(path)
    patterns = [names] if names else families(path, "signature", "keypair", "verify")
    if not patterns:
        raise Unusable(f"{path}: no names *keypair, *signature, *verify in it; give them as PATH:NAMES")
    return [_family(library, path, pattern, shape) for pattern in patterns]


def split(argument: str, shapes: Sequence[str] = ()) -> tuple[Path, str | None, str]:
    """PATH, NAMES and SHAPE. A colon in the path (a Windows drive) is no separator when what follows it is a slash."""
    path, *rest = re.split(r":(?![\\/])", argument)
    names = rest[0] if rest and rest[0] else None
    shape = rest[1] if len(rest) > 1 else next(iter(shapes), "")
    if len(rest) > 2 or (shape not in shapes if shapes else len(rest) > 1):
        known = f" or PATH:NAMES:SHAPE with SHAPE one of {', '.join(shapes)}" if shapes else ""
        raise Unusable(f"--lib takes PATH, PATH:NAMES{known}; got {argument!r}")
    if names and names.count("*") > 1:
        raise Unusable(f"a pattern of names holds one *, got {names!r}")
    return Path(path), names if names is None or "*" in names else f"{names}*", shape


def open_library(path: Path) -> ctypes.CDLL:
    """Load a shared library; Unusable where that fails."""
    if not path.is_file():
        raise Unusable(f"{path}: no such file")
    try:
        return ctypes.CDLL(str(path.resolve()))
    except OSError as error:
        raise Unusable(
            f"{path}: cannot be loaded ({error}); link everything it needs, its randombytes too, into it"
        ) from error


def families(path: Path, role: str, *others: str) -> list[str]:
    """Patterns of the names in a library's symbol table: those of *role* for which there are names of the other roles too."""
    names = {name.decode() for name in re.findall(rb"[A-Za-z_][A-Za-z0-9_]{2,127}(?=\0)", path.read_bytes())}
    found = set()
    for name in names:
        head, cut, tail = name.rpartition(role)
        if cut and not tail.startswith("_internal") and {f"{head}{other}{tail}" for other in others} <= names:
            found.add(f"{head}*{tail}")
    return sorted(found)


def address(library: ctypes.CDLL, pattern: str, *roles: str) -> int | None:
    """Where a library's function is: the first of the roles that it exports."""
    for role in roles:
        try:
            function = library[pattern.replace("*", role)]
        except AttributeError:
            continue
        return ctypes.cast(function, ctypes.c_void_p).value
    return None


def required(found: Sequence[int | None], path: Path, pattern: str, *roles: str) -> None:
    """Unusable unless every role was found."""
    if not all(found):
        names = ", ".join(pattern.replace("*", role) for role in roles)
        raise Unusable(f"{path}: does not export all of {names}")


def title(path: Path, pattern: str) -> str:
    """How rows name a family of a library."""
    return f"{path.stem}:{re.sub('_?[*]', '', pattern).strip('_')}"


def set_of(keypair: int, path: Path, pattern: str, public_sizes: Mapping[str, int]) -> str:
    """The set whose public key is as long as what the library's keypair writes."""
    m = Memory()
    written = 0
    for fill in (b"\x5a", b"\xa5", b"\x33", b"\xcc"):  # a byte of the key may equal one filling, hardly all
        pk, sk = m.put(fill * _LARGEST), m.space(_LARGEST)
        if not run(keypair, pk, sk):
            raise Unusable(f"{path}: {pattern}: its key generation fails")
        written = max(written, len(m.get(pk, _LARGEST).rstrip(fill)))
    for name, size in public_sizes.items():
        if size == written:
            return name
    scheme = next(iter(public_sizes)).rpartition("-")[0]
    raise Unusable(f"{path}: {pattern}: writes public keys of {written} bytes, which is no set of {scheme}")


def _family(library: ctypes.CDLL, path: Path, pattern: str, shape: str) -> Family:
    keypair = address(library, pattern, "keypair")
    signature, verify = address(library, pattern, "signature", "sign"), address(library, pattern, "verify")
    required((keypair, signature, verify), path, pattern, "keypair", "signature", "verify")
    assert keypair and signature and verify
    plain = shape == "plain"
    return Family(
        title(path, pattern),
        shape,
        set_of(keypair, path, pattern, {name: params.verification_key_size for name, params in SETS.items()}),
        keypair,
        None if plain else address(library, pattern, "keypair_internal"),
        signature,
        None if plain else address(library, pattern, "signature_internal"),
        verify,
    )
