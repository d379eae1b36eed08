/* z, and the masks y, as bytes: eight coefficients at a time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_Z_H
#define GIRIH_BACKEND_X86_AVX2_Z_H

#include "backend/x86_avx2/avx2.h"

/* FIPS 204, Algorithm 19 (BitUnpack) with b = gamma1 = 2^(bits - 1), bits 18 or 20: eight coefficients from `bits` bytes. Four fields begin
 * in each half of the vector; the second half is loaded so that it ends with the last byte. */
INLINE __m256i z_unpack_8(const uint8_t *packed, unsigned bits)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)packed);
    const __m128i high = _mm_loadu_si128((const __m128i *)(packed + bits - 16));
    /* three bytes for each field, and the bits in front of it */
    const __m256i bytes_18 = _mm256_set_m128i(_mm_setr_epi8(7, 8, 9, -1, 9, 10, 11, -1, 11, 12, 13, -1, 13, 14, 15, -1),
                                              _mm_setr_epi8(0, 1, 2, -1, 2, 3, 4, -1, 4, 5, 6, -1, 6, 7, 8, -1));
    const __m256i bytes_20 = _mm256_set_m128i(_mm_setr_epi8(6, 7, 8, -1, 8, 9, 10, -1, 11, 12, 13, -1, 13, 14, 15, -1),
                                              _mm_setr_epi8(0, 1, 2, -1, 2, 3, 4, -1, 5, 6, 7, -1, 7, 8, 9, -1));
    const __m256i shift_18 = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    const __m256i shift_20 = _mm256_setr_epi32(0, 4, 0, 4, 0, 4, 0, 4);
    const __m256i x = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), bits == 18 ? bytes_18 : bytes_20);
    const __m256i field = _mm256_and_si256(_mm256_srlv_epi32(x, bits == 18 ? shift_18 : shift_20), splat((1 << bits) - 1));

    return _mm256_sub_epi32(splat(1 << (bits - 1)), field);
}

/* FIPS 204, Algorithm 17 (BitPack) with b = gamma1: eight coefficients to `bits` bytes. */
INLINE void z_pack_8(uint8_t *packed, __m256i z, unsigned bits)
{
    const int drop = 32 - (int)bits;
    const __m256i x = _mm256_sub_epi32(splat(1 << (bits - 1)), z);
    /* two fields, one behind the other, in each 64 bits */
    const __m256i pairs = _mm256_srli_epi64(_mm256_sllv_epi32(x, _mm256_setr_epi32(drop, 0, drop, 0, drop, 0, drop, 0)), drop);
    __m256i fours;
    __m128i low, high;

    if (bits == 18) { /* 36 + 36 bits: the second pair begins in the middle of byte 4 */
        const __m256i shifted = _mm256_sllv_epi64(pairs, _mm256_setr_epi64x(0, 4, 0, 4));
        const __m128i whole = _mm_setr_epi8(0, 1, 2, 3, 4, 9, 10, 11, 12, -1, -1, -1, -1, -1, -1, -1);
        const __m128i middle = _mm_setr_epi8(-1, -1, -1, -1, 8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);

        fours = _mm256_or_si256(_mm256_shuffle_epi8(shifted, both_halves(whole)), _mm256_shuffle_epi8(shifted, both_halves(middle)));
        low = _mm256_castsi256_si128(fours);
        high = _mm256_extracti128_si256(fours, 1);
        _mm_storeu_si128((__m128i *)packed, _mm_or_si128(low, _mm_slli_si128(high, 9)));
        packed[16] = (uint8_t)_mm_extract_epi8(high, 7);
        packed[17] = (uint8_t)_mm_extract_epi8(high, 8);
    } else { /* 40 + 40 bits */
        const __m128i whole = _mm_setr_epi8(0, 1, 2, 3, 4, 8, 9, 10, 11, 12, -1, -1, -1, -1, -1, -1);

        fours = _mm256_shuffle_epi8(pairs, both_halves(whole));
        low = _mm256_castsi256_si128(fours);
        high = _mm256_extracti128_si256(fours, 1);
        _mm_storeu_si128((__m128i *)packed, _mm_or_si128(low, _mm_slli_si128(high, 10)));
        store_4(packed + 16, _mm_srli_si128(high, 6));
    }
}

#endif
