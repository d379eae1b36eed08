/* Keccak-f[1600] on bit-interleaved words, small: one round, from one buffer into the other and back.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Written by tools/keccak32.py: change that, not this. */
#include "backend/c/keccak32.h"

/* clang-format off */

/* iota's constants (FIPS 202, Algorithm 5): the odd bits. The one even bit that is ever set lies at bit 4, which no odd
 * half uses. */
static const uint32_t round_constants[24] = {
    0x00000010, 0x00000089, 0x8000008b, 0x80008080, 0x0000009b, 0x00008010, 0x80008098, 0x80000092,
    0x0000000b, 0x0000000a, 0x00008092, 0x00008003, 0x0000809b, 0x8000001b, 0x8000009a, 0x80000091,
    0x80000081, 0x80000008, 0x00000083, 0x80008003, 0x80008098, 0x80000088, 0x00008010, 0x80008082,
};

/* FIPS 202, Algorithm 7 (KECCAK-p[1600, 24]). CT: no branch and no address depends on the state. */
void keccak_permute_c32_small(girih_sha3 *h)
{
    uint32_t other[50];
    uint32_t *a = h->state.word, *e = other;

    for (const uint32_t *rc = round_constants; rc != round_constants + 24; rc++) {
        const uint32_t c2o = a[5] ^ a[15] ^ a[25] ^ a[35] ^ a[45];
        const uint32_t c1e = a[2] ^ a[12] ^ a[22] ^ a[32] ^ a[42];
        const uint32_t c0o = a[1] ^ a[11] ^ a[21] ^ a[31] ^ a[41];
        const uint32_t c4e = a[8] ^ a[18] ^ a[28] ^ a[38] ^ a[48];
        const uint32_t c1o = a[3] ^ a[13] ^ a[23] ^ a[33] ^ a[43];
        const uint32_t c2e = a[4] ^ a[14] ^ a[24] ^ a[34] ^ a[44];
        const uint32_t c3o = a[7] ^ a[17] ^ a[27] ^ a[37] ^ a[47];
        const uint32_t c4o = a[9] ^ a[19] ^ a[29] ^ a[39] ^ a[49];
        const uint32_t c3e = a[6] ^ a[16] ^ a[26] ^ a[36] ^ a[46];
        const uint32_t c0e = a[0] ^ a[10] ^ a[20] ^ a[30] ^ a[40];

        const uint32_t d0e = c4e ^ rol(c1o, 1);
        const uint32_t d0o = c4o ^ c1e;
        const uint32_t d1e = c0e ^ rol(c2o, 1);
        const uint32_t d1o = c0o ^ c2e;
        const uint32_t d2e = c1e ^ rol(c3o, 1);
        const uint32_t d2o = c1o ^ c3e;
        const uint32_t d3e = c2e ^ rol(c4o, 1);
        const uint32_t d3o = c2o ^ c4e;
        const uint32_t d4e = c3e ^ rol(c0o, 1);
        const uint32_t d4o = c3o ^ c0e;
        uint32_t *swap;

        KEEP_ORDER();
        {
            const uint32_t b0 = rol(a[9] ^ d4o, 14);
            const uint32_t b1 = rol(a[10] ^ d0e, 18);
            const uint32_t b2 = rol(a[22] ^ d1e, 5);
            const uint32_t b3 = rol(a[35] ^ d2o, 8);
            const uint32_t b4 = rol(a[46] ^ d3e, 28);

            e[30] = b0 ^ (b2 & ~b1);
            e[32] = b1 ^ (b3 & ~b2);
            e[34] = b2 ^ (b4 & ~b3);
            e[36] = b3 ^ (b0 & ~b4);
            e[38] = b4 ^ (b1 & ~b0);
        }

        KEEP_ORDER();
        {
            const uint32_t b0 = rol(a[7] ^ d3o, 14);
            const uint32_t b1 = rol(a[19] ^ d4o, 10);
            const uint32_t b2 = rol(a[20] ^ d0e, 1);
            const uint32_t b3 = rol(a[32] ^ d1e, 22);
            const uint32_t b4 = rol(a[44] ^ d2e, 30);

            e[11] = b0 ^ (b2 & ~b1);
            e[13] = b1 ^ (b3 & ~b2);
            e[15] = b2 ^ (b4 & ~b3);
            e[17] = b3 ^ (b0 & ~b4);
            e[19] = b4 ^ (b1 & ~b0);
        }

        KEEP_ORDER();
        {
            const uint32_t b0 = rol(a[4] ^ d2e, 31);
            const uint32_t b1 = rol(a[17] ^ d3o, 28);
            const uint32_t b2 = rol(a[29] ^ d4o, 20);
            const uint32_t b3 = rol(a[31] ^ d0o, 21);
            const uint32_t b4 = rol(a[42] ^ d1e, 1);

            e[40] = b0 ^ (b2 & ~b1);
            e[42] = b1 ^ (b3 & ~b2);
            e[44] = b2 ^ (b4 & ~b3);
            e[46] = b3 ^ (b0 & ~b4);
            e[48] = b4 ^ (b1 & ~b0);
        }

        KEEP_ORDER();
        {
            const uint32_t b0 = a[1] ^ d0o;
            const uint32_t b1 = rol(a[13] ^ d1o, 22);
            const uint32_t b2 = rol(a[24] ^ d2e, 21);
            const uint32_t b3 = rol(a[36] ^ d3e, 10);
            const uint32_t b4 = rol(a[49] ^ d4o, 7);

            e[1] = b0 ^ (b2 & ~b1) ^ (*rc & ~UINT32_C(0x10));
            e[3] = b1 ^ (b3 & ~b2);
            e[5] = b2 ^ (b4 & ~b3);
            e[7] = b3 ^ (b0 & ~b4);
            e[9] = b4 ^ (b1 & ~b0);
        }

        KEEP_ORDER();
        {
            const uint32_t b0 = a[2] ^ d1e;
            const uint32_t b1 = rol(a[15] ^ d2o, 3);
            const uint32_t b2 = rol(a[26] ^ d3e, 12);
            const uint32_t b3 = rol(a[39] ^ d4o, 4);
            const uint32_t b4 = rol(a[41] ^ d0o, 9);

            e[21] = b0 ^ (b2 & ~b1);
            e[23] = b1 ^ (b3 & ~b2);
            e[25] = b2 ^ (b4 & ~b3);
            e[27] = b3 ^ (b0 & ~b4);
            e[29] = b4 ^ (b1 & ~b0);
        }

        KEEP_ORDER();
        {
            const uint32_t b0 = rol(a[5] ^ d2o, 31);
            const uint32_t b1 = rol(a[16] ^ d3e, 27);
            const uint32_t b2 = rol(a[28] ^ d4e, 19);
            const uint32_t b3 = rol(a[30] ^ d0e, 20);
            const uint32_t b4 = rol(a[43] ^ d1o, 1);

            e[41] = b0 ^ (b2 & ~b1);
            e[43] = b1 ^ (b3 & ~b2);
            e[45] = b2 ^ (b4 & ~b3);
            e[47] = b3 ^ (b0 & ~b4);
            e[49] = b4 ^ (b1 & ~b0);
        }

        KEEP_ORDER();
        {
            const uint32_t b0 = rol(a[6] ^ d3e, 14);
            const uint32_t b1 = rol(a[18] ^ d4e, 10);
            const uint32_t b2 = rol(a[21] ^ d0o, 2);
            const uint32_t b3 = rol(a[33] ^ d1o, 23);
            const uint32_t b4 = rol(a[45] ^ d2o, 31);

            e[10] = b0 ^ (b2 & ~b1);
            e[12] = b1 ^ (b3 & ~b2);
            e[14] = b2 ^ (b4 & ~b3);
            e[16] = b3 ^ (b0 & ~b4);
            e[18] = b4 ^ (b1 & ~b0);
        }

        KEEP_ORDER();
        {
            const uint32_t b0 = a[0] ^ d0e;
            const uint32_t b1 = rol(a[12] ^ d1e, 22);
            const uint32_t b2 = rol(a[25] ^ d2o, 22);
            const uint32_t b3 = rol(a[37] ^ d3o, 11);
            const uint32_t b4 = rol(a[48] ^ d4e, 7);

            e[0] = b0 ^ (b2 & ~b1) ^ (*rc >> 4 & 1);
            e[2] = b1 ^ (b3 & ~b2);
            e[4] = b2 ^ (b4 & ~b3);
            e[6] = b3 ^ (b0 & ~b4);
            e[8] = b4 ^ (b1 & ~b0);
        }

        KEEP_ORDER();
        {
            const uint32_t b0 = rol(a[3] ^ d1o, 1);
            const uint32_t b1 = rol(a[14] ^ d2e, 3);
            const uint32_t b2 = rol(a[27] ^ d3o, 13);
            const uint32_t b3 = rol(a[38] ^ d4e, 4);
            const uint32_t b4 = rol(a[40] ^ d0e, 9);

            e[20] = b0 ^ (b2 & ~b1);
            e[22] = b1 ^ (b3 & ~b2);
            e[24] = b2 ^ (b4 & ~b3);
            e[26] = b3 ^ (b0 & ~b4);
            e[28] = b4 ^ (b1 & ~b0);
        }

        KEEP_ORDER();
        {
            const uint32_t b0 = rol(a[8] ^ d4e, 13);
            const uint32_t b1 = rol(a[11] ^ d0o, 18);
            const uint32_t b2 = rol(a[23] ^ d1o, 5);
            const uint32_t b3 = rol(a[34] ^ d2e, 7);
            const uint32_t b4 = rol(a[47] ^ d3o, 28);

            e[31] = b0 ^ (b2 & ~b1);
            e[33] = b1 ^ (b3 & ~b2);
            e[35] = b2 ^ (b4 & ~b3);
            e[37] = b3 ^ (b0 & ~b4);
            e[39] = b4 ^ (b1 & ~b0);
        }

        swap = a;
        a = e;
        e = swap;
    }
    girih_wipe(other, sizeof other);
}

void keccak_permute_all_c32_small(girih_sha3 *const h[], unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        keccak_permute_c32_small(h[i]);
}
