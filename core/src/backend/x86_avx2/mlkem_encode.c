/* Encodings and compression of ML-KEM in AVX2.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/mlkem.h"
#include "common/ct.h"

/* The first `bytes` of each half, one behind the other. room: what may be written from out on, of which only 2 * bytes stay. */
INLINE void store_halves(uint8_t *out, __m256i x, unsigned bytes, size_t room)
{
    uint8_t whole[32];

    if (room >= bytes + 16) {
        _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(x));
        _mm_storeu_si128((__m128i *)(out + bytes), _mm256_extracti128_si256(x, 1));
    } else {
        _mm256_storeu_si256((__m256i *)whole, x);
        memcpy(out, whole, bytes);
        memcpy(out + bytes, whole + 16, bytes);
    }
}

/* Twice `bytes` of in, each at the beginning of a half. room: what may be read. */
INLINE __m256i load_halves(const uint8_t *in, unsigned bytes, size_t room)
{
    uint8_t whole[32] = {0};

    if (room >= bytes + 16)
        return _mm256_set_m128i(_mm_loadu_si128((const __m128i *)(in + bytes)), _mm_loadu_si128((const __m128i *)in));
    memcpy(whole, in, bytes);
    memcpy(whole + 16, in + bytes, bytes);
    return _mm256_loadu_si256((const __m256i *)whole);
}

/* Eight pairs of 12-bit numbers to 24 bytes. */
INLINE void pack_12(uint8_t *out, __m256i pairs, size_t room)
{
    const __m256i close =
        _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    const __m256i both = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 | 4096 << 16));

    store_halves(out, _mm256_shuffle_epi8(both, close), 12, room);
}

/* FIPS 203, Algorithm 5 (ByteEncode_12). In: hat, |a_i| <= 8q. */
void mlkem_encode_avx2(uint8_t encoded[384], const int16_t a[256])
{
    for (unsigned g = 0; g < 2; g++) {
        __m256i v[8];

        for (unsigned i = 0; i < 8; i++)
            v[i] = canonical16(load16(a + 128 * g + 16 * i));
        transpose_pairs(v);
        for (unsigned i = 0; i < 8; i++)
            pack_12(encoded + 192 * g + 24 * i, v[i], 384 - 192 * g - 24 * i);
    }
}

/* FIPS 203, Algorithm 6 (ByteDecode_12), without the reduction mod q. Out: hat, in [0, 4095]. Returns 1 when some a_i >= q, else 0. */
uint32_t mlkem_decode_avx2(int16_t a[256], const uint8_t encoded[384])
{
    const __m256i open =
        _mm256_setr_epi8(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11, 0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11);
    __m256i largest = _mm256_setzero_si256();

    for (unsigned g = 0; g < 2; g++) {
        __m256i v[8];

        for (unsigned i = 0; i < 8; i++) {
            const __m256i x = _mm256_shuffle_epi8(load_halves(encoded + 192 * g + 24 * i, 12, 384 - 192 * g - 24 * i), open);

            v[i] = _mm256_blend_epi16(_mm256_and_si256(x, splat16(0xFFF)), _mm256_srli_epi16(x, 4), 0xAA);
            largest = _mm256_max_epi16(largest, v[i]);
        }
        transpose_pairs(v);
        for (unsigned i = 0; i < 8; i++)
            store16(a + 128 * g + 16 * i, v[i]);
    }
    largest = _mm256_cmpgt_epi16(largest, splat16(MLKEM_Q - 1));
    return _mm256_testz_si256(largest, largest) ? 0 : 1;
}

/* t_hat = 2^16 r + e_hat. Out: in [0, q), hat; and encoded. In: |r_i| <= 15,000, |e_i| <= 8q. */
void mlkem_key_row_avx2(uint8_t encoded[384], int16_t t_hat[256], const int16_t r[256], const int16_t e_hat[256])
{
    for (unsigned i = 0; i < 256; i += 16) {
        const __m256i x = multiply16(load16(r + i), splat16(1353), splat16(20553)); /* 2^32 mod q */

        store16(t_hat + i, canonical16(_mm256_add_epi16(x, load16(e_hat + i))));
    }
    mlkem_encode_avx2(encoded, t_hat);
}

