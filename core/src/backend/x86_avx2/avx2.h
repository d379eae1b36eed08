/* What the files of this backend share: vectors of eight coefficients, and the Montgomery reduction.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_AVX2_H
#define GIRIH_BACKEND_X86_AVX2_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "common/bytes.h"
#include "mldsa/params.h"

/* Helpers are small and their vectors must stay in registers, which a call would not allow at any optimisation level. */
#define INLINE static inline __attribute__((always_inline))

#define QINV 58728449 /* q^-1 mod 2^32 */
_Static_assert((uint32_t)((uint64_t)QINV *MLDSA_Q) == 1, "QINV is the inverse of q mod 2^32");

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

/* High halves of four 64-bit words of the even lanes, and of four of the odd lanes, as one vector. */
INLINE __m256i high_halves(__m256i even, __m256i odd)
{
#if defined(__AVX512VL__)
    return _mm256_castps_si256(_mm256_mask_movehdup_ps(_mm256_castsi256_ps(odd), 0x55, _mm256_castsi256_ps(even)));
#else
    return _mm256_blend_epi32(odd_lanes(even), odd, 0xAA);
#endif
}

/* x / 2^32 mod q for eight signed sums of products, |x| < 2^31 q. Result: |r| <= |x| / 2^32 + q / 2. */
INLINE __m256i montgomery(__m256i even, __m256i odd)
{
    const __m256i q = splat(MLDSA_Q), qinv = splat(QINV);
    const __m256i even_t = _mm256_mul_epi32(even, qinv), odd_t = _mm256_mul_epi32(odd, qinv);

    /* The low halves are equal: the differences have none, and the high halves need no borrow. */
    return high_halves(_mm256_sub_epi32(even, _mm256_mul_epi32(even_t, q)), _mm256_sub_epi32(odd, _mm256_mul_epi32(odd_t, q)));
}

/* x mod q in [0, q). In: |x| < q. */
INLINE __m256i positive(__m256i x)
{
    return _mm256_min_epu32(x, _mm256_add_epi32(x, splat(MLDSA_Q))); /* a negative x is large without its sign */
}

#endif
