/* Verification of ML-DSA from the encoded key, one row of A at a time. Everything here is public.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/encode.h"
#include "mldsa/lowram.h"

/* A row of A z while it grows. */
typedef struct {
    girih_sha3 xof;
    mldsa_row row;
} row_sum;

_Static_assert(sizeof(mldsa_small) <= sizeof(row_sum), "t1 and the sum lie in the same place, one after the other");

typedef struct {
    int32_t *poly; /* z_hat of one column, then w of one row */
    row_sum *sum;
    mldsa_small *t1; /* where sum is */
    girih_sha3 *hash;
    mldsa_sparse *c;
} workspace;

static size_t carve(workspace *ws, void *base)
{
    arena a = arena_over(base);

    ws->poly = (int32_t *)arena_take(&a, 1024);
    ws->sum = (row_sum *)arena_take(&a, sizeof *ws->sum);
    ws->t1 = (mldsa_small *)(void *)ws->sum;
    ws->hash = (girih_sha3 *)arena_take(&a, sizeof *ws->hash);
    ws->c = (mldsa_sparse *)arena_take(&a, sizeof *ws->c);
    return a.used;
}

size_t mldsa_verify_lowram_bytes(void)
{
    workspace ws;

    return carve(&ws, NULL);
}

/* FIPS 204, Algorithm 19 (BitUnpack) of z_j. Returns 1 when a coefficient is too large, else 0. */
static uint32_t z_unpack(int32_t z[256], const uint8_t *sig, unsigned j, const mldsa_params *p)
{
    const uint8_t *packed = sig + p->c_tilde_bytes + p->z_bytes * j;
    uint32_t exceeds = 0;

    for (unsigned i = 0; i < 256; i += 8, packed += p->z_bytes / 32) {
        mldsa_z_unpack_eight(z + i, packed, p);
        for (unsigned n = 0; n < 8; n++)
            exceeds |= mldsa_exceeds(z[i + n], p->gamma1 - p->beta);
    }
    return exceeds & 1;
}

/* ws->poly = (A z)_i. Returns 0 when z is out of range, which the first row looks at, else 1. */
static int row_of_az(workspace *ws, const uint8_t *pk, const uint8_t *sig, unsigned i, const mldsa_params *p, girih_backend id)
{
    memset(&ws->sum->row, 0, sizeof ws->sum->row);
    for (unsigned j = 0; j < p->l; j++) {
        if (z_unpack(ws->poly, sig, j, p))
            return 0;
        mldsa_ntt_c(ws->poly);
        mldsa_a_hat_add_product(&ws->sum->row, ws->poly, pk, i, j, &ws->sum->xof, id);
    }
    mldsa_row_load(ws->poly, &ws->sum->row);
    mldsa_intt_c(ws->poly);
    return 1;
}

/* FIPS 204, Algorithm 40 (UseHint) and Algorithm 28 (w1Encode) of w'_i = poly - c t1_i 2^d, into the hash. */
static GIRIH_NOINLINE void absorb_w1(workspace *ws, const uint8_t *pk, unsigned i, const uint8_t *positions, unsigned count,
                                     const mldsa_params *p)
{
    const uint8_t *last = positions + count;
    uint32_t words[MLDSA_MAX_W1_BYTES / 8 / 4]; /* 32 coefficients: whole lanes */

    mldsa_small_t1(ws->t1, pk + MLDSA_RHO_BYTES + MLDSA_T1_BYTES * i);
    for (unsigned at = 0; at < 256;) {
        uint8_t *end = (uint8_t *)words;

        for (unsigned eight = 0; eight < 4; eight++, at += 8) {
            int32_t w[8];

            mldsa_small_times(w, ws->t1, ws->c, at);
            for (unsigned n = 0; n < 8; n++) { /* |c t1 2^d| < 60 * 2^23, so that the sum is below 2^30 */
                int32_t r0, r1;

                r1 = mldsa_decompose(&r0, mldsa_to_positive(mldsa_reduce(ws->poly[at + n] - w[n] * (1 << MLDSA_D))), p);
                if (positions != last && *positions == at + n) {
                    positions++;
                    r1 = mldsa_apply_hint(r1, r0, p);
                }
                w[n] = r1;
            }
            end = w1_pack_group(w1_pack_group(end, w, p), w + 4, p);
        }
        keccak_absorb(ws->hash, words, p->w1_bytes / 8);
    }
}

