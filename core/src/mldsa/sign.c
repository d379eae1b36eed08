/* Signing of ML-DSA with an expanded key.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/sign.h"

#include "common/arena.h"
#include "common/bytes.h"
#include "common/ct.h"
#include "keccak/sponge.h"
#include "mldsa/encode.h"
#include "mldsa/mu.h"
#include "mldsa/verify.h"

/* A key at work: its parameters, the name of its backend, its tables. */
typedef struct {
    const mldsa_params *p;
    girih_backend id;
    const girih_mldsa_vk *vk;
    const girih_mldsa_sk *sk;
} signer;

/* Lays the buffers into base (NULL: only measures) and returns the bytes they take. */
size_t mldsa_sign_workspace_carve(mldsa_sign_workspace *ws, void *base, const mldsa_params *p, girih_backend id)
{
    arena a = arena_over(base);

    ws->y = (int32_t *)arena_take(&a, 1024 * p->l);
    ws->z = (int32_t *)arena_take(&a, 1024 * p->l);
    ws->w = (int32_t *)arena_take(&a, 1024 * p->k);
    ws->c = (int32_t *)arena_take(&a, 1024);
    ws->challenge = arena_take(&a, mldsa_backend_of(id)->challenge_bytes);
    ws->commitment = (uint8_t *)arena_take(&a, GIRIH_MLDSA_MU_BYTES + p->w1_bytes * p->k);
    ws->hints = (uint8_t *)arena_take(&a, p->omega + p->k + 256);
    ws->c_tilde = (uint8_t *)arena_take(&a, MLDSA_MAX_C_TILDE_BYTES);
    ws->masks = arena_take(&a, mldsa_backend_of(id)->masks_bytes);
    return a.used;
}

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal), line 7: rho'' = H(K || rnd || mu, 64), from which the masks come. */
static void start_masks(mldsa_sign_workspace *ws, const signer *s, const uint8_t rnd[32], const uint8_t mu[64])
{
    girih_sha3 hash;
    uint8_t rho_prime[64];

    keccak_init(&hash, SHAKE256_RATE, SHAKE_SUFFIX, s->id);
    keccak_absorb(&hash, s->sk->key, MLDSA_K_BYTES);
    keccak_absorb(&hash, rnd, GIRIH_MLDSA_RND_BYTES);
    keccak_absorb(&hash, mu, GIRIH_MLDSA_MU_BYTES);
    keccak_squeeze(&hash, rho_prime, sizeof rho_prime);
    mldsa_backend_of(s->id)->masks_start(ws->masks, rho_prime, s->p, s->id);
    girih_wipe(rho_prime, sizeof rho_prime);
    girih_wipe(&hash, sizeof hash);
}

/* Lines 11-16: y, w = A y, w0 and w1, c_tilde, c. */
static void commit(mldsa_sign_workspace *ws, const signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);
    uint8_t *w1 = ws->commitment + GIRIH_MLDSA_MU_BYTES;

    be->masks_next(ws->y, ws->masks, p);
    memcpy(ws->z, ws->y, 1024 * p->l);
    for (unsigned j = 0; j < p->l; j++)
        be->ntt(ws->z + 256 * j);
    be->matrix_times_vector(ws->w, s->vk->polys[0], ws->z, p);
    for (unsigned i = 0; i < p->k; i++) {
        be->intt(ws->w + 256 * i);
        be->decompose(w1 + p->w1_bytes * i, ws->w + 256 * i, p);
    }
    be->challenge(ws->c_tilde, ws->c, ws->commitment, ws->masks, p, s->id);
    be->challenge_form(ws->challenge, ws->c, p);
}

/* Lines 19, 21 and half of 23: w0 - c s2, whether all of it is below gamma2 - beta. Stops at the first polynomial that is not: for fixed c and s2 the
 * place of a failure does not depend on s2 (docs/soundness.md), while which coefficients come near the bound would: a polynomial is always read
 * to its end. */
