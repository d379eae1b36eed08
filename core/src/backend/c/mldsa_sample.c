/* Sampling of ML-DSA in portable C, one stream at a time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/mldsa.h"
#include "common/bytes.h"
#include "common/ct.h"
#include "keccak/sponge.h"
#include "mldsa/challenge.h"

/* The hashes of a key, one after the other. */
typedef struct {
    girih_sha3 xof;
    girih_sha3 pk;
    uint8_t bytes[SHAKE128_RATE]; /* the longer block */
    uint8_t rho[32];
    unsigned row;
    girih_backend id;
} sampler;

_Static_assert(sizeof(sampler) <= MLDSA_ROWS_BYTES_C, "rows of backend c");

/* The stream of seed || nonce. nonce: two bytes, low first. */
static void start(girih_sha3 *xof, unsigned rate, const uint8_t *seed, size_t seed_len, unsigned nonce, girih_backend id)
{
    const uint8_t tail[2] = {(uint8_t)nonce, (uint8_t)(nonce >> 8)};

    keccak_init(xof, rate, SHAKE_SUFFIX, id);
    keccak_absorb(xof, seed, seed_len);
    keccak_absorb(xof, tail, sizeof tail);
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

void mldsa_rows_start_c(void *rows, const uint8_t rho[32], const mldsa_params *p, girih_backend id)
{
    sampler *s = (sampler *)rows;

    (void)p;
    keccak_init(&s->pk, SHAKE256_RATE, SHAKE_SUFFIX, id);
    memcpy(s->rho, rho, sizeof s->rho);
    s->row = 0;
    s->id = id;
}

/* FIPS 204, Algorithm 33 (ExpandS). s1, then s2. */
void mldsa_rows_secrets_c(void *rows, int32_t *s, int32_t *a_hat, const uint8_t rho_prime[64], const mldsa_params *p)
{
    sampler *state = (sampler *)rows;

    (void)a_hat;
    for (unsigned r = 0; r < p->l + p->k; r++, s += 256) {
        start(&state->xof, SHAKE256_RATE, rho_prime, 64, r, state->id);
        mldsa_rej_bounded_poly(s, state, p->eta);
    }
}

/* FIPS 204, Algorithm 32 (ExpandA). Polynomial (r, s) comes from rho || s || r. */
void mldsa_rows_next_c(void *rows, int32_t *a_hat, const mldsa_params *p)
{
    sampler *s = (sampler *)rows;

    a_hat += 256 * p->l * s->row;
    for (unsigned j = 0; j < p->l; j++, a_hat += 256) {
        start(&s->xof, SHAKE128_RATE, s->rho, sizeof s->rho, s->row << 8 | j, s->id);
        mldsa_rej_ntt_poly(a_hat, s);
    }
    s->row++;
}

void mldsa_rows_absorb_c(void *rows, const uint8_t *pk, size_t len)
{
    keccak_absorb(&((sampler *)rows)->pk, pk, len);
}

void mldsa_rows_tr_c(void *rows, uint8_t tr[64], const mldsa_params *p)
{
    (void)p;
    keccak_squeeze(&((sampler *)rows)->pk, tr, GIRIH_MLDSA_TR_BYTES);
}

/* A stream of masks: made when asked for. */
typedef struct {
    girih_sha3 xof;
    uint8_t rho_prime[64];
    uint8_t bytes[640]; /* a packed mask of gamma1 = 2^19 */
    unsigned kappa;
    girih_backend id;
} mask_stream;

_Static_assert(sizeof(mask_stream) <= MLDSA_MASKS_BYTES_C, "masks of backend c");

void mldsa_masks_start_c(void *masks, const uint8_t rho_prime[64], const mldsa_params *p, girih_backend id)
{
    mask_stream *m = (mask_stream *)masks;

    (void)p;
    memcpy(m->rho_prime, rho_prime, sizeof m->rho_prime);
    m->kappa = 0;
    m->id = id;
}

/* FIPS 204, Algorithm 34 (ExpandMask). Out: in (-gamma1, gamma1]. */
void mldsa_masks_next_c(int32_t *y, void *masks, const mldsa_params *p)
{
    mask_stream *m = (mask_stream *)masks;

    for (unsigned r = 0; r < p->l; r++, y += 256) {
        start(&m->xof, SHAKE256_RATE, m->rho_prime, sizeof m->rho_prime, m->kappa++, m->id);
        keccak_squeeze(&m->xof, m->bytes, p->z_bytes);
        (void)mldsa_z_unpack_exceeds_c(y, m->bytes, p); /* BitUnpack; a mask has no bound to fit */
    }
}

void mldsa_masks_of_lanes_c(int32_t *const y[], const uint8_t *rho_prime, const unsigned kappa[], unsigned count, void *room,
                            const mldsa_params *p, girih_backend id)
{
    for (unsigned n = 0; n < count; n++) {
        mldsa_masks_start_c(room, rho_prime + 64 * n, p, id);
        ((mask_stream *)room)->kappa = kappa[n];
        mldsa_masks_next_c(y[n], room, p);
    }
}

/* FIPS 204, Algorithm 7, lines 15-16. Nothing to do beside it: the stream of masks stays where it is. */
void mldsa_challenge_c(uint8_t *c_tilde, int32_t c[256], const uint8_t *commitment, void *masks, const mldsa_params *p, girih_backend id)
{
    girih_sha3 h;

    (void)masks;
    keccak_init(&h, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(&h, commitment, GIRIH_MLDSA_MU_BYTES + p->w1_bytes * p->k);
    keccak_squeeze(&h, c_tilde, p->c_tilde_bytes);
    mldsa_declassify_c_tilde(c_tilde, p);
    girih_wipe(&h, sizeof h);
    mldsa_sample_in_ball(c, c_tilde, p, id);
}
