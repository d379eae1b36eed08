/* Keccak-f[1600] on bit-interleaved words: four rounds in place, rotations put off until an operand can take them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Written by tools/keccak32.py: change that, not this. rho and pi are in the indices and in the
 * rotations of operands; after four rounds each word is back in its place, with nothing put off. */
#include "backend/c/keccak32.h"

/* clang-format off */

/* iota's constants (FIPS 202, Algorithm 5), even bits and odd bits. */
static const uint32_t round_constants[48] = {
    0x00000001, 0x00000000, 0x00000000, 0x00000089, 0x00000000, 0x8000008b, 0x00000000, 0x80008080,
    0x00000001, 0x0000008b, 0x00000001, 0x00008000, 0x00000001, 0x80008088, 0x00000001, 0x80000082,
    0x00000000, 0x0000000b, 0x00000000, 0x0000000a, 0x00000001, 0x00008082, 0x00000000, 0x00008003,
    0x00000001, 0x0000808b, 0x00000001, 0x8000000b, 0x00000001, 0x8000008a, 0x00000001, 0x80000081,
    0x00000000, 0x80000081, 0x00000000, 0x80000008, 0x00000000, 0x00000083, 0x00000000, 0x80008003,
    0x00000001, 0x80008088, 0x00000000, 0x80000088, 0x00000001, 0x00008000, 0x00000000, 0x80008082,
};

