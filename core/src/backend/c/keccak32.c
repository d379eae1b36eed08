/* Keccak-f[1600] for 32-bit cores: bit-interleaved from init to wipe.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Lane i is word[2i] (its even bits) and word[2i + 1] (its odd bits), so that a rotation of 64 bits is two of 32 bits, free on most cores.
 * Bytes are converted when they enter and leave, never in between. */
#include "backend/keccak.h"
#include "common/bytes.h"

/* iota's constants (FIPS 202, Algorithm 5), even bits and odd bits. */
static const uint32_t round_constants[24][2] = {
    {0x00000001, 0x00000000}, {0x00000000, 0x00000089}, {0x00000000, 0x8000008b}, {0x00000000, 0x80008080},
    {0x00000001, 0x0000008b}, {0x00000001, 0x00008000}, {0x00000001, 0x80008088}, {0x00000001, 0x80000082},
    {0x00000000, 0x0000000b}, {0x00000000, 0x0000000a}, {0x00000001, 0x00008082}, {0x00000000, 0x00008003},
    {0x00000001, 0x0000808b}, {0x00000001, 0x8000000b}, {0x00000001, 0x8000008a}, {0x00000001, 0x80000081},
    {0x00000000, 0x80000081}, {0x00000000, 0x80000008}, {0x00000000, 0x00000083}, {0x00000000, 0x80008003},
    {0x00000001, 0x80008088}, {0x00000000, 0x80000088}, {0x00000001, 0x00008000}, {0x00000000, 0x80008082},
};

/* pi and rho (FIPS 202, Algorithms 3 and 2): lane i of the output is lane from, rotated left by offset. */
static const struct {
    uint8_t from, offset;
} pi_rho[25] = {
    {0, 0}, {6, 44}, {12, 43}, {18, 21}, {24, 14},
    {3, 28}, {9, 20}, {10, 3}, {16, 45}, {22, 61},
    {1, 1}, {7, 6}, {13, 25}, {19, 8}, {20, 18},
    {4, 27}, {5, 36}, {11, 10}, {17, 15}, {23, 56},
    {2, 62}, {8, 55}, {14, 39}, {15, 41}, {21, 2},
};

/* The even (half 0) or odd (half 1) bits of a lane rotated left by n, 0..63: bit j of the lane goes to bit j + n. */
static inline uint32_t rotated_half(const uint32_t lane[2], unsigned n, unsigned half)
{
    const uint32_t x = lane[half ^ (n & 1)];
    const unsigned by = ((n + 1 - half) / 2) & 31;

    return x << by | x >> ((32 - by) & 31);
}

/* theta (FIPS 202, Algorithm 1) on the lanes of column x: d = c[x - 1] ^ rot(c[x + 1], 1). */
static inline void theta_column(uint32_t a[50], const uint32_t left[2], const uint32_t right[2], unsigned x)
{
    const uint32_t even = left[0] ^ rotated_half(right, 1, 0), odd = left[1] ^ rotated_half(right, 1, 1);

    for (unsigned i = 2 * x; i < 50; i += 10) {
        a[i] ^= even;
        a[i + 1] ^= odd;
    }
}

/* chi (FIPS 202, Algorithm 4) on the same half of the five lanes of a row. */
static inline void chi_half_row(uint32_t *a, const uint32_t *b)
{
    a[0] = b[0] ^ (~b[2] & b[4]);
    a[2] = b[2] ^ (~b[4] & b[6]);
    a[4] = b[4] ^ (~b[6] & b[8]);
    a[6] = b[6] ^ (~b[8] & b[0]);
    a[8] = b[8] ^ (~b[0] & b[2]);
}

/* FIPS 202, Algorithm 7 (KECCAK-p[1600, 24]). */
void keccak_permute_c32(girih_sha3 *h)
{
    uint32_t *a = h->state.word;
    uint32_t b[50], c[10];

    for (unsigned round = 0; round < 24; round++) {
        for (unsigned x = 0; x < 10; x++)
            c[x] = a[x] ^ a[x + 10] ^ a[x + 20] ^ a[x + 30] ^ a[x + 40];
        theta_column(a, c + 8, c + 2, 0);
        theta_column(a, c, c + 4, 1);
        theta_column(a, c + 2, c + 6, 2);
        theta_column(a, c + 4, c + 8, 3);
        theta_column(a, c + 6, c, 4);
        for (unsigned i = 0; i < 25; i++) {
            const uint32_t *from = a + 2 * pi_rho[i].from;

            b[2 * i] = rotated_half(from, pi_rho[i].offset, 0);
            b[2 * i + 1] = rotated_half(from, pi_rho[i].offset, 1);
        }
        for (unsigned y = 0; y < 50; y += 10) {
            chi_half_row(a + y, b + y);
            chi_half_row(a + y + 1, b + y + 1);
        }
        a[0] ^= round_constants[round][0];
        a[1] ^= round_constants[round][1];
    }
    girih_wipe(b, sizeof b);
}

/* The 16 even bits of x, packed into the low half. */
static inline uint32_t even_bits(uint32_t x)
{
    x &= 0x55555555;
    x = (x | x >> 1) & 0x33333333;
    x = (x | x >> 2) & 0x0F0F0F0F;
    x = (x | x >> 4) & 0x00FF00FF;
    return (x | x >> 8) & 0x0000FFFF;
}

/* The inverse: the 16 low bits of x, spread over the even positions. */
static inline uint32_t spread_bits(uint32_t x)
{
    x &= 0x0000FFFF;
    x = (x | x << 8) & 0x00FF00FF;
    x = (x | x << 4) & 0x0F0F0F0F;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

void keccak_xor_bytes_c32(girih_sha3 *h, size_t offset, const uint8_t *data, size_t len)
{
    while (len != 0) {
        size_t at = offset % 8, n = 8 - at < len ? 8 - at : len;
        uint32_t *lane = h->state.word + 2 * (offset / 8);
        uint8_t bytes[8] = {0};
        uint32_t low, high;

        memcpy(bytes + at, data, n);
        low = load_le32(bytes);
        high = load_le32(bytes + 4);
        lane[0] ^= even_bits(low) | even_bits(high) << 16;
        lane[1] ^= even_bits(low >> 1) | even_bits(high >> 1) << 16;
        offset += n;
        data += n;
        len -= n;
    }
}

void keccak_extract_bytes_c32(const girih_sha3 *h, size_t offset, uint8_t *out, size_t len)
{
    while (len != 0) {
        size_t at = offset % 8, n = 8 - at < len ? 8 - at : len;
        const uint32_t *lane = h->state.word + 2 * (offset / 8);
        uint8_t bytes[8];

        store_le32(bytes, spread_bits(lane[0]) | spread_bits(lane[1]) << 1);
        store_le32(bytes + 4, spread_bits(lane[0] >> 16) | spread_bits(lane[1] >> 16) << 1);
        memcpy(out, bytes + at, n);
        offset += n;
        out += n;
        len -= n;
    }
}