/* FIPS 204, Algorithm 8 (ML-DSA.Verify_internal), lines 2-13; mu is in the hash. */
static girih_status verify_rows(workspace *ws, const uint8_t *pk, const uint8_t *sig, const mldsa_params *p, girih_backend id)
{
    mldsa_hints hints;
    unsigned first = 0;
    uint32_t difference = 0;

    if (!mldsa_hint_unpack(&hints, sig + mldsa_sig_hints(p), p)) /* 204/8 l.2-3 */
        return GIRIH_BAD_SIGNATURE;
    mldsa_sparse_challenge(ws->c, sig, (int8_t *)ws->poly, p, &ws->sum->xof, id); /* l.8 */
    for (unsigned i = 0; i < p->k; i++) {
        if (!row_of_az(ws, pk, sig, i, p, id)) /* l.9 and the norm of l.13 */
            return GIRIH_BAD_SIGNATURE;
        absorb_w1(ws, pk, i, hints.positions + first, hints.end[i] - first, p); /* l.10 */
        first = hints.end[i];
    }
    keccak_squeeze(ws->hash, (uint8_t *)ws->poly, p->c_tilde_bytes); /* l.12 */
    for (unsigned i = 0; i < p->c_tilde_bytes; i++)                  /* l.13 */
        difference |= (uint32_t)((const uint8_t *)ws->poly)[i] ^ sig[i];
    return difference == 0 ? GIRIH_OK : GIRIH_BAD_SIGNATURE;
}

/* The sponge of H(mu || w1) up to mu. */
static girih_status absorb_mu(workspace *ws, const uint8_t *pk, const mldsa_message *m, const mldsa_params *p, girih_backend id)
{
    uint8_t *tr = (uint8_t *)ws->poly, *mu = tr;
    const uint8_t *from = m->data;

    if (m->kind != MLDSA_MESSAGE_MU) {
        girih_status status;

        keccak_init(ws->hash, SHAKE256_RATE, SHAKE_SUFFIX, id);
        keccak_absorb(ws->hash, pk, p->pk_bytes);
        keccak_squeeze(ws->hash, tr, GIRIH_MLDSA_TR_BYTES); /* l.6 */
        status = girih_mldsa_mu_init((girih_mldsa_mu *)ws->hash, id, tr, m->ctx, m->ctx_len);
        if (status != GIRIH_OK)
            return status;
        keccak_absorb(ws->hash, m->data, m->len);
        keccak_squeeze(ws->hash, mu, GIRIH_MLDSA_MU_BYTES); /* l.7 */
        from = mu;
    }
    keccak_init(ws->hash, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(ws->hash, from, GIRIH_MLDSA_MU_BYTES);
    return GIRIH_OK;
}

girih_status mldsa_verify_lowram(const uint8_t *pk, const uint8_t *sig, const mldsa_message *m, const mldsa_params *p, girih_backend id,
                                 void *base)
{
    workspace ws;
    const size_t need = carve(&ws, base);
    girih_status status = absorb_mu(&ws, pk, m, p, id);

    if (status == GIRIH_OK && sig != NULL)
        status = verify_rows(&ws, pk, sig, p, id);
    arena_wipe(base, need);
    return status;
}

static girih_status verify(const uint8_t *pk, size_t pk_len, const uint8_t *sig, size_t sig_len, girih_mldsa_set set, girih_backend backend,
                           const mldsa_message *m, void *ws, size_t ws_len)
{
    const mldsa_params *p = mldsa_params_of(set);
    girih_status status;

    if (p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if (pk_len != p->pk_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < mldsa_verify_lowram_bytes())
        return GIRIH_WORKSPACE;
    /* mistakes of the caller first, so that a wrong signature never hides one */
    status = mldsa_verify_lowram(pk, sig_len == p->sig_bytes ? sig : NULL, m, p, backend, ws);
    return status == GIRIH_OK && sig_len != p->sig_bytes ? GIRIH_BAD_SIGNATURE : status;
}

girih_status girih_mldsa_verify_lowram(const uint8_t *pk, size_t pk_len, const uint8_t *sig, size_t sig_len, girih_mldsa_set set,
                                       girih_backend backend, const uint8_t *msg, size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                                       void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_PURE, .data = msg, .len = msg_len, .ctx = ctx, .ctx_len = ctx_len};

    return verify(pk, pk_len, sig, sig_len, set, backend, &m, ws, ws_len);
}

girih_status girih_mldsa_verify_mu_lowram(const uint8_t *pk, size_t pk_len, const uint8_t *sig, size_t sig_len, girih_mldsa_set set,
                                          girih_backend backend, const uint8_t mu[64], void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_MU, .data = mu, .len = GIRIH_MLDSA_MU_BYTES};

    return verify(pk, pk_len, sig, sig_len, set, backend, &m, ws, ws_len);
}
