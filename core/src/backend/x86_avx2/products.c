/* Products with the challenge, by additions alone: c has tau coefficients +-1, s1 and s2 fit a byte, t0 fits 16 bits.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A form is -s, s, -s one behind another. X^pos s is the 256 coefficients that begin pos before the middle s, and -X^pos s those that begin
 * pos before the last -s: no wrap, no sign, one offset a coefficient of c. Sums of bytes cannot overflow: a group has at most 127 / eta
 * terms; nor can those of 7 coefficients of t0 in 16 bits.
 * CT: the offsets depend on c, which is public; coefficients of secrets are only added. */
#include "backend/x86_avx2/avx2.h"
#include "backend/x86_avx2/compress.h"
#include "backend/x86_avx2/table.h"

#define T0_GROUP 7
_Static_assert((1 << (MLDSA_D - 1)) * T0_GROUP <= INT16_MAX, "a group of t0 fits 16 bits");

#define MOST_TERMS 60 /* tau of ML-DSA-87 */

/* What a challenge holds. */
typedef struct {
    uint16_t offset[MOST_TERMS + 8]; /* 256 - pos, or 512 - pos for a negative coefficient; they are stored by eights */
    unsigned count;
    _Alignas(ARENA_ALIGN) int8_t sum[2][256];
} challenge_avx2;

_Static_assert(sizeof(challenge_avx2) <= MLDSA_CHALLENGE_BYTES_AVX2, "challenge of backend avx2");

INLINE __m256i load_bytes(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

void mldsa_secret_form_avx2(void *form, const int32_t s[256])
{
    int8_t *t = (int8_t *)form;

    for (unsigned i = 0; i < MLDSA_N; i += 8) {
        const __m256i x = load(s + i);
        const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
        const __m128i plus = _mm_packs_epi16(words, words), minus = _mm_sub_epi8(_mm_setzero_si128(), plus);

        _mm_storel_epi64((__m128i *)(t + i), minus);
        _mm_storel_epi64((__m128i *)(t + 256 + i), plus);
        _mm_storel_epi64((__m128i *)(t + 512 + i), minus);
    }
}

void mldsa_t0_form_avx2(void *form, const int32_t t0[256])
{
    int16_t *t = (int16_t *)form;

    for (unsigned i = 0; i < MLDSA_N; i += 8) {
        const __m256i x = load(t0 + i);
        const __m128i plus = _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
        const __m128i minus = _mm_sub_epi16(_mm_setzero_si128(), plus);

        _mm_store_si128((__m128i *)(t + i), minus);
        _mm_store_si128((__m128i *)(t + 256 + i), plus);
        _mm_store_si128((__m128i *)(t + 512 + i), minus);
    }
}

void mldsa_challenge_form_avx2(void *challenge, const int32_t c[256], const mldsa_params *p)
{
    challenge_avx2 *ch = (challenge_avx2 *)challenge;
    __m256i plus = _mm256_setr_epi32(256, 255, 254, 253, 252, 251, 250, 249);
    unsigned n = 0;

    (void)p;
    for (unsigned i = 0; i < MLDSA_N; i += 8) {
        const __m256i x = load(c + i), is_0 = _mm256_cmpeq_epi32(x, _mm256_setzero_si256());
        const __m256i offsets = _mm256_add_epi32(plus, _mm256_and_si256(_mm256_srai_epi32(x, 31), splat(256)));
        const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(offsets), _mm256_extracti128_si256(offsets, 1));
        const unsigned set = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is_0)) ^ 0xFF;
        /* both bytes of each word that is kept */
        const __m128i places = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)girih_compress_table[set]));
        const __m128i bytes = _mm_add_epi16(_mm_mullo_epi16(places, _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));

        _mm_storeu_si128((__m128i *)(ch->offset + n), _mm_shuffle_epi8(words, bytes));
        n += (unsigned)_mm_popcnt_u32(set);
        plus = _mm256_sub_epi32(plus, splat(8));
    }
    ch->count = n;
}

