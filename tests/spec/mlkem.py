"""FIPS 203 (ML-KEM) as readable Python: the oracle of the tests.

One function an algorithm, under its name in the standard, in the order of the standard; nothing is clever and nothing
is constant-time. A polynomial is a list of 256 integers in [0, q), a vector a list of polynomials, a matrix a list of
rows; `p` is the parameter set. Line numbers in comments are those of the algorithm that the function implements.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

N = 256
Q = 3329
ZETA = 17  # a 256th root of unity mod q

Poly = list[int]
Vector = list[Poly]
Matrix = list[Vector]


@dataclass(frozen=True)
class ParameterSet:
    """A row of FIPS 203, table 2; the sizes of table 3 follow from it."""

    name: str
    k: int
    eta1: int
    eta2: int
    du: int
    dv: int

    @property
    def ek_size(self) -> int:
        return 384 * self.k + 32

    @property
    def dk_size(self) -> int:
        return 768 * self.k + 96

    @property
    def ct_size(self) -> int:
        return 32 * (self.du * self.k + self.dv)


PARAMETER_SETS = {
    p.name: p
    for p in (
        ParameterSet("ML-KEM-512", 2, 3, 2, 10, 4),
        ParameterSet("ML-KEM-768", 3, 2, 2, 10, 4),
        ParameterSet("ML-KEM-1024", 4, 2, 2, 11, 5),
    )
}


class InvalidInput(ValueError):
    """An input fails a check of sections 7.2 or 7.3."""


# ---- section 4.1: the functions and what they are made of ----


def prf(eta: int, s: bytes, b: int) -> bytes:
    """(4.3): 64 eta bytes of SHAKE256(s || b)."""
    return hashlib.shake_256(s + bytes([b])).digest(64 * eta)


def h(s: bytes) -> bytes:
    """(4.4): SHA3-256."""
    return hashlib.sha3_256(s).digest()


def j(s: bytes) -> bytes:
    """(4.4): 32 bytes of SHAKE256."""
    return hashlib.shake_256(s).digest(32)


def g(c: bytes) -> tuple[bytes, bytes]:
    """(4.5): SHA3-512 in two halves."""
    out = hashlib.sha3_512(c).digest()
    return out[:32], out[32:]


# ---- section 4.2.1: conversion and compression ----


def bits_to_bytes(b: Sequence[int]) -> bytes:
    """Algorithm 3 (BitsToBytes). b: bits, a multiple of 8 of them."""
    return bytes(sum(bit << n for n, bit in enumerate(b[i : i + 8])) for i in range(0, len(b), 8))


def bytes_to_bits(data: bytes) -> list[int]:
    """Algorithm 4 (BytesToBits)."""
    return [byte >> n & 1 for byte in data for n in range(8)]


def compress(d: int, x: int) -> int:
    """(4.7): round(2^d x / q) mod 2^d; a tie, which q being odd excludes, would be rounded up."""
    return (2 * (x << d) + Q) // (2 * Q) % (1 << d)


def decompress(d: int, y: int) -> int:
    """(4.8): round(q y / 2^d), ties up."""
    return (2 * Q * y + (1 << d)) // (1 << (d + 1))


def byte_encode(d: int, f: Sequence[int]) -> bytes:
    """Algorithm 5 (ByteEncode_d). f: 256 integers below 2^d, or below q where d is 12."""
    return bits_to_bytes([value >> n & 1 for value in f for n in range(d)])


def byte_decode(d: int, data: bytes) -> Poly:
    """Algorithm 6 (ByteDecode_d). data: 32 d bytes. Values below 2^d, or below q where d is 12."""
    bits = bytes_to_bits(data)
    m = Q if d == 12 else 1 << d
    return [sum(bits[i * d + n] << n for n in range(d)) % m for i in range(N)]


# ---- section 4.2.2: sampling ----


def sample_ntt(seed: bytes) -> Poly:
    """Algorithm 7 (SampleNTT). seed: 34 bytes. What SHAKE128 gives is read in threes until 256 candidates are below q."""
    length = 840
    while True:
        stream = hashlib.shake_128(seed).digest(length)
        a: Poly = []
        for i in range(0, length, 3):
            c0, c1, c2 = stream[i : i + 3]
            a += [d for d in (c0 + 256 * (c1 % 16), c1 // 16 + 16 * c2) if d < Q]
        if len(a) >= N:
            return a[:N]
        length *= 2


def sample_poly_cbd(eta: int, data: bytes) -> Poly:
    """Algorithm 8 (SamplePolyCBD_eta). data: 64 eta bytes."""
    bits = bytes_to_bits(data)
    f = []
    for i in range(N):
        x, y = (sum(bits[2 * i * eta + part * eta + n] for n in range(eta)) for part in (0, 1))
        f.append((x - y) % Q)
    return f


# ---- section 4.3: the number-theoretic transform ----


def bit_rev7(i: int) -> int:
    """The seven bits of i in reverse."""
    return int(f"{i:07b}"[::-1], 2)


def ntt(f: Poly) -> Poly:
    """Algorithm 9 (NTT)."""
    a, i, length = list(f), 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            zeta, i = pow(ZETA, bit_rev7(i), Q), i + 1
            for n in range(start, start + length):
                t = zeta * a[n + length] % Q
                a[n + length], a[n] = (a[n] - t) % Q, (a[n] + t) % Q
        length //= 2
    return a


def ntt_inverse(f_hat: Poly) -> Poly:
    """Algorithm 10 (NTT^-1)."""
    a, i, length = list(f_hat), 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            zeta, i = pow(ZETA, bit_rev7(i), Q), i - 1
            for n in range(start, start + length):
                t = a[n]
                a[n] = (t + a[n + length]) % Q
                a[n + length] = zeta * (a[n + length] - t) % Q
        length *= 2
    return [value * 3303 % Q for value in a]  # 128^-1 mod q


def base_case_multiply(a0: int, a1: int, b0: int, b1: int, gamma: int) -> tuple[int, int]:
    """Algorithm 12 (BaseCaseMultiply): (a0 + a1 X)(b0 + b1 X) mod X^2 - gamma."""
    return (a0 * b0 + a1 * b1 * gamma) % Q, (a0 * b1 + a1 * b0) % Q


def multiply_ntts(f: Poly, g_: Poly) -> Poly:
    """Algorithm 11 (MultiplyNTTs)."""
    out: Poly = []
    for i in range(128):
        gamma = pow(ZETA, 2 * bit_rev7(i) + 1, Q)
        out += base_case_multiply(f[2 * i], f[2 * i + 1], g_[2 * i], g_[2 * i + 1], gamma)
    return out


def add(a: Poly, b: Poly) -> Poly:
    """a + b."""
    return [(x + y) % Q for x, y in zip(a, b, strict=True)]


def subtract(a: Poly, b: Poly) -> Poly:
    """a - b."""
    return [(x - y) % Q for x, y in zip(a, b, strict=True)]


def dot(a: Vector, b: Vector) -> Poly:
    """The sum of products of two vectors in the NTT domain (2.14)."""
    total = [0] * N
    for x, y in zip(a, b, strict=True):
        total = add(total, multiply_ntts(x, y))
    return total


# ---- section 5: K-PKE ----


def expand_matrix(rho: bytes, p: ParameterSet) -> Matrix:
    """A_hat: Algorithm 13, lines 3 to 7."""
    return [[sample_ntt(rho + bytes([column, row])) for column in range(p.k)] for row in range(p.k)]


def k_pke_key_gen(d: bytes, p: ParameterSet) -> tuple[bytes, bytes]:
    """Algorithm 13 (K-PKE.KeyGen): ek and dk of the encryption scheme. d: 32 bytes."""
    rho, sigma = g(d + bytes([p.k]))
    a_hat = expand_matrix(rho, p)
    s_hat = [ntt(sample_poly_cbd(p.eta1, prf(p.eta1, sigma, n))) for n in range(p.k)]
    e_hat = [ntt(sample_poly_cbd(p.eta1, prf(p.eta1, sigma, p.k + n))) for n in range(p.k)]
    t_hat = [add(dot(row, s_hat), e) for row, e in zip(a_hat, e_hat, strict=True)]
    return b"".join(byte_encode(12, t) for t in t_hat) + rho, b"".join(byte_encode(12, s) for s in s_hat)


def k_pke_encrypt(ek: bytes, m: bytes, r: bytes, p: ParameterSet) -> bytes:
    """Algorithm 14 (K-PKE.Encrypt): the ciphertext. m, r: 32 bytes."""
    t_hat = [byte_decode(12, ek[384 * n : 384 * n + 384]) for n in range(p.k)]
    a_hat = expand_matrix(ek[384 * p.k :], p)
    y_hat = [ntt(sample_poly_cbd(p.eta1, prf(p.eta1, r, n))) for n in range(p.k)]
    e1 = [sample_poly_cbd(p.eta2, prf(p.eta2, r, p.k + n)) for n in range(p.k)]
    e2 = sample_poly_cbd(p.eta2, prf(p.eta2, r, 2 * p.k))
    columns = [[a_hat[row][column] for row in range(p.k)] for column in range(p.k)]
    u = [add(ntt_inverse(dot(column, y_hat)), e) for column, e in zip(columns, e1, strict=True)]
    mu = [decompress(1, bit) for bit in byte_decode(1, m)]
    v = add(add(ntt_inverse(dot(t_hat, y_hat)), e2), mu)
    c1 = b"".join(byte_encode(p.du, [compress(p.du, x) for x in poly]) for poly in u)
    return c1 + byte_encode(p.dv, [compress(p.dv, x) for x in v])


def k_pke_decrypt(dk: bytes, c: bytes, p: ParameterSet) -> bytes:
    """Algorithm 15 (K-PKE.Decrypt): the message."""
    size = 32 * p.du
    u = [[decompress(p.du, y) for y in byte_decode(p.du, c[size * n : size * n + size])] for n in range(p.k)]
    v = [decompress(p.dv, y) for y in byte_decode(p.dv, c[size * p.k :])]
    s_hat = [byte_decode(12, dk[384 * n : 384 * n + 384]) for n in range(p.k)]
    w = subtract(v, ntt_inverse(dot(s_hat, [ntt(poly) for poly in u])))
    return byte_encode(1, [compress(1, x) for x in w])


# ---- section 6: the internal algorithms ----


def ml_kem_key_gen_internal(d: bytes, z: bytes, p: ParameterSet) -> tuple[bytes, bytes]:
    """Algorithm 16 (ML-KEM.KeyGen_internal): ek and dk. d, z: 32 bytes."""
    ek, dk_pke = k_pke_key_gen(d, p)
    return ek, dk_pke + ek + h(ek) + z


def ml_kem_encaps_internal(ek: bytes, m: bytes, p: ParameterSet) -> tuple[bytes, bytes]:
    """Algorithm 17 (ML-KEM.Encaps_internal): K and c. m: 32 bytes."""
    key, r = g(m + h(ek))
    return key, k_pke_encrypt(ek, m, r, p)


def ml_kem_decaps_internal(dk: bytes, c: bytes, p: ParameterSet) -> bytes:
    """Algorithm 18 (ML-KEM.Decaps_internal): K, or the key of implicit rejection where c is not what its message encrypts to."""
    dk_pke, ek = dk[: 384 * p.k], dk[384 * p.k : 768 * p.k + 32]
    hash_of_ek, z = dk[768 * p.k + 32 : 768 * p.k + 64], dk[768 * p.k + 64 :]
    m = k_pke_decrypt(dk_pke, c, p)
    key, r = g(m + hash_of_ek)
    rejected = j(z + c)
    return key if k_pke_encrypt(ek, m, r, p) == c else rejected


# ---- section 7: ML-KEM ----


def check_encapsulation_key(ek: bytes, p: ParameterSet) -> None:
    """Section 7.2: type check and modulus check. Raises InvalidInput."""
    if len(ek) != p.ek_size:
        raise InvalidInput(f"an {p.name} encapsulation key is {p.ek_size} bytes, got {len(ek)}")
    for n in range(p.k):
        part = ek[384 * n : 384 * n + 384]
        if byte_encode(12, byte_decode(12, part)) != part:
            raise InvalidInput("a coefficient of the encapsulation key is not below q")


def check_decapsulation_key(dk: bytes, p: ParameterSet) -> None:
    """Section 7.3: type check and hash check of a decapsulation key. Raises InvalidInput."""
    if len(dk) != p.dk_size:
        raise InvalidInput(f"an {p.name} decapsulation key is {p.dk_size} bytes, got {len(dk)}")
    if h(dk[384 * p.k : 768 * p.k + 32]) != dk[768 * p.k + 32 : 768 * p.k + 64]:
        raise InvalidInput("the decapsulation key does not hold the hash of its encapsulation key")


def ml_kem_key_gen(p: ParameterSet) -> tuple[bytes, bytes]:
    """Algorithm 19 (ML-KEM.KeyGen)."""
    return ml_kem_key_gen_internal(secrets.token_bytes(32), secrets.token_bytes(32), p)


def ml_kem_encaps(ek: bytes, p: ParameterSet) -> tuple[bytes, bytes]:
    """Algorithm 20 (ML-KEM.Encaps)."""
    check_encapsulation_key(ek, p)
    return ml_kem_encaps_internal(ek, secrets.token_bytes(32), p)


def ml_kem_decaps(dk: bytes, c: bytes, p: ParameterSet) -> bytes:
    """Algorithm 21 (ML-KEM.Decaps)."""
    check_decapsulation_key(dk, p)
    if len(c) != p.ct_size:
        raise InvalidInput(f"an {p.name} ciphertext is {p.ct_size} bytes, got {len(c)}")
    return ml_kem_decaps_internal(dk, c, p)
