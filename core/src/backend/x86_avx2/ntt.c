/* The NTT, its inverse, and products in its domain.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Both transforms take three passes over the polynomial: twice through two layers, with four vectors at a time, and once through the four
 * layers inside 16 adjacent coefficients, with four pairs of vectors side by side. Short loops: a transform runs between hashes, and the
 * time it takes to fetch its instructions again counts.
 *
 * No sum is ever reduced. Forward: a product is at most q/2 + |b| q/2 / 2^32 < 0.51 q for |b| <= 9q, so that |a| < q grows to less than
 * q + 8 * 0.51 q. Inverse: sums double in each layer, up to 256 (q - 1) < 2^31; the last layer multiplies every value. */
#include "backend/mldsa.h"
#include "backend/x86_avx2/avx2.h"
#include "backend/x86_avx2/order.h"
#include "backend/x86_avx2/table.h"
#include "backend/x86_avx2/zetas.h"

_Static_assert((int64_t)256 * (MLDSA_Q - 1) < INT64_C(1) << 31, "the sums of the inverse NTT fit 32 bits");

/* b * zeta / 2^32 mod q, |.| < q/2 + |b| q/2 / 2^32. zeta_odd: the odd lanes of zeta in the place of the even ones. */
INLINE __m256i times_zeta(__m256i b, __m256i zeta, __m256i zeta_odd, __m256i zeta_qinv)
{
    const __m256i q = splat(MLDSA_Q), t = _mm256_mullo_epi32(b, zeta_qinv);
    const __m256i even = _mm256_sub_epi32(_mm256_mul_epi32(b, zeta), _mm256_mul_epi32(t, q));
    const __m256i odd = _mm256_sub_epi32(_mm256_mul_epi32(odd_lanes(b), zeta_odd), _mm256_mul_epi32(odd_lanes(t), q));

    return high_halves(even, odd);
}

/* a, b = a + zeta b, a - zeta b. */
INLINE void forward_step(__m256i *a, __m256i *b, __m256i zeta, __m256i zeta_odd, __m256i zeta_qinv)
{
    const __m256i t = times_zeta(*b, zeta, zeta_odd, zeta_qinv);

    *b = _mm256_sub_epi32(*a, t);
    *a = _mm256_add_epi32(*a, t);
}

/* a, b = a + b, zeta (a - b). */
INLINE void inverse_step(__m256i *a, __m256i *b, __m256i zeta, __m256i zeta_odd, __m256i zeta_qinv)
{
    const __m256i t = _mm256_sub_epi32(*a, *b);

    *a = _mm256_add_epi32(*a, *b);
    *b = times_zeta(t, zeta, zeta_odd, zeta_qinv);
}

/* The same with one root for whole vectors. */
INLINE void forward_block(__m256i *a, __m256i *b, const int32_t zeta[2])
{
    forward_step(a, b, splat(zeta[0]), splat(zeta[0]), splat(zeta[1]));
}

INLINE void inverse_block(__m256i *a, __m256i *b, const int32_t zeta[2])
{
    inverse_step(a, b, splat(zeta[0]), splat(zeta[0]), splat(zeta[1]));
}

/* ... and with a root for each lane; in rows four and two neighbours share it. */
INLINE void forward_row(__m256i *a, __m256i *b, const zeta_layer *layer, unsigned row)
{
    forward_step(a, b, load(layer->zeta[row]), load(layer->zeta[row]), load(layer->zeta_qinv[row]));
}

INLINE void inverse_row(__m256i *a, __m256i *b, const zeta_layer *layer, unsigned row)
{
    inverse_step(a, b, load(layer->zeta[row]), load(layer->zeta[row]), load(layer->zeta_qinv[row]));
}

/* FIPS 204, Algorithm 41 (NTT): two layers on four vectors `stride` coefficients apart, with root z of the first layer. */
INLINE void forward_four(int32_t *a, unsigned stride, unsigned z)
{
    __m256i v0 = load(a), v1 = load(a + stride), v2 = load(a + 2 * stride), v3 = load(a + 3 * stride);

    forward_block(&v0, &v2, mldsa_forward_zetas.block[z]);
    forward_block(&v1, &v3, mldsa_forward_zetas.block[z]);
    forward_block(&v0, &v1, mldsa_forward_zetas.block[2 * z]);
    forward_block(&v2, &v3, mldsa_forward_zetas.block[2 * z + 1]);
    store(a, v0);
    store(a + stride, v1);
    store(a + 2 * stride, v2);
    store(a + 3 * stride, v3);
}