/* ByteEncode_d of Compress_d (FIPS 203, (4.7)) of sixteen numbers: 2 d bytes. |x| <= 2078 for d = 10, 2703 for d = 11, 6658 for d <= 5.
 * Compress_d(x) is the first d bits of x 1290167 mod 2^32 (backend/c/mlkem_field.h), here of its upper half, 1290167 = 20 2^16 - 20553: to
 * round, 2^(31-d) is added, which carries nothing from the lower. */
INLINE void compress_vector(uint8_t *out, __m256i x, unsigned d, size_t room)
{
    const __m256i fraction = _mm256_add_epi16(_mm256_mulhi_epi16(x, splat16(-20553)), _mm256_mullo_epi16(x, splat16(20)));
    const __m256i y = _mm256_srli_epi16(_mm256_add_epi16(fraction, splat16(1 << (15 - d))), (int)(16 - d));
    /* d bits become 2 d in 32, these 4 d in 64, and these 8 d in each half */
    const __m256i two = _mm256_madd_epi16(y, _mm256_set1_epi32(1 | 1 << (16 + d)));
    const __m256i four = _mm256_srli_epi64(_mm256_sllv_epi32(two, _mm256_set1_epi64x(32 - 2 * d)), (int)(32 - 2 * d));
    const __m256i second = _mm256_srli_si256(four, 8), low = _mm256_or_si256(four, _mm256_slli_epi64(second, (int)(4 * d)));

    store_halves(out, d < 8 ? low : _mm256_unpacklo_epi64(low, _mm256_srli_epi64(second, (int)(64 - 4 * d))), d, room);
}

INLINE void pack_u(uint8_t *packed, const int16_t a[256], const int16_t e[256], unsigned d)
{
    for (unsigned i = 0; i < 16; i++)
        compress_vector(packed + 2 * d * i, _mm256_add_epi16(load16(a + 16 * i), load16(e + 16 * i)), d, 2 * d * (16 - i));
}

/* FIPS 203, Algorithm 14, line 22. In: |a_i| <= 2050, |e_i| <= 2. */
void mlkem_pack_u_avx2(uint8_t *packed, const int16_t a[256], const int16_t e[256], unsigned du)
{
    if (du == 10)
        pack_u(packed, a, e, 10);
    else
        pack_u(packed, a, e, 11);
}

INLINE void pack_v(uint8_t *packed, const int16_t a[256], const int16_t e[256], const uint8_t m[32], unsigned d)
{
    const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, (short)0x8000);

    for (unsigned i = 0; i < 16; i++) {
        const __m256i bits = _mm256_and_si256(splat16(m[2 * i] | m[2 * i + 1] << 8), bit);
        const __m256i half = _mm256_and_si256(_mm256_cmpeq_epi16(bits, bit), splat16((MLKEM_Q + 1) / 2));
        const __m256i x = _mm256_add_epi16(load16(a + 16 * i), load16(e + 16 * i));

        compress_vector(packed + 2 * d * i, _mm256_add_epi16(x, half), d, 2 * d * (16 - i));
    }
}

/* FIPS 203, Algorithm 14, lines 20 to 23. In: |a_i| <= q, |e_i| <= 2.
 * CT: bits of m become masks. */
void mlkem_pack_v_avx2(uint8_t *packed, const int16_t a[256], const int16_t e[256], const uint8_t m[32], unsigned dv)
{
    if (dv == 4)
        pack_v(packed, a, e, m, 4);
    else
        pack_v(packed, a, e, m, 5);
}

/* Sixteen numbers of d bits as words: number j of each half begins in byte d j / 8 of it, in bit d j mod 8. Then Decompress_d (FIPS 203,
 * (4.8)): (y q + 2^(d-1)) / 2^d is what a multiplication that rounds at bit 15 makes of 2^(15-d) y. */
