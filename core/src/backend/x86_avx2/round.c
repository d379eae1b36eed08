/* Rounding, hints and norms.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CT: vectors of eight coefficients from beginning to end. make_hint alone stores at a place that follows from the hints so far, which are
 * released; use_hint is public. */
#include "backend/x86_avx2/avx2.h"
#include "backend/x86_avx2/compress.h"
#include "backend/x86_avx2/table.h"
#include "common/ct.h"

/* Decompose divides by 2 gamma2 = odd * 2^shift: r1 = floor((r + gamma2 - 1) / (2 gamma2)) = floor(t / odd), where t is that sum without
 * its `shift` lowest bits. With m = ceil(2^e / odd), floor(t / odd) = floor(t * m / 2^e) as long as t * (m * odd - 2^e) < 2^e. */
#define LARGEST(gamma2, shift)    ((MLDSA_Q - 1 + (gamma2)-1) >> (shift)) /* t */
#define FITS_16(gamma2, shift, m) ((m) < 1 << 16 && LARGEST(gamma2, shift) < 1 << 16)
#define EXACT(gamma2, odd, shift, m, e)                                                                                                    \
    ((m) * (odd) >= INT64_C(1) << (e) && LARGEST(gamma2, shift) * ((m) * (odd) - (INT64_C(1) << (e))) < INT64_C(1) << (e))
#define GAMMA2_32 ((MLDSA_Q - 1) / 32)
#define GAMMA2_88 ((MLDSA_Q - 1) / 88)
_Static_assert(2 * GAMMA2_32 == 1023 << 9 && FITS_16(GAMMA2_32, 9, 32801) && EXACT(GAMMA2_32, 1023, 9, INT64_C(32801), 25),
               "decompose: exact division for gamma2 = (q - 1) / 32");
_Static_assert(2 * GAMMA2_88 == 93 << 11 && FITS_16(GAMMA2_88, 11, 45101) && EXACT(GAMMA2_88, 93, 11, INT64_C(45101), 22),
               "decompose: exact division for gamma2 = (q - 1) / 88");

/* FIPS 204, Algorithm 36 (Decompose), r1 before the correction of line 3: r in [0, q), result in [0, (q - 1) / (2 gamma2)]. */
INLINE __m256i high_bits_raw(__m256i r, unsigned den)
{
    if (den == 32)
        return _mm256_srli_epi32(_mm256_mulhi_epu16(_mm256_srli_epi32(_mm256_add_epi32(r, splat(GAMMA2_32 - 1)), 9), splat(32801)), 9);
    return _mm256_srli_epi32(_mm256_mulhi_epu16(_mm256_srli_epi32(_mm256_add_epi32(r, splat(GAMMA2_88 - 1)), 11), splat(45101)), 6);
}

/* FIPS 204, Algorithm 36 (Decompose). r in [0, q). Returns r1; *r0 in [-gamma2, gamma2]. The highest value of the raw r1 is the wrapped 0,
 * and takes one from r0. */
INLINE __m256i decompose(__m256i *r0, __m256i r, unsigned den)
{
    const __m256i raw = high_bits_raw(r, den);
    const __m256i wraps = _mm256_cmpeq_epi32(raw, splat((int)den / 2));

    *r0 = _mm256_add_epi32(_mm256_sub_epi32(r, _mm256_mullo_epi32(raw, splat(2 * ((MLDSA_Q - 1) / (int)den)))), wraps);
    return _mm256_andnot_si256(wraps, raw);
}

INLINE __m256i high_bits(__m256i r, unsigned den)
{
    const __m256i raw = high_bits_raw(r, den);

    return _mm256_andnot_si256(_mm256_cmpeq_epi32(raw, splat((int)den / 2)), raw);
}

/* Thirty-two values below 256, as bytes, in order but for their fours: of the vectors 0 to 3, first the low halves. */
INLINE __m256i bytes_of(const __m256i v[4])
{
    return _mm256_packus_epi16(_mm256_packus_epi32(v[0], v[1]), _mm256_packus_epi32(v[2], v[3]));
}

