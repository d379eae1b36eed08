/* Sampling of ML-KEM from squeezed bytes, in AVX2.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_MLKEM_SAMPLE_H
#define GIRIH_BACKEND_X86_AVX2_MLKEM_SAMPLE_H

#include "backend/x86_avx2/compress.h"
#include "backend/x86_avx2/mlkem.h"
#include "keccak/sponge.h"

#define MLKEM_ENTRY_ROOM (MLKEM_N + 16) /* eight coefficients are stored at a time */

/* Those of eight candidates that are below q, to a + n; returns n and their number. */
INLINE unsigned keep_below_q(int16_t *a, unsigned n, __m128i t)
{
    const __m128i below = _mm_cmpgt_epi16(_mm_set1_epi16(MLKEM_Q), t);
    const unsigned kept = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(below, _mm_setzero_si128()));
    const __m128i places = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)girih_compress_table[kept]));
    const __m128i bytes = _mm_add_epi16(_mm_mullo_epi16(places, _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));

    _mm_storeu_si128((__m128i *)(a + n), _mm_shuffle_epi8(t, bytes));
    return n + (unsigned)_mm_popcnt_u32(kept);
}

/* FIPS 203, Algorithm 7 (SampleNTT), from n coefficients on, of one block; returns how many there are then (256 or more: all). a: room for
 * MLKEM_ENTRY_ROOM. bytes: 8 more may be read. Public. */
INLINE unsigned sample_ntt(int16_t *a, unsigned n, const uint8_t bytes[SHAKE128_RATE])
{
    const __m256i open = both_halves(_mm_setr_epi8(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11));

    for (unsigned i = 0; i < SHAKE128_RATE && n < MLKEM_N; i += 24) {
        const __m256i halves =
            _mm256_set_m128i(_mm_loadu_si128((const __m128i *)(bytes + i + 12)), _mm_loadu_si128((const __m128i *)(bytes + i)));
        const __m256i x = _mm256_shuffle_epi8(halves, open);
        const __m256i t = _mm256_blend_epi16(_mm256_and_si256(x, splat16(0xFFF)), _mm256_srli_epi16(x, 4), 0xAA);

        n = keep_below_q(a, n, _mm256_castsi256_si128(t));
        if (n < MLKEM_N)
            n = keep_below_q(a, n, _mm256_extracti128_si256(t, 1));
    }
    return n;
}

/* FIPS 203, Algorithm 8 (SamplePolyCBD_eta), eta = 2. Out: in [-2, 2].
 * CT: sums and differences of bits. */
INLINE void sample_cbd_2(int16_t a[256], const uint8_t bytes[128])
{
    const __m256i ones = _mm256_set1_epi8(0x55), twos = _mm256_set1_epi8(0x33), fours = _mm256_set1_epi8(0x0F), two = _mm256_set1_epi8(2);

    for (unsigned i = 0; i < 4; i++, a += 64) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(bytes + 32 * i));
        const __m256i sums = _mm256_add_epi8(_mm256_and_si256(x, ones), _mm256_and_si256(_mm256_srli_epi16(x, 1), ones));
        /* 2 + x - y in each half of a byte */
        const __m256i differences = _mm256_sub_epi8(_mm256_add_epi8(_mm256_and_si256(sums, twos), _mm256_set1_epi8(0x22)),
                                                    _mm256_and_si256(_mm256_srli_epi16(sums, 2), twos));
        const __m256i even = _mm256_sub_epi8(_mm256_and_si256(differences, fours), two);
        const __m256i odd = _mm256_sub_epi8(_mm256_and_si256(_mm256_srli_epi16(differences, 4), fours), two);
        const __m256i low = _mm256_unpacklo_epi8(even, odd), high = _mm256_unpackhi_epi8(even, odd);

        store16(a, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(low)));
        store16(a + 16, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(high)));
        store16(a + 32, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(low, 1)));
        store16(a + 48, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(high, 1)));
    }
}

/* The same, eta = 3. bytes: 4 more may be read. Out: in [-3, 3]. */
INLINE void sample_cbd_3(int16_t a[256], const uint8_t bytes[192])
{
    const __m256i three_bytes = both_halves(_mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
    const __m256i bits = _mm256_set1_epi32(0x249249), fields = _mm256_set1_epi32(0x1C71C7), threes = _mm256_set1_epi32(0x0C30C3);
    const __m256i six = _mm256_set1_epi32(63), upper_six = _mm256_set1_epi32(63 << 16);

    for (unsigned i = 0; i < 8; i++, a += 32) {
        const __m256i halves =
            _mm256_set_m128i(_mm_loadu_si128((const __m128i *)(bytes + 24 * i + 12)), _mm_loadu_si128((const __m128i *)(bytes + 24 * i)));
        const __m256i x = _mm256_shuffle_epi8(halves, three_bytes);
        const __m256i sums = _mm256_add_epi32(_mm256_and_si256(x, bits), _mm256_add_epi32(_mm256_and_si256(_mm256_srli_epi32(x, 1), bits),
                                                                                          _mm256_and_si256(_mm256_srli_epi32(x, 2), bits)));
        /* 3 + x - y in each of four fields of six bits */
        const __m256i d = _mm256_sub_epi32(_mm256_add_epi32(_mm256_and_si256(sums, fields), threes),
                                           _mm256_and_si256(_mm256_srli_epi32(sums, 3), fields));
        const __m256i first = _mm256_or_si256(_mm256_and_si256(d, six), _mm256_and_si256(_mm256_slli_epi32(d, 10), upper_six));
        const __m256i second =
            _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi32(d, 12), six), _mm256_and_si256(_mm256_srli_epi32(d, 2), upper_six));
        const __m256i low = _mm256_sub_epi16(_mm256_unpacklo_epi32(first, second), splat16(3));
        const __m256i high = _mm256_sub_epi16(_mm256_unpackhi_epi32(first, second), splat16(3));

        store16(a, _mm256_permute2x128_si256(low, high, 0x20));
        store16(a + 16, _mm256_permute2x128_si256(low, high, 0x31));
    }
}

#endif
