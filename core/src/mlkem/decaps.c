/* Decapsulation of ML-KEM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/bytes.h"
#include "common/ct.h"
#include "mlkem/key.h"

#if GIRIH_MLKEM >= 2

/* A decapsulation key as decapsulation reads it. */
typedef struct {
    mlkem_public ek;
    const int16_t *s_hat;     /* NULL: decoded from s */
    const uint8_t *s, *h, *z; /* h: H(ek) as the key holds it */
} private_view;

static mlkem_job rejection_of(const private_view *dk, const uint8_t *ct, uint8_t out[32])
{
    return (mlkem_job){.kind = MLKEM_J, .a = dk->z, .a_len = 32, .there = 32, .b = ct, .b_len = dk->ek.p->ct_bytes, .out = out};
}

/* FIPS 203, Algorithm 18 (ML-KEM.Decaps_internal), of count items at once, lines 1 to 4 and 7 begun: J of a single one is worked on beside
 * the rest, J of several have lanes of their own. CT: the comparison reads everything and ends in a mask; J is always computed. */
static void decapsulate(const private_view *dk, const uint8_t *cts, uint8_t *sss, unsigned count, mlkem_work *w)
{
    const mlkem_params *p = dk->ek.p;
    uint32_t differ[MLKEM_GROUP];

    for (unsigned n = 0; n < count; n++) {
        mlkem_item *item = &w->item[n];

        mlkem_decrypt(item, cts + p->ct_bytes * n, dk->s_hat, dk->s, p, w);
        (void)mlkem_add_hash(w, MLKEM_G, item->g, item->m, 32, dk->h, MLKEM_H_BYTES);
    }
    mlkem_run(w);
    if (mlkem_be(w)->lanes > 1) {
        for (unsigned n = 0; n < count; n++)
            mlkem_add_encrypt_noise(&dk->ek, &w->item[n], w);
        mlkem_run(w);
    }
    w->beside = NULL;
    for (unsigned n = 0; n < count; n++) {
        differ[n] = mlkem_encrypt(&dk->ek, &w->item[n], NULL, cts + p->ct_bytes * n, w);
        w->list[w->count++] = &w->item[n].chain;
        if (mlkem_be(w)->lanes == 1 || n + 1 == count)
            mlkem_run(w);
    }
    for (unsigned n = 0; n < count; n++) {
        const mlkem_item *item = &w->item[n];

        for (unsigned i = 0; i < 32; i++)
            sss[32 * n + i] = (uint8_t)((item->g[i] & ~differ[n]) | (item->j[i] & differ[n]));
    }
}

/* Says what is to be hashed for the rejection of count items; of a single one, beside all that follows. */
static void begin(const private_view *dk, const uint8_t *cts, unsigned count, mlkem_work *w)
{
    for (unsigned n = 0; n < count; n++)
        w->item[n].chain = rejection_of(dk, cts + dk->ek.p->ct_bytes * n, w->item[n].j);
    w->beside = count == 1 ? &w->item->chain : NULL;
}

girih_status girih_mlkem_decaps(uint8_t ss[GIRIH_MLKEM_SHARED_SECRET_BYTES], girih_mlkem_set set, girih_backend backend, const uint8_t *dk,
                                size_t dk_len, const uint8_t *ct, size_t ct_len, void *ws, size_t ws_len)
{
    private_view view = {.ek = {.p = mlkem_params_of(set), .id = backend}, .s = dk};
    mlkem_work w;
    size_t need;
    girih_status status = GIRIH_BAD_KEY;

    if (view.ek.p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if (dk_len != view.ek.p->dk_bytes || ct_len != view.ek.p->ct_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mlkem_workspace_bytes(set, GIRIH_MLKEM_DECAPS, 0, backend))
        return GIRIH_WORKSPACE;
    view.ek.encoded = dk + MLKEM_POLY_BYTES * view.ek.p->k;
    view.h = view.ek.encoded + view.ek.p->ek_bytes;
    view.z = view.h + MLKEM_H_BYTES;
    need = mlkem_work_carve(&w, ws, (mlkem_shape){.items = 1, .with_a = 1, .with_t = 1}, view.ek.p, backend);
    begin(&view, ct, 1, &w);
    if (mlkem_decode_public(&view.ek, &w) == 0) {
        mlkem_prepare(&view.ek, &w, 1); /* hashes ek: the check of FIPS 203, 7.3, and A_hat beside it */
        if (girih_equal(view.ek.h, view.h, MLKEM_H_BYTES)) {
            decapsulate(&view, ct, ss, 1, &w);
            status = GIRIH_OK;
        }
    }
    mlkem_work_wipe(&w, ws, need);
    return status;
}

/* Any number of them with an object, whose parameters and backend these are, as many at once as the workspace has items. */
static girih_status decaps_all(uint8_t *sss, const girih_mlkem_dk *dk, const mlkem_params *p, girih_backend id, const uint8_t *cts,
                               size_t count, girih_mlkem_op op, void *ws, size_t ws_len)
{
    const mlkem_shape shape = mlkem_shape_of(op, dk->caches, id);
    private_view view = {.ek = mlkem_public_of(mlkem_dk_ek(dk, p)), .s_hat = dk->s_hat[0], .z = dk->z, .h = mlkem_dk_ek(dk, p)->h};
    mlkem_work w;
    size_t need = mlkem_work_carve(&w, NULL, shape, p, id);

    if (ws_len < need)
        return GIRIH_WORKSPACE;
    need = mlkem_work_carve(&w, ws, shape, p, id);
    for (int first = 1; count != 0; first = 0) {
        const unsigned now = count < w.items ? (unsigned)count : w.items;

        begin(&view, cts, now, &w);
        if (first)
            mlkem_prepare(&view.ek, &w, 0);
        decapsulate(&view, cts, sss, now, &w);
        cts += (size_t)p->ct_bytes * now;
        sss += 32 * now;
        count -= now;
    }
    mlkem_work_wipe(&w, ws, need);
    return GIRIH_OK;
}

girih_status girih_mlkem_dk_decaps(uint8_t ss[GIRIH_MLKEM_SHARED_SECRET_BYTES], const girih_mlkem_dk *dk, const uint8_t *ct, size_t ct_len,
                                   void *ws, size_t ws_len)
{
    girih_backend id;
    const mlkem_params *p = mlkem_dk_params(dk, &id);

    if (p == NULL)
        return GIRIH_BAD_KEY;
    if (ct_len != p->ct_bytes)
        return GIRIH_BAD_LENGTH;
    return decaps_all(ss, dk, p, id, ct, 1, GIRIH_MLKEM_DECAPS, ws, ws_len);
}

girih_status girih_mlkem_decaps_many(uint8_t *sss, const girih_mlkem_dk *dk, const uint8_t *cts, size_t count, void *ws, size_t ws_len)
{
    girih_backend id;
    const mlkem_params *p = mlkem_dk_params(dk, &id);

    if (p == NULL)
        return GIRIH_BAD_KEY;
    return decaps_all(sss, dk, p, id, cts, count, GIRIH_MLKEM_DECAPS_MANY, ws, ws_len);
}

#endif