/* FIPS 204, Algorithm 28 (w1Encode): thirty-two coefficients to 16 bytes of 4 bits or 24 of 6. */
INLINE void w1_pack_32(uint8_t *packed, const __m256i r1[4], unsigned den)
{
    const __m256i bytes = bytes_of(r1);

    if (den == 32) { /* a byte for each pair, then fours of coefficients, two bytes, from both halves in turn */
        const __m256i pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi16(1 | 16 << 8));
        const __m256i fours = _mm256_packus_epi16(pairs, pairs);
        const __m128i low = _mm256_castsi256_si128(fours), high = _mm256_extracti128_si256(fours, 1);

        _mm_storeu_si128((__m128i *)packed, _mm_unpacklo_epi16(low, high));
    } else { /* 12 bits for each pair, 24 for each four */
        const __m256i pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi16(1 | 64 << 8));
        const __m256i fours = _mm256_madd_epi16(pairs, splat(1 | 4096 << 16));
        const __m128i low = _mm256_castsi256_si128(fours), high = _mm256_extracti128_si256(fours, 1);
        const __m128i squeeze = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
        const __m128i first = _mm_shuffle_epi8(_mm_unpacklo_epi32(low, high), squeeze);
        const __m128i second = _mm_shuffle_epi8(_mm_unpackhi_epi32(low, high), squeeze);

        _mm_storeu_si128((__m128i *)packed, _mm_or_si128(first, _mm_slli_si128(second, 12)));
        _mm_storel_epi64((__m128i *)(packed + 16), _mm_srli_si128(second, 4));
    }
}

INLINE void decompose_and_pack(uint8_t *w1, int32_t w[256], unsigned den)
{
    for (unsigned i = 0; i < MLDSA_N; i += 32, w1 += den == 32 ? 16 : 24) {
        __m256i r1[4], r0;

        for (unsigned j = 0; j < 4; j++) {
            r1[j] = decompose(&r0, positive(load(w + i + 8 * j)), den);
            store(w + i + 8 * j, r0);
        }
        w1_pack_32(w1, r1, den);
    }
}

void mldsa_decompose_avx2(uint8_t *w1, int32_t w[256], const mldsa_params *p)
{
    if (p->gamma2_den == 32)
        decompose_and_pack(w1, w, 32);
    else
        decompose_and_pack(w1, w, 88);
}

INLINE void high_bits_and_pack(uint8_t *w1, const int32_t w[256], unsigned den)
{
    for (unsigned i = 0; i < MLDSA_N; i += 32, w1 += den == 32 ? 16 : 24) {
        __m256i r1[4];

        for (unsigned j = 0; j < 4; j++)
            r1[j] = high_bits(positive(load(w + i + 8 * j)), den);
        w1_pack_32(w1, r1, den);
    }
}

/* FIPS 204, Algorithm 40 (UseHint) for one coefficient w, |w| < q, with its hint set: what to add to its w1, which was r1. */
INLINE int32_t hint_change(int32_t w, int32_t r1, int32_t gamma2, int32_t last)
{
    const int32_t r0 = w + (int32_t)(ct_mask_negative(w) & MLDSA_Q) - 2 * gamma2 * r1;
    const int32_t up = (r0 > 0) & (r0 <= gamma2); /* in bits: half of all branches would be foreseen wrongly */

    return (up & (r1 != last)) - (~up & (r1 != 0) & 1) + last * ((~up & (r1 == 0) & 1) - (up & (r1 == last)));
}

/* The few coefficients with a hint are mended in the packed bytes: before packing, they would be stored narrow and loaded wide again. */
void mldsa_use_hint_avx2(uint8_t *w1, const int32_t w[256], const uint8_t *positions, unsigned count, const mldsa_params *p)
{
    if (p->gamma2_den == 32) {
        high_bits_and_pack(w1, w, 32);
        for (unsigned n = 0; n < count; n++) {
            const unsigned i = positions[n], shift = 4 * (i & 1);

            w1[i / 2] = (uint8_t)(w1[i / 2] + hint_change(w[i], w1[i / 2] >> shift & 15, GAMMA2_32, 15) * (1 << shift));
        }
    } else {
        high_bits_and_pack(w1, w, 88);
        for (unsigned n = 0; n < count; n++) {
            const unsigned i = positions[n], shift = 6 * (i & 3);
            uint8_t *group = w1 + 3 * (i / 4);
            const int32_t four = (int32_t)load_le24(group);
            const int32_t mended = four + hint_change(w[i], four >> shift & 63, GAMMA2_88, 43) * (1 << shift);

            group[0] = (uint8_t)mended;
            group[1] = (uint8_t)(mended >> 8);
            group[2] = (uint8_t)(mended >> 16);
        }
    }
}