INLINE __m256i decompress_16(__m256i low, __m256i high, unsigned d)
{
    const __m256i at =
        _mm256_setr_epi32(0, (int)d % 8, 2 * (int)d % 8, 3 * (int)d % 8, 4 * (int)d % 8, 5 * (int)d % 8, 6 * (int)d % 8, 7 * (int)d % 8);
    const __m256i mask = _mm256_set1_epi32((1 << d) - 1);
    const __m256i first = _mm256_and_si256(_mm256_srlv_epi32(low, at), mask), second = _mm256_and_si256(_mm256_srlv_epi32(high, at), mask);
    const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), 0xD8);

    return _mm256_mulhrs_epi16(_mm256_slli_epi16(words, (int)(15 - d)), splat16(MLKEM_Q));
}

INLINE void unpack(int16_t a[256], const uint8_t *packed, const unsigned d)
{
    uint8_t from[32];

    for (unsigned j = 0; j < 8; j++)
        for (unsigned b = 0; b < 4; b++)
            from[4 * j + b] = (uint8_t)(d * j / 8 + b);
    for (unsigned i = 0; i < 16; i++) {
        const __m256i where = _mm256_loadu_si256((const __m256i *)from), halves = load_halves(packed + 2 * d * i, d, 2 * d * (16 - i));
        const __m256i low = _mm256_permute2x128_si256(halves, halves, 0x00), high = _mm256_permute2x128_si256(halves, halves, 0x11);

        store16(a + 16 * i, decompress_16(_mm256_shuffle_epi8(low, where), _mm256_shuffle_epi8(high, where), d));
    }
}

/* FIPS 203, Algorithm 15, line 3. Out: in [0, q). Public. */
void mlkem_unpack_u_avx2(int16_t a[256], const uint8_t *packed, unsigned du)
{
    if (du == 10)
        unpack(a, packed, 10);
    else
        unpack(a, packed, 11);
}

/* FIPS 203, Algorithm 15, line 4. Out: in [0, q). Public. */
void mlkem_unpack_v_avx2(int16_t a[256], const uint8_t *packed, unsigned dv)
{
    if (dv == 4)
        unpack(a, packed, 4);
    else
        unpack(a, packed, 5);
}

/* Whether Compress_1 of v - a is 1: whether it is nearer to q / 2 than to 0, |x mod q| > q / 4. */
INLINE __m256i is_one(const int16_t v[16], const int16_t a[16])
{
    const __m256i x = reduce16(_mm256_sub_epi16(load16(v), load16(a)));

    return _mm256_cmpgt_epi16(_mm256_abs_epi16(x), splat16((MLKEM_Q - 1) / 4)); /* |x| <= 1832: also where it is not the smallest */
}

/* FIPS 203, Algorithm 15, lines 6 and 7. In: v in [0, q), |a_i| <= q.
 * CT: comparisons make masks, and masks bits. */
void mlkem_message_avx2(uint8_t m[32], const int16_t v[256], const int16_t a[256])
{
    for (unsigned i = 0; i < 256; i += 32) {
        const __m256i both = _mm256_packs_epi16(is_one(v + i, a + i), is_one(v + i + 16, a + i + 16));

        store_le32(m + i / 8, (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(both, 0xD8)));
    }
}

/* CT: every byte is read. */
uint32_t mlkem_differ_avx2(const uint8_t *a, const uint8_t *b, size_t len)
{
    __m256i difference = _mm256_setzero_si256();
    uint32_t nonzero;

    for (size_t i = 0; i < len; i += 32)
        difference = _mm256_or_si256(
            difference, _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(a + i)), _mm256_loadu_si256((const __m256i *)(b + i))));
    nonzero = (uint32_t)~_mm256_movemask_epi8(_mm256_cmpeq_epi8(difference, _mm256_setzero_si256()));
    return ct_mask_nonzero(nonzero);
}
