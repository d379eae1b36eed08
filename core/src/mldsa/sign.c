/* Signing of ML-DSA with an expanded key.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/sign.h"

#include "common/bytes.h"
#include "common/ct.h"
#include "girih/mldsa_lowram.h"
#include "keccak/sponge.h"
#include "mldsa/packed.h"
#include "mldsa/budget.h"
#include "mldsa/verify.h"

/* Lays the buffers into base (NULL: only measures) and returns the bytes they take. */
size_t mldsa_sign_workspace_carve(mldsa_sign_workspace *ws, void *base, const mldsa_params *p, girih_backend id)
{
    arena a = arena_over(base);

    mldsa_attempt_carve(&ws->attempt, &a, p, id);
    ws->y_hat = (int32_t *)arena_take(&a, 1024 * p->l);
    ws->masks = arena_take(&a, mldsa_backend_of(id)->masks_bytes);
    return a.used;
}

void mldsa_mask_seed(uint8_t rho_prime[64], const mldsa_signer *s, const uint8_t rnd[32], const uint8_t mu[64])
{
    girih_sha3 hash;

    keccak_init(&hash, SHAKE256_RATE, SHAKE_SUFFIX, s->id);
    keccak_absorb(&hash, s->sk->key, MLDSA_K_BYTES);
    keccak_absorb(&hash, rnd, GIRIH_MLDSA_RND_BYTES);
    keccak_absorb(&hash, mu, GIRIH_MLDSA_MU_BYTES);
    keccak_squeeze(&hash, rho_prime, 64);
    girih_wipe(&hash, sizeof hash);
}

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal) from mu on. The first accepted attempt is released, so the order of the tests (r0 first: it
 * fails most often) changes no signature. Returns GIRIH_OK, or GIRIH_ATTEMPTS with sig untouched. */
static girih_status sign_mu(uint8_t *sig, const mldsa_signer *s, const uint8_t mu[64], const uint8_t rnd[32],
                            const girih_mldsa_options *options, mldsa_sign_workspace *ws)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);
    mldsa_attempt *at = &ws->attempt;
    uint8_t rho_prime[64];
    uint32_t attempts = 0;

    memcpy(at->commitment, mu, GIRIH_MLDSA_MU_BYTES);
    mldsa_mask_seed(rho_prime, s, rnd, mu); /* 204/7 l.7 */
    be->masks_start(ws->masks, rho_prime, p, s->id);
    girih_wipe(rho_prime, sizeof rho_prime);
    for (unsigned kappa = 0; mldsa_attempt_begins(&attempts, kappa, p, options); kappa += p->l) { /* l.32 */
        be->masks_next(at->y, ws->masks, p);                                                      /* l.11 */
        GIRIH_TEST_STEP();
        mldsa_attempt_commit(at, ws->y_hat, s); /* l.12-13 */
        GIRIH_TEST_STEP();
        be->challenge(at->c_tilde, at->c, at->commitment, ws->masks, p, s->id); /* l.15-16 */
        GIRIH_TEST_STEP();
        if (mldsa_attempt_accept(at, s)) { /* l.17-28 */
            GIRIH_TEST_STEP();
            mldsa_attempt_encode(sig, at, s); /* l.33 */
            return GIRIH_OK;
        }
    }
    return GIRIH_ATTEMPTS;
}