static int low_bits_fit(mldsa_sign_workspace *ws, const signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);

    for (unsigned i = 0; i < p->k; i++) {
        int32_t *w = ws->w + 256 * i;
        uint32_t exceeds;

        exceeds = be->add_secret(w, w, ws->challenge, s->sk->forms + mldsa_secret_at(p->l + i, s->id), p->gamma2 - p->beta, p);
        GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "r0: which polynomial fails is independent of s2");
        if (exceeds) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_R0);
            return 0;
        }
    }
    return 1;
}

/* Lines 18, 20 and the other half of 23: z = y + c s1, whether all of it is below gamma1 - beta. */
static int response_fits(mldsa_sign_workspace *ws, const signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);

    for (unsigned j = 0; j < p->l; j++) {
        uint32_t exceeds;

        exceeds = be->add_secret(ws->z + 256 * j, ws->y + 256 * j, ws->challenge, s->sk->forms + mldsa_secret_at(j, s->id),
                                 p->gamma1 - p->beta, p);
        GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "z: which polynomial fails is independent of s1");
        if (exceeds) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_Z);
            return 0;
        }
    }
    return 1;
}

/* Lines 25-28 and Algorithm 20 (HintBitPack): the hints, packed; whether c t0 is below gamma2 and the hints are at most omega. */
static int make_hints(mldsa_sign_workspace *ws, const signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);
    unsigned count = 0;

    memset(ws->hints, 0, p->omega + p->k);
    for (unsigned i = 0; i < p->k; i++) {
        int32_t *w = ws->w + 256 * i;
        uint8_t positions[256];
        uint32_t exceeds;
        unsigned n;

        exceeds = be->times_t0(ws->c, ws->challenge, s->sk->forms + mldsa_t0_at(i, p, s->id), p);
        GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "c t0: t0 follows from the public key and any few signatures");
        if (exceeds) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_CT0);
            return 0;
        }
        for (unsigned c = 0; c < 256; c++) /* below 2 gamma2 */
            w[c] += ws->c[c];
        n = be->make_hint(positions, w, ws->commitment + GIRIH_MLDSA_MU_BYTES + p->w1_bytes * i, p);
        if (count + n > p->omega) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_HINT);
            return 0;
        }
        memcpy(ws->hints + count, positions, n);
        count += n;
        ws->hints[p->omega + i] = (uint8_t)count;
    }
    return 1;
}

/* FIPS 204, Algorithm 26 (sigEncode). */
static void sig_encode(uint8_t *sig, mldsa_sign_workspace *ws, const signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);

    memcpy(sig, ws->c_tilde, p->c_tilde_bytes);
    for (unsigned j = 0; j < p->l; j++)
        be->z_pack(sig + p->c_tilde_bytes + p->z_bytes * j, ws->z + 256 * j, p);
    memcpy(sig + mldsa_sig_hints(p), ws->hints, p->omega + p->k);
    GIRIH_DECLASSIFY(sig, p->sig_bytes, "the signature");
}

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal) from mu on. The first accepted attempt is released, so the order of the tests (r0 first: it fails
 * most often) changes no signature. Returns GIRIH_OK, or GIRIH_ATTEMPTS with sig untouched. */
static girih_status sign_mu(uint8_t *sig, const signer *s, const uint8_t mu[64], const uint8_t rnd[32], uint32_t max_attempts,
                            mldsa_sign_workspace *ws)
{
    const mldsa_params *p = s->p;
    unsigned kappa = 0;

    memcpy(ws->commitment, mu, GIRIH_MLDSA_MU_BYTES);
    start_masks(ws, s, rnd, mu); /* 204/7 l.7 */
    for (uint32_t left = max_attempts == 0 ? UINT32_MAX : max_attempts; left != 0 && kappa + p->l <= 1 << 16; left--) {
        commit(ws, s);                                        /* l.11-16 */
        kappa += p->l;                                        /* l.32; two bytes, which no signer uses up: p < 2^-3000 */
        if (!low_bits_fit(ws, s) || !response_fits(ws, s))    /* l.18-23 */
            continue;
        if (!make_hints(ws, s))                               /* l.25-28 */
            continue;
        GIRIH_TEST_EVENT(GIRIH_EVENT_ACCEPT);
        sig_encode(sig, ws, s);                               /* l.33 */
        return GIRIH_OK;
    }
    return GIRIH_ATTEMPTS;
}

