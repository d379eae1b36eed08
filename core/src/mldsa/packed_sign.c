/* Signing of ML-DSA with packed tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Little is kept beside the tables. y is not: y_hat is, and rides through the product with c as one more addend, since the inverse
 * transform of (c s1 + y_hat) / 2^32, times 2^32, is z. w lies packed to 24 bits a coefficient, c_hat too; w1 goes into the hash as it is
 * made and is found again from w - c s2 where a hint needs it, because the two have the same high bits once r0 fits. */
#include "common/ct.h"
#include "girih/mldsa_lowram.h"
#include "mldsa/budget.h"
#include "mldsa/encode.h"
#include "mldsa/packed.h"

typedef struct {
    const mldsa_params *p;
    girih_backend id;
    const girih_mldsa_vk *vk;
    const girih_mldsa_sk *sk;
    int32_t *y_hat;   /* l: y_hat, then z */
    int32_t *product; /* 1 */
    mldsa_row *w;     /* k: w, then w - c s2 */
    mldsa_row *c_hat;
    girih_sha3 *hash;
    uint8_t *mu, *rho_prime, *c_tilde, *hints;
} signer;

static size_t carve(signer *s, void *base, const mldsa_params *p)
{
    arena a = arena_over(base);

    s->y_hat = (int32_t *)arena_take(&a, 1024 * p->l);
    s->product = (int32_t *)arena_take(&a, 1024);
    s->w = (mldsa_row *)arena_take(&a, sizeof(mldsa_row) * p->k);
    s->c_hat = (mldsa_row *)arena_take(&a, sizeof *s->c_hat);
    s->hash = (girih_sha3 *)arena_take(&a, sizeof *s->hash);
    s->mu = (uint8_t *)arena_take(&a, GIRIH_MLDSA_MU_BYTES);
    s->rho_prime = (uint8_t *)arena_take(&a, 64);
    s->c_tilde = (uint8_t *)arena_take(&a, p->c_tilde_bytes);
    s->hints = (uint8_t *)arena_take(&a, p->omega + p->k);
    return a.used;
}

size_t mldsa_packed_sign_bytes(const mldsa_params *p)
{
    signer s;
    const size_t to_sign = carve(&s, NULL, p), to_check = mldsa_packed_verify_bytes(p);

    return to_sign > to_check ? to_sign : to_check;
}

/* FIPS 204, Algorithm 34 (ExpandMask), polynomial j of an attempt. */
static GIRIH_NOINLINE void expand_mask(const signer *s, unsigned kappa, unsigned j)
{
    const unsigned piece_coefficients = mldsa_piece_coefficients(s->p), eight_bytes = s->p->z_bytes / 32;
    uint32_t piece[MLDSA_PIECE_BYTES / 4];
    int32_t *y = s->y_hat + 256 * j;

    mldsa_stream_start(s->hash, SHAKE256_RATE, s->rho_prime, 64, kappa + j, s->id);
    for (unsigned i = 0; i < 256; i += piece_coefficients) {
        const uint8_t *from = (const uint8_t *)piece;

        keccak_squeeze(s->hash, (uint8_t *)piece, piece_coefficients / 8 * eight_bytes);
        for (unsigned n = 0; n < piece_coefficients; n += 8, from += eight_bytes)
            mldsa_z_unpack_eight(y + i + n, from, s->p);
    }
}

