/* Key generation of ML-KEM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/bytes.h"
#include "common/ct.h"
#include "mlkem/key.h"

#if GIRIH_MLKEM >= 2

/* Where the parts of a key pair go. */
typedef struct {
    uint8_t *ek;    /* encoded */
    uint8_t *s;     /* ByteEncode_12(s_hat); NULL: not wanted */
    uint8_t *h;     /* H(ek) */
    int16_t *s_hat; /* k polynomials, room for them in any case; |.| <= 8q */
    int16_t *a_hat; /* transposed; NULL: not kept */
    int16_t *t_hat; /* NULL: not kept */
} key_parts;

/* Row i of A_hat s_hat, the entries sampled one by one, into w->poly. */
static void streamed_row(const key_parts *out, unsigned i, const mlkem_params *p, mlkem_work *w)
{
    memset(w->sum, 0, 1024);
    for (unsigned j = 0; j < p->k; j++) {
        int16_t *entry = out->a_hat == NULL ? w->poly : out->a_hat + 256 * (p->k * j + i);

        (void)mlkem_add_entry(w, entry, out->ek + MLKEM_POLY_BYTES * p->k, j, i);
        mlkem_run(w);
        mlkem_be(w)->sum_add(w->sum, entry, out->s_hat + 256 * j, w->caches + mlkem_be(w)->cache_words * j);
    }
    mlkem_be(w)->sum_finish(w->poly, w->sum);
}

/* FIPS 203, Algorithm 13 (K-PKE.KeyGen). */
static void key_pair(const key_parts *out, const uint8_t d[32], const mlkem_params *p, mlkem_work *w)
{
    const mlkem_backend *be = mlkem_be(w);
    const unsigned k = p->k;
    const int streamed = be->lanes == 1;
    uint8_t *rho = w->item->g, *sigma = rho + 32, *ek_rho = out->ek + MLKEM_POLY_BYTES * k;
    int16_t *a_hat = out->a_hat == NULL ? w->a_hat : out->a_hat, *errors = w->item->noise + 256 * k;
    mlkem_job *g = mlkem_add_hash(w, MLKEM_G, rho, d, 32, NULL, 0);

    g->tail[0] = (uint8_t)k;
    g->tail_len = 1;
    mlkem_run(w);
    GIRIH_DECLASSIFY(rho, MLKEM_RHO_BYTES, "rho is part of the encapsulation key");
    memcpy(ek_rho, rho, MLKEM_RHO_BYTES);

    if (!streamed) { /* s, e and row 0 of A_hat, then the other rows */
        for (unsigned i = 0; i < k; i++) {
            for (unsigned j = 0; j < k; j++)
                (void)mlkem_add_entry(w, a_hat + 256 * (k * j + i), ek_rho, j, i);
            for (unsigned n = 0; i == 0 && n < 2 * k; n++)
                (void)mlkem_add_noise(w, n < k ? out->s_hat + 256 * n : errors + 256 * (n - k), sigma, n, p->eta1);
        }
        mlkem_run_first(w, 3 * k);
    }
    for (unsigned j = 0; j < k; j++) {
        if (streamed) {
            (void)mlkem_add_noise(w, out->s_hat + 256 * j, sigma, j, p->eta1);
            mlkem_run(w);
        }
        be->ntt(out->s_hat + 256 * j);
        be->product_cache(w->caches + be->cache_words * j, out->s_hat + 256 * j);
    }
    w->item->chain = (mlkem_job){.kind = MLKEM_H, .a = out->ek, .a_len = p->ek_bytes, .out = out->h};
    w->beside = &w->item->chain; /* each row is hashed while the next one is sampled */
    for (unsigned i = 0; i < k; i++) {
        uint8_t *ek_row = out->ek + MLKEM_POLY_BYTES * i;
        int16_t *e_hat = streamed ? errors : errors + 256 * i;

        if (streamed) {
            streamed_row(out, i, p, w);
            (void)mlkem_add_noise(w, e_hat, sigma, k + i, p->eta1);
            mlkem_run(w);
        } else {
            mlkem_run_first(w, (3 + i) * k);
            be->product(w->poly, a_hat + 256 * i, k, out->s_hat, w->caches, k);
        }
        be->ntt(e_hat);
        be->key_row(ek_row, out->t_hat == NULL ? w->poly : out->t_hat + 256 * i, w->poly, e_hat);
        GIRIH_DECLASSIFY(ek_row, MLKEM_POLY_BYTES, "t_hat is part of the encapsulation key");
        if (out->t_hat != NULL)
            GIRIH_DECLASSIFY(out->t_hat + 256 * i, 512, "t_hat is part of the encapsulation key");
        w->item->chain.there = i + 1 == k ? p->ek_bytes : MLKEM_POLY_BYTES * (i + 1);
        if (out->s != NULL)
            be->encode(out->s + MLKEM_POLY_BYTES * i, out->s_hat + 256 * i);
    }
    w->beside = NULL;
    w->list[0] = &w->item->chain;
    w->count = 1;
    mlkem_run(w);
}

