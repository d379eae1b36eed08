/* Verification of ML-DSA: one signature, or several whose hashes share the lanes of the permutation. Keys and signatures are public; only
 * what was hashed of a message is wiped.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/verify.h"

#include "common/arena.h"
#include "common/bytes.h"
#include "keccak/sponge.h"
#include "mldsa/challenge.h"
#include "mldsa/encode.h"
#include "mldsa/packed.h"

_Static_assert(2 * MLDSA_VERIFY_LANES <= KECCAK_MOST, "all hashes of a group go in one call");

/* Bytes of mu and w1. */
static inline size_t commitment_bytes(const mldsa_params *p)
{
    return GIRIH_MLDSA_MU_BYTES + p->w1_bytes * p->k;
}

/* Lays the buffers into base (NULL: only measures) and returns the bytes they take. */
size_t mldsa_verify_workspace_carve(mldsa_verify_workspace *ws, void *base, const mldsa_params *p, unsigned lanes)
{
    arena a = arena_over(base);

    ws->hash = (girih_sha3 *)arena_take(&a, 2 * sizeof *ws->hash * lanes);
    ws->c = (int32_t *)arena_take(&a, 1024 * lanes);
    ws->commitment = (uint8_t *)arena_take(&a, commitment_bytes(p) * lanes);
    ws->z = (int32_t *)arena_take(&a, 1024 * p->l);
    ws->w = (int32_t *)arena_take(&a, 1024 * p->k);
    return a.used;
}

/* FIPS 204, Algorithm 8 (ML-DSA.Verify_internal), lines 7 and 8: mu and c, or a status that is not GIRIH_OK. Two independent hashes a
 * signature, which go through the permutation together. */
static void hash_messages(mldsa_verification *v, unsigned lanes, const mldsa_params *p, girih_backend id, mldsa_verify_workspace *ws)
{
    keccak_input input[MLDSA_VERIFY_LANES];
    girih_sha3 *hashes[2 * MLDSA_VERIFY_LANES];
    unsigned inputs = 0, count = 0;

    for (unsigned n = 0; n < lanes; n++) {
        girih_sha3 *mu = &ws->hash[2 * n], *ball = &ws->hash[2 * n + 1];

        if (v[n].message.kind != MLDSA_MESSAGE_MU)
            v[n].status = mldsa_mu_begin(mu, id, v[n].vk->tr, &v[n].message);
        if (v[n].status == GIRIH_OK && v[n].sig_len != p->sig_bytes) /* second: a wrong signature does not hide a mistake of the caller */
            v[n].status = GIRIH_BAD_SIGNATURE;
        if (v[n].status != GIRIH_OK)
            continue;
        if (v[n].message.kind != MLDSA_MESSAGE_MU)
            hashes[count++] = mu;
        if (v[n].message.kind == MLDSA_MESSAGE_PURE || v[n].message.kind == MLDSA_MESSAGE_PRIME)
            input[inputs++] = (keccak_input){mu, v[n].message.data, v[n].message.len};
        keccak_init(ball, SHAKE256_RATE, SHAKE_SUFFIX, id);
        keccak_absorb(ball, v[n].sig, p->c_tilde_bytes);
        hashes[count++] = ball;
    }
    keccak_absorb_all(input, inputs);
    keccak_finish_all(hashes, count);
    for (unsigned n = 0; n < lanes; n++) {
        uint8_t *mu = ws->commitment + commitment_bytes(p) * n;

        if (v[n].status != GIRIH_OK)
            continue;
        if (v[n].message.kind == MLDSA_MESSAGE_MU)
            memcpy(mu, v[n].message.data, GIRIH_MLDSA_MU_BYTES);
        else
            keccak_squeeze(&ws->hash[2 * n], mu, GIRIH_MLDSA_MU_BYTES);
        mldsa_ball_squeeze(ws->c + 256 * n, &ws->hash[2 * n + 1], p);
    }
}

/* Lines 2-6, 9 and 10: decode, w' = A z - c t1 2^d, w1 into the commitment. Returns GIRIH_BAD_SIGNATURE for hints that no signer writes or
 * a z that is too large. c is used up. With Algorithm 27 (sigDecode). */
static girih_status recompute_commitment(uint8_t *w1, int32_t *c, const mldsa_verification *v, const mldsa_params *p, girih_backend id,
                                         mldsa_verify_workspace *ws)
{
    const mldsa_backend *be = mldsa_backend_of(id);
    mldsa_hints hints;
    unsigned first = 0;

    if (!mldsa_hint_unpack(&hints, v->sig + mldsa_sig_hints(p), p)) /* 204/8 l.3 */
        return GIRIH_BAD_SIGNATURE;
    for (unsigned j = 0; j < p->l; j++) {
        if (be->z_unpack_exceeds(ws->z + 256 * j, v->sig + p->c_tilde_bytes + p->z_bytes * j, p)) /* l.13, first half */
            return GIRIH_BAD_SIGNATURE;
        be->ntt(ws->z + 256 * j);
    }
    be->ntt(c);
    be->matrix_times_vector_minus(ws->w, v->vk->polys[0], ws->z, c, v->vk->polys[p->k * p->l], p); /* l.9 */
    for (unsigned i = 0; i < p->k; i++) {
        int32_t *w = ws->w + 256 * i;

        be->intt(w);
        be->use_hint(w1 + p->w1_bytes * i, w, hints.positions + first, hints.end[i] - first, p); /* l.10 */
        first = hints.end[i];
    }
    return GIRIH_OK;
}