/* Eight vectors, written out: as an array they would go through the stack. */
typedef struct {
    __m256i v0, v1, v2, v3, v4, v5, v6, v7;
} vectors;

INLINE vectors no_terms(void)
{
    const __m256i zero = _mm256_setzero_si256();

    return (vectors){zero, zero, zero, zero, zero, zero, zero, zero};
}

/* sum = the terms first .. last - 1 of c s. */
INLINE void add_terms(int8_t sum[256], const int8_t *form, const challenge_avx2 *ch, unsigned first, unsigned last)
{
    vectors a = no_terms();

    for (unsigned n = first; n < last; n++) {
        const int8_t *t = form + ch->offset[n];

        a.v0 = _mm256_add_epi8(a.v0, load_bytes(t));
        a.v1 = _mm256_add_epi8(a.v1, load_bytes(t + 32));
        a.v2 = _mm256_add_epi8(a.v2, load_bytes(t + 64));
        a.v3 = _mm256_add_epi8(a.v3, load_bytes(t + 96));
        a.v4 = _mm256_add_epi8(a.v4, load_bytes(t + 128));
        a.v5 = _mm256_add_epi8(a.v5, load_bytes(t + 160));
        a.v6 = _mm256_add_epi8(a.v6, load_bytes(t + 192));
        a.v7 = _mm256_add_epi8(a.v7, load_bytes(t + 224));
    }
    _mm256_store_si256((__m256i *)sum, a.v0);
    _mm256_store_si256((__m256i *)(sum + 32), a.v1);
    _mm256_store_si256((__m256i *)(sum + 64), a.v2);
    _mm256_store_si256((__m256i *)(sum + 96), a.v3);
    _mm256_store_si256((__m256i *)(sum + 128), a.v4);
    _mm256_store_si256((__m256i *)(sum + 160), a.v5);
    _mm256_store_si256((__m256i *)(sum + 192), a.v6);
    _mm256_store_si256((__m256i *)(sum + 224), a.v7);
}

/* Eight bytes of a sum as coefficients. */
INLINE __m256i widen(const int8_t *sum)
{
    return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)sum));
}

/* 1 when a lane of largest is at least bound. */
INLINE uint32_t reaches(__m256i largest, int32_t bound)
{
    return _mm256_movemask_epi8(_mm256_cmpgt_epi32(largest, splat(bound - 1))) != 0;
}

/* FIPS 204, Algorithm 7, lines 18-23. */
uint32_t mldsa_add_secret_avx2(int32_t r[256], const int32_t a[256], void *challenge, const void *form, int32_t bound,
                               const mldsa_params *p)
{
    challenge_avx2 *ch = (challenge_avx2 *)challenge;
    const unsigned most = p->eta == 2 ? 127 / 2 : 127 / 4;
    const unsigned half = ch->count < most ? ch->count : most;
    __m256i largest = _mm256_setzero_si256();

    add_terms(ch->sum[0], (const int8_t *)form, ch, 0, half);
    if (half == ch->count) {
        for (unsigned i = 0; i < MLDSA_N; i += 8) {
            const __m256i x = _mm256_add_epi32(load(a + i), widen(ch->sum[0] + i));

            store(r + i, x);
            largest = _mm256_max_epi32(largest, _mm256_abs_epi32(x));
        }
    } else {
        add_terms(ch->sum[1], (const int8_t *)form, ch, half, ch->count);
        for (unsigned i = 0; i < MLDSA_N; i += 8) {
            const __m256i x = _mm256_add_epi32(load(a + i), _mm256_add_epi32(widen(ch->sum[0] + i), widen(ch->sum[1] + i)));

            store(r + i, x);
            largest = _mm256_max_epi32(largest, _mm256_abs_epi32(x));
        }
    }
    return reaches(largest, bound);
}

/* The low eight, the high eight of sixteen sums as coefficients, added to a. */
INLINE __m256i add_low(__m256i a, __m256i sums)
{
    return _mm256_add_epi32(a, _mm256_cvtepi16_epi32(_mm256_castsi256_si128(sums)));
}