/* w_i into its row, w1 into the hash (FIPS 204, Algorithm 36 (Decompose) and Algorithm 28 (w1Encode)). */
static GIRIH_NOINLINE void commit_row(const signer *s, unsigned i)
{
    mldsa_row *row = s->w + i;
    uint32_t words[MLDSA_MAX_W1_BYTES / 8 / 4]; /* 32 coefficients: whole lanes */

    for (unsigned at = 0; at < 256;) {
        uint8_t *end = (uint8_t *)words;

        for (unsigned four = 0; four < 8; four++) {
            int32_t w1[4], w0;

            for (unsigned n = 0; n < 4; n++, at++) {
                const int32_t w = mldsa_to_positive(s->product[at]);

                mldsa_row_put(row, at, w);
                w1[n] = mldsa_decompose(&w0, w, s->p);
            }
            end = w1_pack_group(end, w1, s->p);
        }
        keccak_absorb(s->hash, words, s->p->w1_bytes / 8);
    }
}

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal), lines 11-15. */
static void commit(const signer *s, unsigned kappa)
{
    const mldsa_params *p = s->p;

    for (unsigned j = 0; j < p->l; j++) {
        expand_mask(s, kappa, j);
        mldsa_ntt_c(s->y_hat + 256 * j);
    }
    keccak_init(s->hash, SHAKE256_RATE, SHAKE_SUFFIX, s->id);
    keccak_absorb(s->hash, s->mu, GIRIH_MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        mldsa_packed_multiply(s->product, mldsa_packed_a_hat(s->vk) + p->l * i, s->y_hat, p->l, NULL, NULL);
        mldsa_intt_c(s->product);
        commit_row(s, i);
    }
    keccak_squeeze(s->hash, s->c_tilde, p->c_tilde_bytes);
    GIRIH_DECLASSIFY(s->c_tilde, p->c_tilde_bytes,
                     "c_tilde: public in a signature; of a rejected attempt, a hash of w1, which stays secret");
}

/* r = c s + addend, |r| <= 3q/4, up to a multiple of q: FIPS 204, Algorithm 45 (MultiplyNTT) and Algorithm 42 (NTT^-1). addend: a
 * polynomial in the NTT domain, or NULL. r may be addend. */
static GIRIH_NOINLINE void challenge_times(const signer *s, int32_t r[256], const int32_t secret[256], const int32_t *addend)
{
    _Static_assert(MLDSA_NTT_BOUND * MLDSA_NTT_BOUND + MLDSA_NTT_BOUND < ((int64_t)MLDSA_Q << 31),
                   "inside the Montgomery reduction's input");
    for (unsigned c = 0; c < 256; c++) {
        const int64_t sum = addend == NULL ? 0 : addend[c];

        r[c] = mldsa_montgomery_reduce(sum + (int64_t)mldsa_row_get(s->c_hat, c) * secret[c]);
    }
    mldsa_intt_c(r);
}

/* Lines 19, 21 and half of 23: w - c s2 in place of w; whether all its low bits are below gamma2 - beta. */
static GIRIH_NOINLINE uint32_t subtract_exceeds(const signer *s, unsigned i)
{
    const mldsa_params *p = s->p;
    const int32_t bound = p->gamma2 - p->beta;
    mldsa_row *row = s->w + i;
    uint32_t exceeds = 0;

    challenge_times(s, s->product, mldsa_packed_secret(s->sk, p->l + i), NULL);
    for (unsigned c = 0; c < 256; c++) {
        const int32_t r = mldsa_to_positive(mldsa_reduce(mldsa_row_get(row, c) - s->product[c]));
        int32_t r0;

        (void)mldsa_decompose(&r0, r, p);
        exceeds |= mldsa_exceeds(r0, bound);
        mldsa_row_put(row, c, r);
    }
    return exceeds & 1;
}

/* Lines 18, 20 and the other half of 23: z_j in place of y_hat_j; whether all of it is below gamma1 - beta. */
static GIRIH_NOINLINE uint32_t respond_exceeds(const signer *s, unsigned j)
{
    const int32_t bound = s->p->gamma1 - s->p->beta;
    int32_t *z = s->y_hat + 256 * j;
    uint32_t exceeds = 0;

    challenge_times(s, z, mldsa_packed_secret(s->sk, j), z);
    for (unsigned c = 0; c < 256; c++) { /* the true |z| is below 2^20 */
        z[c] = mldsa_reduce(z[c]);
        exceeds |= mldsa_exceeds(z[c], bound);
    }
    return exceeds & 1;
}