/* A signature before it is released: mu is computed again, the signature verifies, and the public table is the one that was loaded (verifying
 * with a changed table would accept what was signed with it). */
static girih_status check(const uint8_t *sig, const signer *s, const uint8_t mu[64], const mldsa_message *m, void *ws)
{
    mldsa_verification v = {.vk = s->vk, .sig = sig, .sig_len = s->p->sig_bytes};
    uint8_t again[GIRIH_MLDSA_MU_BYTES];

    if (mldsa_mu_of(again, s->id, s->vk->tr, m) != GIRIH_OK || memcmp(again, mu, sizeof again) != 0)
        return GIRIH_FAULT;
    v.message = (mldsa_message){.kind = MLDSA_MESSAGE_MU, .data = again, .len = sizeof again};
    mldsa_verify_lanes(&v, 1, s->p, s->id, ws);
    if (v.status != GIRIH_OK || mldsa_vk_digest(s->vk, s->p) != s->vk->digest)
        return GIRIH_FAULT;
    return GIRIH_OK;
}

/* Fits the tables to each other; GIRIH_BAD_KEY when they do not come from one load. */
static girih_status open_signer(signer *s, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk)
{
    const mldsa_params *p = mldsa_vk_params(vk, &s->id);

    if (p == NULL || sk->magic != (MLDSA_SK_MAGIC | (uint32_t)s->id) || sk->set != vk->set || memcmp(sk->tr, vk->tr, sizeof sk->tr) != 0)
        return GIRIH_BAD_KEY;
    s->p = p;
    s->vk = vk;
    s->sk = sk;
    return GIRIH_OK;
}

/* The checks that every signature makes, then mu, then the signature, then its check where one is asked for. */
static girih_status sign(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, const mldsa_message *m,
                         const uint8_t rnd[32], const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const girih_mldsa_options none = {0, 0};
    mldsa_sign_workspace buffers;
    signer s;
    uint8_t mu[GIRIH_MLDSA_MU_BYTES];
    girih_status status = open_signer(&s, sk, vk);
    size_t need;

    if (status != GIRIH_OK)
        return status;
    if (options == NULL)
        options = &none;
    if (sig_len != s.p->sig_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mldsa_workspace_bytes(s.p->set, GIRIH_MLDSA_SIGN, s.id))
        return GIRIH_WORKSPACE;
    status = mldsa_mu_of(mu, s.id, vk->tr, m);
    if (status != GIRIH_OK)
        return status;
    GIRIH_SECRET(sk->key, sizeof sk->key);
    GIRIH_SECRET(sk->forms, girih_mldsa_sk_bytes(s.p->set, s.id) - sizeof *sk);
    need = mldsa_sign_workspace_carve(&buffers, ws, s.p, s.id);
    status = sign_mu(sig, &s, mu, rnd, options->max_attempts, &buffers);
    arena_wipe(ws, need); /* FIPS 204, 3.6.3 */
    if (status == GIRIH_OK && options->checked)
        status = check(sig, &s, mu, m, ws);
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

girih_status girih_mldsa_sign_digest(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, girih_mldsa_hash hash,
                                     const uint8_t *digest, size_t digest_len, const uint8_t *ctx, size_t ctx_len, const uint8_t rnd[32],
                                     const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const mldsa_message m = {
        .kind = MLDSA_MESSAGE_DIGEST, .hash = hash, .data = digest, .len = digest_len, .ctx = ctx, .ctx_len = ctx_len};

    return sign(sig, sig_len, sk, vk, &m, rnd, options, ws, ws_len);
}

girih_status girih_mldsa_sign_mu(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, const uint8_t mu[64],
                                 const uint8_t rnd[32], const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_MU, .data = mu, .len = GIRIH_MLDSA_MU_BYTES};

    return sign(sig, sig_len, sk, vk, &m, rnd, options, ws, ws_len);
}

girih_status girih_mldsa_sign_internal(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk,
                                       const uint8_t *m_prime, size_t m_prime_len, const uint8_t rnd[32], const girih_mldsa_options *options,
                                       void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_PRIME, .data = m_prime, .len = m_prime_len};

    return sign(sig, sig_len, sk, vk, &m, rnd, options, ws, ws_len);
}
