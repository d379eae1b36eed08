"""Adapters: what each Python package calls the three operations.

An adapter is a module with a class that fulfils :class:`Peer`. It says in its docstring what the package keeps
between two calls (what "prepared" means there), whether it signs deterministically, and whether it holds the
interpreter lock.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Protocol

from girih.bench.race import Contestant, PythonContestant
from girih.bench.workload import KemWorkload, Workload


class Absent(Exception):
    """The package cannot be raced here; the text says why."""


class Peer(Protocol):
    """One Python package."""

    name: str

    @property
    def version(self) -> str:
        """The version that runs."""

    def contestants(self, work: Workload, op: str) -> Iterator[PythonContestant]:
        """What the package can do for an operation of the workload, one contestant for each form of the key."""


class KemPeer(Protocol):
    """One Python package with ML-KEM."""

    name: str

    @property
    def version(self) -> str:
        """The version that runs."""

    def contestants(self, work: KemWorkload, op: str) -> Iterator[Contestant]:
        """What the package can do for an operation of the workload; nothing where it lacks the set."""


@dataclass(frozen=True)
class Rows:
    """Makes the contestants of one peer and workload, with the expected results and how to look at them."""

    who: str
    work: Workload

    def keygen(self, form: str, call: Callable[[bytes], Any], public: Callable[[Any], bytes]) -> PythonContestant:
        """`call` makes a key pair of a seed; `public` gives its encoded public key, which must be girih's."""
        items = [(s,) for s in self.work.seeds]
        return PythonContestant(
            self.who,
            "keygen",
            form,
            call,
            items,
            self.work.public_keys,
            lambda got, want: public(got) == want,
            keep=False,
        )

    def random_keygen(self, form: str, call: Callable[[], Any], public: Callable[[Any], bytes]) -> PythonContestant:
        """`call` takes no seed: only the length of the public key can be checked."""
        length = len(self.work.public_key)
        items: list[tuple[Any, ...]] = [()] * self.work.count
        return PythonContestant(
            self.who, "keygen", form, call, items, items, lambda got, _: len(public(got)) == length, keep=False
        )

    def sign(self, form: str, call: Callable[[bytes], Any]) -> PythonContestant:
        """`call` signs deterministically: the signature must be girih's, so the attempts were the same."""
        items = [(m,) for m in self.work.messages]
        return PythonContestant(
            self.who, "sign", form, call, items, self.work.signatures, lambda got, want: bool(got == want)
        )

    def hedged_sign(self, form: str, call: Callable[[bytes], Any]) -> PythonContestant:
        """`call` signs with fresh randomness: girih verifies what comes out."""
        vk = self.work.params.verification_key(self.work.public_key)
        items = [(m,) for m in self.work.messages]
        return PythonContestant(
            self.who, "sign", form, call, items, self.work.messages, lambda got, msg: vk.verify(bytes(got), msg)
        )

    def verify(self, form: str, call: Callable[[bytes, bytes], Any], good: Any = True) -> PythonContestant:
        """`call` takes a signature and its message and returns `good`."""
        items = list(zip(self.work.signatures, self.work.messages, strict=True))
        expected = [good] * len(items)
        return PythonContestant(self.who, "verify", form, call, items, expected, lambda got, want: got is want)