/* Both in the order of sign.c, and with its reasons: a polynomial is read to its end, and the next one only when it fits. */
static int norms_fit(const signer *s)
{
    for (unsigned i = 0; i < s->p->k; i++) {
        uint32_t exceeds = subtract_exceeds(s, i);

        GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "r0: which polynomial fails is independent of s2");
        if (exceeds) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_R0);
            return 0;
        }
    }
    for (unsigned j = 0; j < s->p->l; j++) {
        uint32_t exceeds = respond_exceeds(s, j);

        GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "z: which polynomial fails is independent of s1");
        if (exceeds) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_Z);
            return 0;
        }
    }
    return 1;
}

/* Lines 25-28 and Algorithm 20 (HintBitPack) for polynomial i; *count: hints so far. Returns 0 when c t0 is too large or the hints are too
 * many. */
static GIRIH_NOINLINE int make_hints(const signer *s, unsigned i, unsigned *count)
{
    const mldsa_params *p = s->p;
    uint32_t exceeds = 0;
    unsigned n = *count;

    challenge_times(s, s->product, mldsa_packed_secret(s->sk, p->l + p->k + i), NULL);
    for (unsigned c = 0; c < 256; c++) {
        const int32_t ct0 = mldsa_reduce(s->product[c]); /* exact: below q/2 */

        exceeds |= mldsa_exceeds(ct0, p->gamma2);
        n = mldsa_hint_append(s->hints, n, c, mldsa_row_get(s->w + i, c), ct0, p);
    }
    exceeds &= 1;
    GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "c t0: t0 follows from the public key and any few signatures");
    if (exceeds) {
        GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_CT0);
        return 0;
    }
    if (n > p->omega) {
        GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_HINT);
        return 0;
    }
    s->hints[p->omega + i] = (uint8_t)n;
    *count = n;
    return 1;
}

static int hints_fit(const signer *s)
{
    unsigned count = 0;

    memset(s->hints, 0, s->p->omega + s->p->k);
    for (unsigned i = 0; i < s->p->k; i++) {
        if (!make_hints(s, i, &count))
            return 0;
    }
    return 1;
}

/* FIPS 204, Algorithm 26 (sigEncode). */
static void encode(uint8_t *sig, const signer *s)
{
    const mldsa_params *p = s->p;
    uint8_t *packed = sig + p->c_tilde_bytes;

    memcpy(sig, s->c_tilde, p->c_tilde_bytes);
    for (unsigned c = 0; c < 256 * p->l; c += 8, packed += p->z_bytes / 32)
        mldsa_z_pack_eight(packed, s->y_hat + c, p);
    memcpy(packed, s->hints, p->omega + p->k);
    GIRIH_DECLASSIFY(sig, p->sig_bytes, "the signature");
}

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal) from mu on, as sign.c has it. */
static girih_status attempt(uint8_t *sig, const signer *s, const girih_mldsa_options *options)
{
    uint32_t attempts = 0;

    for (unsigned kappa = 0; mldsa_attempt_begins(&attempts, kappa, s->p, options); kappa += s->p->l) {
        commit(s, kappa);                                                               /* l.11-15 */
        mldsa_packed_challenge(s->c_hat, s->c_tilde, s->product, s->p, s->hash, s->id); /* l.16-17 */
        if (!norms_fit(s) || !hints_fit(s))                                             /* l.18-28 */
            continue;
        GIRIH_TEST_EVENT(GIRIH_EVENT_ACCEPT);
        encode(sig, s); /* l.33 */
        return GIRIH_OK;
    }
    return GIRIH_ATTEMPTS;
}