/* Lines 12 and 13: c_tilde' = H(mu || w1) against that of the signature. */
static void compare_challenges(mldsa_verification *v, unsigned lanes, const mldsa_params *p, girih_backend id, mldsa_verify_workspace *ws)
{
    keccak_input input[MLDSA_VERIFY_LANES];
    girih_sha3 *hashes[MLDSA_VERIFY_LANES];
    unsigned count = 0;

    for (unsigned n = 0; n < lanes; n++) {
        if (v[n].status != GIRIH_OK)
            continue;
        keccak_init(&ws->hash[n], SHAKE256_RATE, SHAKE_SUFFIX, id);
        input[count] = (keccak_input){&ws->hash[n], ws->commitment + commitment_bytes(p) * n, commitment_bytes(p)};
        hashes[count++] = &ws->hash[n];
    }
    keccak_absorb_all(input, count);
    keccak_finish_all(hashes, count);
    for (unsigned n = 0; n < lanes; n++) {
        uint8_t c_tilde[MLDSA_MAX_C_TILDE_BYTES];

        if (v[n].status != GIRIH_OK)
            continue;
        keccak_squeeze(&ws->hash[n], c_tilde, p->c_tilde_bytes);
        if (memcmp(c_tilde, v[n].sig, p->c_tilde_bytes) != 0)
            v[n].status = GIRIH_BAD_SIGNATURE;
    }
}

void mldsa_verify_lanes(mldsa_verification *v, unsigned lanes, const mldsa_params *p, girih_backend id, void *base)
{
    mldsa_verify_workspace ws;
    size_t used;

    if (mldsa_is_packed(id)) {
        for (unsigned n = 0; n < lanes; n++)
            v[n].status = mldsa_packed_verify(v[n].vk, v[n].sig, v[n].sig_len, &v[n].message, p, id, base);
        return;
    }
    used = mldsa_verify_workspace_carve(&ws, base, p, lanes);
    for (unsigned n = 0; n < lanes; n++)
        v[n].status = GIRIH_OK;
    hash_messages(v, lanes, p, id, &ws);
    for (unsigned n = 0; n < lanes; n++) {
        uint8_t *w1 = ws.commitment + commitment_bytes(p) * n + GIRIH_MLDSA_MU_BYTES;

        if (v[n].status == GIRIH_OK)
            v[n].status = recompute_commitment(w1, ws.c + 256 * n, &v[n], p, id, &ws);
    }
    compare_challenges(v, lanes, p, id, &ws);
    girih_wipe(ws.hash, 2 * sizeof *ws.hash * lanes);
    arena_release(base, used);
}

/* One signature. */
static girih_status verify(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const mldsa_message *m, void *ws, size_t ws_len)
{
    mldsa_verification v = {.vk = vk, .sig = sig, .sig_len = sig_len, .message = *m};
    girih_backend id;
    const mldsa_params *p = mldsa_vk_params(vk, &id);

    if (p == NULL)
        return GIRIH_BAD_KEY;
    if (ws_len < girih_mldsa_workspace_bytes(p->set, GIRIH_MLDSA_VERIFY, id))
        return GIRIH_WORKSPACE;
    mldsa_verify_lanes(&v, 1, p, id, ws);
    return v.status;
}

girih_status girih_mldsa_verify_many(girih_mldsa_verify_item *items, size_t count, girih_mldsa_set set, girih_backend backend, void *ws,
                                     size_t ws_len)
{
    const mldsa_params *p = mldsa_params_of(set);

    if (p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if (ws_len < girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_VERIFY_MANY, backend))
        return GIRIH_WORKSPACE;
    for (size_t i = 0; i < count; i++) {
        girih_backend id;

        if (mldsa_vk_params(items[i].vk, &id) != p || id != backend)
            return GIRIH_BAD_KEY;
    }
    while (count != 0) {
        mldsa_verification v[MLDSA_VERIFY_LANES];
        const unsigned lanes = count < MLDSA_VERIFY_LANES ? (unsigned)count : MLDSA_VERIFY_LANES;

        for (unsigned n = 0; n < lanes; n++) {
            const mldsa_message m = {.kind = MLDSA_MESSAGE_PURE,
                                     .data = items[n].msg,
                                     .len = items[n].msg_len,
                                     .ctx = items[n].ctx,
                                     .ctx_len = items[n].ctx_len};

            v[n] = (mldsa_verification){.vk = items[n].vk, .sig = items[n].sig, .sig_len = items[n].sig_len, .message = m};
        }
        mldsa_verify_lanes(v, lanes, p, backend, ws);
        for (unsigned n = 0; n < lanes; n++)
            items[n].status = v[n].status;
        items += lanes;
        count -= lanes;
    }
    return GIRIH_OK;
}

girih_status girih_mldsa_verify(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len,
                                const uint8_t *ctx, size_t ctx_len, void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_PURE, .data = msg, .len = msg_len, .ctx = ctx, .ctx_len = ctx_len};

    return verify(vk, sig, sig_len, &m, ws, ws_len);
}

girih_status girih_mldsa_verify_digest(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, girih_mldsa_hash hash,
                                       const uint8_t *digest, size_t digest_len, const uint8_t *ctx, size_t ctx_len, void *ws,
                                       size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_DIGEST, .hash = hash, .data = digest, .len = digest_len, .ctx = ctx, .ctx_len = ctx_len};

    return verify(vk, sig, sig_len, &m, ws, ws_len);
}

girih_status girih_mldsa_verify_mu(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const uint8_t mu[64], void *ws,
                                   size_t ws_len)
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