INLINE __m256i add_high(__m256i a, __m256i sums)
{
    return _mm256_add_epi32(a, _mm256_cvtepi16_epi32(_mm256_extracti128_si256(sums, 1)));
}

INLINE __m256i larger(__m256i largest, int32_t *r, __m256i x)
{
    store(r, x);
    return _mm256_max_epi32(largest, _mm256_abs_epi32(x));
}

uint32_t mldsa_times_t0_avx2(int32_t r[256], void *challenge, const void *form, const mldsa_params *p)
{
    const challenge_avx2 *ch = (const challenge_avx2 *)challenge;
    const __m256i zero = _mm256_setzero_si256();
    __m256i largest = zero;

    for (unsigned part = 0; part < MLDSA_N; part += 64) {
        const int16_t *from = (const int16_t *)form + part;
        int32_t *to = r + part;
        vectors sum = no_terms();

        for (unsigned n = 0; n < ch->count;) {
            const unsigned last = ch->count - n < T0_GROUP ? ch->count : n + T0_GROUP;
            __m256i a0 = zero, a1 = zero, a2 = zero, a3 = zero;

            for (; n < last; n++) {
                const int16_t *t = from + ch->offset[n];

                a0 = _mm256_add_epi16(a0, load_bytes(t));
                a1 = _mm256_add_epi16(a1, load_bytes(t + 16));
                a2 = _mm256_add_epi16(a2, load_bytes(t + 32));
                a3 = _mm256_add_epi16(a3, load_bytes(t + 48));
            }
            sum.v0 = add_low(sum.v0, a0);
            sum.v1 = add_high(sum.v1, a0);
            sum.v2 = add_low(sum.v2, a1);
            sum.v3 = add_high(sum.v3, a1);
            sum.v4 = add_low(sum.v4, a2);
            sum.v5 = add_high(sum.v5, a2);
            sum.v6 = add_low(sum.v6, a3);
            sum.v7 = add_high(sum.v7, a3);
        }
        largest = larger(largest, to, sum.v0);
        largest = larger(largest, to + 8, sum.v1);
        largest = larger(largest, to + 16, sum.v2);
        largest = larger(largest, to + 24, sum.v3);
        largest = larger(largest, to + 32, sum.v4);
        largest = larger(largest, to + 40, sum.v5);
        largest = larger(largest, to + 48, sum.v6);
        largest = larger(largest, to + 56, sum.v7);
    }
    return reaches(largest, p->gamma2);
}

#define DIGEST_VECTORS 8 /* as many as hide the latency of two products */

/* XXH32's rounds in 64 lanes; the lanes are then hashed in their turn. */
uint32_t mldsa_digest_avx2(const int32_t *words, size_t count)
{
    _Alignas(32) int32_t lanes[8 * DIGEST_VECTORS];
    const __m256i prime_1 = splat((int32_t)2654435761U), prime_2 = splat((int32_t)2246822519U);
    __m256i acc[DIGEST_VECTORS];

    for (int v = 0; v < DIGEST_VECTORS; v++)
        acc[v] = _mm256_mullo_epi32(prime_1, _mm256_add_epi32(splat(8 * v), _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8)));
    for (size_t i = 0; i < count; i += 8 * DIGEST_VECTORS) {
        for (unsigned v = 0; v < DIGEST_VECTORS; v++) {
            const __m256i x =
                _mm256_add_epi32(acc[v], _mm256_mullo_epi32(_mm256_loadu_si256((const __m256i *)(words + i + 8 * v)), prime_2));

            acc[v] = _mm256_mullo_epi32(_mm256_or_si256(_mm256_slli_epi32(x, 13), _mm256_srli_epi32(x, 19)), prime_1);
        }
    }
    for (unsigned v = 0; v < DIGEST_VECTORS; v++)
        _mm256_store_si256((__m256i *)(lanes + 8 * v), acc[v]);
    return mldsa_digest_c(lanes, 8 * DIGEST_VECTORS) + (uint32_t)count;
}