/* mu, and rho'' = H(K || rnd || mu, 64) (line 7). */
static girih_status prepare(const signer *s, const mldsa_message *m, const uint8_t rnd[32])
{
    if (m->kind == MLDSA_MESSAGE_MU) {
        memcpy(s->mu, m->data, GIRIH_MLDSA_MU_BYTES);
    } else {
        const girih_status status = mldsa_mu_begin(s->hash, s->id, s->vk->tr, m);

        if (status != GIRIH_OK)
            return status;
        if (m->kind != MLDSA_MESSAGE_DIGEST)
            keccak_absorb(s->hash, m->data, m->len);
        keccak_squeeze(s->hash, s->mu, GIRIH_MLDSA_MU_BYTES);
    }
    keccak_init(s->hash, SHAKE256_RATE, SHAKE_SUFFIX, s->id);
    keccak_absorb(s->hash, s->sk->key, MLDSA_K_BYTES);
    keccak_absorb(s->hash, rnd, GIRIH_MLDSA_RND_BYTES);
    keccak_absorb(s->hash, s->mu, GIRIH_MLDSA_MU_BYTES);
    keccak_squeeze(s->hash, s->rho_prime, 64);
    return GIRIH_OK;
}

/* A signature before it is released: mu is computed again, the signature verifies, and the public table is the one that was loaded
 * (verifying with a changed table would accept what was signed with it). pk: as in girih_mldsa_options. */
static GIRIH_NOINLINE girih_status check(const uint8_t *sig, const signer *s, const mldsa_message *m, const uint8_t *pk, void *ws,
                                         size_t ws_len)
{
    const mldsa_params *p = s->p;
    girih_status status;

    if (pk == NULL) {
        status = mldsa_packed_verify(s->vk, sig, p->sig_bytes, m, p, s->id, ws);
    } else {
        uint8_t tr[GIRIH_MLDSA_TR_BYTES], mu[GIRIH_MLDSA_MU_BYTES];

        mldsa_tr_of(tr, pk, p, s->id);
        status = mldsa_mu_of(mu, s->id, tr, m);
        if (status == GIRIH_OK)
            status = girih_mldsa_verify_mu_lowram(pk, p->pk_bytes, sig, p->sig_bytes, p->set, s->id, mu, ws, ws_len);
    }
    return status == GIRIH_OK && mldsa_packed_vk_digest(s->vk, p) == s->vk->digest ? GIRIH_OK : GIRIH_FAULT;
}

girih_status mldsa_packed_sign(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, const mldsa_message *m,
                               const uint8_t rnd[32], const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const girih_mldsa_options none = {0};
    signer s = {.vk = vk, .sk = sk};
    girih_status status;
    size_t need;

    s.p = mldsa_vk_params(vk, &s.id);
    if (s.p == NULL || sk->magic != (MLDSA_SK_MAGIC | (uint32_t)s.id) || sk->set != vk->set || memcmp(sk->tr, vk->tr, sizeof sk->tr) != 0)
        return GIRIH_BAD_KEY;
    if (options == NULL)
        options = &none;
    if (sig_len != s.p->sig_bytes || (options->pk != NULL && options->pk_len != s.p->pk_bytes))
        return GIRIH_BAD_LENGTH;
    if (ws_len < mldsa_packed_sign_bytes(s.p))
        return GIRIH_WORKSPACE;
    need = carve(&s, ws, s.p);
    status = prepare(&s, m, rnd);
    if (status != GIRIH_OK)
        return status;
    GIRIH_SECRET(sk->key, sizeof sk->key);
    GIRIH_SECRET(mldsa_packed_secret(sk, 0), 1024 * (s.p->l + 2 * s.p->k));
    status = attempt(sig, &s, options);
    arena_wipe(ws, need); /* FIPS 204, 3.6.3 */
    if (status == GIRIH_OK && options->checked)
        status = check(sig, &s, m, options->pk, ws, ws_len);
    if (status != GIRIH_OK)
        girih_wipe(sig, sig_len);
    return status;
}
