/* Key generation of ML-DSA.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/keygen.h"

#include "common/bytes.h"
#include "common/ct.h"
#include "keccak/sponge.h"
#include "mldsa/encode.h"
#include "mldsa/lowram.h"

/* Offsets inside ws->seeds: the output of H in FIPS 204, Algorithm 6, line 1. */
enum { SEED_RHO = 0, SEED_RHO_PRIME = 32, SEED_K = 96, SEED_BYTES = 128 };

/* Lays the buffers into base (NULL: only measures) and returns the bytes they take. */
size_t mldsa_key_workspace_carve(mldsa_key_workspace *ws, void *base, const mldsa_params *p, girih_backend id, int with_a_hat,
                                 int with_encoded)
{
    arena a = arena_over(base);

    ws->s = (int32_t *)arena_take(&a, 1024 * (p->l + p->k));
    ws->s1_hat = (int32_t *)arena_take(&a, 1024 * p->l);
    ws->t = (int32_t *)arena_take(&a, 1024);
    ws->seeds = (uint8_t *)arena_take(&a, SEED_BYTES);
    ws->rows = arena_take(&a, mldsa_backend_of(id)->rows_bytes);
    ws->a_hat = with_a_hat ? (int32_t *)arena_take(&a, 1024 * p->k * p->l) : NULL;
    ws->encoded = with_encoded ? (uint8_t *)arena_take(&a, p->sk_bytes) : NULL;
    return a.used;
}

/* Row i of the key pair: t_i, then t1 into pk and the hash of it, t0, and the tables. */
static void derive_row(const mldsa_key_parts *out, const int32_t *a_hat, unsigned i, const mldsa_params *p, girih_backend id,
                       mldsa_key_workspace *ws)
{
    const mldsa_backend *be = mldsa_backend_of(id);
    const int32_t *s2 = ws->s + 256 * (p->l + i);
    int32_t *t = ws->t;
    uint8_t t1[MLDSA_T1_BYTES];

    be->row_times_vector(t, a_hat, i, ws->s1_hat, p);
    be->intt(t);
    for (unsigned c = 0; c < 256; c++) /* 204/6 l.5: |t_i| <= 3q/4 + eta < q */
        t[c] += s2[c];
    be->power2round(t1, t); /* l.6 */
    GIRIH_DECLASSIFY(t1, sizeof t1, "t1 is part of the public key");
    be->rows_absorb(ws->rows, t1, sizeof t1);
    if (out->pk != NULL)
        memcpy(out->pk + MLDSA_RHO_BYTES + MLDSA_T1_BYTES * i, t1, sizeof t1);
    if (out->sk != NULL)
        mldsa_t0_pack(out->sk + mldsa_sk_t0(p) + MLDSA_T0_BYTES * i, t);
    if (out->vk != NULL)
        mldsa_t1_hat(out->vk->polys[p->k * p->l + i], t1, id);
    if (out->table != NULL) {
        be->t0_form(out->table->forms + mldsa_t0_at(i, p, id), t);
        for (unsigned c = 0; c < 256; c++) /* t is free now */
            t[c] = -s2[c];
        be->secret_form(out->table->forms + mldsa_secret_at(p->l + i, id), t);
    }
}

/* A_hat goes into the table where there is one. */
static int32_t *matrix_of(const mldsa_key_parts *out, const mldsa_key_workspace *ws)
{
    return out->vk != NULL ? out->vk->polys[0] : ws->a_hat;
}

/* FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal), lines 3-10, from rho, K, s1 and s2 in ws, in one pass: each row of A_hat is sampled once
 * and gives its row of the public key, which is hashed while the next ones are sampled. ws->rows has been started. */