@dataclass(frozen=True)
class KemRows:
    """The same for ML-KEM. Randomness is the system's unless the form says "given"."""

    who: str
    work: KemWorkload

    def keygen(self, form: str, call: Callable[[bytes], Any], public: Callable[[Any], bytes]) -> PythonContestant:
        """`call` makes a key pair of a seed; `public` gives its encoded encapsulation key, which must be girih's."""
        return PythonContestant(
            self.who,
            "keygen",
            f"{form}, given",
            call,
            [(s,) for s in self.work.seeds],
            self.work.eks,
            lambda got, want: public(got) == want,
            keep=False,
        )

    def random_keygen(self, form: str, call: Callable[[], Any], public: Callable[[Any], bytes]) -> PythonContestant:
        """`call` takes no seed: that its key is one is all that can be checked."""
        items: list[tuple[Any, ...]] = [()] * self.work.count
        return PythonContestant(
            self.who,
            "keygen",
            f"{form}, system",
            call,
            items,
            items,
            lambda got, _: self.work.is_key(public(got)),
            keep=False,
        )

    def encaps(self, form: str, call: Callable[[bytes], Any]) -> PythonContestant:
        """`call` encapsulates with a given m; shared secret and ciphertext, in this order, must be girih's."""
        items = [(m,) for m in self.work.ms]
        return PythonContestant(
            self.who, "encaps", f"{form}, given", call, items, self.work.encapsulations, lambda got, want: got == want
        )

    def random_encaps(self, form: str, call: Callable[[], Any], *, secret_first: bool = True) -> PythonContestant:
        """`call` draws m: girih decapsulates what comes out, shared secret and ciphertext or the other way round."""
        items: list[tuple[Any, ...]] = [()] * self.work.count
        work = self.work

        def accept(got: Any, _: Any) -> bool:
            ss, ct = got if secret_first else got[::-1]
            return work.agrees(ss, ct)

        return PythonContestant(self.who, "encaps", f"{form}, system", call, items, items, accept)

    def decaps(self, form: str, call: Callable[[bytes], Any]) -> PythonContestant:
        """`call` takes a ciphertext and returns its shared secret."""
        expected = [ss for ss, _ in self.work.encapsulations]
        items = [(ct,) for _, ct in self.work.encapsulations]
        return PythonContestant(self.who, "decaps", form, call, items, expected, lambda got, want: bool(got == want))


PEERS: dict[str, tuple[str, str]] = {
    "fast-mldsa": ("girih.bench.peers.fast_mldsa", "FastMlDsa"),
    "cryptography": ("girih.bench.peers.pyca", "Pyca"),
    "pqcrypto": ("girih.bench.peers.pqcrypto", "PqCrypto"),
    "liboqs-python": ("girih.bench.peers.liboqs", "LibOqs"),
    "dilithium-py": ("girih.bench.peers.dilithium_py", "DilithiumPy"),
}


KEM_PEERS: dict[str, tuple[str, str]] = {
    "cryptography": ("girih.bench.peers.pyca", "PycaKem"),
    "mlkem": ("girih.bench.peers.mlkem", "MlKem"),
    "pqcrypto": ("girih.bench.peers.pqcrypto", "PqCryptoKem"),
    "liboqs-python": ("girih.bench.peers.liboqs", "LibOqsKem"),
    "kyber-py": ("girih.bench.peers.kyber_py", "KyberPy"),
}


def load(name: str) -> Peer:
    """The ML-DSA adapter of a package of PEERS. Raises Absent where it, or what it needs, is not installed."""
    peer: Peer = _adapter(*PEERS[name])
    return peer


def load_kem(name: str) -> KemPeer:
    """The ML-KEM adapter of a package of KEM_PEERS; Absent likewise."""
    peer: KemPeer = _adapter(*KEM_PEERS[name])
    return peer


def _adapter(module: str, cls: str) -> Any:
    return getattr(importlib.import_module(module), cls)()


def require(distribution: str, module: str, at_least: int = 0, scheme: str = "ML-DSA") -> tuple[Any, str]:
    """Import a module of a distribution; returns it with the distribution's version.

    Raises Absent where there is none or it is too old to have the scheme.
    """
    try:
        version = metadata.version(distribution)
    except metadata.PackageNotFoundError:
        raise Absent(f"not installed (pip install {distribution})") from None
    if int(version.split(".")[0]) < at_least:
        raise Absent(f"version {version} has no {scheme}; {at_least} or later has")
    try:
        return importlib.import_module(module), version
    except ImportError as error:
        raise Absent(f"installed, but cannot be imported: {error}") from error