girih_status girih_mlkem_seed_load(girih_mlkem_dk *dk, size_t dk_bytes, girih_mlkem_set set, unsigned caches, girih_backend backend,
                                   const uint8_t seed[GIRIH_MLKEM_SEED_BYTES], void *ws, size_t ws_len)
{
    const mlkem_params *p = mlkem_params_of(set);
    girih_status status = mlkem_object_check(p, caches, backend, dk, dk_bytes, girih_mlkem_dk_bytes(set, caches, backend));
    mlkem_work w;
    girih_mlkem_ek *ek;
    size_t need;

    if (status != GIRIH_OK)
        return status;
    if (ws_len < girih_mlkem_workspace_bytes(set, GIRIH_MLKEM_KEYGEN, caches, backend))
        return GIRIH_WORKSPACE;
    need = mlkem_work_carve(&w, ws, mlkem_shape_of(GIRIH_MLKEM_KEYGEN, caches, backend), p, backend);
    *dk = (girih_mlkem_dk){.magic = MLKEM_DK_MAGIC | (uint32_t)backend, .set = (uint32_t)set, .caches = caches};
    memcpy(dk->z, seed + 32, sizeof dk->z);
    ek = mlkem_dk_ek(dk, p);
    mlkem_ek_begin(ek, caches, p, backend);
    key_pair(
        &(key_parts){
            .ek = mlkem_ek_encoded(ek, p), .h = ek->h, .s_hat = dk->s_hat[0], .a_hat = mlkem_ek_a_hat(ek), .t_hat = mlkem_ek_t_hat(ek, p)},
        seed, p, &w);
    for (unsigned j = 0; j < p->k; j++) { /* to the range of a first factor */
        uint8_t *encoded = (uint8_t *)w.poly;

        mlkem_be(&w)->encode(encoded, dk->s_hat[j]);
        (void)mlkem_be(&w)->decode(dk->s_hat[j], encoded);
    }
    mlkem_work_wipe(&w, ws, need);
    return GIRIH_OK;
}

#endif

#if GIRIH_MLKEM >= 3

girih_status girih_mlkem_keygen(uint8_t *ek, size_t ek_len, uint8_t *dk, size_t dk_len, girih_mlkem_set set, girih_backend backend,
                                const uint8_t seed[GIRIH_MLKEM_SEED_BYTES], void *ws, size_t ws_len)
{
    const mlkem_params *p = mlkem_params_of(set);
    mlkem_work w;
    uint8_t *ek_in_dk;
    size_t need;

    if (p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if (ek_len != p->ek_bytes || dk_len != p->dk_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mlkem_workspace_bytes(set, GIRIH_MLKEM_KEYGEN, 0, backend))
        return GIRIH_WORKSPACE;
    need = mlkem_work_carve(&w, ws, mlkem_shape_of(GIRIH_MLKEM_KEYGEN, 0, backend), p, backend);
    ek_in_dk = dk + MLKEM_POLY_BYTES * p->k;
    memcpy(ek_in_dk + p->ek_bytes + MLKEM_H_BYTES, seed + 32, 32); /* z, before anything is written over a seed in the same memory */
    key_pair(&(key_parts){.ek = ek_in_dk, .s = dk, .h = ek_in_dk + p->ek_bytes, .s_hat = w.item->noise}, seed, p, &w);
    memcpy(ek, ek_in_dk, p->ek_bytes);
    mlkem_work_wipe(&w, ws, need);
    return GIRIH_OK;
}

#endif
