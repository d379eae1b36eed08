"""FIPS 204 (ML-DSA) as readable Python: the oracle of the tests.

One function an algorithm, under its name in the standard, in the order of the standard; nothing is clever and nothing
is constant-time. A polynomial is a list of 256 integers, a vector a list of polynomials, a matrix a list of rows.
Elements of Z_q lie in [0, q) unless a docstring says otherwise; `p` is the parameter set. Line numbers in comments are
those of the algorithm that the function implements.
"""

from __future__ import annotations

import functools
import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Q = 8380417  # 2^23 - 2^13 + 1
D = 13
N = 256
ZETA = 1753  # a 512th root of unity mod q

Poly = list[int]
Vector = list[Poly]
Matrix = list[Vector]


@dataclass(frozen=True)
class ParameterSet:
    """A column of FIPS 204, table 1; the sizes of table 2 follow from it."""

    name: str
    tau: int  # number of +-1 in the challenge
    lam: int  # collision strength of c_tilde in bits
    gamma1: int
    gamma2: int
    k: int
    l: int
    eta: int
    omega: int  # largest number of hints

    @property
    def beta(self) -> int:
        return self.tau * self.eta

    @property
    def eta_bits(self) -> int:
        return bitlen(2 * self.eta)

    @property
    def z_bits(self) -> int:
        return 1 + bitlen(self.gamma1 - 1)

    @property
    def w1_max(self) -> int:
        return (Q - 1) // (2 * self.gamma2) - 1

    @property
    def pk_size(self) -> int:
        return 32 + 32 * self.k * (bitlen(Q - 1) - D)

    @property
    def sk_size(self) -> int:
        return 32 + 32 + 64 + 32 * ((self.l + self.k) * self.eta_bits + D * self.k)

    @property
    def sig_size(self) -> int:
        return self.lam // 4 + self.l * 32 * self.z_bits + self.omega + self.k


