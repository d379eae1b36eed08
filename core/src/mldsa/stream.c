/* Steps for drivers that hold as little as they can.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/stream.h"

#include "common/bytes.h"
#include "common/ct.h"

/* What the samplers squeeze at a time: six lanes, which hold sixteen candidates for A_hat; and four. */
enum { UNIFORM_BYTES = 48, SECRET_BYTES = 32 };

void mldsa_row_load(int32_t a[256], const mldsa_row *row)
{
    for (unsigned i = 0; i < 256; i++)
        a[i] = mldsa_row_get(row, i);
}

void mldsa_stream_start(girih_sha3 *xof, unsigned rate, const uint8_t *seed, size_t seed_len, unsigned nonce, girih_backend id)
{
    const uint8_t tail[2] = {(uint8_t)nonce, (uint8_t)(nonce >> 8)};

    keccak_init(xof, rate, SHAKE_SUFFIX, id);
    keccak_absorb(xof, seed, seed_len);
    keccak_absorb(xof, tail, sizeof tail);
}

/* FIPS 204, Algorithm 14 (CoeffFromThreeBytes) but for the test: the candidate must be below q. */
GIRIH_INLINE int32_t candidate(const uint8_t bytes[3])
{
    return (int32_t)(load_le24(bytes) & 0x7FFFFF);
}

GIRIH_NOINLINE void mldsa_a_hat_row(mldsa_row *row, const uint8_t rho[32], unsigned i, unsigned j, girih_sha3 *xof, girih_backend id)
{
    uint32_t words[UNIFORM_BYTES / 4];
    unsigned done = 0;

    mldsa_stream_start(xof, SHAKE128_RATE, rho, MLDSA_RHO_BYTES, i << 8 | j, id);
    while (done < 256) {
        keccak_squeeze(xof, (uint8_t *)words, sizeof words);
        for (unsigned at = 0; at < UNIFORM_BYTES && done < 256; at += 3) {
            const int32_t a = candidate((const uint8_t *)words + at);

            if (a < MLDSA_Q)
                mldsa_row_put(row, done++, a);
        }
    }
}

/* CT: which candidates are refused is public. |a y_hat| / 2^32 + q/2 < 0.52 q is what a product adds. */
GIRIH_NOINLINE void mldsa_a_hat_add_product(mldsa_row *row, const int32_t y_hat[256], const uint8_t rho[32], unsigned i, unsigned j,
                                            girih_sha3 *xof, girih_backend id)
{
    uint32_t words[UNIFORM_BYTES / 4];
    unsigned done = 0;

    mldsa_stream_start(xof, SHAKE128_RATE, rho, MLDSA_RHO_BYTES, i << 8 | j, id);
    while (done < 256) {
        keccak_squeeze(xof, (uint8_t *)words, sizeof words);
        for (unsigned at = 0; at < UNIFORM_BYTES && done < 256; at += 3) {
            const int32_t a = candidate((const uint8_t *)words + at);

            if (a < MLDSA_Q) {
                mldsa_row_put(row, done, mldsa_reduce(mldsa_row_get(row, done) + mldsa_montgomery_reduce((int64_t)a * y_hat[done])));
                done++;
            }
        }
    }
}

/* With FIPS 204, Algorithm 15 (CoeffFromHalfByte). CT: branches on which half-bytes are refused, never on the value of one that is kept. */
GIRIH_NOINLINE void mldsa_secret_poly(int32_t s[256], const uint8_t rho_prime[64], unsigned r, const mldsa_params *p, girih_sha3 *xof,
                                      girih_backend id)
{
    const int32_t limit = p->eta == 2 ? 15 : 9;
    uint32_t words[SECRET_BYTES / 4];
    unsigned done = 0;

    mldsa_stream_start(xof, SHAKE256_RATE, rho_prime, 64, r, id);
    while (done < 256) {
        keccak_squeeze(xof, (uint8_t *)words, sizeof words);
        for (unsigned i = 0; i < 2 * SECRET_BYTES && done < 256; i++) {
            int32_t b = ((const uint8_t *)words)[i / 2] >> (4 * (i & 1)) & 15;
            uint32_t kept = ct_mask_negative(b - limit);

            GIRIH_DECLASSIFY(&kept, sizeof kept, "ExpandS: which half-bytes are refused says nothing about those that are kept");
            if (kept == 0)
                continue;
            if (p->eta == 2)
                b -= 5 * ((b * 205) >> 10); /* b mod 5 for b < 15 */
            s[done++] = (int32_t)p->eta - b;
        }
    }
}

void mldsa_z_unpack_eight(int32_t z[8], const uint8_t *packed, const mldsa_params *p)
{
    if (p->gamma1_bits == 17) {
        for (unsigned i = 0; i < 8; i += 4, packed += 9) {
            z[i] = p->gamma1 - (int32_t)(load_le24(packed) & 0x3FFFF);
            z[i + 1] = p->gamma1 - (int32_t)(load_le24(packed + 2) >> 2 & 0x3FFFF);
            z[i + 2] = p->gamma1 - (int32_t)(load_le24(packed + 4) >> 4 & 0x3FFFF);
            z[i + 3] = p->gamma1 - (int32_t)(load_le24(packed + 6) >> 6);
        }
        return;
    }
    for (unsigned i = 0; i < 8; i += 2, packed += 5) {
        z[i] = p->gamma1 - (int32_t)(load_le24(packed) & 0xFFFFF);
        z[i + 1] = p->gamma1 - (int32_t)(load_le24(packed + 2) >> 4);
    }
}

