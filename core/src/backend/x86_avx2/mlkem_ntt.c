/* The transforms and products of ML-KEM in AVX2.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/mlkem.h"

/* Loops of a constant number of rounds over vectors must vanish: their vectors live in registers. */
#define UNROLLED _Pragma("GCC unroll 8")

typedef struct {
    __m256i w, w_q;
} root;

INLINE root far_root(unsigned m)
{
    return (root){splat16(mlkem_zetas_far[m][0]), splat16(mlkem_zetas_far[m][1])};
}

INLINE root near_root(unsigned g, unsigned m)
{
    return (root){load16(mlkem_zetas_near[g][m][0]), load16(mlkem_zetas_near[g][m][1])};
}

INLINE root inverse_near(unsigned g, unsigned m)
{
    return (root){load16(mlkem_zetas_near_inverse[g][m][0]), load16(mlkem_zetas_near_inverse[g][m][1])};
}

/* (a, b) becomes (a + b w, a - b w). */
INLINE void butterfly(__m256i *a, __m256i *b, root z)
{
    const __m256i t = multiply16(*b, z.w, z.w_q);

    *b = _mm256_sub_epi16(*a, t);
    *a = _mm256_add_epi16(*a, t);
}

/* (a, b) becomes (a + b, (b - a) w). */
INLINE void inverse_butterfly(__m256i *a, __m256i *b, root z)
{
    const __m256i difference = _mm256_sub_epi16(*b, *a);

    *a = _mm256_add_epi16(*a, *b);
    *b = multiply16(difference, z.w, z.w_q);
}

/* FIPS 203, Algorithm 9 (NTT). In: |a_i| <= q. Out: |a_i| <= 8q: each of the 7 layers adds less than q.
 * CT: no data-dependent step. */
void mlkem_ntt_avx2(int16_t a[256])
{
    __m256i v[8];

    for (unsigned i = 0; i < 2; i++) { /* distances 128, 64, 32: vectors i, i + 2, ... */
        UNROLLED for (unsigned j = 0; j < 8; j++) v[j] = load16(a + 16 * (i + 2 * j));
        UNROLLED for (unsigned j = 0; j < 4; j++) butterfly(&v[j], &v[j + 4], far_root(1));
        UNROLLED for (unsigned j = 0; j < 4; j++) butterfly(&v[j / 2 * 4 + j % 2], &v[j / 2 * 4 + j % 2 + 2], far_root(2 + j / 2));
        UNROLLED for (unsigned j = 0; j < 4; j++) butterfly(&v[2 * j], &v[2 * j + 1], far_root(4 + j));
        UNROLLED for (unsigned j = 0; j < 8; j++) store16(a + 16 * (i + 2 * j), v[j]);
    }
    for (unsigned g = 0; g < 2; g++) { /* distance 16, then 8, 4, 2 on pairs that stand below each other */
        UNROLLED for (unsigned j = 0; j < 8; j++) v[j] = load16(a + 128 * g + 16 * j);
        UNROLLED for (unsigned j = 0; j < 4; j++) butterfly(&v[2 * j], &v[2 * j + 1], far_root(8 + 4 * g + j));
        transpose_pairs(v);
        UNROLLED for (unsigned j = 0; j < 4; j++) butterfly(&v[j], &v[j + 4], near_root(g, 0));
        UNROLLED for (unsigned j = 0; j < 4; j++) butterfly(&v[j / 2 * 4 + j % 2], &v[j / 2 * 4 + j % 2 + 2], near_root(g, 1 + j / 2));
        UNROLLED for (unsigned j = 0; j < 4; j++) butterfly(&v[2 * j], &v[2 * j + 1], near_root(g, 3 + j));
        UNROLLED for (unsigned j = 0; j < 8; j++) store16(a + 128 * g + 16 * j, v[j]);
    }
}

/* FIPS 203, Algorithm 10 (NTT^-1), times 2^16. In: |a_i| <= 15,100, as products are. Out: |a_i| <= 2044.
 * Bounds: sums of the first layer 30,200, reduced to 2147; differences 2433. Then 4866, 9732 and, after distance 16, 19,464, reduced to
 * 1978 (differences 2158); 4316, 8632, and 17,264 in registers, of which multiply16 makes 2044. */