/* Eight coefficients of a packed w1. */
INLINE __m256i w1_unpack_8(const uint8_t *w1, unsigned i, unsigned den)
{
    __m256i bits;

    if (den == 32) {
        bits = splat((int32_t)load_le32(w1 + i / 2));
        return _mm256_and_si256(_mm256_srlv_epi32(bits, _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28)), splat(15));
    }
    w1 += i / 4 * 3; /* 24 bits for each four */
    bits = _mm256_set_m128i(_mm_set1_epi32((int32_t)load_le24(w1 + 3)), _mm_set1_epi32((int32_t)load_le24(w1)));
    return _mm256_and_si256(_mm256_srlv_epi32(bits, _mm256_setr_epi32(0, 6, 12, 18, 0, 6, 12, 18)), splat(63));
}

INLINE unsigned make_hint(uint8_t positions[256], const int32_t r[256], const uint8_t *w1, int32_t gamma2, unsigned den)
{
    unsigned count = 0;

    for (unsigned i = 0; i < MLDSA_N; i += 8) {
        const __m256i x = load(r + i);
        const __m256i outside = _mm256_cmpgt_epi32(_mm256_abs_epi32(x), splat(gamma2));
        const __m256i w1_is_0 = _mm256_cmpeq_epi32(w1_unpack_8(w1, i, den), _mm256_setzero_si256());
        const __m256i edge = _mm256_andnot_si256(w1_is_0, _mm256_cmpeq_epi32(x, splat(-gamma2)));
        unsigned hints = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_or_si256(outside, edge)));

        GIRIH_DECLASSIFY(&hints, sizeof hints,
                         "h: made only when z and r0 fit, and then a function of w - c s2 + c t0, which a verifier computes");
        store_le64(positions + count, girih_compress_table[hints] + UINT64_C(0x0101010101010101) * i); /* count <= i <= 248 */
        count += (unsigned)_mm_popcnt_u32(hints);
    }
    return count;
}

/* FIPS 204, Algorithm 39 (MakeHint). With w1 the high bits of w - c s2 and r its low bits plus c t0, the high bits change when r leaves
 * (-gamma2, gamma2], but not at r = -gamma2 where w1 = 0: there q - 1 wraps to 0. */
unsigned mldsa_make_hint_avx2(uint8_t positions[256], const int32_t r[256], const uint8_t *w1, const mldsa_params *p)
{
    if (p->gamma2_den == 32)
        return make_hint(positions, r, w1, GAMMA2_32, 32);
    return make_hint(positions, r, w1, GAMMA2_88, 88);
}

/* FIPS 204, Algorithm 35 (Power2Round) and Algorithm 16 (SimpleBitPack) of t1. */
void mldsa_power2round_avx2(uint8_t t1[MLDSA_T1_BYTES], int32_t t[256])
{
    for (unsigned i = 0; i < MLDSA_N; i += 8, t1 += 10) {
        const __m256i r = positive(load(t + i));
        const __m256i r1 = _mm256_srli_epi32(_mm256_add_epi32(r, splat((1 << (MLDSA_D - 1)) - 1)), MLDSA_D);
        /* ten bits each: pairs of twenty, one behind the other, then five bytes from each half */
        const __m256i pairs = _mm256_srli_epi64(_mm256_sllv_epi32(r1, _mm256_setr_epi32(22, 0, 22, 0, 22, 0, 22, 0)), 22);
        const __m256i fours = _mm256_or_si256(pairs, _mm256_slli_epi64(_mm256_bsrli_epi128(pairs, 8), 20));
        const __m128i low = _mm256_castsi256_si128(fours), high = _mm256_extracti128_si256(fours, 1);
        const __m128i eight = _mm_or_si128(_mm_and_si128(low, _mm_set_epi64x(0, 0xFFFFFFFFFF)),
                                           _mm_slli_si128(_mm_and_si128(high, _mm_set_epi64x(0, 0xFFFFFFFFFF)), 5));

        store(t + i, _mm256_sub_epi32(r, _mm256_slli_epi32(r1, MLDSA_D)));
        _mm_storel_epi64((__m128i *)t1, eight);
        t1[8] = (uint8_t)_mm_extract_epi8(eight, 8);
        t1[9] = (uint8_t)_mm_extract_epi8(eight, 9);
    }
}
