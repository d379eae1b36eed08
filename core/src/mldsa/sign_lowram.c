/* Signing of ML-DSA from the encoded key in little memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Nothing is kept that can be made again. A_hat is sampled entry by entry, each used as it comes; w lies packed, as many rows as fit in
 * the signature buffer, the rest in the workspace; w1 goes into the hash as it is made; the masks are made once for w and once more for z;
 * hints and c_tilde wait in the workspace until an attempt is accepted, and only then is z made again, into the signature, over the rows
 * that lay there. */
#include "common/ct.h"
#include "mldsa/budget.h"
#include "mldsa/encode.h"
#include "mldsa/lowram.h"

typedef struct {
    const mldsa_params *p;
    girih_backend id;
    const uint8_t *sk;
    uint8_t *sig;
    int32_t *poly; /* y_hat or w of one index, or (small) a secret */
    mldsa_small *small;
    girih_sha3 *hash;
    uint8_t *mu, *rho_prime, *c_tilde, *hints;
    mldsa_sparse *c;
    mldsa_row *rows; /* of w: those behind the ones in sig */
} signer;

/* Rows of w that a signature has room for, one byte given away for an even address. */
static unsigned rows_in_signature(const mldsa_params *p)
{
    return p->l - 1;
}

#define ROWS_THAT_FIT(signature_bytes) (((signature_bytes)-1) / sizeof(mldsa_row))
_Static_assert(ROWS_THAT_FIT(GIRIH_MLDSA_44_SIGNATURE_BYTES) == 4 - 1, "44: one row of four in the workspace");
_Static_assert(ROWS_THAT_FIT(GIRIH_MLDSA_65_SIGNATURE_BYTES) == 5 - 1, "65: two rows of six in the workspace");
_Static_assert(ROWS_THAT_FIT(GIRIH_MLDSA_87_SIGNATURE_BYTES) == 7 - 1, "87: two rows of eight in the workspace");

static size_t carve(signer *s, void *base, const mldsa_params *p)
{
    arena a = arena_over(base);

    s->poly = (int32_t *)arena_take(&a, 1024);
    s->small = (mldsa_small *)(void *)s->poly;
    s->rows = (mldsa_row *)arena_take(&a, sizeof(mldsa_row) * (p->k - rows_in_signature(p)));
    s->hash = (girih_sha3 *)arena_take(&a, sizeof *s->hash);
    s->mu = (uint8_t *)arena_take(&a, GIRIH_MLDSA_MU_BYTES);
    s->rho_prime = (uint8_t *)arena_take(&a, 64);
    s->c_tilde = (uint8_t *)arena_take(&a, p->c_tilde_bytes);
    s->hints = (uint8_t *)arena_take(&a, p->omega + p->k);
    s->c = (mldsa_sparse *)arena_take(&a, sizeof *s->c);
    return a.used;
}

size_t mldsa_sign_lowram_bytes(const mldsa_params *p)
{
    signer s;
    const size_t to_sign = carve(&s, NULL, p), to_check = mldsa_verify_lowram_bytes();

    return to_sign > to_check ? to_sign : to_check;
}

static mldsa_row *row_of_w(const signer *s, unsigned i)
{
    const unsigned inside = rows_in_signature(s->p);
    uint8_t *even = s->sig + ((uintptr_t)s->sig & 1);

    return i < inside ? (mldsa_row *)(void *)even + i : s->rows + (i - inside);
}

/* Starts mask j of an attempt (FIPS 204, Algorithm 34 (ExpandMask)), and its next piece. */
static void mask_start(const signer *s, unsigned kappa, unsigned j)
{
    mldsa_stream_start(s->hash, SHAKE256_RATE, s->rho_prime, 64, kappa + j, s->id);
}

static void mask_piece(const signer *s, uint8_t piece[MLDSA_PIECE_BYTES])
{
    keccak_squeeze(s->hash, piece, mldsa_piece_coefficients(s->p) / 8 * (s->p->z_bytes / 32));
}