ML_DSA_44 = ParameterSet("ML-DSA-44", 39, 128, 1 << 17, (Q - 1) // 88, 4, 4, 2, 80)
ML_DSA_65 = ParameterSet("ML-DSA-65", 49, 192, 1 << 19, (Q - 1) // 32, 6, 5, 4, 55)
ML_DSA_87 = ParameterSet("ML-DSA-87", 60, 256, 1 << 19, (Q - 1) // 32, 8, 7, 2, 75)
PARAMETER_SETS = {p.name: p for p in (ML_DSA_44, ML_DSA_65, ML_DSA_87)}

# What judges an attempt of Sign_internal: see ml_dsa_sign_mu.
Judge = Callable[[frozenset[str]], bool]


# ---- section 3.7: hash functions, and small things used throughout ----


def h(data: bytes, length: int) -> bytes:
    """H of section 3.7: SHAKE256, `length` bytes."""
    return hashlib.shake_256(data).digest(length)


def g(data: bytes, length: int) -> bytes:
    """G of section 3.7: SHAKE128, `length` bytes."""
    return hashlib.shake_128(data).digest(length)


class Stream:
    """An XOF that has absorbed `data` and is squeezed byte by byte (section 3.7, H.Squeeze and G.Squeeze)."""

    def __init__(self, xof: Callable[[bytes, int], bytes], data: bytes) -> None:
        self._prefix = functools.partial(xof, data)  # hashlib squeezes from the start only
        self._bytes = self._prefix(1024)
        self._pos = 0

    def squeeze(self, length: int) -> bytes:
        """The next `length` bytes."""
        end = self._pos + length
        if end > len(self._bytes):
            self._bytes = self._prefix(2 * end)
        out = self._bytes[self._pos : end]
        self._pos = end
        return out


def bitlen(a: int) -> int:
    """bitlen of section 2.3: the bits of a positive integer."""
    return a.bit_length()


def mod_pm(m: int, alpha: int) -> int:
    """m mod+- alpha of section 2.3: the representative in (-alpha/2, alpha/2]."""
    r = m % alpha
    return r - alpha if r > alpha // 2 else r


def infinity_norm(v: Vector) -> int:
    """Largest |coefficient mod+- q| of a vector (section 2.3)."""
    return max(min(x % Q, -x % Q) for f in v for x in f)


def add(u: Vector, v: Vector) -> Vector:
    """u + v mod q."""
    return [[(x + y) % Q for x, y in zip(f, g, strict=True)] for f, g in zip(u, v, strict=True)]


def sub(u: Vector, v: Vector) -> Vector:
    """u - v mod q."""
    return [[(x - y) % Q for x, y in zip(f, g, strict=True)] for f, g in zip(u, v, strict=True)]


def map_vector(f: Callable[[int], int], v: Vector) -> Vector:
    """f of every coefficient."""
    return [[f(x) for x in poly] for poly in v]


# ---- section 5: external functions ----


def ml_dsa_keygen(p: ParameterSet) -> tuple[bytes, bytes]:
    """FIPS 204, Algorithm 1 (ML-DSA.KeyGen). A fresh (pk, sk)."""
    return ml_dsa_keygen_internal(p, secrets.token_bytes(32))


def pure_message(m: bytes, ctx: bytes) -> bytes:
    """M' of Algorithms 2 and 3 (lines 1-3 and 10, or 1-3 and 5)."""
    if len(ctx) > 255:
        raise ValueError(f"a context is at most 255 bytes, got {len(ctx)}")
    return integer_to_bytes(0, 1) + integer_to_bytes(len(ctx), 1) + ctx + m


def ml_dsa_sign(p: ParameterSet, sk: bytes, m: bytes, ctx: bytes = b"", rnd: bytes | None = None) -> bytes:
    """FIPS 204, Algorithm 2 (ML-DSA.Sign). rnd: 32 zero bytes for the deterministic variant, None for fresh ones."""
    return ml_dsa_sign_internal(p, sk, pure_message(m, ctx), secrets.token_bytes(32) if rnd is None else rnd)


def ml_dsa_verify(p: ParameterSet, pk: bytes, m: bytes, sigma: bytes, ctx: bytes = b"") -> bool:
    """FIPS 204, Algorithm 3 (ML-DSA.Verify)."""
    return ml_dsa_verify_internal(p, pk, pure_message(m, ctx), sigma)


# name (as ACVP spells it): last arc of the object identifier 2.16.840.1.101.3.4.2.x, and the function
PRE_HASHES: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "SHA2-256": (1, lambda m: hashlib.sha256(m).digest()),
    "SHA2-384": (2, lambda m: hashlib.sha384(m).digest()),
    "SHA2-512": (3, lambda m: hashlib.sha512(m).digest()),
    "SHA2-224": (4, lambda m: hashlib.sha224(m).digest()),
    "SHA2-512/224": (5, lambda m: hashlib.new("sha512_224", m).digest()),
    "SHA2-512/256": (6, lambda m: hashlib.new("sha512_256", m).digest()),
    "SHA3-224": (7, lambda m: hashlib.sha3_224(m).digest()),
    "SHA3-256": (8, lambda m: hashlib.sha3_256(m).digest()),
    "SHA3-384": (9, lambda m: hashlib.sha3_384(m).digest()),
    "SHA3-512": (10, lambda m: hashlib.sha3_512(m).digest()),
    "SHAKE-128": (11, lambda m: hashlib.shake_128(m).digest(32)),
    "SHAKE-256": (12, lambda m: hashlib.shake_256(m).digest(64)),
}


def hashed_message(m: bytes, ctx: bytes, ph: str) -> bytes:
    """M' of Algorithms 4 and 5 (lines 1-3 and 10-23, or 1-3 and 5-18)."""
    if len(ctx) > 255:
        raise ValueError(f"a context is at most 255 bytes, got {len(ctx)}")
    arc, digest = PRE_HASHES[ph]
    oid = bytes.fromhex("06096086480165030402") + bytes([arc])
    return integer_to_bytes(1, 1) + integer_to_bytes(len(ctx), 1) + ctx + oid + digest(m)


def hash_ml_dsa_sign(p: ParameterSet, sk: bytes, m: bytes, ctx: bytes, ph: str, rnd: bytes | None = None) -> bytes:
    """FIPS 204, Algorithm 4 (HashML-DSA.Sign). ph: a key of PRE_HASHES."""
    return ml_dsa_sign_internal(p, sk, hashed_message(m, ctx, ph), secrets.token_bytes(32) if rnd is None else rnd)


def hash_ml_dsa_verify(p: ParameterSet, pk: bytes, m: bytes, sigma: bytes, ctx: bytes, ph: str) -> bool:
    """FIPS 204, Algorithm 5 (HashML-DSA.Verify). ph: a key of PRE_HASHES."""
    return ml_dsa_verify_internal(p, pk, hashed_message(m, ctx, ph), sigma)


# ---- section 6: internal functions ----


def ml_dsa_keygen_internal(p: ParameterSet, xi: bytes) -> tuple[bytes, bytes]:
    """FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal). (pk, sk) of the 32-byte seed xi."""
    expanded = h(xi + integer_to_bytes(p.k, 1) + integer_to_bytes(p.l, 1), 128)
    rho, rho_prime, key = expanded[:32], expanded[32:96], expanded[96:]
    a_hat = expand_a(p, rho)
    s1, s2 = expand_s(p, rho_prime)
    t = add([ntt_inverse(f) for f in matrix_vector_ntt(a_hat, [ntt(f) for f in s1])], s2)
    t1 = map_vector(lambda x: power2round(x)[0], t)
    t0 = map_vector(lambda x: power2round(x)[1], t)
    pk = pk_encode(p, rho, t1)
    tr = h(pk, 64)
    return pk, sk_encode(p, rho, key, tr, s1, s2, t0)


def ml_dsa_sign_internal(p: ParameterSet, sk: bytes, m_prime: bytes, rnd: bytes, judge: Judge | None = None) -> bytes:
    """FIPS 204, Algorithm 7 (ML-DSA.Sign_internal). judge: see ml_dsa_sign_mu."""
    tr = sk_decode(p, sk)[2]
    return ml_dsa_sign_mu(p, sk, h(tr + m_prime, 64), rnd, judge)  # l.6


def ml_dsa_sign_mu(p: ParameterSet, sk: bytes, mu: bytes, rnd: bytes, judge: Judge | None = None) -> bytes:
    """Algorithm 7 from line 7 on: signs mu, which line 6 lets another module compute.

    judge: asked after line 23 with those of {"z", "r0"}, and after line 28 with those of {"ct0", "hint"}, that the
    attempt fails; the attempt goes on when it returns True. The standard's judge, `lambda failed: not failed`, is the
    default. Others watch, or forge.
    """
    judge = judge or (lambda failed: not failed)
    rho, key, _, s1, s2, t0 = sk_decode(p, sk)
    s1_hat = [ntt(f) for f in s1]
    s2_hat = [ntt(f) for f in s2]
    t0_hat = [ntt(f) for f in t0]
    a_hat = expand_a(p, rho)
    rho_prime = h(key + rnd + mu, 64)
    kappa = 0
    while True:
        y = expand_mask(p, rho_prime, kappa)
        w = [ntt_inverse(f) for f in matrix_vector_ntt(a_hat, [ntt(f) for f in y])]
        w1 = map_vector(lambda r: high_bits(p, r), w)
        c_tilde = h(mu + w1_encode(p, w1), p.lam // 4)
        c_hat = ntt(sample_in_ball(p, c_tilde))
        cs1 = [ntt_inverse(f) for f in scalar_vector_ntt(c_hat, s1_hat)]
        cs2 = [ntt_inverse(f) for f in scalar_vector_ntt(c_hat, s2_hat)]
        z = add(y, cs1)
        w_minus_cs2 = sub(w, cs2)
        r0 = map_vector(lambda r: low_bits(p, r), w_minus_cs2)
        kappa += p.l  # l.32; nothing below reads kappa
        failed = {"z"} if infinity_norm(z) >= p.gamma1 - p.beta else set()
        if infinity_norm(r0) >= p.gamma2 - p.beta:
            failed.add("r0")
        if not judge(frozenset(failed)):  # l.23
            continue
        ct0 = [ntt_inverse(f) for f in scalar_vector_ntt(c_hat, t0_hat)]
        shifted = add(w_minus_cs2, ct0)
        hint = [[make_hint(p, -x % Q, r) for x, r in zip(f, g, strict=True)] for f, g in zip(ct0, shifted, strict=True)]
        failed = {"ct0"} if infinity_norm(ct0) >= p.gamma2 else set()
        if sum(map(sum, hint)) > p.omega:
            failed.add("hint")
        if judge(frozenset(failed)):  # l.28
            return sig_encode(p, c_tilde, map_vector(lambda x: mod_pm(x, Q), z), hint)


def ml_dsa_verify_internal(p: ParameterSet, pk: bytes, m_prime: bytes, sigma: bytes) -> bool:
    """FIPS 204, Algorithm 8 (ML-DSA.Verify_internal)."""
    return ml_dsa_verify_mu(p, pk, h(h(pk, 64) + m_prime, 64), sigma)  # l.6-7


def ml_dsa_verify_mu(p: ParameterSet, pk: bytes, mu: bytes, sigma: bytes) -> bool:
    """Algorithm 8 from mu on. A signature of a wrong length is invalid (section 3.6.2)."""
    if len(pk) != p.pk_size:
        raise ValueError(f"an {p.name} public key is {p.pk_size} bytes, got {len(pk)}")
    if len(sigma) != p.sig_size:
        return False
    rho, t1 = pk_decode(p, pk)
    c_tilde, z, hint = sig_decode(p, sigma)
    if hint is None:
        return False
    a_hat = expand_a(p, rho)
    c_hat = ntt(sample_in_ball(p, c_tilde))
    az = matrix_vector_ntt(a_hat, [ntt(f) for f in z])
    ct1 = scalar_vector_ntt(c_hat, [ntt([x << D for x in f]) for f in t1])
    w_approx = [ntt_inverse(f) for f in sub(az, ct1)]
    w1 = [[use_hint(p, b, r) for b, r in zip(f, g, strict=True)] for f, g in zip(hint, w_approx, strict=True)]
    return infinity_norm(z) < p.gamma1 - p.beta and c_tilde == h(mu + w1_encode(p, w1), p.lam // 4)


# ---- section 7.1: conversion between data types ----


def integer_to_bits(x: int, alpha: int) -> list[int]:
    """FIPS 204, Algorithm 9 (IntegerToBits). The alpha low bits of x, least significant first."""
    return [x >> i & 1 for i in range(alpha)]


def bits_to_integer(y: Sequence[int]) -> int:
    """FIPS 204, Algorithm 10 (BitsToInteger)."""
    return sum(bit << i for i, bit in enumerate(y))


def integer_to_bytes(x: int, alpha: int) -> bytes:
    """FIPS 204, Algorithm 11 (IntegerToBytes). alpha bytes, little endian."""
    return bytes(x >> 8 * i & 0xFF for i in range(alpha))


def bits_to_bytes(y: Sequence[int]) -> bytes:
    """FIPS 204, Algorithm 12 (BitsToBytes)."""
    z = [0] * -(-len(y) // 8)
    for i, bit in enumerate(y):
        z[i // 8] += bit << i % 8
    return bytes(z)


def bytes_to_bits(z: bytes) -> list[int]:
    """FIPS 204, Algorithm 13 (BytesToBits)."""
    return [byte >> i & 1 for byte in z for i in range(8)]


def coeff_from_three_bytes(b0: int, b1: int, b2: int) -> int | None:
    """FIPS 204, Algorithm 14 (CoeffFromThreeBytes). None stands for the standard's bottom."""
    z = (b2 & 0x7F) << 16 | b1 << 8 | b0
    return z if z < Q else None


def coeff_from_half_byte(p: ParameterSet, b: int) -> int | None:
    """FIPS 204, Algorithm 15 (CoeffFromHalfByte). A value in [-eta, eta], or None."""
    if p.eta == 2 and b < 15:
        return 2 - b % 5
    if p.eta == 4 and b < 9:
        return 4 - b
    return None


# The four functions below hold a bit string in one integer, whose bit i is the string's bit i.


def simple_bit_pack(w: Poly, b: int) -> bytes:
    """FIPS 204, Algorithm 16 (SimpleBitPack). Coefficients in [0, b]."""
    width = bitlen(b)
    z = 0
    for i, x in enumerate(w):
        z |= x << width * i
    return z.to_bytes(32 * width, "little")


def bit_pack(w: Poly, a: int, b: int) -> bytes:
    """FIPS 204, Algorithm 17 (BitPack). Coefficients in [-a, b]."""
    return simple_bit_pack([b - x for x in w], a + b)


def simple_bit_unpack(v: bytes, b: int) -> Poly:
    """FIPS 204, Algorithm 18 (SimpleBitUnpack). Coefficients in [0, 2^bitlen(b))."""
    width = bitlen(b)
    z = int.from_bytes(v, "little")
    return [z >> width * i & ((1 << width) - 1) for i in range(N)]


def bit_unpack(v: bytes, a: int, b: int) -> Poly:
    """FIPS 204, Algorithm 19 (BitUnpack). Coefficients in (b - 2^bitlen(a + b), b]."""
    return [b - x for x in simple_bit_unpack(v, a + b)]


def hint_bit_pack(p: ParameterSet, hint: Vector) -> bytes:
    """FIPS 204, Algorithm 20 (HintBitPack)."""
    y = [0] * (p.omega + p.k)
    index = 0
    for i in range(p.k):
        for j in range(N):
            if hint[i][j]:
                y[index] = j
                index += 1
        y[p.omega + i] = index
    return bytes(y)


def hint_bit_unpack(p: ParameterSet, y: bytes) -> Vector | None:
    """FIPS 204, Algorithm 21 (HintBitUnpack). None for a malformed y."""
    hint = [[0] * N for _ in range(p.k)]
    index = 0
    for i in range(p.k):
        if y[p.omega + i] < index or y[p.omega + i] > p.omega:
            return None
        first = index
        while index < y[p.omega + i]:
            if index > first and y[index - 1] >= y[index]:
                return None
            hint[i][y[index]] = 1
            index += 1
    if any(y[index : p.omega]):
        return None
    return hint


# ---- section 7.2: encodings of keys and signatures ----


def chunks(data: bytes, size: int) -> list[bytes]:
    """data cut into pieces of `size` bytes."""
    return [data[i : i + size] for i in range(0, len(data), size)]


def pk_encode(p: ParameterSet, rho: bytes, t1: Vector) -> bytes:
    """FIPS 204, Algorithm 22 (pkEncode)."""
    return rho + b"".join(simple_bit_pack(f, (1 << bitlen(Q - 1) - D) - 1) for f in t1)


def pk_decode(p: ParameterSet, pk: bytes) -> tuple[bytes, Vector]:
    """FIPS 204, Algorithm 23 (pkDecode). (rho, t1)."""
    width = bitlen(Q - 1) - D
    return pk[:32], [simple_bit_unpack(v, (1 << width) - 1) for v in chunks(pk[32:], 32 * width)]


def sk_encode(p: ParameterSet, rho: bytes, key: bytes, tr: bytes, s1: Vector, s2: Vector, t0: Vector) -> bytes:
    """FIPS 204, Algorithm 24 (skEncode)."""
    sk = rho + key + tr
    sk += b"".join(bit_pack(f, p.eta, p.eta) for f in s1 + s2)
    return sk + b"".join(bit_pack(f, (1 << D - 1) - 1, 1 << D - 1) for f in t0)


def sk_decode(p: ParameterSet, sk: bytes) -> tuple[bytes, bytes, bytes, Vector, Vector, Vector]:
    """FIPS 204, Algorithm 25 (skDecode). (rho, K, tr, s1, s2, t0); s1, s2 leave [-eta, eta] where sk is malformed."""
    rho, key, tr, rest = sk[:32], sk[32:64], sk[64:128], sk[128:]
    size = 32 * p.eta_bits
    s = [bit_unpack(v, p.eta, p.eta) for v in chunks(rest[: size * (p.l + p.k)], size)]
    t0 = [bit_unpack(v, (1 << D - 1) - 1, 1 << D - 1) for v in chunks(rest[size * (p.l + p.k) :], 32 * D)]
    return rho, key, tr, s[: p.l], s[p.l :], t0


def sig_encode(p: ParameterSet, c_tilde: bytes, z: Vector, hint: Vector) -> bytes:
    """FIPS 204, Algorithm 26 (sigEncode). z: coefficients in (-gamma1, gamma1]."""
    return c_tilde + b"".join(bit_pack(f, p.gamma1 - 1, p.gamma1) for f in z) + hint_bit_pack(p, hint)


def sig_decode(p: ParameterSet, sigma: bytes) -> tuple[bytes, Vector, Vector | None]:
    """FIPS 204, Algorithm 27 (sigDecode). (c_tilde, z, h); z in (-gamma1, gamma1]; h None where it is malformed."""
    size = 32 * p.z_bits
    start = p.lam // 4
    end = start + p.l * size
    z = [bit_unpack(v, p.gamma1 - 1, p.gamma1) for v in chunks(sigma[start:end], size)]
    return sigma[:start], z, hint_bit_unpack(p, sigma[end:])


def w1_encode(p: ParameterSet, w1: Vector) -> bytes:
    """FIPS 204, Algorithm 28 (w1Encode)."""
    return b"".join(simple_bit_pack(f, p.w1_max) for f in w1)


# ---- section 7.3: pseudorandom sampling ----


def sample_in_ball(p: ParameterSet, rho: bytes) -> Poly:
    """FIPS 204, Algorithm 29 (SampleInBall). tau coefficients +-1, the others 0."""
    c = [0] * N
    stream = Stream(h, rho)
    signs = bytes_to_bits(stream.squeeze(8))
    for i in range(N - p.tau, N):
        j = stream.squeeze(1)[0]
        while j > i:
            j = stream.squeeze(1)[0]
        c[i] = c[j]
        c[j] = 1 - 2 * signs[i + p.tau - N]
    return c


def rej_ntt_poly(rho: bytes) -> Poly:
    """FIPS 204, Algorithm 30 (RejNTTPoly). rho: 34 bytes."""
    stream = Stream(g, rho)
    a_hat: Poly = []
    while len(a_hat) < N:
        x = coeff_from_three_bytes(*stream.squeeze(3))
        if x is not None:
            a_hat.append(x)
    return a_hat


def rej_bounded_poly(p: ParameterSet, rho: bytes) -> Poly:
    """FIPS 204, Algorithm 31 (RejBoundedPoly). rho: 66 bytes; coefficients in [-eta, eta]."""
    stream = Stream(h, rho)
    a: Poly = []
    while len(a) < N:
        z = stream.squeeze(1)[0]
        for half in (z % 16, z // 16):
            x = coeff_from_half_byte(p, half)
            if x is not None and len(a) < N:
                a.append(x)
    return a


def expand_a(p: ParameterSet, rho: bytes) -> Matrix:
    """FIPS 204, Algorithm 32 (ExpandA). k rows of l polynomials in NTT form."""
    return [[rej_ntt_poly(rho + bytes([s, r])) for s in range(p.l)] for r in range(p.k)]


def expand_s(p: ParameterSet, rho: bytes) -> tuple[Vector, Vector]:
    """FIPS 204, Algorithm 33 (ExpandS). (s1, s2)."""
    s = [rej_bounded_poly(p, rho + integer_to_bytes(r, 2)) for r in range(p.l + p.k)]
    return s[: p.l], s[p.l :]


def expand_mask(p: ParameterSet, rho: bytes, mu: int) -> Vector:
    """FIPS 204, Algorithm 34 (ExpandMask). y, coefficients in (-gamma1, gamma1]."""
    seeds = [rho + integer_to_bytes(mu + r, 2) for r in range(p.l)]
    return [bit_unpack(h(seed, 32 * p.z_bits), p.gamma1 - 1, p.gamma1) for seed in seeds]


# ---- section 7.4: high-order and low-order bits, hints ----


def power2round(r: int) -> tuple[int, int]:
    """FIPS 204, Algorithm 35 (Power2Round). (r1, r0) with r = r1 2^d + r0, r0 in (-2^(d-1), 2^(d-1)]."""
    r0 = mod_pm(r % Q, 1 << D)
    return (r % Q - r0) >> D, r0


def decompose(p: ParameterSet, r: int) -> tuple[int, int]:
    """FIPS 204, Algorithm 36 (Decompose). (r1, r0) with r = r1 2 gamma2 + r0 mod q, r0 in [-gamma2, gamma2]."""
    r = r % Q
    r0 = mod_pm(r, 2 * p.gamma2)
    if r - r0 == Q - 1:
        return 0, r0 - 1
    return (r - r0) // (2 * p.gamma2), r0


def high_bits(p: ParameterSet, r: int) -> int:
    """FIPS 204, Algorithm 37 (HighBits)."""
    return decompose(p, r)[0]


def low_bits(p: ParameterSet, r: int) -> int:
    """FIPS 204, Algorithm 38 (LowBits)."""
    return decompose(p, r)[1]


def make_hint(p: ParameterSet, z: int, r: int) -> int:
    """FIPS 204, Algorithm 39 (MakeHint). 1 where adding z changes the high bits of r."""
    return int(high_bits(p, r) != high_bits(p, r + z))


def use_hint(p: ParameterSet, hint: int, r: int) -> int:
    """FIPS 204, Algorithm 40 (UseHint). The high bits of r, corrected by the hint."""
    m = (Q - 1) // (2 * p.gamma2)
    r1, r0 = decompose(p, r)
    if hint and r0 > 0:
        return (r1 + 1) % m
    if hint:
        return (r1 - 1) % m
    return r1


# ---- section 7.5: NTT; section 7.6: arithmetic under it; appendix A: Montgomery ----


def ntt(w: Poly) -> Poly:
    """FIPS 204, Algorithm 41 (NTT)."""
    w_hat = list(w)
    m = 0
    length = 128
    while length >= 1:
        for start in range(0, N, 2 * length):
            m += 1
            z = ZETAS[m]
            for j in range(start, start + length):
                t = z * w_hat[j + length] % Q
                w_hat[j + length] = (w_hat[j] - t) % Q
                w_hat[j] = (w_hat[j] + t) % Q
        length //= 2
    return w_hat


def ntt_inverse(w_hat: Poly) -> Poly:
    """FIPS 204, Algorithm 42 (NTT^-1)."""
    w = list(w_hat)
    m = 256
    length = 1
    while length < N:
        for start in range(0, N, 2 * length):
            m -= 1
            z = -ZETAS[m]
            for j in range(start, start + length):
                t = w[j]
                w[j] = (t + w[j + length]) % Q
                w[j + length] = z * (t - w[j + length]) % Q
        length *= 2
    return [8347681 * x % Q for x in w]  # 256^-1 mod q


def bit_rev8(m: int) -> int:
    """FIPS 204, Algorithm 43 (BitRev8)."""
    return bits_to_integer(integer_to_bits(m, 8)[::-1])


ZETAS = [pow(ZETA, bit_rev8(m), Q) for m in range(N)]  # appendix B


def add_ntt(a_hat: Poly, b_hat: Poly) -> Poly:
    """FIPS 204, Algorithm 44 (AddNTT)."""
    return [(x + y) % Q for x, y in zip(a_hat, b_hat, strict=True)]


def multiply_ntt(a_hat: Poly, b_hat: Poly) -> Poly:
    """FIPS 204, Algorithm 45 (MultiplyNTT)."""
    return [x * y % Q for x, y in zip(a_hat, b_hat, strict=True)]


def add_vector_ntt(v_hat: Vector, w_hat: Vector) -> Vector:
    """FIPS 204, Algorithm 46 (AddVectorNTT)."""
    return [add_ntt(f, g) for f, g in zip(v_hat, w_hat, strict=True)]


def scalar_vector_ntt(c_hat: Poly, v_hat: Vector) -> Vector:
    """FIPS 204, Algorithm 47 (ScalarVectorNTT)."""
    return [multiply_ntt(c_hat, f) for f in v_hat]


def matrix_vector_ntt(m_hat: Matrix, v_hat: Vector) -> Vector:
    """FIPS 204, Algorithm 48 (MatrixVectorNTT)."""
    w_hat = []
    for row in m_hat:
        total = [0] * N
        for a, v in zip(row, v_hat, strict=True):
            total = add_ntt(total, multiply_ntt(a, v))
        w_hat.append(total)
    return w_hat


def montgomery_reduce(a: int) -> int:
    """FIPS 204, Algorithm 49 (MontgomeryReduce). |a| <= 2^31 q; r with r 2^32 = a mod q and |r| < q."""
    q_inverse = 58728449
    t = mod_pm((a % (1 << 32)) * q_inverse, 1 << 32)
    return (a - t * Q) >> 32
