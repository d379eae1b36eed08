/* Verification of ML-DSA with a packed table, one row at a time. Everything here is public but what the message leaves in the hash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/encode.h"
#include "mldsa/packed.h"

typedef struct {
    int32_t *z; /* l */
    int32_t *w; /* 1 */
    mldsa_row *c_hat;
    girih_sha3 *hash, *xof;
} workspace;

static size_t carve(workspace *ws, void *base, const mldsa_params *p)
{
    arena a = arena_over(base);

    ws->z = (int32_t *)arena_take(&a, 1024 * p->l);
    ws->w = (int32_t *)arena_take(&a, 1024);
    ws->c_hat = (mldsa_row *)arena_take(&a, sizeof *ws->c_hat);
    ws->hash = (girih_sha3 *)arena_take(&a, sizeof *ws->hash);
    ws->xof = (girih_sha3 *)(void *)ws->z; /* of the challenge, before z */
    return a.used;
}

size_t mldsa_packed_verify_bytes(const mldsa_params *p)
{
    workspace ws;

    return carve(&ws, NULL, p);
}

/* FIPS 204, Algorithm 8 (ML-DSA.Verify_internal), line 7: the sponge of H(mu || w1) up to mu. */
static girih_status absorb_mu(const workspace *ws, const uint8_t tr[64], const mldsa_message *m, girih_backend id)
{
    uint8_t *mu = (uint8_t *)ws->w;
    const uint8_t *from = m->data;

    if (m->kind != MLDSA_MESSAGE_MU) {
        const girih_status status = mldsa_mu_begin(ws->hash, id, tr, m);

        if (status != GIRIH_OK)
            return status;
        if (m->kind != MLDSA_MESSAGE_DIGEST)
            keccak_absorb(ws->hash, m->data, m->len);
        keccak_squeeze(ws->hash, mu, GIRIH_MLDSA_MU_BYTES);
        from = mu;
    }
    keccak_init(ws->hash, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(ws->hash, from, GIRIH_MLDSA_MU_BYTES);
    return GIRIH_OK;
}

/* FIPS 204, Algorithm 19 (BitUnpack), and the norm: 1 when a coefficient is too large, else 0. */
static GIRIH_NOINLINE uint32_t z_unpack(int32_t z[256], const uint8_t *packed, const mldsa_params *p)
{
    uint32_t exceeds = 0;

    for (unsigned i = 0; i < 256; i += 8, packed += p->z_bytes / 32) {
        mldsa_z_unpack_eight(z + i, packed, p);
        for (unsigned n = 0; n < 8; n++)
            exceeds |= mldsa_exceeds(z[i + n], p->gamma1 - p->beta);
    }
    return exceeds & 1;
}

/* FIPS 204, Algorithm 40 (UseHint) and Algorithm 28 (w1Encode) of w, into the hash. */
static GIRIH_NOINLINE void absorb_w1(const workspace *ws, const uint8_t *positions, unsigned count, const mldsa_params *p)
{
    const uint8_t *last = positions + count;
    uint32_t words[MLDSA_MAX_W1_BYTES / 8 / 4]; /* 32 coefficients: whole lanes */

    for (unsigned at = 0; at < 256;) {
        uint8_t *end = (uint8_t *)words;

        for (unsigned four = 0; four < 8; four++) {
            int32_t w1[4], r0;

            for (unsigned n = 0; n < 4; n++, at++) {
                w1[n] = mldsa_decompose(&r0, mldsa_to_positive(ws->w[at]), p);
                if (positions != last && *positions == at) {
                    positions++;
                    w1[n] = mldsa_apply_hint(w1[n], r0, p);
                }
            }
            end = w1_pack_group(end, w1, p);
        }
        keccak_absorb(ws->hash, words, p->w1_bytes / 8);
    }
}

/* Lines 2-13; mu is in the hash. */
static girih_status verify_rows(const workspace *ws, const girih_mldsa_vk *vk, const uint8_t *sig, const mldsa_params *p, girih_backend id)
{
    const mldsa_row *a_hat = mldsa_packed_a_hat(vk);
    uint8_t *c_tilde = (uint8_t *)ws->w;
    mldsa_hints hints;
    unsigned first = 0;

    if (!mldsa_hint_unpack(&hints, sig + mldsa_sig_hints(p), p)) /* 204/8 l.2-3 */
        return GIRIH_BAD_SIGNATURE;
    mldsa_packed_challenge(ws->c_hat, sig, ws->w, p, ws->xof, id); /* l.8 */
    for (unsigned j = 0; j < p->l; j++) {
        int32_t *z = ws->z + 256 * j;

        if (z_unpack(z, sig + p->c_tilde_bytes + p->z_bytes * j, p)) /* l.13, first half */
            return GIRIH_BAD_SIGNATURE;
        mldsa_ntt_c(z);
    }
    for (unsigned i = 0; i < p->k; i++, a_hat += p->l) {
        mldsa_packed_multiply(ws->w, a_hat, ws->z, p->l, ws->c_hat, mldsa_packed_t1_hat(vk, i, p)); /* l.9 */
        mldsa_intt_c(ws->w);
        absorb_w1(ws, hints.positions + first, hints.end[i] - first, p); /* l.10 */
        first = hints.end[i];
    }
    keccak_squeeze(ws->hash, c_tilde, p->c_tilde_bytes);                                 /* l.12 */
    return memcmp(c_tilde, sig, p->c_tilde_bytes) == 0 ? GIRIH_OK : GIRIH_BAD_SIGNATURE; /* l.13 */
}

girih_status mldsa_packed_verify(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const mldsa_message *m,
                                 const mldsa_params *p, girih_backend id, void *base)
{
    workspace ws;
    const size_t used = carve(&ws, base, p);
    girih_status status = absorb_mu(&ws, vk->tr, m, id);

    if (status == GIRIH_OK) /* in this order: a wrong signature does not hide a mistake of the caller */
        status = sig_len == p->sig_bytes ? verify_rows(&ws, vk, sig, p, id) : GIRIH_BAD_SIGNATURE;
    girih_wipe(ws.hash, sizeof *ws.hash);
    arena_release(base, used);
    return status;
}
