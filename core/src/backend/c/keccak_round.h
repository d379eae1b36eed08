/* One round of Keccak-f[1600] on 64-bit lanes, written out; included by each file that compiles it for its own instruction set.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_C_KECCAK_ROUND_H
#define GIRIH_BACKEND_C_KECCAK_ROUND_H

#include <stdint.h>

#include "common/compiler.h"

/* iota's constants (FIPS 202, Algorithm 5). */
static const uint64_t keccak_round_constants[24] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000008082), UINT64_C(0x800000000000808a), UINT64_C(0x8000000080008000),
    UINT64_C(0x000000000000808b), UINT64_C(0x0000000080000001), UINT64_C(0x8000000080008081), UINT64_C(0x8000000000008009),
    UINT64_C(0x000000000000008a), UINT64_C(0x0000000000000088), UINT64_C(0x0000000080008009), UINT64_C(0x000000008000000a),
    UINT64_C(0x000000008000808b), UINT64_C(0x800000000000008b), UINT64_C(0x8000000000008089), UINT64_C(0x8000000000008003),
    UINT64_C(0x8000000000008002), UINT64_C(0x8000000000000080), UINT64_C(0x000000000000800a), UINT64_C(0x800000008000000a),
    UINT64_C(0x8000000080008081), UINT64_C(0x8000000000008080), UINT64_C(0x0000000080000001), UINT64_C(0x8000000080008008),
};

/* n in 1..63. */
GIRIH_INLINE uint64_t rol(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

/* FIPS 202, Algorithms 1-6 (theta, rho, pi, chi, iota): e = round(a). c: the five column parities of a; becomes those of e ("early parity":
 * summed while the lanes are still in registers). e and a must not overlap. */
GIRIH_INLINE void keccak_round(uint64_t e[25], uint64_t c[5], const uint64_t a[25], uint64_t rc)
{
    const uint64_t d0 = c[4] ^ rol(c[1], 1), d1 = c[0] ^ rol(c[2], 1), d2 = c[1] ^ rol(c[3], 1);
    const uint64_t d3 = c[2] ^ rol(c[4], 1), d4 = c[3] ^ rol(c[0], 1);
    uint64_t b0, b1, b2, b3, b4;

    b0 = a[0] ^ d0;
    b1 = rol(a[6] ^ d1, 44);
    b2 = rol(a[12] ^ d2, 43);
    b3 = rol(a[18] ^ d3, 21);
    b4 = rol(a[24] ^ d4, 14);
    e[0] = b0 ^ (~b1 & b2) ^ rc;
    e[1] = b1 ^ (~b2 & b3);
    e[2] = b2 ^ (~b3 & b4);
    e[3] = b3 ^ (~b4 & b0);
    e[4] = b4 ^ (~b0 & b1);
    c[0] = e[0];
    c[1] = e[1];
    c[2] = e[2];
    c[3] = e[3];
    c[4] = e[4];
    b0 = rol(a[3] ^ d3, 28);
    b1 = rol(a[9] ^ d4, 20);
    b2 = rol(a[10] ^ d0, 3);
    b3 = rol(a[16] ^ d1, 45);
    b4 = rol(a[22] ^ d2, 61);
    e[5] = b0 ^ (~b1 & b2);
    e[6] = b1 ^ (~b2 & b3);
    e[7] = b2 ^ (~b3 & b4);
    e[8] = b3 ^ (~b4 & b0);
    e[9] = b4 ^ (~b0 & b1);
    c[0] ^= e[5];
    c[1] ^= e[6];
    c[2] ^= e[7];
    c[3] ^= e[8];
    c[4] ^= e[9];
    b0 = rol(a[1] ^ d1, 1);
    b1 = rol(a[7] ^ d2, 6);
    b2 = rol(a[13] ^ d3, 25);
    b3 = rol(a[19] ^ d4, 8);
    b4 = rol(a[20] ^ d0, 18);
    e[10] = b0 ^ (~b1 & b2);
    e[11] = b1 ^ (~b2 & b3);
    e[12] = b2 ^ (~b3 & b4);
    e[13] = b3 ^ (~b4 & b0);
    e[14] = b4 ^ (~b0 & b1);
    c[0] ^= e[10];
    c[1] ^= e[11];
    c[2] ^= e[12];
    c[3] ^= e[13];
    c[4] ^= e[14];
    b0 = rol(a[4] ^ d4, 27);
    b1 = rol(a[5] ^ d0, 36);
    b2 = rol(a[11] ^ d1, 10);
    b3 = rol(a[17] ^ d2, 15);
    b4 = rol(a[23] ^ d3, 56);
    e[15] = b0 ^ (~b1 & b2);
    e[16] = b1 ^ (~b2 & b3);
    e[17] = b2 ^ (~b3 & b4);
    e[18] = b3 ^ (~b4 & b0);
    e[19] = b4 ^ (~b0 & b1);
    c[0] ^= e[15];
    c[1] ^= e[16];
    c[2] ^= e[17];
    c[3] ^= e[18];
    c[4] ^= e[19];
    b0 = rol(a[2] ^ d2, 62);
    b1 = rol(a[8] ^ d3, 55);
    b2 = rol(a[14] ^ d4, 39);
    b3 = rol(a[15] ^ d0, 41);
    b4 = rol(a[21] ^ d1, 2);
    e[20] = b0 ^ (~b1 & b2);
    e[21] = b1 ^ (~b2 & b3);
    e[22] = b2 ^ (~b3 & b4);
    e[23] = b3 ^ (~b4 & b0);
    e[24] = b4 ^ (~b0 & b1);
    c[0] ^= e[20];
    c[1] ^= e[21];
    c[2] ^= e[22];
    c[3] ^= e[23];
    c[4] ^= e[24];
}

/* FIPS 202, Algorithm 7 (KECCAK-p[1600, 24]), two rounds a pass. */
GIRIH_INLINE void keccak_f1600(uint64_t a[25])
{
    uint64_t e[25], c[5];

    for (unsigned x = 0; x < 5; x++)
        c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (unsigned i = 0; i < 24; i += 2) {
        keccak_round(e, c, a, keccak_round_constants[i]);
        keccak_round(a, c, e, keccak_round_constants[i + 1]);
    }
}

#endif