/* poly = y_j. */
static GIRIH_NOINLINE void whole_mask(const signer *s, unsigned kappa, unsigned j)
{
    const unsigned piece_coefficients = mldsa_piece_coefficients(s->p), eight_bytes = s->p->z_bytes / 32;
    uint32_t piece[MLDSA_PIECE_BYTES / 4];

    mask_start(s, kappa, j);
    for (unsigned i = 0; i < 256; i += piece_coefficients) {
        const uint8_t *from = (const uint8_t *)piece;

        mask_piece(s, (uint8_t *)piece);
        for (unsigned n = 0; n < piece_coefficients; n += 8, from += eight_bytes)
            mldsa_z_unpack_eight(s->poly + i + n, from, s->p);
    }
}

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal), lines 11 and 12 before the inverse transform: the rows of A_hat y_hat. */
static GIRIH_NOINLINE void multiply_masks(const signer *s, unsigned kappa)
{
    for (unsigned i = 0; i < s->p->k; i++)
        memset(row_of_w(s, i), 0, sizeof(mldsa_row));
    for (unsigned j = 0; j < s->p->l; j++) {
        whole_mask(s, kappa, j);
        mldsa_ntt_c(s->poly);
        for (unsigned i = 0; i < s->p->k; i++)
            mldsa_a_hat_add_product(row_of_w(s, i), s->poly, s->sk, i, j, s->hash, s->id);
    }
}

/* Lines 12, 13 and 15: w, packed again; w1 into the hash; c_tilde. */
static GIRIH_NOINLINE void commit(const signer *s)
{
    const mldsa_params *p = s->p;
    uint32_t words[MLDSA_MAX_W1_BYTES / 8 / 4]; /* 32 coefficients: whole lanes */

    keccak_init(s->hash, SHAKE256_RATE, SHAKE_SUFFIX, s->id);
    keccak_absorb(s->hash, s->mu, GIRIH_MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        mldsa_row *row = row_of_w(s, i);

        mldsa_row_load(s->poly, row);
        mldsa_intt_c(s->poly);
        for (unsigned at = 0; at < 256;) {
            uint8_t *end = (uint8_t *)words;

            for (unsigned four = 0; four < 8; four++) {
                int32_t w1[4], w0;

                for (unsigned n = 0; n < 4; n++, at++) {
                    const int32_t w = mldsa_to_positive(s->poly[at]);

                    mldsa_row_put(row, at, w);
                    w1[n] = mldsa_decompose(&w0, w, p);
                }
                end = w1_pack_group(end, w1, p);
            }
            keccak_absorb(s->hash, words, p->w1_bytes / 8);
        }
    }
    keccak_squeeze(s->hash, s->c_tilde, p->c_tilde_bytes);
    GIRIH_DECLASSIFY(s->c_tilde, p->c_tilde_bytes,
                     "c_tilde: public in a signature; of a rejected attempt, a hash of w1, which stays secret");
}

/* Lines 19 and 21 and half of line 23: w - c s2 in place of w; whether all its low bits are below gamma2 - beta. Stops after a polynomial,
 * as sign.c does and for its reasons. */
static GIRIH_NOINLINE int low_bits_fit(const signer *s)
{
    const mldsa_params *p = s->p;

    for (unsigned i = 0; i < p->k; i++) {
        mldsa_row *row = row_of_w(s, i);
        uint32_t exceeds = 0;

        mldsa_small_secret(s->small, s->sk + MLDSA_SK_S + p->eta_bytes * (p->l + i), p);
        for (unsigned at = 0; at < 256; at += 8) {
            int32_t product[8], r0;

            mldsa_small_times(product, s->small, s->c, at);
            for (unsigned n = 0; n < 8; n++) { /* w - c s2 in (-beta, q + beta): q less, then q more, twice where it is still negative */
                const int32_t r = mldsa_to_positive(mldsa_to_positive(mldsa_row_get(row, at + n) - product[n] - MLDSA_Q));

                (void)mldsa_decompose(&r0, r, p);
                exceeds |= mldsa_exceeds(r0, p->gamma2 - p->beta);
                mldsa_row_put(row, at + n, r);
            }
        }
        exceeds &= 1;
        GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "r0: which polynomial fails is independent of s2");
        if (exceeds) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_R0);
            return 0;
        }
    }
    return 1;
}

/* Lines 18 and 20 and the other half of line 23: z_j = y_j + c s1_j, whether all of it is below gamma1 - beta; packed where packed is not
 * NULL. */