void mldsa_z_pack_eight(uint8_t *packed, const int32_t z[8], const mldsa_params *p)
{
    const unsigned bits = p->gamma1_bits + 1;
    uint32_t held = 0;
    unsigned n = 0; /* bits held: fewer than 8, so that 28 fit */

    for (unsigned i = 0; i < 8; i++) {
        held |= (uint32_t)(p->gamma1 - z[i]) << n;
        for (n += bits; n >= 8; n -= 8, held >>= 8)
            *packed++ = (uint8_t)held;
    }
}

GIRIH_NOINLINE void mldsa_sparse_challenge(mldsa_sparse *c, const uint8_t *c_tilde, int8_t room[256], const mldsa_params *p,
                                           girih_sha3 *xof, girih_backend id)
{
    uint8_t bytes[8], j;
    uint32_t signs[2];
    unsigned n = 0;

    keccak_init(xof, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(xof, c_tilde, p->c_tilde_bytes);
    keccak_squeeze(xof, bytes, sizeof bytes);
    signs[0] = load_le32(bytes);
    signs[1] = load_le32(bytes + 4);
    memset(room, 0, 256);
    for (unsigned i = 256 - p->tau; i < 256; i++, n++) {
        do
            keccak_squeeze(xof, &j, 1);
        while (j > i);
        room[i] = room[j];
        room[j] = (int8_t)(1 - 2 * (int)(signs[n / 32] >> (n % 32) & 1));
    }
    n = 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (unsigned i = 0; i < 256; i++) {
            if (room[i] == sign)
                c->place[n++] = (uint8_t)i;
        }
        if (sign == 1)
            c->positives = (uint8_t)n;
    }
    c->count = (uint8_t)n;
}

/* The eight negated ones behind the 256. */
static void small_finish(mldsa_small *out)
{
    for (unsigned i = 0; i < 8; i++)
        out->s[256 + i] = (int16_t)-out->s[i];
}

GIRIH_NOINLINE void mldsa_small_secret(mldsa_small *out, const uint8_t *packed, const mldsa_params *p)
{
    const unsigned bits = p->eta == 4 ? 4 : 3;

    for (unsigned i = 0; i < 256; i += 8, packed += bits) {
        uint32_t fields = bits == 4 ? load_le32(packed) : load_le24(packed);

        for (unsigned j = 0; j < 8; j++, fields >>= bits)
            out->s[i + j] = (int16_t)((int32_t)p->eta - (int32_t)(fields & ((1U << bits) - 1)));
    }
    small_finish(out);
}

/* Fields of bits bits, low first: offset - field, or field. */
static void small_unpack(mldsa_small *out, const uint8_t *packed, unsigned bits, int32_t offset, int32_t sign)
{
    uint32_t held = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < 256; i++) {
        for (; n < bits; n += 8)
            held |= (uint32_t)*packed++ << n;
        out->s[i] = (int16_t)(offset + sign * (int32_t)(held & ((1U << bits) - 1)));
        held >>= bits;
        n -= bits;
    }
    small_finish(out);
}

GIRIH_NOINLINE void mldsa_small_t0(mldsa_small *out, const uint8_t packed[MLDSA_T0_BYTES])
{
    small_unpack(out, packed, MLDSA_D, 1 << (MLDSA_D - 1), -1);
}

GIRIH_NOINLINE void mldsa_small_t1(mldsa_small *out, const uint8_t packed[MLDSA_T1_BYTES])
{
    small_unpack(out, packed, 10, 0, 1);
}

GIRIH_NOINLINE void mldsa_small_times(int32_t product[8], const mldsa_small *s, const mldsa_sparse *c, unsigned i)
{
    int32_t a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0;

    /* X^place moves coefficient i - place to i; below 0 it comes from the other end, negated. A factor of +-1 and not two branches: a
     * compiler would load all eight before it branches, and spill them. */
    for (unsigned n = 0; n < c->count; n++) {
        const unsigned at = i - c->place[n];
        const int16_t *from = s->s + (at & 255);
        const int32_t sign = 1 - 2 * (int32_t)((n >= c->positives) ^ (at >> 31));

        a0 += sign * from[0];
        a1 += sign * from[1];
        a2 += sign * from[2];
        a3 += sign * from[3];
        a4 += sign * from[4];
        a5 += sign * from[5];
        a6 += sign * from[6];
        a7 += sign * from[7];
    }
    product[0] = a0;
    product[1] = a1;
    product[2] = a2;
    product[3] = a3;
    product[4] = a4;
    product[5] = a5;
    product[6] = a6;
    product[7] = a7;
}

unsigned mldsa_hint_append(uint8_t *hints, unsigned n, unsigned i, int32_t r, int32_t ct0, const mldsa_params *p)
{
    int32_t r0;
    const int32_t before = mldsa_decompose(&r0, r, p), after = mldsa_decompose(&r0, mldsa_to_positive(mldsa_reduce(r + ct0)), p);
    uint32_t hint = ct_mask_nonzero((uint32_t)(before - after)) & 1;

    GIRIH_DECLASSIFY(&hint, sizeof hint,
                     "h: made only when z and r0 fit, and then a function of w - c s2 + c t0, which a verifier computes");
    if (hint == 0 || n > p->omega)
        return n;
    if (n < p->omega)
        hints[n] = (uint8_t)i;
    return n + 1;
}
