/* Verification of ML-DSA. Everything here is public.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/verify.h"

#include "common/arena.h"
#include "common/bytes.h"
#include "keccak/sponge.h"
#include "mldsa/challenge.h"
#include "mldsa/encode.h"
#include "mldsa/mu.h"

/* Lays the buffers into base (NULL: only measures) and returns the bytes they take. */
size_t mldsa_verify_workspace_carve(mldsa_verify_workspace *ws, void *base, const mldsa_params *p)
{
    arena a = arena_over(base);

    ws->z = (int32_t *)arena_take(&a, 1024 * p->l);
    ws->w = (int32_t *)arena_take(&a, 1024 * p->k);
    ws->c = (int32_t *)arena_take(&a, 1024);
    ws->w1 = (uint8_t *)arena_take(&a, p->w1_bytes);
    ws->hash = (girih_sha3 *)arena_take(&a, sizeof *ws->hash);
    return a.used;
}

/* FIPS 204, Algorithm 8 (ML-DSA.Verify_internal) from mu on, with Algorithm 27 (sigDecode). sig: p->sig_bytes. */
girih_status mldsa_verify_mu(const girih_mldsa_vk *vk, const uint8_t *sig, const uint8_t mu[64], const mldsa_params *p, girih_backend id,
                             mldsa_verify_workspace *ws)
{
    const mldsa_backend *be = mldsa_backend_of(id);
    uint8_t c_tilde[MLDSA_MAX_C_TILDE_BYTES];
    mldsa_hints hints;
    unsigned first = 0;

    if (!mldsa_hint_unpack(&hints, sig + mldsa_sig_hints(p), p)) /* 204/8 l.2-3 */
        return GIRIH_BAD_SIGNATURE;
    for (unsigned j = 0; j < p->l; j++) { /* l.2, and the norm of l.13 */
        if (be->z_unpack_exceeds(ws->z + 256 * j, sig + p->c_tilde_bytes + p->z_bytes * j, p))
            return GIRIH_BAD_SIGNATURE;
        be->ntt(ws->z + 256 * j);
    }
    mldsa_sample_in_ball(ws->c, sig, p, id); /* l.8 */
    be->ntt(ws->c);
    be->matrix_times_vector_minus(ws->w, vk->polys[0], ws->z, ws->c, vk->polys[p->k * p->l], p); /* l.9 */

    keccak_init(ws->hash, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(ws->hash, mu, GIRIH_MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        int32_t *w = ws->w + 256 * i;

        be->intt(w);
        be->use_hint(ws->w1, w, hints.positions + first, hints.end[i] - first, p); /* l.10 */
        first = hints.end[i];
        keccak_absorb(ws->hash, ws->w1, p->w1_bytes);
    }
    keccak_squeeze(ws->hash, c_tilde, p->c_tilde_bytes); /* l.12 */
    return memcmp(c_tilde, sig, p->c_tilde_bytes) == 0 ? GIRIH_OK : GIRIH_BAD_SIGNATURE; /* l.13 */
}

/* The checks that every verification makes, then mu, then the verification. The order is that of the documentation: mistakes of the
 * caller first, so that a wrong signature never hides one. */
static girih_status verify(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const mldsa_message *m, void *ws, size_t ws_len)
{
    girih_backend id;
    const mldsa_params *p = mldsa_vk_params(vk, &id);
    mldsa_verify_workspace buffers;
    uint8_t mu[GIRIH_MLDSA_MU_BYTES];
    girih_status status;
    size_t need;

    if (p == NULL)
        return GIRIH_BAD_KEY;
    if (ws_len < girih_mldsa_workspace_bytes(p->set, GIRIH_MLDSA_VERIFY, id))
        return GIRIH_WORKSPACE;
    status = mldsa_mu_of(mu, id, vk->tr, m);
    if (status != GIRIH_OK)
        return status;
    if (sig_len != p->sig_bytes)
        return GIRIH_BAD_SIGNATURE;
    need = mldsa_verify_workspace_carve(&buffers, ws, p);
    status = mldsa_verify_mu(vk, sig, mu, p, id, &buffers);
    arena_wipe(ws, need);
    return status;
}

girih_status girih_mldsa_verify(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len,
                                const uint8_t *ctx, size_t ctx_len, void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_PURE, .data = msg, .len = msg_len, .ctx = ctx, .ctx_len = ctx_len};

    return verify(vk, sig, sig_len, &m, ws, ws_len);
}

girih_status girih_mldsa_verify_digest(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, girih_mldsa_hash hash,
                                       const uint8_t *digest, size_t digest_len, const uint8_t *ctx, size_t ctx_len, void *ws, size_t ws_len)
{
    const mldsa_message m = {
        .kind = MLDSA_MESSAGE_DIGEST, .hash = hash, .data = digest, .len = digest_len, .ctx = ctx, .ctx_len = ctx_len};

    return verify(vk, sig, sig_len, &m, ws, ws_len);
}

girih_status girih_mldsa_verify_mu(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const uint8_t mu[64], void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_MU, .data = mu, .len = GIRIH_MLDSA_MU_BYTES};

    return verify(vk, sig, sig_len, &m, ws, ws_len);
}

girih_status girih_mldsa_verify_internal(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const uint8_t *m_prime,
                                         size_t m_prime_len, void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_PRIME, .data = m_prime, .len = m_prime_len};

    return verify(vk, sig, sig_len, &m, ws, ws_len);
}