static GIRIH_NOINLINE uint32_t response(const signer *s, unsigned kappa, unsigned j, uint8_t *packed)
{
    const mldsa_params *p = s->p;
    const unsigned piece_coefficients = mldsa_piece_coefficients(p), eight_bytes = p->z_bytes / 32;
    uint32_t piece[MLDSA_PIECE_BYTES / 4], exceeds = 0;

    mldsa_small_secret(s->small, s->sk + MLDSA_SK_S + p->eta_bytes * j, p);
    mask_start(s, kappa, j);
    for (unsigned at = 0; at < 256;) {
        const uint8_t *from = (const uint8_t *)piece;

        mask_piece(s, (uint8_t *)piece);
        for (unsigned n = 0; n < piece_coefficients; n += 8, at += 8, from += eight_bytes) {
            int32_t z[8], y[8];

            mldsa_z_unpack_eight(y, from, p);
            mldsa_small_times(z, s->small, s->c, at);
            for (unsigned i = 0; i < 8; i++) {
                z[i] += y[i];
                exceeds |= mldsa_exceeds(z[i], p->gamma1 - p->beta);
            }
            if (packed != NULL) {
                mldsa_z_pack_eight(packed, z, p);
                packed += eight_bytes;
            }
        }
    }
    return exceeds & 1;
}

