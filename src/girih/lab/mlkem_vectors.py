"""Vectors of ML-KEM as the app mlkem_vectors reads them; girih.lab.device runs them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KeyGen:
    """seed: d || z."""

    seed: bytes
    ek: bytes
    dk: bytes

    def record(self) -> bytes:
        return b"k" + self.seed + self.ek + self.dk


@dataclass(frozen=True)
class Encaps:
    ek: bytes
    m: bytes
    ct: bytes
    ss: bytes

    def record(self) -> bytes:
        return b"n" + self.ek + self.m + self.ct + self.ss


@dataclass(frozen=True)
class Decaps:
    """ss: the secret, or that of the implicit rejection."""

    dk: bytes
    ct: bytes
    ss: bytes

    def record(self) -> bytes:
        return b"d" + self.dk + self.ct + self.ss


@dataclass(frozen=True)
class KeyCheck:
    """Whether an encapsulation key (or, with private, a decapsulation key) passes its check."""

    key: bytes
    valid: bool
    private: bool

    def record(self) -> bytes:
        return (b"y" if self.private else b"x") + self.key + bytes([self.valid])