/* FIPS 202, Algorithm 7 (KECCAK-p[1600, 24]). CT: no branch and no address depends on the state. */
void keccak_permute_c32(girih_sha3 *h)
{
    uint32_t *a = h->state.word;
    const uint32_t *rc = round_constants;

    do {
        {
            const uint32_t c2o = a[15] ^ a[25] ^ a[35] ^ a[45] ^ a[5];
            const uint32_t c1e = a[12] ^ a[22] ^ a[32] ^ a[42] ^ a[2];
            const uint32_t c0o = a[41] ^ a[1] ^ a[11] ^ a[21] ^ a[31];
            const uint32_t c4e = a[18] ^ a[28] ^ a[38] ^ a[48] ^ a[8];
            const uint32_t c1o = a[3] ^ a[13] ^ a[23] ^ a[33] ^ a[43];
            const uint32_t c2e = a[14] ^ a[24] ^ a[34] ^ a[44] ^ a[4];
            const uint32_t c3o = a[37] ^ a[47] ^ a[7] ^ a[17] ^ a[27];
            const uint32_t c4o = a[49] ^ a[9] ^ a[19] ^ a[29] ^ a[39];
            const uint32_t c3e = a[26] ^ a[36] ^ a[46] ^ a[6] ^ a[16];
            const uint32_t c0e = a[40] ^ a[0] ^ a[10] ^ a[20] ^ a[30];

            const uint32_t d0e = c4e ^ rol(c1o, 1);
            const uint32_t d0o = c1e ^ c4o;
            const uint32_t d1e = c0e ^ rol(c2o, 1);
            const uint32_t d1o = c0o ^ c2e;
            const uint32_t d2e = c3o ^ rol(c1e, 31);
            const uint32_t d2o = c1o ^ c3e;
            const uint32_t d3e = c4o ^ rol(c2e, 31);
            const uint32_t d3o = c2o ^ c4e;
            const uint32_t d4e = c3e ^ rol(c0o, 1);
            const uint32_t d4o = c3o ^ c0e;

            KEEP_ORDER();
            {
                const uint32_t b0 = d4o ^ a[9];
                const uint32_t b1 = d0e ^ a[10];
                const uint32_t b2 = d1e ^ a[22];
                const uint32_t b3 = a[35] ^ d2o;
                const uint32_t b4 = a[46] ^ rol(d3e, 1);

                a[10] = b0 ^ rol((b2 & ~rol(b1, 13)), 23);
                a[22] = (b3 & ~rol(b2, 29)) ^ rol(b1, 10);
                a[35] = (b4 & ~rol(b3, 12)) ^ rol(b2, 9);
                a[46] = (b0 & ~rol(b4, 14)) ^ rol(b3, 26);
                a[9] = (b1 & ~rol(b0, 28)) ^ rol(b4, 10);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d3o ^ a[7];
                const uint32_t b1 = a[19] ^ d4o;
                const uint32_t b2 = a[20] ^ d0e;
                const uint32_t b3 = d1e ^ a[32];
                const uint32_t b4 = a[44] ^ rol(d2e, 1);

                a[20] = b0 ^ rol((b2 & ~rol(b1, 9)), 19);
                a[32] = (b3 & ~rol(b2, 11)) ^ rol(b1, 20);
                a[44] = (b4 & ~rol(b3, 24)) ^ rol(b2, 3);
                a[7] = b3 ^ rol((b0 & ~rol(b4, 16)), 24);
                a[19] = b4 ^ rol((b1 & ~rol(b0, 4)), 12);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d2e ^ rol(a[4], 31);
                const uint32_t b1 = a[17] ^ d3o;
                const uint32_t b2 = a[29] ^ d4o;
                const uint32_t b3 = d0o ^ a[31];
                const uint32_t b4 = d1e ^ a[42];

                a[31] = (b2 & ~rol(b1, 8)) ^ rol(b0, 12);
                a[42] = b1 ^ rol((b3 & ~rol(b2, 31)), 25);
                a[4] = (b4 & ~rol(b3, 20)) ^ rol(b2, 19);
                a[17] = b3 ^ rol((b0 & ~rol(b4, 1)), 11);
                a[29] = b4 ^ rol((b1 & ~rol(b0, 4)), 27);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d0o ^ a[1];
                const uint32_t b1 = d1o ^ a[13];
                const uint32_t b2 = d2e ^ rol(a[24], 31);
                const uint32_t b3 = d3e ^ rol(a[36], 31);
                const uint32_t b4 = a[49] ^ d4o;

                a[1] = (b2 & ~b1) ^ rol(b0, 10) ^ rol(rc[1], 10);
                a[13] = (b3 & ~rol(b2, 11)) ^ rol(b1, 11);
                a[24] = b2 ^ rol((b4 & ~rol(b3, 4)), 17);
                a[36] = b3 ^ rol((b0 & ~rol(b4, 7)), 21);
                a[49] = (b1 & ~rol(b0, 10)) ^ rol(b4, 17);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d1e ^ a[2];
                const uint32_t b1 = d2o ^ a[15];
                const uint32_t b2 = d3e ^ rol(a[26], 31);
                const uint32_t b3 = d4o ^ a[39];
                const uint32_t b4 = a[41] ^ d0o;

                a[41] = b0 ^ rol((b2 & ~rol(b1, 22)), 13);
                a[2] = (b3 & ~rol(b2, 9)) ^ rol(b1, 31);
                a[15] = (b4 & ~rol(b3, 27)) ^ rol(b2, 4);
                a[26] = (b0 & ~rol(b4, 9)) ^ rol(b3, 4);
                a[39] = b4 ^ rol((b1 & ~rol(b0, 29)), 26);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d2o ^ a[5];
                const uint32_t b1 = d3e ^ rol(a[16], 31);
                const uint32_t b2 = d4e ^ a[28];
                const uint32_t b3 = a[30] ^ d0e;
                const uint32_t b4 = d1o ^ a[43];

                a[30] = (b2 & ~rol(b1, 9)) ^ rol(b0, 12);
                a[43] = b1 ^ rol((b3 & ~rol(b2, 31)), 24);
                a[5] = b2 ^ rol((b4 & ~rol(b3, 19)), 14);
                a[16] = (b0 & ~rol(b4, 2)) ^ rol(b3, 21);
                a[28] = b4 ^ rol((b1 & ~rol(b0, 3)), 27);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d3e ^ rol(a[6], 31);
                const uint32_t b1 = d4e ^ a[18];
                const uint32_t b2 = d0o ^ a[21];
                const uint32_t b3 = d1o ^ a[33];
                const uint32_t b4 = a[45] ^ d2o;

                a[21] = b0 ^ rol((b2 & ~rol(b1, 8)), 19);
                a[33] = b1 ^ rol((b3 & ~rol(b2, 11)), 13);
                a[45] = b2 ^ rol((b4 & ~rol(b3, 24)), 29);
                a[6] = b3 ^ rol((b0 & ~rol(b4, 16)), 24);
                a[18] = b4 ^ rol((b1 & ~rol(b0, 5)), 11);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[0] ^ d0e;
                const uint32_t b1 = d1e ^ a[12];
                const uint32_t b2 = d2o ^ a[25];
                const uint32_t b3 = d3o ^ a[37];
                const uint32_t b4 = a[48] ^ d4e;

                a[0] = (b2 & ~b1) ^ rol(b0, 10) ^ rol(rc[0], 10);
                a[12] = (b3 & ~rol(b2, 11)) ^ rol(b1, 11);
                a[25] = (b4 & ~rol(b3, 4)) ^ rol(b2, 15);
                a[37] = b3 ^ rol((b0 & ~rol(b4, 7)), 21);
                a[48] = b4 ^ rol((b1 & ~rol(b0, 10)), 15);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[3] ^ d1o;
                const uint32_t b1 = a[14] ^ rol(d2e, 1);
                const uint32_t b2 = d3o ^ a[27];
                const uint32_t b3 = a[38] ^ d4e;
                const uint32_t b4 = d0e ^ a[40];

                a[40] = b0 ^ rol((b2 & ~rol(b1, 22)), 12);
                a[3] = b1 ^ rol((b3 & ~rol(b2, 9)), 1);
                a[14] = b2 ^ rol((b4 & ~rol(b3, 27)), 28);
                a[27] = (b0 & ~rol(b4, 8)) ^ rol(b3, 3);
                a[38] = (b1 & ~rol(b0, 30)) ^ rol(b4, 6);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d4e ^ a[8];
                const uint32_t b1 = a[11] ^ d0o;
                const uint32_t b2 = a[23] ^ d1o;
                const uint32_t b3 = d2e ^ rol(a[34], 31);
                const uint32_t b4 = a[47] ^ d3o;

                a[11] = b0 ^ rol((b2 & ~rol(b1, 13)), 24);
                a[23] = (b3 & ~rol(b2, 29)) ^ rol(b1, 10);
                a[34] = b2 ^ rol((b4 & ~rol(b3, 12)), 23);
                a[47] = (b0 & ~rol(b4, 15)) ^ rol(b3, 27);
                a[8] = b4 ^ rol((b1 & ~rol(b0, 27)), 22);
            }
        }
        {
            const uint32_t c2o = a[44] ^ rol(a[15], 11) ^ rol(a[34], 7) ^ rol(a[5], 21) ^ rol(a[24], 24);
            const uint32_t c1e = a[33] ^ rol(a[3], 25) ^ rol(a[22], 30) ^ rol(a[42], 18) ^ rol(a[12], 1);
            const uint32_t c0o = a[11] ^ rol(a[30], 6) ^ rol(a[1], 9) ^ rol(a[20], 1) ^ rol(a[41], 19);
            const uint32_t c4e = a[38] ^ rol(a[9], 15) ^ rol(a[29], 30) ^ rol(a[48], 4) ^ rol(a[18], 28);
            const uint32_t c1o = a[13] ^ rol(a[32], 11) ^ rol(a[2], 25) ^ rol(a[23], 29) ^ rol(a[43], 17);
            const uint32_t c2e = a[25] ^ rol(a[45], 27) ^ rol(a[14], 6) ^ rol(a[35], 21) ^ rol(a[4], 26);
            const uint32_t c3o = a[47] ^ rol(a[16], 18) ^ rol(a[36], 30) ^ rol(a[7], 9) ^ rol(a[26], 19);
            const uint32_t c4o = a[19] ^ rol(a[39], 11) ^ rol(a[8], 30) ^ rol(a[28], 3) ^ rol(a[49], 24);
            const uint32_t c3e = a[27] ^ rol(a[46], 13) ^ rol(a[17], 20) ^ rol(a[37], 10) ^ rol(a[6], 22);
            const uint32_t c0e = a[40] ^ rol(a[10], 13) ^ rol(a[31], 19) ^ rol(a[0], 21) ^ rol(a[21], 14);

            const uint32_t d0e = c4e ^ rol(c1o, 9);
            const uint32_t d0o = c4o ^ rol(c1e, 12);
            const uint32_t d1e = c2o ^ rol(c0e, 2);
            const uint32_t d1o = c2e ^ rol(c0o, 6);
            const uint32_t d2e = c1e ^ rol(c3o, 4);
            const uint32_t d2o = c3e ^ rol(c1o, 10);
            const uint32_t d3e = c4o ^ rol(c2e, 8);
            const uint32_t d3o = c2o ^ rol(c4e, 5);
            const uint32_t d4e = c0o ^ rol(c3e, 19);
            const uint32_t d4o = c0e ^ rol(c3o, 12);

            KEEP_ORDER();
            {
                const uint32_t b0 = d4o ^ rol(a[49], 21);
                const uint32_t b1 = a[21] ^ rol(d0e, 20);
                const uint32_t b2 = a[3] ^ rol(d1e, 28);
                const uint32_t b3 = a[34] ^ rol(d2o, 28);
                const uint32_t b4 = a[17] ^ rol(d3e, 10);

                a[21] = (b2 & ~rol(b1, 25)) ^ rol(b0, 7);
                a[3] = b1 ^ rol((b3 & ~rol(b2, 27)), 12);
                a[34] = (b4 & ~rol(b3, 28)) ^ rol(b2, 23);
                a[17] = (b0 & ~rol(b4, 2)) ^ rol(b3, 30);
                a[49] = (b1 & ~rol(b0, 14)) ^ rol(b4, 16);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d3o ^ rol(a[36], 13);
                const uint32_t b1 = a[19] ^ rol(d4o, 3);
                const uint32_t b2 = d0e ^ rol(a[40], 30);
                const uint32_t b3 = d1e ^ rol(a[22], 9);
                const uint32_t b4 = d2e ^ rol(a[4], 23);

                a[40] = (b2 & ~rol(b1, 4)) ^ rol(b0, 8);
                a[22] = b1 ^ rol((b3 & ~rol(b2, 15)), 13);
                a[4] = (b4 & ~rol(b3, 13)) ^ rol(b2, 28);
                a[36] = b3 ^ rol((b0 & ~rol(b4, 28)), 23);
                a[19] = b4 ^ (b1 & ~rol(b0, 4));
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[25] ^ rol(d2e, 3);
                const uint32_t b1 = d3o ^ rol(a[7], 24);
                const uint32_t b2 = a[39] ^ rol(d4o, 24);
                const uint32_t b3 = d0o ^ rol(a[11], 15);
                const uint32_t b4 = d1e ^ rol(a[42], 29);

                a[11] = (b2 & ~rol(b1, 29)) ^ rol(b0, 9);
                a[42] = b1 ^ rol((b3 & ~rol(b2, 10)), 25);
                a[25] = b2 ^ rol((b4 & ~rol(b3, 19)), 3);
                a[7] = b3 ^ rol((b0 & ~rol(b4, 26)), 19);
                a[39] = (b1 & ~rol(b0, 12)) ^ rol(b4, 6);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[1] ^ rol(d0o, 8);
                const uint32_t b1 = a[32] ^ rol(d1o, 17);
                const uint32_t b2 = a[14] ^ rol(d2e, 29);
                const uint32_t b3 = d3e ^ rol(a[46], 15);
                const uint32_t b4 = d4o ^ a[28];

                a[1] = (b2 & ~rol(b1, 10)) ^ rol(b0, 20) ^ rol(rc[3], 30);
                a[32] = (b3 & ~rol(b2, 25)) ^ rol(b1, 3);
                a[14] = b2 ^ rol((b4 & ~rol(b3, 1)), 6);
                a[46] = (b0 & ~rol(b4, 18)) ^ rol(b3, 19);
                a[28] = b4 ^ rol((b1 & ~rol(b0, 10)), 4);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[12] ^ rol(d1e, 20);
                const uint32_t b1 = d2o ^ rol(a[44], 29);
                const uint32_t b2 = a[27] ^ rol(d3e, 30);
                const uint32_t b3 = d4o ^ rol(a[8], 27);
                const uint32_t b4 = d0o ^ rol(a[30], 21);

                a[30] = (b2 & ~rol(b1, 23)) ^ rol(b0, 30);
                a[12] = (b3 & ~rol(b2, 8)) ^ rol(b1, 31);
                a[44] = (b4 & ~rol(b3, 30)) ^ rol(b2, 6);
                a[27] = (b0 & ~rol(b4, 28)) ^ rol(b3, 26);
                a[8] = (b1 & ~rol(b0, 7)) ^ rol(b4, 3);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d2o ^ rol(a[24], 21);
                const uint32_t b1 = d3e ^ rol(a[6], 24);
                const uint32_t b2 = d4e ^ rol(a[38], 21);
                const uint32_t b3 = d0e ^ rol(a[10], 11);
                const uint32_t b4 = d1o ^ rol(a[43], 21);

                a[10] = (b2 & ~rol(b1, 25)) ^ rol(b0, 31);
                a[43] = b1 ^ rol((b3 & ~rol(b2, 10)), 29);
                a[24] = b2 ^ rol((b4 & ~rol(b3, 15)), 7);
                a[6] = b3 ^ rol((b0 & ~rol(b4, 8)), 9);
                a[38] = (b1 & ~rol(b0, 6)) ^ rol(b4, 14);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[37] ^ rol(d3e, 20);
                const uint32_t b1 = d4e ^ rol(a[18], 17);
                const uint32_t b2 = d0o ^ rol(a[41], 2);
                const uint32_t b3 = d1o ^ rol(a[23], 1);
                const uint32_t b4 = d2o ^ rol(a[5], 18);

                a[41] = b0 ^ rol((b2 & ~rol(b1, 24)), 7);
                a[23] = b1 ^ rol((b3 & ~rol(b2, 2)), 6);
                a[5] = b2 ^ (b4 & ~rol(b3, 30));
                a[37] = b3 ^ rol((b0 & ~rol(b4, 7)), 27);
                a[18] = b4 ^ rol((b1 & ~rol(b0, 1)), 24);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[0] ^ rol(d0e, 13);
                const uint32_t b1 = a[33] ^ rol(d1e, 21);
                const uint32_t b2 = a[15] ^ rol(d2o, 24);
                const uint32_t b3 = d3o ^ rol(a[47], 15);
                const uint32_t b4 = d4e ^ rol(a[29], 19);

                a[0] = (b2 & ~rol(b1, 1)) ^ rol(b0, 23) ^ rol(rc[2], 1);
                a[33] = (b3 & ~rol(b2, 22)) ^ rol(b1, 23);
                a[15] = (b4 & ~rol(b3, 20)) ^ rol(b2, 10);
                a[47] = b3 ^ rol((b0 & ~rol(b4, 31)), 13);
                a[29] = b4 ^ rol((b1 & ~rol(b0, 22)), 11);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d1o ^ rol(a[13], 4);
                const uint32_t b1 = a[45] ^ rol(d2e, 8);
                const uint32_t b2 = a[26] ^ rol(d3o, 30);
                const uint32_t b3 = d4e ^ rol(a[9], 4);
                const uint32_t b4 = d0e ^ rol(a[31], 17);

                a[31] = (b2 & ~rol(b1, 24)) ^ rol(b0, 27);
                a[13] = b1 ^ rol((b3 & ~rol(b2, 27)), 13);
                a[45] = (b4 & ~rol(b3, 6)) ^ rol(b2, 1);
                a[26] = (b0 & ~rol(b4, 4)) ^ rol(b3, 10);
                a[9] = b4 ^ rol((b1 & ~rol(b0, 3)), 25);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d4e ^ rol(a[48], 25);
                const uint32_t b1 = d0o ^ rol(a[20], 16);
                const uint32_t b2 = a[2] ^ rol(d1o, 3);
                const uint32_t b3 = a[35] ^ rol(d2e, 14);
                const uint32_t b4 = d3o ^ rol(a[16], 1);

                a[20] = (b2 & ~rol(b1, 7)) ^ rol(b0, 18);
                a[2] = (b3 & ~rol(b2, 6)) ^ rol(b1, 13);
                a[35] = b2 ^ rol((b4 & ~rol(b3, 9)), 17);
                a[16] = b3 ^ rol((b0 & ~rol(b4, 31)), 24);
                a[48] = (b1 & ~rol(b0, 11)) ^ rol(b4, 10);
            }
        }
        {
            const uint32_t c2o = a[44] ^ rol(a[35], 2) ^ rol(a[24], 26) ^ rol(a[14], 27) ^ rol(a[4], 1);
            const uint32_t c1e = a[13] ^ rol(a[3], 28) ^ rol(a[42], 21) ^ rol(a[33], 4) ^ rol(a[23], 19);
            const uint32_t c0o = a[10] ^ rol(a[1], 1) ^ rol(a[40], 3) ^ rol(a[30], 12) ^ rol(a[20], 8);
            const uint32_t c4e = a[18] ^ rol(a[9], 12) ^ rol(a[49], 1) ^ rol(a[39], 26) ^ rol(a[29], 21);
            const uint32_t c1o = a[22] ^ rol(a[12], 29) ^ rol(a[2], 27) ^ rol(a[43], 18) ^ rol(a[32], 1);
            const uint32_t c2e = a[5] ^ rol(a[45], 12) ^ rol(a[34], 17) ^ rol(a[25], 29) ^ rol(a[15], 21);
            const uint32_t c3o = a[6] ^ rol(a[46], 31) ^ rol(a[36], 30) ^ rol(a[27], 20) ^ rol(a[16], 12);
            const uint32_t c4o = a[8] ^ rol(a[48], 12) ^ rol(a[38], 22) ^ rol(a[28], 4) ^ rol(a[19], 4);
            const uint32_t c3e = a[47] ^ rol(a[37], 21) ^ rol(a[26], 31) ^ rol(a[17], 6) ^ rol(a[7], 10);
            const uint32_t c0e = a[11] ^ rol(a[0], 2) ^ rol(a[41], 28) ^ rol(a[31], 16) ^ rol(a[21], 11);

            const uint32_t d0e = c4e ^ rol(c1o, 9);
            const uint32_t d0o = c1e ^ rol(c4o, 31);
            const uint32_t d1e = c0e ^ rol(c2o, 11);
            const uint32_t d1o = c0o ^ rol(c2e, 31);
            const uint32_t d2e = c3o ^ rol(c1e, 13);
            const uint32_t d2o = c3e ^ rol(c1o, 31);
            const uint32_t d3e = c2e ^ rol(c4o, 5);
            const uint32_t d3o = c2o ^ rol(c4e, 25);
            const uint32_t d4e = c3e ^ rol(c0o, 25);
            const uint32_t d4o = c3o ^ rol(c0e, 6);

            KEEP_ORDER();
            {
                const uint32_t b0 = a[28] ^ rol(d4o, 15);
                const uint32_t b1 = d0e ^ rol(a[41], 25);
                const uint32_t b2 = a[13] ^ rol(d1e, 24);
                const uint32_t b3 = a[35] ^ d2o;
                const uint32_t b4 = a[7] ^ rol(d3e, 13);

                a[41] = b0 ^ rol((b2 & ~rol(b1, 8)), 20);
                a[13] = (b3 & ~rol(b2, 25)) ^ rol(b1, 1);
                a[35] = (b4 & ~rol(b3, 2)) ^ rol(b2, 27);
                a[7] = (b0 & ~rol(b4, 25)) ^ rol(b3, 27);
                a[28] = (b1 & ~rol(b0, 4)) ^ rol(b4, 29);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[46] ^ rol(d3o, 17);
                const uint32_t b1 = d4o ^ rol(a[19], 17);
                const uint32_t b2 = a[31] ^ rol(d0e, 19);
                const uint32_t b3 = a[3] ^ rol(d1e, 28);
                const uint32_t b4 = d2e ^ rol(a[25], 5);

                a[31] = (b2 & ~rol(b1, 19)) ^ rol(b0, 22);
                a[3] = b1 ^ rol((b3 & ~rol(b2, 23)), 22);
                a[25] = (b4 & ~rol(b3, 1)) ^ rol(b2, 24);
                a[46] = (b0 & ~rol(b4, 18)) ^ rol(b3, 19);
                a[19] = b4 ^ rol((b1 & ~rol(b0, 3)), 11);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d2e ^ rol(a[15], 29);
                const uint32_t b1 = a[36] ^ rol(d3o, 18);
                const uint32_t b2 = a[8] ^ rol(d4o, 19);
                const uint32_t b3 = a[20] ^ rol(d0o, 28);
                const uint32_t b4 = d1e ^ rol(a[42], 29);

                a[20] = b0 ^ rol((b2 & ~rol(b1, 25)), 1);
                a[42] = (b3 & ~rol(b2, 26)) ^ rol(b1, 19);
                a[15] = (b4 & ~b3) ^ rol(b2, 26);
                a[36] = b3 ^ rol((b0 & ~rol(b4, 7)), 25);
                a[8] = (b1 & ~rol(b0, 6)) ^ rol(b4, 13);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d0o ^ rol(a[1], 29);
                const uint32_t b1 = d1o ^ rol(a[22], 7);
                const uint32_t b2 = a[45] ^ rol(d2e, 12);
                const uint32_t b3 = d3e ^ rol(a[17], 15);
                const uint32_t b4 = a[38] ^ rol(d4o, 29);

                a[1] = b0 ^ rol((b2 & ~rol(b1, 22)), 28) ^ rol(rc[5], 27);
                a[22] = b1 ^ rol((b3 & ~rol(b2, 23)), 19);
                a[45] = (b4 & ~rol(b3, 9)) ^ b2;
                a[17] = b3 ^ rol((b0 & ~rol(b4, 28)), 27);
                a[38] = (b1 & ~rol(b0, 14)) ^ rol(b4, 10);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d1e ^ rol(a[33], 12);
                const uint32_t b1 = d2o ^ rol(a[4], 31);
                const uint32_t b2 = a[26] ^ rol(d3e, 24);
                const uint32_t b3 = d4o ^ rol(a[48], 25);
                const uint32_t b4 = a[10] ^ rol(d0o, 4);

                a[10] = (b2 & ~rol(b1, 24)) ^ rol(b0, 9);
                a[33] = (b3 & ~rol(b2, 25)) ^ rol(b1, 17);
                a[4] = (b4 & ~rol(b3, 17)) ^ rol(b2, 10);
                a[26] = b3 ^ rol((b0 & ~rol(b4, 13)), 2);
                a[48] = (b1 & ~rol(b0, 17)) ^ rol(b4, 30);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[14] ^ rol(d2o, 7);
                const uint32_t b1 = a[37] ^ rol(d3e, 2);
                const uint32_t b2 = a[9] ^ rol(d4e, 29);
                const uint32_t b3 = a[21] ^ rol(d0e, 24);
                const uint32_t b4 = d1o ^ rol(a[43], 25);

                a[21] = (b2 & ~rol(b1, 26)) ^ rol(b0, 2);
                a[43] = (b3 & ~rol(b2, 3)) ^ rol(b1, 29);
                a[14] = b2 ^ rol((b4 & ~rol(b3, 26)), 3);
                a[37] = b3 ^ rol((b0 & ~rol(b4, 1)), 5);
                a[9] = (b1 & ~rol(b0, 8)) ^ rol(b4, 9);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d3e ^ rol(a[47], 9);
                const uint32_t b1 = a[18] ^ rol(d4e, 9);
                const uint32_t b2 = a[30] ^ rol(d0o, 24);
                const uint32_t b3 = a[2] ^ rol(d1o, 30);
                const uint32_t b4 = d2o ^ rol(a[24], 24);

                a[30] = b0 ^ rol((b2 & ~rol(b1, 27)), 1);
                a[2] = b1 ^ rol((b3 & ~rol(b2, 21)), 16);
                a[24] = (b4 & ~rol(b3, 18)) ^ rol(b2, 7);
                a[47] = b3 ^ rol((b0 & ~rol(b4, 26)), 20);
                a[18] = b4 ^ rol((b1 & ~rol(b0, 4)), 2);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d0e ^ rol(a[0], 31);
                const uint32_t b1 = d1e ^ rol(a[23], 27);
                const uint32_t b2 = d2o ^ rol(a[44], 30);
                const uint32_t b3 = d3o ^ rol(a[16], 28);
                const uint32_t b4 = a[39] ^ rol(d4e, 15);

                a[0] = b0 ^ rol((b2 & ~rol(b1, 20)), 31) ^ rc[4];
                a[23] = b1 ^ rol((b3 & ~rol(b2, 13)), 31);
                a[44] = (b4 & ~rol(b3, 17)) ^ rol(b2, 30);
                a[16] = b3 ^ rol((b0 & ~rol(b4, 1)), 14);
                a[39] = (b1 & ~rol(b0, 13)) ^ rol(b4, 14);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[32] ^ rol(d1o, 24);
                const uint32_t b1 = d2e ^ rol(a[5], 8);
                const uint32_t b2 = d3o ^ rol(a[27], 4);
                const uint32_t b3 = d4e ^ rol(a[49], 24);
                const uint32_t b4 = a[11] ^ rol(d0e, 3);

                a[11] = b0 ^ rol((b2 & ~rol(b1, 7)), 10);
                a[32] = b1 ^ rol((b3 & ~rol(b2, 7)), 18);
                a[5] = (b4 & ~rol(b3, 7)) ^ rol(b2, 14);
                a[27] = b3 ^ rol((b0 & ~rol(b4, 28)), 29);
                a[49] = (b1 & ~rol(b0, 15)) ^ rol(b4, 11);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d4e ^ rol(a[29], 12);
                const uint32_t b1 = d0o ^ rol(a[40], 31);
                const uint32_t b2 = a[12] ^ rol(d1o, 28);
                const uint32_t b3 = d2e ^ rol(a[34], 25);
                const uint32_t b4 = a[6] ^ rol(d3o, 16);

                a[40] = b0 ^ rol((b2 & ~rol(b1, 13)), 20);
                a[12] = b1 ^ rol((b3 & ~rol(b2, 11)), 8);
                a[34] = (b4 & ~rol(b3, 12)) ^ rol(b2, 23);
                a[6] = b3 ^ rol((b0 & ~rol(b4, 29)), 23);
                a[29] = b4 ^ rol((b1 & ~rol(b0, 31)), 4);
            }
        }
        {
            const uint32_t c2o = a[4] ^ rol(a[34], 9) ^ rol(a[14], 21) ^ rol(a[45], 23) ^ rol(a[25], 12);
            const uint32_t c1e = a[2] ^ rol(a[32], 17) ^ rol(a[13], 7) ^ rol(a[42], 20) ^ rol(a[23], 9);
            const uint32_t c0o = a[21] ^ rol(a[1], 6) ^ rol(a[31], 15) ^ rol(a[10], 21) ^ rol(a[40], 23);
            const uint32_t c4e = a[28] ^ rol(a[8], 31) ^ rol(a[39], 1) ^ rol(a[18], 22) ^ rol(a[49], 9);
            const uint32_t c1o = a[3] ^ rol(a[33], 26) ^ rol(a[12], 22) ^ rol(a[43], 27) ^ rol(a[22], 22);
            const uint32_t c2e = a[44] ^ rol(a[24], 7) ^ rol(a[5], 5) ^ rol(a[35], 14) ^ rol(a[15], 29);
            const uint32_t c3o = a[37] ^ rol(a[17], 14) ^ rol(a[46], 8) ^ rol(a[26], 31) ^ rol(a[6], 3);
            const uint32_t c4o = a[29] ^ rol(a[9], 6) ^ rol(a[38], 4) ^ rol(a[19], 3) ^ rol(a[48], 25);
            const uint32_t c3e = a[7] ^ rol(a[36], 8) ^ rol(a[16], 28) ^ rol(a[47], 4) ^ rol(a[27], 23);
            const uint32_t c0e = a[11] ^ rol(a[41], 12) ^ rol(a[20], 13) ^ rol(a[0], 22) ^ rol(a[30], 4);

            const uint32_t d0e = c1o ^ rol(c4e, 16);
            const uint32_t d0o = c1e ^ rol(c4o, 9);
            const uint32_t d1e = c0e ^ rol(c2o, 1);
            const uint32_t d1o = c0o ^ rol(c2e, 2);
            const uint32_t d2e = c3o ^ rol(c1e, 13);
            const uint32_t d2o = c1o ^ rol(c3e, 21);
            const uint32_t d3e = c4o ^ rol(c2e, 13);
            const uint32_t d3o = c4e ^ rol(c2o, 24);
            const uint32_t d4e = c3e ^ rol(c0o, 10);
            const uint32_t d4o = c3o ^ rol(c0e, 14);

            KEEP_ORDER();
            {
                const uint32_t b0 = a[38] ^ rol(d4o, 5);
                const uint32_t b1 = a[30] ^ rol(d0e, 20);
                const uint32_t b2 = a[32] ^ rol(d1e, 15);
                const uint32_t b3 = a[34] ^ rol(d2o, 14);
                const uint32_t b4 = d3e ^ rol(a[36], 10);

                a[30] = (b2 & ~b1) ^ rol(b0, 5);
                a[32] = b1 ^ rol((b3 & ~rol(b2, 5)), 27);
                a[34] = b2 ^ rol((b4 & ~rol(b3, 11)), 16);
                a[36] = rol((b0 & ~rol(b4, 11)) ^ rol(b3, 22), 5);
                a[38] = (b1 & ~rol(b0, 5)) ^ rol(b4, 16);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d3o ^ rol(a[17], 24);
                const uint32_t b1 = a[19] ^ rol(d4o, 6);
                const uint32_t b2 = d0e ^ rol(a[11], 8);
                const uint32_t b3 = a[13] ^ rol(d1e, 25);
                const uint32_t b4 = d2e ^ rol(a[15], 1);

                a[11] = b0 ^ rol((b2 & ~rol(b1, 29)), 3);
                a[13] = b1 ^ rol((b3 & ~rol(b2, 28)), 7);
                a[15] = rol(b2 ^ rol((b4 & ~rol(b3, 12)), 24), 3);
                a[17] = (b0 & ~rol(b4, 27)) ^ rol(b3, 7);
                a[19] = (b1 & ~b0) ^ rol(b4, 27);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[44] ^ rol(d2e, 28);
                const uint32_t b1 = a[46] ^ rol(d3o, 14);
                const uint32_t b2 = a[48] ^ rol(d4o, 16);
                const uint32_t b3 = d0o ^ rol(a[40], 12);
                const uint32_t b4 = d1e ^ rol(a[42], 20);

                a[40] = (b2 & ~b1) ^ b0;
                a[42] = b1 ^ rol((b3 & ~rol(b2, 1)), 31);
                a[44] = b2 ^ rol((b4 & ~rol(b3, 20)), 11);
                a[46] = (b0 & ~rol(b4, 11)) ^ rol(b3, 31);
                a[48] = (b1 & ~b0) ^ rol(b4, 11);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[1] ^ rol(d0o, 5);
                const uint32_t b1 = a[3] ^ rol(d1o, 30);
                const uint32_t b2 = a[5] ^ rol(d2e, 23);
                const uint32_t b3 = a[7] ^ rol(d3e, 30);
                const uint32_t b4 = a[9] ^ rol(d4o, 3);

                a[1] = rol((b2 & ~rol(b1, 28)) ^ rol(b0, 10) ^ rol(rc[7], 5), 27);
                a[3] = (b3 & ~rol(b2, 27)) ^ rol(b1, 23);
                a[5] = (b4 & ~b3) ^ rol(b2, 27);
                a[7] = b3 ^ rol((b0 & ~rol(b4, 27)), 5);
                a[9] = b4 ^ rol((b1 & ~rol(b0, 14)), 23);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d1e ^ rol(a[23], 9);
                const uint32_t b1 = d2o ^ rol(a[25], 21);
                const uint32_t b2 = d3e ^ rol(a[27], 25);
                const uint32_t b3 = d4o ^ rol(a[29], 23);
                const uint32_t b4 = d0o ^ rol(a[21], 21);

                a[21] = (b2 & ~rol(b1, 4)) ^ rol(b0, 10);
                a[23] = (b3 & ~b2) ^ rol(b1, 4);
                a[25] = b2 ^ rol((b4 & ~rol(b3, 13)), 19);
                a[27] = b3 ^ rol((b0 & ~rol(b4, 9)), 10);
                a[29] = rol((b1 & ~rol(b0, 6)) ^ rol(b4, 15), 4);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d2o ^ a[45];
                const uint32_t b1 = a[47] ^ rol(d3e, 26);
                const uint32_t b2 = d4e ^ rol(a[49], 5);
                const uint32_t b3 = a[41] ^ rol(d0e, 12);
                const uint32_t b4 = d1o ^ rol(a[43], 29);

                a[41] = b0 ^ rol((b2 & ~rol(b1, 12)), 9);
                a[43] = rol((b3 & ~rol(b2, 31)) ^ rol(b1, 11), 10);
                a[45] = (b4 & ~rol(b3, 10)) ^ rol(b2, 9);
                a[47] = (b0 & ~b4) ^ rol(b3, 10);
                a[49] = b4 ^ rol((b1 & ~rol(b0, 11)), 21);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[16] ^ rol(d3e, 2);
                const uint32_t b1 = d4e ^ rol(a[18], 18);
                const uint32_t b2 = a[10] ^ rol(d0o, 22);
                const uint32_t b3 = a[12] ^ rol(d1o, 8);
                const uint32_t b4 = d2o ^ rol(a[14], 30);

                a[10] = b0 ^ rol((b2 & ~rol(b1, 10)), 22);
                a[12] = b1 ^ rol((b3 & ~rol(b2, 8)), 14);
                a[14] = (b4 & ~rol(b3, 14)) ^ rol(b2, 22);
                a[16] = (b0 & ~b4) ^ rol(b3, 14);
                a[18] = (b1 & ~b0) ^ b4;
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[0] ^ rol(d0e, 2);
                const uint32_t b1 = d1e ^ a[2];
                const uint32_t b2 = d2o ^ rol(a[4], 9);
                const uint32_t b3 = a[6] ^ rol(d3o, 19);
                const uint32_t b4 = a[8] ^ rol(d4e, 5);

                a[0] = b0 ^ rol((b2 & ~rol(b1, 9)), 23) ^ rc[6];
                a[2] = b1 ^ rol((b3 & ~rol(b2, 13)), 10);
                a[4] = rol((b4 & ~rol(b3, 18)) ^ rol(b2, 31), 24);
                a[6] = (b0 & ~rol(b4, 24)) ^ rol(b3, 10);
                a[8] = (b1 & ~b0) ^ rol(b4, 24);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = d1o ^ rol(a[22], 24);
                const uint32_t b1 = d2e ^ rol(a[24], 11);
                const uint32_t b2 = d3o ^ rol(a[26], 9);
                const uint32_t b3 = a[28] ^ rol(d4e, 4);
                const uint32_t b4 = a[20] ^ rol(d0e, 11);

                a[20] = b0 ^ rol((b2 & ~rol(b1, 1)), 31);
                a[22] = b1 ^ rol((b3 & ~rol(b2, 9)), 22);
                a[24] = (b4 & ~rol(b3, 22)) ^ rol(b2, 31);
                a[26] = (b0 & ~b4) ^ rol(b3, 22);
                a[28] = b4 ^ (b1 & ~b0);
            }

            KEEP_ORDER();
            {
                const uint32_t b0 = a[39] ^ rol(d4e, 3);
                const uint32_t b1 = a[31] ^ rol(d0o, 28);
                const uint32_t b2 = a[33] ^ rol(d1o, 4);
                const uint32_t b3 = a[35] ^ rol(d2e, 14);
                const uint32_t b4 = a[37] ^ rol(d3o, 22);

                a[31] = b0 ^ (b2 & ~b1);
                a[33] = b1 ^ rol((b3 & ~rol(b2, 10)), 22);
                a[35] = b2 ^ rol((b4 & ~rol(b3, 30)), 24);
                a[37] = (b0 & ~rol(b4, 24)) ^ rol(b3, 22);
                a[39] = (b1 & ~b0) ^ rol(b4, 24);
            }
        }
        rc += 8;
    } while (rc != round_constants + 48);
}

void keccak_permute_all_c32(girih_sha3 *const h[], unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        keccak_permute_c32(h[i]);
}