static int response_fits(const signer *s, unsigned kappa)
{
    for (unsigned j = 0; j < s->p->l; j++) {
        uint32_t exceeds = response(s, kappa, j, NULL);

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
    const mldsa_row *row = row_of_w(s, i);
    uint32_t exceeds = 0;
    unsigned n = *count;

    mldsa_small_t0(s->small, s->sk + mldsa_sk_t0(p) + MLDSA_T0_BYTES * i);
    for (unsigned at = 0; at < 256; at += 8) {
        int32_t product[8];

        mldsa_small_times(product, s->small, s->c, at);
        for (unsigned c = 0; c < 8; c++) {
            exceeds |= mldsa_exceeds(product[c], p->gamma2);
            n = mldsa_hint_append(s->hints, n, at + c, mldsa_row_get(row, at + c), product[c], p);
        }
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

/* FIPS 204, Algorithm 26 (sigEncode), over the rows of w. */
static void encode(const signer *s, unsigned kappa)
{
    const mldsa_params *p = s->p;

    memcpy(s->sig, s->c_tilde, p->c_tilde_bytes);
    for (unsigned j = 0; j < p->l; j++)
        (void)response(s, kappa, j, s->sig + p->c_tilde_bytes + p->z_bytes * j);
    memcpy(s->sig + mldsa_sig_hints(p), s->hints, p->omega + p->k);
    GIRIH_DECLASSIFY(s->sig, p->sig_bytes, "the signature");
}

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal) from mu on, as sign.c has it. */
static girih_status attempt(const signer *s, const girih_mldsa_options *options)
{
    uint32_t attempts = 0;

    for (unsigned kappa = 0; mldsa_attempt_begins(&attempts, kappa, s->p, options); kappa += s->p->l) {
        multiply_masks(s, kappa);                                                          /* l.11-12 */
        commit(s);                                                                         /* l.12-15 */
        mldsa_sparse_challenge(s->c, s->c_tilde, (int8_t *)s->poly, s->p, s->hash, s->id); /* l.16 */
        if (!low_bits_fit(s) || !response_fits(s, kappa) || !hints_fit(s))                 /* l.18-28 */
            continue;
        GIRIH_TEST_EVENT(GIRIH_EVENT_ACCEPT);
        encode(s, kappa); /* l.33 */
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
        girih_status status = girih_mldsa_mu_init((girih_mldsa_mu *)s->hash, s->id, s->sk + MLDSA_SK_TR, m->ctx, m->ctx_len);

        if (status != GIRIH_OK)
            return status;
        keccak_absorb(s->hash, m->data, m->len);
        keccak_squeeze(s->hash, s->mu, GIRIH_MLDSA_MU_BYTES);
    }
    keccak_init(s->hash, SHAKE256_RATE, SHAKE_SUFFIX, s->id);
    keccak_absorb(s->hash, s->sk + MLDSA_SK_KEY, MLDSA_K_BYTES);
    keccak_absorb(s->hash, rnd, GIRIH_MLDSA_RND_BYTES);
    keccak_absorb(s->hash, s->mu, GIRIH_MLDSA_MU_BYTES);
    keccak_squeeze(s->hash, s->rho_prime, 64);
    return GIRIH_OK;
}

/* FIPS 204, Algorithm 25 (skDecode), lines 6 and 9: whether s1 and s2 are in range; and whether pk, where given, is the one that tr names.
 */
static girih_status check_keys(const signer *s, const uint8_t *pk)
{
    const mldsa_params *p = s->p;
    uint8_t *tr = (uint8_t *)s->poly;
    uint32_t bad = 0;

    for (unsigned i = 0; i < p->l + p->k; i++)
        bad |= mldsa_s_unpack(s->poly, s->sk + MLDSA_SK_S + p->eta_bytes * i, p);
    GIRIH_DECLASSIFY(&bad, sizeof bad, "whether an encoded key is well formed is told to the caller");
    if (bad != 0)
        return GIRIH_BAD_KEY;
    if (pk == NULL)
        return GIRIH_OK;
    keccak_init(s->hash, SHAKE256_RATE, SHAKE_SUFFIX, s->id);
    keccak_absorb(s->hash, pk, p->pk_bytes);
    keccak_squeeze(s->hash, tr, GIRIH_MLDSA_TR_BYTES);
    return memcmp(tr, s->sk + MLDSA_SK_TR, GIRIH_MLDSA_TR_BYTES) == 0 ? GIRIH_OK : GIRIH_BAD_KEY;
}

static girih_status sign(uint8_t *sig, size_t sig_len, const uint8_t *sk, size_t sk_len, girih_mldsa_set set, girih_backend backend,
                         const mldsa_message *m, const uint8_t rnd[32], const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const girih_mldsa_options none = {0};
    signer s = {.p = mldsa_params_of(set), .id = backend, .sk = sk, .sig = sig};
    girih_status status;
    size_t need;

    if (options == NULL)
        options = &none;
    if (s.p == NULL || !girih_backend_available(backend) || (options->checked && options->pk == NULL))
        return GIRIH_BAD_ARGUMENT;
    if (sig_len != s.p->sig_bytes || sk_len != s.p->sk_bytes || (options->checked && options->pk_len != s.p->pk_bytes))
        return GIRIH_BAD_LENGTH;
    if (ws_len < mldsa_sign_lowram_bytes(s.p))
        return GIRIH_WORKSPACE;
    need = carve(&s, ws, s.p);
    GIRIH_SECRET(sk + MLDSA_SK_KEY, MLDSA_K_BYTES);
    GIRIH_SECRET(sk + MLDSA_SK_S, sk_len - MLDSA_SK_S);
    status = check_keys(&s, options->checked ? options->pk : NULL);
    if (status == GIRIH_OK)
        status = prepare(&s, m, rnd);
    if (status == GIRIH_OK)
        status = attempt(&s, options);
    arena_wipe(ws, need); /* FIPS 204, 3.6.3 */
    if (status == GIRIH_OK && options->checked && mldsa_verify_lowram(options->pk, sig, m, s.p, backend, ws) != GIRIH_OK)
        status = GIRIH_FAULT;
    if (status != GIRIH_OK)
        girih_wipe(sig, sig_len);
    return status;
}

girih_status girih_mldsa_sign_lowram(uint8_t *sig, size_t sig_len, const uint8_t *sk, size_t sk_len, girih_mldsa_set set,
                                     girih_backend backend, const uint8_t *msg, size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                                     const uint8_t rnd[32], const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_PURE, .data = msg, .len = msg_len, .ctx = ctx, .ctx_len = ctx_len};

    return sign(sig, sig_len, sk, sk_len, set, backend, &m, rnd, options, ws, ws_len);
}

girih_status girih_mldsa_sign_mu_lowram(uint8_t *sig, size_t sig_len, const uint8_t *sk, size_t sk_len, girih_mldsa_set set,
                                        girih_backend backend, const uint8_t mu[64], const uint8_t rnd[32],
                                        const girih_mldsa_options *options, void *ws, size_t ws_len)
{
    const mldsa_message m = {.kind = MLDSA_MESSAGE_MU, .data = mu, .len = GIRIH_MLDSA_MU_BYTES};

    return sign(sig, sig_len, sk, sk_len, set, backend, &m, rnd, options, ws, ws_len);
}
