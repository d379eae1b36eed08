/* What the ML-KEM files of this backend share: vectors of sixteen coefficients, Montgomery's multiplication, the order "hat".
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hat: the transforms never mix the two coefficients of a pair, so a polynomial is 128 pairs of 32 bits, sixteen vectors of eight. Pair 64
 * g + 8 v + p of FIPS 203 (p < 8) lies in vector 8 g + p, place v: the last layers, and products, need no shuffle then. */
#ifndef GIRIH_BACKEND_X86_AVX2_MLKEM_H
#define GIRIH_BACKEND_X86_AVX2_MLKEM_H

#include "backend/mlkem.h"
#include "backend/x86_avx2/vectors.h"

#define MLKEM_HASHES_BYTES_AVX2  6144
#define MLKEM_HASHES_SECRET_AVX2 3840 /* of them, from the first */

/* 17^BitRev7(m) in Montgomery form (times 2^16, centred), and that times q^-1 mod 2^16. near: for group g, the roots of the layers of
 * distance 8 (one vector), 4 (two) and 2 (four coefficients), place v for pairs 64 g + 8 v ff. */
extern const int16_t mlkem_zetas_far[16][2];
extern const int16_t mlkem_zetas_near[2][7][2][16];
/* The same for the inverse, whose roots run backwards in each layer: 17^BitRev7 of 31 - m, 63 - m, 127 - m. */
extern const int16_t mlkem_zetas_near_inverse[2][7][2][16];

INLINE __m256i load16(const int16_t *p)
{
    return _mm256_load_si256((const __m256i *)p);
}

INLINE void store16(int16_t *p, __m256i x)
{
    _mm256_store_si256((__m256i *)p, x);
}

INLINE __m256i splat16(int x)
{
    return _mm256_set1_epi16((short)x);
}

/* x w / 2^16 mod q. w_q: w q^-1 mod 2^16. |r| <= |x| |w| / 2^16 + q / 2. */
INLINE __m256i multiply16(__m256i x, __m256i w, __m256i w_q)
{
    const __m256i t = _mm256_mullo_epi16(x, w_q);

    return _mm256_sub_epi16(_mm256_mulhi_epi16(x, w), _mm256_mulhi_epi16(t, splat16(MLKEM_Q)));
}

/* x mod q up to a multiple: a product with 2^16 mod q = -1044. |r| <= |x| / 62 + q / 2 <= 2187. */
INLINE __m256i reduce16(__m256i x)
{
    return multiply16(x, splat16(-1044), splat16(-20));
}

/* The representative in [0, q). */
INLINE __m256i canonical16(__m256i x)
{
    const __m256i q = splat16(MLKEM_Q), r = reduce16(x), positive = _mm256_add_epi16(r, _mm256_and_si256(_mm256_srai_epi16(r, 15), q));

    /* |r| <= 2187 is in (-q, q) */
    return positive;
}

/* Eight vectors of eight pairs: pair j of vector i changes places with pair i of vector j. */
INLINE void transpose_pairs(__m256i v[8])
{
    __m256i a[8], b[8];

    for (unsigned i = 0; i < 4; i++) {
        a[2 * i] = _mm256_unpacklo_epi32(v[2 * i], v[2 * i + 1]);
        a[2 * i + 1] = _mm256_unpackhi_epi32(v[2 * i], v[2 * i + 1]);
    }
    for (unsigned i = 0; i < 2; i++) {
        b[4 * i] = _mm256_unpacklo_epi64(a[4 * i], a[4 * i + 2]);
        b[4 * i + 1] = _mm256_unpackhi_epi64(a[4 * i], a[4 * i + 2]);
        b[4 * i + 2] = _mm256_unpacklo_epi64(a[4 * i + 1], a[4 * i + 3]);
        b[4 * i + 3] = _mm256_unpackhi_epi64(a[4 * i + 1], a[4 * i + 3]);
    }
    for (unsigned i = 0; i < 4; i++) {
        v[i] = _mm256_permute2x128_si256(b[i], b[4 + i], 0x20);
        v[4 + i] = _mm256_permute2x128_si256(b[i], b[4 + i], 0x31);
    }
}

/* Between the order of FIPS 203 and hat: the same both ways. */
INLINE void change_order(int16_t to[256], const int16_t from[256])
{
    for (unsigned g = 0; g < 2; g++) {
        __m256i v[8];

        for (unsigned i = 0; i < 8; i++)
            v[i] = load16(from + 128 * g + 16 * i);
        transpose_pairs(v);
        for (unsigned i = 0; i < 8; i++)
            store16(to + 128 * g + 16 * i, v[i]);
    }
}

void mlkem_hashes_start_avx2(void *room, girih_backend id);
void mlkem_hashes_run_avx2(void *room, mlkem_job *const jobs[], unsigned count, unsigned needed, mlkem_job *beside);
void mlkem_ntt_avx2(int16_t a[256]);
void mlkem_intt_avx2(int16_t a[256]);
void mlkem_product_cache_avx2(int16_t *cache, const int16_t b[256]);
void mlkem_product_avx2(int16_t r[256], const int16_t *a, unsigned stride, const int16_t *b, const int16_t *caches, unsigned k);
void mlkem_key_row_avx2(uint8_t encoded[384], int16_t t_hat[256], const int16_t r[256], const int16_t e_hat[256]);
void mlkem_encode_avx2(uint8_t encoded[384], const int16_t a[256]);
uint32_t mlkem_decode_avx2(int16_t a[256], const uint8_t encoded[384]);
void mlkem_pack_u_avx2(uint8_t *packed, const int16_t a[256], const int16_t e[256], unsigned du);
void mlkem_pack_v_avx2(uint8_t *packed, const int16_t a[256], const int16_t e[256], const uint8_t m[32], unsigned dv);
void mlkem_unpack_u_avx2(int16_t a[256], const uint8_t *packed, unsigned du);
void mlkem_unpack_v_avx2(int16_t a[256], const uint8_t *packed, unsigned dv);
void mlkem_message_avx2(uint8_t m[32], const int16_t v[256], const int16_t a[256]);
uint32_t mlkem_differ_avx2(const uint8_t *a, const uint8_t *b, size_t len);

#endif
