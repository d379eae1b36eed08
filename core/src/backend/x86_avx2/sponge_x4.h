/* Four SHAKE streams side by side, each of one seed and its own nonce.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_SPONGE_X4_H
#define GIRIH_BACKEND_X86_AVX2_SPONGE_X4_H

#include "backend/keccak.h"
#include "backend/x86_avx2/avx2.h"
#include "keccak/sponge.h"

/* The states before their first permutation: seed || nonce[n], padded, in one block. seed_len: 32 or 64; nonce: two bytes, low first. */
INLINE void sponge_x4_start(uint64_t s[200], const uint8_t *seed, unsigned seed_len, const unsigned nonce[4], unsigned rate)
{
    const unsigned words = seed_len / 8, last = rate / 8 - 1;

    memset(s, 0, 100 * sizeof s[0]);
    for (unsigned i = 0; i < words; i++)
        _mm256_store_si256((__m256i *)(s + 4 * i), _mm256_set1_epi64x((long long)load_le64(seed + 8 * i)));
    for (unsigned n = 0; n < 4; n++) {
        s[4 * words + n] = nonce[n] | (uint64_t)SHAKE_SUFFIX << 16;
        s[4 * last + n] ^= UINT64_C(0x80) << 56;
    }
}

/* Four words of each state, from word i on, to the four streams. */
INLINE void sponge_x4_extract_32(uint8_t *out, size_t stride, const uint64_t *s)
{
    const __m256i a = _mm256_load_si256((const __m256i *)s), b = _mm256_load_si256((const __m256i *)(s + 4));
    const __m256i c = _mm256_load_si256((const __m256i *)(s + 8)), d = _mm256_load_si256((const __m256i *)(s + 12));
    const __m256i ab_even = _mm256_unpacklo_epi64(a, b), ab_odd = _mm256_unpackhi_epi64(a, b);
    const __m256i cd_even = _mm256_unpacklo_epi64(c, d), cd_odd = _mm256_unpackhi_epi64(c, d);

    _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(ab_even, cd_even, 0x20));
    _mm256_storeu_si256((__m256i *)(out + stride), _mm256_permute2x128_si256(ab_odd, cd_odd, 0x20));
    _mm256_storeu_si256((__m256i *)(out + 2 * stride), _mm256_permute2x128_si256(ab_even, cd_even, 0x31));
    _mm256_storeu_si256((__m256i *)(out + 3 * stride), _mm256_permute2x128_si256(ab_odd, cd_odd, 0x31));
}

/* The next block of each stream, to out, out + stride, ... */
INLINE void sponge_x4_squeeze(uint8_t *out, size_t stride, uint64_t s[200], unsigned rate)
{
    const unsigned words = rate / 8; /* 17 or 21: the last four overlap those before */

    keccak_permute_x4_avx2(s);
    for (unsigned i = 0; i + 4 <= words; i += 4)
        sponge_x4_extract_32(out + 8 * i, stride, s + 4 * i);
    sponge_x4_extract_32(out + rate - 32, stride, s + 4 * (words - 4));
}

#endif
