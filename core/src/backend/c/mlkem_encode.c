/* Encodings and compression of ML-KEM in portable C.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/c/mlkem_bits.h"
#include "backend/c/mlkem_field.h"
#include "common/ct.h"

/* FIPS 203, Algorithm 5 (ByteEncode_12). In: |a_i| <= 8q; written mod q. */
void mlkem_encode_c(uint8_t encoded[384], const int16_t a[256])
{
    for (const uint8_t *end = encoded + 384; encoded != end; encoded += 3, a += 2)
        encode_pair(encoded, (uint32_t)mlkem_canonical(a[0]), (uint32_t)mlkem_canonical(a[1]));
}

/* FIPS 203, Algorithm 6 (ByteDecode_12), without the reduction mod q. Out: in [0, 4095]. Returns 1 when some a_i >= q, else 0.
 * CT: every coefficient is read. */
uint32_t mlkem_decode_c(int16_t a[256], const uint8_t encoded[384])
{
    int32_t exceeds = 0;

    for (const uint8_t *end = encoded + 384; encoded != end; encoded += 3, a += 2) {
        const uint32_t pair = load_le24(encoded);
        const int32_t low = (int32_t)(pair & 0xFFF), high = (int32_t)(pair >> 12);

        exceeds |= (MLKEM_Q - 1 - low) | (MLKEM_Q - 1 - high);
        a[0] = (int16_t)low;
        a[1] = (int16_t)high;
    }
    return (uint32_t)exceeds >> 31;
}

/* ByteEncode_du(Compress_du(a + e)), FIPS 203, Algorithm 14, line 22. In: |a_i| <= 2050, |e_i| <= 2. */
void mlkem_pack_u_c(uint8_t *packed, const int16_t a[256], const int16_t e[256], unsigned du)
{
    bit_writer w = {packed, 0, 0};

    for (unsigned i = 0; i < 256; i++)
        bits_put(&w, mlkem_compress(a[i] + e[i], du), du);
}

/* ByteEncode_dv(Compress_dv(a + e + Decompress_1(m))), FIPS 203, Algorithm 14, lines 20 to 23. In: |a_i| <= q, |e_i| <= 2.
 * CT: a bit of m becomes a mask, which the compiler does not know to be one. */
void mlkem_pack_v_c(uint8_t *packed, const int16_t a[256], const int16_t e[256], const uint8_t m[32], unsigned dv)
{
    bit_writer w = {packed, 0, 0};

    for (unsigned i = 0; i < 256; i++) {
        const uint32_t mask = 0U - ct_barrier((uint32_t)m[i / 8] >> (i % 8) & 1U);

        bits_put(&w, mlkem_compress(a[i] + e[i] + (int32_t)(mask & ((MLKEM_Q + 1) / 2)), dv), dv);
    }
}

/* Decompress_d(ByteDecode_d), FIPS 203, Algorithm 15, lines 3 and 4. Out: in [0, q). Public. */
static void unpack(int16_t a[256], const uint8_t *packed, unsigned d)
{
    bit_reader r = {packed, 0, 0};

    for (unsigned i = 0; i < 256; i++)
        a[i] = (int16_t)mlkem_decompress(bits_get(&r, d), d);
}

void mlkem_unpack_u_c(int16_t a[256], const uint8_t *packed, unsigned du)
{
    unpack(a, packed, du);
}

void mlkem_unpack_v_c(int16_t a[256], const uint8_t *packed, unsigned dv)
{
    unpack(a, packed, dv);
}

/* ByteEncode_1(Compress_1(v - a)), FIPS 203, Algorithm 15, lines 6 and 7. In: v in [0, q), |a_i| <= q. */
void mlkem_message_c(uint8_t m[32], const int16_t v[256], const int16_t a[256])
{
    bit_writer w = {m, 0, 0};

    for (unsigned i = 0; i < 256; i++)
        bits_put(&w, mlkem_compress(v[i] - a[i], 1), 1);
}

/* CT: every byte is read. */
uint32_t mlkem_differ_c(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint32_t difference = 0;

    for (size_t i = 0; i < len; i++)
        difference |= (uint32_t)a[i] ^ (uint32_t)b[i];
    return ct_mask_nonzero(difference);
}
