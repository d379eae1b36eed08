/* SHA-256 for test programs: names long expected outputs by 32 bytes, and shares nothing with the hashes under test.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_TESTS_SHA256_H
#define GIRIH_TESTS_SHA256_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void sha256_block(uint32_t h[8], const uint8_t block[64])
{
    static const uint32_t constant[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
        0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
        0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
        0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
        0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
        0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
#define SHA256_ROTR(x, n) ((x) >> (n) | (x) << (32 - (n)))
    uint32_t w[64], v[8];

    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (SHA256_ROTR(w[i - 15], 7) ^ SHA256_ROTR(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (SHA256_ROTR(w[i - 2], 17) ^ SHA256_ROTR(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = v[7] + (SHA256_ROTR(v[4], 6) ^ SHA256_ROTR(v[4], 11) ^ SHA256_ROTR(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) +
                      constant[i] + w[i];
        uint32_t t2 =
            (SHA256_ROTR(v[0], 2) ^ SHA256_ROTR(v[0], 13) ^ SHA256_ROTR(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
#undef SHA256_ROTR
}

/* out = SHA-256(a || b). */
static inline void sha256(uint8_t out[32], const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint64_t bits = (uint64_t)(a_len + b_len) * 8;
    uint8_t block[64];
    size_t used = 0;

    for (size_t i = 0; i < a_len + b_len; i++) {
        block[used++] = i < a_len ? a[i] : b[i - a_len];
        if (used == 64) {
            sha256_block(h, block);
            used = 0;
        }
    }
    block[used++] = 0x80;
    if (used > 56) {
        memset(block + used, 0, 64 - used);
        sha256_block(h, block);
        used = 0;
    }
    memset(block + used, 0, 56 - used);
    for (int i = 0; i < 8; i++)
        block[56 + i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_block(h, block);
    for (int i = 0; i < 32; i++)
        out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

#endif
