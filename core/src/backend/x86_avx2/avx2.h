/* What the ML-DSA files of this backend share: the Montgomery reduction of vectors of eight coefficients.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_AVX2_H
#define GIRIH_BACKEND_X86_AVX2_AVX2_H

#include "backend/x86_avx2/vectors.h"
#include "mldsa/params.h"

#define QINV 58728449 /* q^-1 mod 2^32 */
_Static_assert((uint32_t)((uint64_t)QINV *MLDSA_Q) == 1, "QINV is the inverse of q mod 2^32");

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
