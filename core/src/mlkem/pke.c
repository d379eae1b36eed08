/* Encryption and decryption of K-PKE (FIPS 203, section 5).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mlkem/pke.h"

#include "common/bytes.h"
#include "common/ct.h"

void mlkem_prepare(mlkem_public *ek, mlkem_work *w, int with_h)
{
    const mlkem_params *p = ek->p;

    if (with_h && ek->h == NULL) {
        (void)mlkem_add_hash(w, MLKEM_H, w->h, ek->encoded, p->ek_bytes, NULL, 0);
        ek->h = w->h;
    }
    if (mlkem_be(w)->lanes > 1 && ek->a_hat == NULL) {
        for (unsigned i = 0; i < p->k; i++)
            for (unsigned j = 0; j < p->k; j++)
                (void)mlkem_add_entry(w, w->a_hat + 256 * (p->k * i + j), mlkem_rho(ek), i, j);
        ek->a_hat = w->a_hat;
    }
    if (mlkem_be(w)->lanes > 1 && ek->t_hat == NULL)
        (void)mlkem_decode_public(ek, w); /* its range was checked when it came in */
    mlkem_run(w);
}

uint32_t mlkem_decode_public(mlkem_public *ek, mlkem_work *w)
{
    uint32_t exceeds = 0;

    if (mlkem_be(w)->lanes == 1)
        return girih_mlkem_check_ek(ek->p->set, ek->encoded, ek->p->ek_bytes) != GIRIH_OK;
    for (unsigned j = 0; j < ek->p->k; j++)
        exceeds |= mlkem_be(w)->decode(w->t_hat + 256 * j, ek->encoded + MLKEM_POLY_BYTES * j);
    ek->t_hat = w->t_hat;
    return exceeds;
}

void mlkem_add_encrypt_noise(const mlkem_public *ek, mlkem_item *item, mlkem_work *w)
{
    const unsigned k = ek->p->k;

    for (unsigned n = 0; n <= 2 * k; n++)
        (void)mlkem_add_noise(w, item->noise + 256 * n, item->g + 32, n, n < k ? ek->p->eta1 : 2);
}

/* Polynomial n of e1 || e2. */
static const int16_t *error(const mlkem_public *ek, mlkem_item *item, unsigned n, mlkem_work *w)
{
    const unsigned k = ek->p->k;

    if (mlkem_be(w)->lanes > 1)
        return item->noise + 256 * (k + n);
    (void)mlkem_add_noise(w, item->noise + 256 * k, item->g + 32, k + n, 2);
    mlkem_run(w);
    return item->noise + 256 * k;
}

/* w->poly = NTT^-1 of row i of A_hat^T (i < k), or of t_hat (i = k), times y_hat. */
static void row_times_y(const mlkem_public *ek, const int16_t *y_hat, unsigned i, mlkem_work *w)
{
    const mlkem_backend *be = mlkem_be(w);
    const unsigned k = ek->p->k;
    const int16_t *row = i == k ? ek->t_hat : ek->a_hat == NULL ? NULL : ek->a_hat + 256 * k * i;

    if (row != NULL) {
        be->product(w->poly, row, 1, y_hat, w->caches, k);
    } else {
        memset(w->sum, 0, 1024);
        for (unsigned j = 0; j < k; j++) {
            if (i == k) {
                (void)be->decode(w->poly, ek->encoded + MLKEM_POLY_BYTES * j);
            } else {
                (void)mlkem_add_entry(w, w->poly, mlkem_rho(ek), i, j);
                mlkem_run(w);
            }
            be->sum_add(w->sum, w->poly, y_hat + 256 * j, w->caches + be->cache_words * j);
        }
        be->sum_finish(w->poly, w->sum);
    }
    be->intt(w->poly);
}

/* FIPS 203, Algorithm 14 (K-PKE.Encrypt). */
uint32_t mlkem_encrypt(const mlkem_public *ek, mlkem_item *item, uint8_t *ct, const uint8_t *expected, mlkem_work *w)
{
    const mlkem_params *p = ek->p;
    const mlkem_backend *be = mlkem_be(w);
    uint32_t differ = 0;

    for (unsigned j = 0; j < p->k; j++) {
        int16_t *y = item->noise + 256 * j;

        if (be->lanes == 1) {
            (void)mlkem_add_noise(w, y, item->g + 32, j, p->eta1);
            mlkem_run(w);
        }
        be->ntt(y);
        be->product_cache(w->caches + be->cache_words * j, y);
    }
    for (unsigned i = 0; i <= p->k; i++) {
        const size_t at = (size_t)p->u_bytes * i, bytes = i == p->k ? p->v_bytes : p->u_bytes;
        uint8_t *packed = ct == NULL ? w->packed : ct + at;
        const int16_t *e;

        row_times_y(ek, item->noise, i, w);
        e = error(ek, item, i, w);
        if (i == p->k)
            be->pack_v(packed, w->poly, e, item->m, p->dv);
        else
            be->pack_u(packed, w->poly, e, p->du);
        if (ct == NULL)
            differ |= be->differ(packed, expected + at, bytes);
        else
            GIRIH_DECLASSIFY(packed, bytes, "a ciphertext is sent");
    }
    return differ;
}

#if GIRIH_MLKEM >= 2

/* FIPS 203, Algorithm 15 (K-PKE.Decrypt). Uses the room of the item's noise. */
void mlkem_decrypt(mlkem_item *item, const uint8_t *ct, const int16_t *s_hat, const uint8_t *encoded, const mlkem_params *p, mlkem_work *w)
{
    const mlkem_backend *be = mlkem_be(w);
    const unsigned k = p->k;
    int16_t *v = item->noise;

    if (s_hat == NULL && be->lanes > 1) {
        int16_t *s = item->noise + 256 * k;

        for (unsigned j = 0; j < k; j++)
            (void)be->decode(s + 256 * j, encoded + MLKEM_POLY_BYTES * j);
        s_hat = s;
    }
    if (s_hat != NULL) {
        int16_t *u = item->noise;

        for (unsigned j = 0; j < k; j++, u += 256) {
            be->unpack_u(u, ct + p->u_bytes * j, p->du);
            be->ntt(u);
            be->product_cache(w->caches + be->cache_words * j, u);
        }
        be->product(w->poly, s_hat, 1, item->noise, w->caches, k);
    } else {
        int16_t *u = item->noise, *s = item->noise + 256;

        memset(w->sum, 0, 1024);
        for (unsigned j = 0; j < k; j++) {
            be->unpack_u(u, ct + p->u_bytes * j, p->du);
            be->ntt(u);
            be->product_cache(w->caches, u);
            (void)be->decode(s, encoded + MLKEM_POLY_BYTES * j);
            be->sum_add(w->sum, s, u, w->caches);
        }
        be->sum_finish(w->poly, w->sum);
    }
    be->intt(w->poly);
    be->unpack_v(v, ct + p->u_bytes * k, p->dv);
    be->message(item->m, v, w->poly);
}

#endif
