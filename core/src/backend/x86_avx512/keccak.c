/* Keccak-f[1600] for CPUs with AVX-512VL: rotations and functions of three words are one instruction each, and the 25 lanes stay in the 32
 * registers. Four states cost less than one does in the general registers, so one state goes the same way.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <immintrin.h>

#include "backend/c/keccak_round.h"
#include "backend/keccak.h"

#define INLINE static inline __attribute__((always_inline))

INLINE __m256i xor3(__m256i a, __m256i b, __m256i c)
{
    return _mm256_ternarylogic_epi64(a, b, c, 0x96);
}

/* FIPS 202, Algorithm 4 (chi) on one plane. */
INLINE void chi(__m256i e[5], __m256i b0, __m256i b1, __m256i b2, __m256i b3, __m256i b4)
{
    e[0] = _mm256_ternarylogic_epi64(b0, b1, b2, 0xD2); /* b0 ^ (~b1 & b2) */
    e[1] = _mm256_ternarylogic_epi64(b1, b2, b3, 0xD2);
    e[2] = _mm256_ternarylogic_epi64(b2, b3, b4, 0xD2);
    e[3] = _mm256_ternarylogic_epi64(b3, b4, b0, 0xD2);
    e[4] = _mm256_ternarylogic_epi64(b4, b0, b1, 0xD2);
}

/* FIPS 202, Algorithms 1-6: e = round(a). */
INLINE void round_x4(__m256i e[25], const __m256i a[25], uint64_t rc)
{
    __m256i c[5], d[5];

    for (unsigned x = 0; x < 5; x++)
        c[x] = xor3(xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
    for (unsigned x = 0; x < 5; x++)
        d[x] = _mm256_xor_si256(c[(x + 4) % 5], _mm256_rol_epi64(c[(x + 1) % 5], 1));
#define turned(from, x, n) _mm256_rol_epi64(_mm256_xor_si256(a[from], d[x]), n)
    chi(e + 0, turned(0, 0, 0), turned(6, 1, 44), turned(12, 2, 43), turned(18, 3, 21), turned(24, 4, 14));
    chi(e + 5, turned(3, 3, 28), turned(9, 4, 20), turned(10, 0, 3), turned(16, 1, 45), turned(22, 2, 61));
    chi(e + 10, turned(1, 1, 1), turned(7, 2, 6), turned(13, 3, 25), turned(19, 4, 8), turned(20, 0, 18));
    chi(e + 15, turned(4, 4, 27), turned(5, 0, 36), turned(11, 1, 10), turned(17, 2, 15), turned(23, 3, 56));
    chi(e + 20, turned(2, 2, 62), turned(8, 3, 55), turned(14, 4, 39), turned(15, 0, 41), turned(21, 1, 2));
#undef turned
    e[0] = _mm256_xor_si256(e[0], _mm256_set1_epi64x((long long)rc));
}

/* FIPS 202, Algorithm 7 (KECCAK-p[1600, 24]). */
INLINE void permute(__m256i a[25])
{
    __m256i e[25];

    for (unsigned i = 0; i < 24; i += 2) {
        round_x4(e, a, keccak_round_constants[i]);
        round_x4(a, e, keccak_round_constants[i + 1]);
    }
}

void keccak_permute_x4_avx512(uint64_t s[200])
{
    __m256i a[25];

    for (unsigned i = 0; i < 25; i++)
        a[i] = _mm256_load_si256((const __m256i *)(s + 4 * i));
    permute(a);
    for (unsigned i = 0; i < 25; i++)
        _mm256_store_si256((__m256i *)(s + 4 * i), a[i]);
}

void keccak_permute_avx512(girih_sha3 *h)
{
    uint64_t *lane = h->state.lane;
    __m256i a[25];

    for (unsigned i = 0; i < 25; i++)
        a[i] = _mm256_zextsi128_si256(_mm_cvtsi64_si128((long long)lane[i]));
    permute(a);
    for (unsigned i = 0; i < 25; i++)
        lane[i] = (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(a[i]));
}
