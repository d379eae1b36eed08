/* ExpandA and ExpandS, four streams at a time; lanes without a polynomial repeat the last one.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/avx2.h"
#include "backend/x86_avx2/compress.h"
#include "backend/x86_avx2/sponge_x4.h"
#include "backend/x86_avx2/table.h"
#include "common/ct.h"

#define A_BLOCKS 5    /* 840 bytes: 280 candidates, of which 1 in 1000 is refused; enough for a polynomial in all but 1 of 10^31 cases */
#define STRIDE 896

/* What the samplers keep in the caller's scratch. */
typedef struct {
    _Alignas(ARENA_ALIGN) uint64_t s[200];
    _Alignas(ARENA_ALIGN) uint8_t bytes[4][STRIDE];
    _Alignas(ARENA_ALIGN) int32_t poly[4][256];
} sampler;

_Static_assert(sizeof(sampler) <= MLDSA_SCRATCH_BYTES_AVX2, "scratch of backend avx2");
_Static_assert(A_BLOCKS * SHAKE128_RATE <= STRIDE, "a stream fits its buffer");

/* Eight values, of which `count` belong to a, go to a + n; no more than fit below 256. */
INLINE void append(int32_t a[256], unsigned n, __m256i values)
{
    if (n <= 248) {
        _mm256_storeu_si256((__m256i *)(a + n), values);
    } else {
        const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);

        _mm256_maskstore_epi32(a + n, _mm256_cmpgt_epi32(splat((int32_t)(256 - n)), lanes), values);
    }
}

/* FIPS 204, Algorithm 30 (RejNTTPoly) with Algorithm 14 (CoeffFromThreeBytes), from n coefficients on; returns how many there are then (256 or
 * more: all). len: a multiple of 24. Public. */
INLINE unsigned rej_ntt_poly(int32_t a[256], unsigned n, const uint8_t *bytes, unsigned len)
{
    const __m256i spread = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14,
                                            15, -1);

    for (unsigned i = 0; i < len && n < 256; i += 24) {
        const __m128i low = _mm_loadu_si128((const __m128i *)(bytes + i)), high = _mm_loadu_si128((const __m128i *)(bytes + i + 8));
        const __m256i t = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set_m128i(high, low), spread), splat(0x7FFFFF));
        const unsigned kept = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(splat(MLDSA_Q), t)));

        if (kept == 0xFF) {
            append(a, n, t);
            n += 8;
        } else {
            const __m256i places = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)compress_table[kept]));

            append(a, n, _mm256_permutevar8x32_epi32(t, places));
            n += (unsigned)_mm_popcnt_u32(kept);
        }
    }
    return n;
}

void mldsa_expand_a_avx2(int32_t *a_hat, const uint8_t rho[32], const mldsa_params *p, girih_backend id, void *scratch)
{
    const unsigned total = p->k * p->l;
    sampler *sm = (sampler *)scratch;

    (void)id;
    for (unsigned first = 0; first < total; first += 4) {
        const unsigned lanes = total - first < 4 ? total - first : 4;
        unsigned row[4], column[4], nonce[4], n[4] = {0}, blocks = A_BLOCKS, missing;

        for (unsigned lane = 0; lane < 4; lane++) {
            const unsigned index = lane < lanes ? first + lane : total - 1;

            row[lane] = index / p->l;
            column[lane] = index % p->l;
            nonce[lane] = row[lane] << 8 | column[lane];
        }
        sponge_x4_start(sm->s, rho, MLDSA_RHO_BYTES, nonce, SHAKE128_RATE);
        do {
            for (unsigned b = 0; b < blocks; b++)
                sponge_x4_squeeze(sm->bytes[0] + SHAKE128_RATE * b, STRIDE, sm->s, SHAKE128_RATE);
            missing = 0;
            for (unsigned lane = 0; lane < lanes; lane++) {
                n[lane] = rej_ntt_poly(sm->poly[lane], n[lane], sm->bytes[lane], SHAKE128_RATE * blocks);
                missing |= n[lane] < 256;
            }
            blocks = 1;
        } while (missing);
        for (unsigned lane = 0; lane < lanes; lane++)
            mldsa_a_hat_insert_avx2(a_hat, sm->poly[lane], row[lane], column[lane], p);
    }
}

/* FIPS 204, Algorithm 31 (RejBoundedPoly) with Algorithm 15 (CoeffFromHalfByte), from n coefficients on; returns how many there are then.
 * CT: the values only pass through vector instructions; which half-bytes are refused is public. */
INLINE unsigned rej_bounded_poly(int32_t a[256], unsigned n, const uint8_t bytes[SHAKE256_RATE], unsigned eta)
{
    /* eta - (b mod 5) for b < 15, or eta - b for b < 9 */
    const __m128i values = eta == 2 ? _mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0)
                                    : _mm_setr_epi8(4, 3, 2, 1, 0, -1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0);
    const __m128i limit = _mm_set1_epi8(eta == 2 ? 15 : 9);

    for (unsigned i = 0; i < SHAKE256_RATE && n < 256; i += 8) {
        const __m128i x = _mm_loadl_epi64((const __m128i *)(bytes + i)), low_half = _mm_set1_epi8(15);
        const __m128i halves = _mm_unpacklo_epi8(_mm_and_si128(x, low_half), _mm_and_si128(_mm_srli_epi16(x, 4), low_half));
        const __m128i s = _mm_shuffle_epi8(values, halves);
        unsigned kept = (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(halves, limit));
        unsigned first, second;

        GIRIH_DECLASSIFY(&kept, sizeof kept, "ExpandS: which half-bytes are refused says nothing about those that are kept");
        first = kept & 0xFF;
        second = kept >> 8;
        append(a, n, _mm256_cvtepi8_epi32(_mm_shuffle_epi8(s, _mm_cvtsi64_si128((long long)compress_table[first]))));
        n += (unsigned)_mm_popcnt_u32(first);
        if (n >= 256)
            break;
        append(a, n, _mm256_cvtepi8_epi32(_mm_shuffle_epi8(_mm_srli_si128(s, 8), _mm_cvtsi64_si128((long long)compress_table[second]))));
        n += (unsigned)_mm_popcnt_u32(second);
    }
    return n;
}

void mldsa_expand_s_avx2(int32_t *s, const uint8_t rho_prime[64], const mldsa_params *p, girih_backend id, void *scratch)
{
    const unsigned total = p->l + p->k;
    sampler *sm = (sampler *)scratch;

    (void)id;
    for (unsigned first = 0; first < total; first += 4) {
        const unsigned lanes = total - first < 4 ? total - first : 4;
        const unsigned nonce[4] = {first, first + 1, first + 2, first + 3};
        unsigned n[4] = {0}, missing;

        sponge_x4_start(sm->s, rho_prime, 64, nonce, SHAKE256_RATE);
        do {
            sponge_x4_squeeze(sm->bytes[0], STRIDE, sm->s, SHAKE256_RATE);
            missing = 0;
            for (unsigned lane = 0; lane < lanes; lane++) {
                n[lane] = rej_bounded_poly(s + MLDSA_N * (first + lane), n[lane], sm->bytes[lane], p->eta);
                missing |= n[lane] < 256;
            }
        } while (missing);
    }
}
