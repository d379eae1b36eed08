/* Sampling of ML-DSA in portable C, one stream at a time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/mldsa.h"
#include "common/arena.h"
#include "common/bytes.h"
#include "common/ct.h"
#include "keccak/sponge.h"

/* What the three samplers use of their scratch. */
typedef struct {
    girih_sha3 xof;
    uint8_t bytes[640]; /* a mask of gamma1 = 2^19, or a block */
} sampler;

_Static_assert(sizeof(sampler) <= MLDSA_SCRATCH_BYTES_C, "scratch of backend c");

/* The stream of seed || nonce. nonce: two bytes, low first. */
static void start(sampler *s, unsigned rate, const uint8_t *seed, size_t seed_len, unsigned nonce, girih_backend id)
{
    const uint8_t tail[2] = {(uint8_t)nonce, (uint8_t)(nonce >> 8)};

    keccak_init(&s->xof, rate, SHAKE_SUFFIX, id);
    keccak_absorb(&s->xof, seed, seed_len);
    keccak_absorb(&s->xof, tail, sizeof tail);
}

/* FIPS 204, Algorithm 30 (RejNTTPoly) with Algorithm 14 (CoeffFromThreeBytes). Out: in [0, q). Public. */
static void mldsa_rej_ntt_poly(int32_t a[256], sampler *s)
{
    unsigned n = 0;

    while (n < 256) {
        keccak_squeeze(&s->xof, s->bytes, SHAKE128_RATE);
        for (unsigned i = 0; i < SHAKE128_RATE && n < 256; i += 3) {
            int32_t t = (int32_t)(load_le24(s->bytes + i) & 0x7FFFFF);

            if (t < MLDSA_Q)
                a[n++] = t;
        }
    }
}

/* FIPS 204, Algorithm 31 (RejBoundedPoly) with Algorithm 15 (CoeffFromHalfByte). Out: in [-eta, eta].
 * CT: branches on which half-bytes are refused, never on the value of one that is kept. */
static void mldsa_rej_bounded_poly(int32_t a[256], sampler *s, unsigned eta)
{
    const int32_t limit = eta == 2 ? 15 : 9;
    unsigned n = 0;

    while (n < 256) {
        keccak_squeeze(&s->xof, s->bytes, SHAKE256_RATE);
        for (unsigned i = 0; i < 2 * SHAKE256_RATE && n < 256; i++) {
            int32_t b = s->bytes[i / 2] >> (4 * (i & 1)) & 15;
            uint32_t kept = ct_mask_negative(b - limit);

            GIRIH_DECLASSIFY(&kept, sizeof kept, "ExpandS: which half-bytes are refused says nothing about those that are kept");
            if (kept == 0)
                continue;
            if (eta == 2)
                b -= 5 * ((b * 205) >> 10); /* b mod 5 for b < 15 */
            a[n++] = (int32_t)eta - b;
        }
    }
}

/* FIPS 204, Algorithm 32 (ExpandA). Polynomial (r, s) comes from rho || s || r. */
void mldsa_expand_a_c(int32_t *a_hat, const uint8_t rho[32], const mldsa_params *p, girih_backend id, void *scratch)
{
    sampler *s = (sampler *)scratch;

    for (unsigned i = 0; i < p->k; i++) {
        for (unsigned j = 0; j < p->l; j++, a_hat += 256) {
            start(s, SHAKE128_RATE, rho, MLDSA_RHO_BYTES, i << 8 | j, id);
            mldsa_rej_ntt_poly(a_hat, s);
        }
    }
}

/* FIPS 204, Algorithm 33 (ExpandS). s1, then s2. */
void mldsa_expand_s_c(int32_t *s, const uint8_t rho_prime[64], const mldsa_params *p, girih_backend id, void *scratch)
{
    sampler *state = (sampler *)scratch;

    for (unsigned r = 0; r < p->l + p->k; r++, s += 256) {
        start(state, SHAKE256_RATE, rho_prime, 64, r, id);
        mldsa_rej_bounded_poly(s, state, p->eta);
    }
}

/* FIPS 204, Algorithm 34 (ExpandMask). Out: in (-gamma1, gamma1]. */
void mldsa_expand_mask_c(int32_t *y, const uint8_t rho_prime[64], unsigned kappa, const mldsa_params *p, girih_backend id, void *scratch)
{
    sampler *s = (sampler *)scratch;

    for (unsigned r = 0; r < p->l; r++, y += 256) {
        start(s, SHAKE256_RATE, rho_prime, 64, kappa + r, id);
        keccak_squeeze(&s->xof, s->bytes, p->z_bytes);
        (void)mldsa_z_unpack_exceeds_c(y, s->bytes, p); /* BitUnpack; a mask has no bound to fit */
    }
}
