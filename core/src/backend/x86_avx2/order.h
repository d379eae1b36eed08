/* The order in which this backend keeps 256 values of the NTT domain.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layers of length 4, 2 and 1 pair coefficients of one vector. Two vectors, sixteen coefficients, are shuffled until the partners face
 * each other, and stay as they fall: of the standard's values 16 n ... 16 n + 15, vector 2 n holds 0 4 2 6 8 12 10 14, vector 2 n + 1 holds
 * 1 5 3 7 9 13 11 15. */
#ifndef GIRIH_BACKEND_X86_AVX2_ORDER_H
#define GIRIH_BACKEND_X86_AVX2_ORDER_H

#include "backend/x86_avx2/avx2.h"

/* 0..7, 8..15 <-> 0..3 8..11, 4..7 12..15. */
INLINE void shuffle_4(__m256i *a, __m256i *b)
{
    const __m256i x = _mm256_permute2x128_si256(*a, *b, 0x20);

    *b = _mm256_permute2x128_si256(*a, *b, 0x31);
    *a = x;
}

/* 0..3 8..11, 4..7 12..15 <-> 0 1 4 5 8 9 12 13, 2 3 6 7 10 11 14 15. */
INLINE void shuffle_2(__m256i *a, __m256i *b)
{
    const __m256i x = _mm256_unpacklo_epi64(*a, *b);

    *b = _mm256_unpackhi_epi64(*a, *b);
    *a = x;
}

/* 0 1 4 5 8 9 12 13, 2 3 6 7 10 11 14 15 -> 0 4 2 6 8 12 10 14, 1 5 3 7 9 13 11 15. */
INLINE void shuffle_1(__m256i *a, __m256i *b)
{
    const __m256 x = _mm256_castsi256_ps(*a), y = _mm256_castsi256_ps(*b);

    *a = _mm256_castps_si256(_mm256_shuffle_ps(x, y, 0x88));
    *b = _mm256_castps_si256(_mm256_shuffle_ps(x, y, 0xDD));
}

/* The inverse of shuffle_1. */
INLINE void unshuffle_1(__m256i *a, __m256i *b)
{
    const __m256i x = _mm256_unpacklo_epi32(*a, *b);

    *b = _mm256_unpackhi_epi32(*a, *b);
    *a = x;
}

/* The standard's order, sixteen values, to this backend's, and back. */
INLINE void to_own_order(__m256i *a, __m256i *b)
{
    shuffle_4(a, b);
    shuffle_2(a, b);
    shuffle_1(a, b);
}

INLINE void from_own_order(__m256i *a, __m256i *b)
{
    unshuffle_1(a, b);
    shuffle_2(a, b);
    shuffle_4(a, b);
}

#endif