static void derive(const mldsa_key_parts *out, const mldsa_params *p, girih_backend id, mldsa_key_workspace *ws)
{
    const mldsa_backend *be = mldsa_backend_of(id);
    const uint8_t *rho = ws->seeds + SEED_RHO;
    int32_t *a_hat = matrix_of(out, ws);
    uint8_t tr[GIRIH_MLDSA_TR_BYTES];

    memcpy(ws->s1_hat, ws->s, 1024 * p->l);
    for (unsigned j = 0; j < p->l; j++)
        be->ntt(ws->s1_hat + 256 * j);
    be->rows_absorb(ws->rows, rho, MLDSA_RHO_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        be->rows_next(ws->rows, a_hat, p); /* l.3 */
        GIRIH_TEST_STEP();
        derive_row(out, a_hat, i, p, id, ws);
    }
    be->rows_tr(ws->rows, tr, p); /* l.9 */
    GIRIH_TEST_STEP();

    if (out->pk != NULL)
        memcpy(out->pk, rho, MLDSA_RHO_BYTES); /* l.8 */
    if (out->sk != NULL) {                     /* l.10 */
        memcpy(out->sk, rho, MLDSA_RHO_BYTES);
        memcpy(out->sk + MLDSA_SK_KEY, ws->seeds + SEED_K, MLDSA_K_BYTES);
        memcpy(out->sk + MLDSA_SK_TR, tr, sizeof tr);
        for (unsigned i = 0; i < p->l + p->k; i++)
            mldsa_s_pack(out->sk + MLDSA_SK_S + p->eta_bytes * i, ws->s + 256 * i, p);
    }
    if (out->vk != NULL)
        mldsa_vk_finish(out->vk, rho, tr, p, id);
    if (out->table != NULL) {
        girih_mldsa_sk *sk = out->table;

        memset(sk, 0, sizeof *sk);
        sk->magic = MLDSA_SK_MAGIC | (uint32_t)id;
        sk->set = (uint32_t)p->set;
        memcpy(sk->key, ws->seeds + SEED_K, MLDSA_K_BYTES);
        memcpy(sk->tr, tr, sizeof tr);
        for (unsigned j = 0; j < p->l; j++)
            be->secret_form(sk->forms + mldsa_secret_at(j, id), ws->s + 256 * j);
    }
}

/* From rho, K, s1 and s2 in ws. */
void mldsa_key_from_secrets(const mldsa_key_parts *out, const mldsa_params *p, girih_backend id, mldsa_key_workspace *ws)
{
    mldsa_backend_of(id)->rows_start(ws->rows, ws->seeds + SEED_RHO, p, id);
    derive(out, p, id, ws);
}

/* FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal). */
void mldsa_key_from_seed(const mldsa_key_parts *out, const uint8_t seed[32], const mldsa_params *p, girih_backend id,
                         mldsa_key_workspace *ws)
{
    const mldsa_backend *be = mldsa_backend_of(id);
    const uint8_t dimensions[2] = {(uint8_t)p->k, (uint8_t)p->l};
    girih_sha3 hash;

    GIRIH_SECRET(seed, GIRIH_MLDSA_SEED_BYTES);
    keccak_init(&hash, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(&hash, seed, GIRIH_MLDSA_SEED_BYTES);
    keccak_absorb(&hash, dimensions, sizeof dimensions);
    keccak_squeeze(&hash, ws->seeds, SEED_BYTES); /* 204/6 l.1 */
    girih_wipe(&hash, sizeof hash);
    GIRIH_DECLASSIFY(ws->seeds + SEED_RHO, MLDSA_RHO_BYTES, "rho is part of the public key");
    be->rows_start(ws->rows, ws->seeds + SEED_RHO, p, id);
    be->rows_secrets(ws->rows, ws->s, matrix_of(out, ws), ws->seeds + SEED_RHO_PRIME, p); /* l.4 */
    derive(out, p, id, ws);
}

#if GIRIH_MLDSA >= 3

girih_status girih_mldsa_keygen(uint8_t *pk, size_t pk_len, uint8_t *sk, size_t sk_len, girih_mldsa_set set, girih_backend backend,
                                const uint8_t seed[32], void *ws, size_t ws_len)
{
    const mldsa_params *p = mldsa_params_of(set);
    const mldsa_key_parts out = {.pk = pk, .sk = sk};
    mldsa_key_workspace buffers;
    size_t need;

    if (p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if (pk_len != p->pk_bytes || sk_len != p->sk_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_KEYGEN, backend))
        return GIRIH_WORKSPACE;
    if (mldsa_keeps_no_matrix(backend)) {
        mldsa_keygen_rows(pk, sk, seed, p->l, p, backend, ws);
        return GIRIH_OK;
    }
    need = mldsa_key_workspace_carve(&buffers, ws, p, backend, 1, 0);
    mldsa_key_from_seed(&out, seed, p, backend, &buffers);
    arena_wipe(ws, need);
    return GIRIH_OK;
}

#endif
