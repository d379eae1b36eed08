/* What the files of this backend share whatever the scheme: vectors and how they are loaded.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_VECTORS_H
#define GIRIH_BACKEND_X86_AVX2_VECTORS_H

#include <immintrin.h>
#include <stdint.h>

#include "common/bytes.h"

/* Helpers are small and their vectors must stay in registers, which a call would not allow at any optimisation level. */
#define INLINE static inline __attribute__((always_inline))

INLINE __m256i load(const int32_t *p)
{
    return _mm256_load_si256((const __m256i *)p);
}

INLINE void store(int32_t *p, __m256i x)
{
    _mm256_store_si256((__m256i *)p, x);
}

INLINE __m256i splat(int32_t x)
{
    return _mm256_set1_epi32(x);
}

INLINE __m256i both_halves(__m128i x)
{
    return _mm256_broadcastsi128_si256(x);
}

/* The lowest four bytes. */
INLINE void store_4(uint8_t *p, __m128i x)
{
    store_le32(p, (uint32_t)_mm_cvtsi128_si32(x));
}

/* The odd lanes in the place of the even ones; what is in the odd ones then does not matter. */
INLINE __m256i odd_lanes(__m256i x)
{
    return _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(x)));
}

#endif