void mlkem_intt_avx2(int16_t a[256])
{
    const root scale = {splat16(1441), splat16(-10079)};     /* 2^32 / 128 */
    const root scaled_root = {splat16(1397), splat16(5237)}; /* the same times 17^64, the root of the last layer */
    __m256i v[8];

    for (unsigned g = 0; g < 2; g++) {
        UNROLLED for (unsigned j = 0; j < 8; j++) v[j] = load16(a + 128 * g + 16 * j);
        UNROLLED for (unsigned j = 0; j < 4; j++) inverse_butterfly(&v[2 * j], &v[2 * j + 1], inverse_near(g, 3 + j));
        UNROLLED for (unsigned j = 0; j < 4; j++) v[2 * j] = reduce16(v[2 * j]);
        UNROLLED for (unsigned j = 0; j < 4; j++)
            inverse_butterfly(&v[j / 2 * 4 + j % 2], &v[j / 2 * 4 + j % 2 + 2], inverse_near(g, 1 + j / 2));
        UNROLLED for (unsigned j = 0; j < 4; j++) inverse_butterfly(&v[j], &v[j + 4], inverse_near(g, 0));
        transpose_pairs(v);
        UNROLLED for (unsigned j = 0; j < 4; j++) inverse_butterfly(&v[2 * j], &v[2 * j + 1], far_root(15 - 4 * g - j));
        UNROLLED for (unsigned j = 0; j < 4; j++) v[2 * j] = reduce16(v[2 * j]);
        UNROLLED for (unsigned j = 0; j < 8; j++) store16(a + 128 * g + 16 * j, v[j]);
    }
    for (unsigned i = 0; i < 2; i++) {
        UNROLLED for (unsigned j = 0; j < 8; j++) v[j] = load16(a + 16 * (i + 2 * j));
        UNROLLED for (unsigned j = 0; j < 4; j++) inverse_butterfly(&v[2 * j], &v[2 * j + 1], far_root(7 - j));
        UNROLLED for (unsigned j = 0; j < 4; j++) inverse_butterfly(&v[j / 2 * 4 + j % 2], &v[j / 2 * 4 + j % 2 + 2], far_root(3 - j / 2));
        UNROLLED for (unsigned j = 0; j < 4; j++)
        {
            inverse_butterfly(&v[j], &v[j + 4], scaled_root);
            v[j] = multiply16(v[j], scale.w, scale.w_q);
        }
        UNROLLED for (unsigned j = 0; j < 8; j++) store16(a + 16 * (i + 2 * j), v[j]);
    }
}

/* What a product reads of its second factor: each pair (b0, b1) as (b0, b1 gamma) (FIPS 203, Algorithm 12). In: |b_i| <= 8q. */
void mlkem_product_cache_avx2(int16_t *cache, const int16_t b[256])
{
    for (unsigned g = 0; g < 2; g++)
        for (unsigned h = 0; h < 4; h++) {
            const root gamma = near_root(g, 3 + h); /* of the even pair; of the odd one it is the negative */
            const unsigned at = 128 * g + 32 * h;
            const __m256i even = load16(b + at), odd = load16(b + at + 16);
            const __m256i even_t = multiply16(even, gamma.w, gamma.w_q), odd_t = multiply16(odd, gamma.w, gamma.w_q);

            store16(cache + at, _mm256_blend_epi16(even, even_t, 0xAA));
            store16(cache + at + 16, _mm256_blend_epi16(odd, _mm256_sub_epi16(_mm256_setzero_si256(), odd_t), 0xAA));
        }
}

/* Sixteen sums of products / 2^16 mod q, from those of the even places and those of the odd ones. |x| < 8.8 10^8. Out: |r| <= 15,100. */
INLINE __m256i reduce_sums(__m256i even, __m256i odd)
{
    const __m256i low = _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xAA);
    const __m256i high = _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xAA);
    const __m256i t = _mm256_mullo_epi16(low, splat16(-3327)); /* q^-1 mod 2^16: low halves are then equal, high ones need no borrow */

    return _mm256_sub_epi16(high, _mm256_mulhi_epi16(t, splat16(MLKEM_Q)));
}

/* FIPS 203, Algorithm 11 (MultiplyNTTs), summed over k, / 2^16. |a_i| <= 4095, |b_i| <= 8q: two products a summand, 8 in all,
 * 8.8 10^8. */
INLINE void product(int16_t r[256], const int16_t *a, size_t stride, const int16_t *b, const int16_t *caches, const unsigned k)
{
    const __m256i swap = both_halves(_mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));

    for (unsigned i = 0; i < 256; i += 16) {
        __m256i even = _mm256_setzero_si256(), odd = even;

        UNROLLED for (unsigned j = 0; j < k; j++)
        {
            const __m256i x = load16(a + 256 * stride * j + i);

            even = _mm256_add_epi32(even, _mm256_madd_epi16(x, load16(caches + 256 * j + i)));
            odd = _mm256_add_epi32(odd, _mm256_madd_epi16(x, _mm256_shuffle_epi8(load16(b + 256 * j + i), swap)));
        }
        store16(r + i, reduce_sums(even, odd));
    }
}

void mlkem_product_avx2(int16_t r[256], const int16_t *a, unsigned stride, const int16_t *b, const int16_t *caches, unsigned k)
{
    switch (k) {
    case 2:
        product(r, a, stride, b, caches, 2);
        break;
    case 3:
        product(r, a, stride, b, caches, 3);
        break;
    default:
        product(r, a, stride, b, caches, 4);
    }
}