girih_status mldsa_signature_check(const uint8_t *sig, const mldsa_signer *s, const uint8_t mu[64], const mldsa_message *m,
                                   const uint8_t *pk, void *ws, size_t ws_len)
{
    const mldsa_params *p = s->p;
    uint8_t tr[GIRIH_MLDSA_TR_BYTES], again[GIRIH_MLDSA_MU_BYTES];
    girih_status status;

    if (pk != NULL)
        mldsa_tr_of(tr, pk, p, s->id);
    else
        memcpy(tr, s->vk->tr, sizeof tr);
    if (mldsa_mu_of(again, s->id, tr, m) != GIRIH_OK || memcmp(again, mu, sizeof again) != 0)
        return GIRIH_FAULT;
    if (pk != NULL) {
        status = girih_mldsa_verify_mu_lowram(pk, p->pk_bytes, sig, p->sig_bytes, p->set, s->id, again, ws, ws_len);
    } else {
        mldsa_verification v = {.vk = s->vk, .sig = sig, .sig_len = p->sig_bytes};

        v.message = (mldsa_message){.kind = MLDSA_MESSAGE_MU, .data = again, .len = sizeof again};
        mldsa_verify_lanes(&v, 1, p, s->id, ws);
        status = v.status;
    }
    return status == GIRIH_OK && mldsa_vk_digest(s->vk, p) == s->vk->digest ? GIRIH_OK : GIRIH_FAULT;
}

/* The checks that every signature makes, then mu, then the signature, then its check where one is asked for. */
static girih_status sign(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, const mldsa_message *m,
                         const uint8_t rnd[32], const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const girih_mldsa_options none = {0};
    mldsa_sign_workspace buffers;
    mldsa_signer s;
    uint8_t mu[GIRIH_MLDSA_MU_BYTES];
    girih_status status = mldsa_signer_open(&s, sk, vk);
    size_t need;

    if (status != GIRIH_OK)
        return status;
    if (mldsa_is_packed(s.id))
        return mldsa_packed_sign(sig, sig_len, sk, vk, m, rnd, options, ws, ws_len);
    if (options == NULL)
        options = &none;
    if (sig_len != s.p->sig_bytes || (options->pk != NULL && options->pk_len != s.p->pk_bytes))
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mldsa_workspace_bytes(s.p->set, GIRIH_MLDSA_SIGN, s.id))
        return GIRIH_WORKSPACE;
    status = mldsa_mu_of(mu, s.id, vk->tr, m);
    if (status != GIRIH_OK)
        return status;
    GIRIH_SECRET(sk->key, sizeof sk->key);
    GIRIH_SECRET(sk->forms, girih_mldsa_sk_bytes(s.p->set, s.id) - sizeof *sk);
    need = mldsa_sign_workspace_carve(&buffers, ws, s.p, s.id);
    status = sign_mu(sig, &s, mu, rnd, options, &buffers);
    arena_wipe(ws, need); /* FIPS 204, 3.6.3 */
    if (status == GIRIH_OK && options->checked)
        status = mldsa_signature_check(sig, &s, mu, m, options->pk, ws, ws_len);
    if (status != GIRIH_OK)
        girih_wipe(sig, sig_len);
    return status;
}

girih_status girih_mldsa_sign(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, const uint8_t *msg,
                              size_t msg_len, const uint8_t *ctx, size_t ctx_len, const uint8_t rnd[32], const girih_mldsa_options *options,
                              void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_PURE, .data = msg, .len = msg_len, .ctx = ctx, .ctx_len = ctx_len};

    return sign(sig, sig_len, sk, vk, &m, rnd, options, ws, ws_len);
}

girih_status girih_mldsa_sign_digest(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk,
                                     girih_mldsa_hash hash, const uint8_t *digest, size_t digest_len, const uint8_t *ctx, size_t ctx_len,
                                     const uint8_t rnd[32], const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_DIGEST, .hash = hash, .data = digest, .len = digest_len, .ctx = ctx, .ctx_len = ctx_len};

    return sign(sig, sig_len, sk, vk, &m, rnd, options, ws, ws_len);
}

girih_status girih_mldsa_sign_mu(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, const uint8_t mu[64],
                                 const uint8_t rnd[32], const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_MU, .data = mu, .len = GIRIH_MLDSA_MU_BYTES};

    return sign(sig, sig_len, sk, vk, &m, rnd, options, ws, ws_len);
}

girih_status girih_mldsa_sign_internal(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk,
                                       const uint8_t *m_prime, size_t m_prime_len, const uint8_t rnd[32],
                                       const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_PRIME, .data = m_prime, .len = m_prime_len};

    return sign(sig, sig_len, sk, vk, &m, rnd, options, ws, ws_len);
}
