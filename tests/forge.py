"""Signatures and keys that nobody should accept, or that few would make: built from valid ones and from the oracle."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, pairwise

from tests.spec import mldsa as spec
from tests.spec.mldsa import ParameterSet


def with_hints(p: ParameterSet, sig: bytes, hints: bytes) -> bytes:
    """The signature with another hint part, omega + k bytes."""
    return sig[: -(p.omega + p.k)] + hints


def split_hints(p: ParameterSet, sig: bytes) -> tuple[list[list[int]], bytes]:
    """The positions of the hints by polynomial, and the hint part itself."""
    part = sig[-(p.omega + p.k) :]
    cuts = [0, *part[p.omega :]]
    return [list(part[a:b]) for a, b in pairwise(cuts)], part


def join_hints(p: ParameterSet, positions: list[list[int]]) -> bytes:
    """The hint part of these positions, whether or not it is a valid one."""
    flat = [x for some in positions for x in some]
    cuts = [sum(len(some) for some in positions[: i + 1]) for i in range(p.k)]
    return bytes(flat + [0] * (p.omega - len(flat)) + cuts)


def repeated_hint(p: ParameterSet, sig: bytes) -> bytes:
    """The last hint of the first polynomial that has one stands there twice."""
    positions, _ = split_hints(p, sig)
    some = next(some for some in positions if some)
    some.append(some[-1])
    return with_hints(p, sig, join_hints(p, positions))


def swapped_hints(p: ParameterSet, sig: bytes) -> bytes:
    """Two hints of one polynomial in falling order."""
    positions, _ = split_hints(p, sig)
    some = next(some for some in positions if len(some) > 1)
    some[0], some[1] = some[1], some[0]
    return with_hints(p, sig, join_hints(p, positions))


def padded_hints(p: ParameterSet, sig: bytes, place: int, value: int) -> bytes:
    """Something behind the last hint. place: -1 for the last byte of the padding, 0 for the first."""
    positions, part = split_hints(p, sig)
    used = sum(map(len, positions))
    changed = bytearray(part)
    changed[p.omega - 1 if place < 0 else used + place] = value
    return with_hints(p, sig, bytes(changed))


def with_cut(p: ParameterSet, sig: bytes, polynomial: int, value: int) -> bytes:
    """The end of a polynomial's hints set to a value."""
    changed = bytearray(sig)
    changed[len(sig) - p.k + polynomial] = value
    return bytes(changed)


def room_for_hints(p: ParameterSet, sig: bytes) -> int:
    """How many hints could still be added."""
    return p.omega - sum(map(len, split_hints(p, sig)[0]))


def shares_a_position(p: ParameterSet, sig: bytes) -> bool:
    """Whether two polynomials have a hint at the same index."""
    flat = [x for some in split_hints(p, sig)[0] for x in some]
    return len(set(flat)) < len(flat)


def beyond_the_response_bound(p: ParameterSet, pk: bytes, sk: bytes) -> tuple[bytes, bytes]:
    """(mu, sig) whose z exceeds the bound and nothing else: the signer lacks that one test."""
    for number in count():
        mu = number.to_bytes(64, "big")
        sig = spec.ml_dsa_sign_mu(p, sk, mu, bytes(32), lambda failed: failed <= {"z"})
        largest = spec.infinity_norm(spec.sig_decode(p, sig)[1])
        # eta = 0 makes beta 0 and changes nothing else of verification: the bound alone is at fault
        if p.gamma1 - p.beta <= largest < p.gamma1 and spec.ml_dsa_verify_mu(replace(p, eta=0), pk, mu, sig):
            return mu, sig
    raise AssertionError("unreachable")


def hint_on_zero(p: ParameterSet, mu_of_key: bytes, *, corrected: bool) -> bytes:
    """A signature of mu under a key with t1 = 0: z = 0 and one hint, so that UseHint sees r = 0 with h = 1.

    corrected: w1 is what UseHint gives, m - 1; else it is all zero.
    """
    w1 = [[0] * spec.N for _ in range(p.k)]
    w1[0][0] = spec.use_hint(p, 1, 0) if corrected else 0
    hint = [[0] * spec.N for _ in range(p.k)]
    hint[0][0] = 1
    c_tilde = spec.h(mu_of_key + spec.w1_encode(p, w1), p.lam // 4)
    return spec.sig_encode(p, c_tilde, [[0] * spec.N] * p.l, hint)


def zero_t1_key(p: ParameterSet) -> bytes:
    """A public key with t1 = 0."""
    return bytes(range(32)) + bytes(p.pk_size - 32)


def out_of_range_secret(p: ParameterSet, sk: bytes, coefficient: int, field: int) -> bytes:
    """A secret key with one coded coefficient of s1, then s2, set to a value over 2 eta."""
    bits = int.from_bytes(sk[128:], "little")
    at = coefficient * p.eta_bits
    bits &= ~(((1 << p.eta_bits) - 1) << at)
    bits |= field << at
    return sk[:128] + bits.to_bytes(len(sk) - 128, "little")
