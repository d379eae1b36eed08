/* Key generation of ML-DSA, one row of A at a time; the secrets are kept in the encoded key alone.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/ct.h"
#include "mldsa/encode.h"
#include "mldsa/lowram.h"

/* A row of A s1 while it grows. */
typedef struct {
    girih_sha3 xof;
    mldsa_row row;
} row_sum;

_Static_assert(sizeof(row_sum) <= 1024, "s2 and the sum lie in the same place, one after the other");

typedef struct {
    int32_t *s1_hat; /* as many columns as there is room for: all, or one that is made again for each row */
    int32_t *t;      /* s of one index, then t of one row; where s1_hat is when that is one column */
    row_sum *sum;
    int32_t *s2;        /* where sum is */
    uint8_t *rho_prime; /* 64 */
} workspace;

static size_t carve(workspace *ws, void *base, unsigned columns)
{
    arena a = arena_over(base);

    ws->s1_hat = (int32_t *)arena_take(&a, 1024 * columns);
    ws->t = columns == 1 ? ws->s1_hat : (int32_t *)arena_take(&a, 1024);
    ws->s2 = (int32_t *)arena_take(&a, 1024);
    ws->sum = (row_sum *)(void *)ws->s2;
    ws->rho_prime = (uint8_t *)arena_take(&a, 64);
    return a.used;
}

size_t mldsa_keygen_rows_bytes(unsigned columns)
{
    workspace ws;

    return carve(&ws, NULL, columns);
}

/* FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal), lines 1, 4 and 10: rho, K and the secrets into the keys. */
static void sample_secrets(const workspace *ws, uint8_t *pk, uint8_t *sk, const uint8_t seed[32], const mldsa_params *p, girih_backend id)
{
    girih_sha3 *xof = &ws->sum->xof;
    const uint8_t dimensions[2] = {(uint8_t)p->k, (uint8_t)p->l};

    keccak_init(xof, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(xof, seed, GIRIH_MLDSA_SEED_BYTES);
    keccak_absorb(xof, dimensions, sizeof dimensions);
    keccak_squeeze(xof, pk, MLDSA_RHO_BYTES);
    GIRIH_DECLASSIFY(pk, MLDSA_RHO_BYTES, "rho is part of the public key");
    keccak_squeeze(xof, ws->rho_prime, 64);
    memcpy(sk, pk, MLDSA_RHO_BYTES);
    keccak_squeeze(xof, sk + MLDSA_SK_KEY, MLDSA_K_BYTES);
    for (unsigned r = 0; r < p->l + p->k; r++) {
        mldsa_secret_poly(ws->t, ws->rho_prime, r, p, xof, id);
        mldsa_s_pack(sk + MLDSA_SK_S + p->eta_bytes * r, ws->t, p);
    }
}

/* NTT(s1_j): from the workspace where it keeps all columns, else made again. */
static const int32_t *column(const workspace *ws, const uint8_t *sk, unsigned i, unsigned j, unsigned columns, const mldsa_params *p)
{
    int32_t *s1_hat = ws->s1_hat + (columns == 1 ? 0 : 256 * j);

    if (columns == 1 || i == 0) {
        (void)mldsa_s_unpack(s1_hat, sk + MLDSA_SK_S + p->eta_bytes * j, p); /* as it was packed */
        mldsa_ntt_c(s1_hat);
    }
    return s1_hat;
}

/* Lines 5, 6, 8 and 10 for row i. */
static void derive_row(const workspace *ws, uint8_t *pk, uint8_t *sk, unsigned i, unsigned columns, const mldsa_params *p, girih_backend id)
{
    uint8_t *t1 = pk + MLDSA_RHO_BYTES + MLDSA_T1_BYTES * i;

    memset(&ws->sum->row, 0, sizeof ws->sum->row);
    for (unsigned j = 0; j < p->l; j++)
        mldsa_a_hat_add_product(&ws->sum->row, column(ws, sk, i, j, columns, p), pk, i, j, &ws->sum->xof, id);
    mldsa_row_load(ws->t, &ws->sum->row);
    mldsa_intt_c(ws->t);
    (void)mldsa_s_unpack(ws->s2, sk + MLDSA_SK_S + p->eta_bytes * (p->l + i), p);
    for (unsigned c = 0; c < 256; c++) /* |t_i| <= 3q/4 + eta < q */
        ws->t[c] += ws->s2[c];
    mldsa_power2round_c(t1, ws->t);
    GIRIH_DECLASSIFY(t1, MLDSA_T1_BYTES, "t1 is part of the public key");
    mldsa_t0_pack(sk + mldsa_sk_t0(p) + MLDSA_T0_BYTES * i, ws->t);
}

/* FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal). */
void mldsa_keygen_rows(uint8_t *pk, uint8_t *sk, const uint8_t seed[32], unsigned columns, const mldsa_params *p, girih_backend id,
                       void *base)
{
    workspace ws;
    const size_t need = carve(&ws, base, columns);
    girih_sha3 *hash = &ws.sum->xof;

    GIRIH_SECRET(seed, GIRIH_MLDSA_SEED_BYTES);
    sample_secrets(&ws, pk, sk, seed, p, id);
    for (unsigned i = 0; i < p->k; i++)
        derive_row(&ws, pk, sk, i, columns, p, id);
    keccak_init(hash, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(hash, pk, p->pk_bytes);
    keccak_squeeze(hash, sk + MLDSA_SK_TR, GIRIH_MLDSA_TR_BYTES); /* l.9 */
    arena_wipe(base, need);
}

girih_status girih_mldsa_keygen_lowram(uint8_t *pk, size_t pk_len, uint8_t *sk, size_t sk_len, girih_mldsa_set set, girih_backend backend,
                                       const uint8_t seed[32], void *ws, size_t ws_len)
{
    const mldsa_params *p = mldsa_params_of(set);

    if (p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if (pk_len != p->pk_bytes || sk_len != p->sk_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < mldsa_keygen_rows_bytes(1))
        return GIRIH_WORKSPACE;
    mldsa_keygen_rows(pk, sk, seed, 1, p, backend, ws);
    return GIRIH_OK;
}
