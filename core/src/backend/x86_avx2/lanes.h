/* The four-way permutation as four lanes, each at its own work.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_LANES_H
#define GIRIH_BACKEND_X86_AVX2_LANES_H

#include "backend/keccak.h"
#include "backend/x86_avx2/vectors.h"
#include "keccak/sponge.h"

/* All ones in lane n. */
INLINE __m256i only_lane(unsigned n)
{
    return _mm256_cmpeq_epi64(_mm256_setr_epi64x(0, 1, 2, 3), _mm256_set1_epi64x((long long)n));
}

/* Word i of the lane that `lane` marks becomes x. As a vector, since one that has just been written in part must reach the cache before it
 * can be read whole. */
INLINE void lane_put(uint64_t *s, unsigned i, __m256i lane, uint64_t x)
{
    __m256i *at = (__m256i *)(s + 4 * i);

    _mm256_store_si256(at, _mm256_blendv_epi8(_mm256_load_si256(at), _mm256_set1_epi64x((long long)x), lane));
}

/* Lane n becomes the state before the first permutation of a SHAKE over `count` words and then `tail`, which ends with the suffix. */
INLINE void lane_start(uint64_t *s, unsigned n, const uint64_t *words, unsigned count, uint64_t tail, unsigned rate)
{
    const __m256i lane = only_lane(n);

    for (unsigned i = 0; i < count; i++)
        lane_put(s, i, lane, words[i]);
    for (unsigned i = count; i < 25; i++)
        lane_put(s, i, lane, 0);
    lane_put(s, count, lane, tail);
    lane_put(s, rate / 8 - 1, lane, UINT64_C(0x80) << 56);
}

/* Four words of each lane, from s on. */
INLINE void lanes_extract_32(uint8_t *const out[4], unsigned at, const uint64_t *s)
{
    const __m256i a = _mm256_load_si256((const __m256i *)s), b = _mm256_load_si256((const __m256i *)(s + 4));
    const __m256i c = _mm256_load_si256((const __m256i *)(s + 8)), d = _mm256_load_si256((const __m256i *)(s + 12));
    const __m256i ab_even = _mm256_unpacklo_epi64(a, b), ab_odd = _mm256_unpackhi_epi64(a, b);
    const __m256i cd_even = _mm256_unpacklo_epi64(c, d), cd_odd = _mm256_unpackhi_epi64(c, d);

    _mm256_storeu_si256((__m256i *)(out[0] + at), _mm256_permute2x128_si256(ab_even, cd_even, 0x20));
    _mm256_storeu_si256((__m256i *)(out[1] + at), _mm256_permute2x128_si256(ab_odd, cd_odd, 0x20));
    _mm256_storeu_si256((__m256i *)(out[2] + at), _mm256_permute2x128_si256(ab_even, cd_even, 0x31));
    _mm256_storeu_si256((__m256i *)(out[3] + at), _mm256_permute2x128_si256(ab_odd, cd_odd, 0x31));
}

/* The first `rate` bytes of each lane (17 or 21 words: the last four overlap those before). */
INLINE void lanes_extract(uint8_t *const out[4], const uint64_t s[100], unsigned rate)
{
    const unsigned words = rate / 8;

    for (unsigned i = 0; i + 4 <= words; i += 4)
        lanes_extract_32(out, 8 * i, s + 4 * i);
    lanes_extract_32(out, rate - 32, s + 4 * (words - 4));
}

#endif