/* FIPS 204, Algorithm 41 (NTT), layers of length 8 to 1 on the group-th 64 coefficients. */
INLINE void forward_near(int32_t *a, unsigned group)
{
    __m256i v[8];

    for (unsigned j = 0; j < 8; j++)
        v[j] = load(a + 8 * j);
    for (unsigned j = 0; j < 4; j++)
        forward_block(&v[2 * j], &v[2 * j + 1], mldsa_forward_zetas.block[16 + 4 * group + j]);
    for (unsigned j = 0; j < 4; j++) {
        shuffle_4(&v[2 * j], &v[2 * j + 1]);
        forward_row(&v[2 * j], &v[2 * j + 1], &mldsa_forward_zetas.four, 4 * group + j);
    }
    for (unsigned j = 0; j < 4; j++) {
        shuffle_2(&v[2 * j], &v[2 * j + 1]);
        forward_row(&v[2 * j], &v[2 * j + 1], &mldsa_forward_zetas.two, 4 * group + j);
    }
    for (unsigned j = 0; j < 4; j++) {
        const zeta_layer *layer = &mldsa_forward_zetas.one;
        const __m256i zeta = load(layer->zeta[4 * group + j]);

        shuffle_1(&v[2 * j], &v[2 * j + 1]);
        forward_step(&v[2 * j], &v[2 * j + 1], zeta, odd_lanes(zeta), load(layer->zeta_qinv[4 * group + j]));
    }
    for (unsigned j = 0; j < 8; j++)
        store(a + 8 * j, v[j]);
}

/* FIPS 204, Algorithm 42 (NTT^-1), layers of length 1 to 8 on the group-th 64 coefficients. */
INLINE void inverse_near(int32_t *a, unsigned group)
{
    __m256i v[8];

    for (unsigned j = 0; j < 8; j++)
        v[j] = load(a + 8 * j);
    for (unsigned j = 0; j < 4; j++) {
        const zeta_layer *layer = &mldsa_inverse_zetas.one;
        const __m256i zeta = load(layer->zeta[4 * group + j]);

        inverse_step(&v[2 * j], &v[2 * j + 1], zeta, odd_lanes(zeta), load(layer->zeta_qinv[4 * group + j]));
        unshuffle_1(&v[2 * j], &v[2 * j + 1]);
    }
    for (unsigned j = 0; j < 4; j++) {
        inverse_row(&v[2 * j], &v[2 * j + 1], &mldsa_inverse_zetas.two, 4 * group + j);
        shuffle_2(&v[2 * j], &v[2 * j + 1]);
    }
    for (unsigned j = 0; j < 4; j++) {
        inverse_row(&v[2 * j], &v[2 * j + 1], &mldsa_inverse_zetas.four, 4 * group + j);
        shuffle_4(&v[2 * j], &v[2 * j + 1]);
    }
    for (unsigned j = 0; j < 4; j++)
        inverse_block(&v[2 * j], &v[2 * j + 1], mldsa_inverse_zetas.block[16 + 4 * group + j]);
    for (unsigned j = 0; j < 8; j++)
        store(a + 8 * j, v[j]);
}

/* FIPS 204, Algorithm 42 (NTT^-1): two layers on four vectors `stride` coefficients apart, with root z of the second layer. scaled: with
 * line 21; block 1 of the table holds its root times SCALE / 2^32. */
INLINE void inverse_four(int32_t *a, unsigned stride, unsigned z, int scaled)
{
    const __m256i scale = splat(SCALE), scale_qinv = splat((int32_t)((uint32_t)SCALE * QINV));
    __m256i v0 = load(a), v1 = load(a + stride), v2 = load(a + 2 * stride), v3 = load(a + 3 * stride);

    inverse_block(&v0, &v1, mldsa_inverse_zetas.block[2 * z]);
    inverse_block(&v2, &v3, mldsa_inverse_zetas.block[2 * z + 1]);
    inverse_block(&v0, &v2, mldsa_inverse_zetas.block[z]);
    inverse_block(&v1, &v3, mldsa_inverse_zetas.block[z]);
    store(a, scaled ? times_zeta(v0, scale, scale, scale_qinv) : v0);
    store(a + stride, scaled ? times_zeta(v1, scale, scale, scale_qinv) : v1);
    store(a + 2 * stride, v2);
    store(a + 3 * stride, v3);
}

void mldsa_ntt_avx2(int32_t a[256])
{
    for (unsigned i = 0; i < 8; i++)
        forward_four(a + 8 * i, 64, 1);
    for (unsigned i = 0; i < 4; i++) {
        forward_four(a + 64 * i, 16, 4 + i);
        forward_four(a + 64 * i + 8, 16, 4 + i);
    }
    for (unsigned i = 0; i < 4; i++)
        forward_near(a + 64 * i, i);
}

void mldsa_intt_avx2(int32_t a[256])
{
    for (unsigned i = 0; i < 4; i++)
        inverse_near(a + 64 * i, i);
    for (unsigned i = 0; i < 4; i++) {
        inverse_four(a + 64 * i, 16, 4 + i, 0);
        inverse_four(a + 64 * i + 8, 16, 4 + i, 0);
    }
    for (unsigned i = 0; i < 8; i++)
        inverse_four(a + 8 * i, 64, 1, 1);
}
