/* Encapsulation of ML-KEM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/bytes.h"
#include "common/ct.h"
#include "mlkem/key.h"

/* FIPS 203, Algorithm 17 (ML-KEM.Encaps_internal), of count items at once, each with its m. ek: with H(ek). */
static void encapsulate(const mlkem_public *ek, uint8_t *cts, uint8_t *sss, unsigned count, mlkem_work *w)
{
    for (unsigned n = 0; n < count; n++)
        (void)mlkem_add_hash(w, MLKEM_G, w->item[n].g, w->item[n].m, 32, ek->h, MLKEM_H_BYTES);
    mlkem_run(w);
    if (mlkem_be(w)->lanes > 1) {
        for (unsigned n = 0; n < count; n++)
            mlkem_add_encrypt_noise(ek, &w->item[n], w);
        mlkem_run(w);
    }
    for (unsigned n = 0; n < count; n++) {
        (void)mlkem_encrypt(ek, &w->item[n], cts + ek->p->ct_bytes * n, NULL, w);
        memcpy(sss + 32 * n, w->item[n].g, 32);
    }
}

girih_status girih_mlkem_encaps(uint8_t *ct, size_t ct_len, uint8_t ss[GIRIH_MLKEM_SHARED_SECRET_BYTES], girih_mlkem_set set,
                                girih_backend backend, const uint8_t *ek, size_t ek_len, const uint8_t m[GIRIH_MLKEM_M_BYTES], void *ws,
                                size_t ws_len)
{
    mlkem_public view = {.p = mlkem_params_of(set), .id = backend, .encoded = ek};
    mlkem_work w;
    size_t need;
    uint32_t exceeds;

    if (view.p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if (ek_len != view.p->ek_bytes || ct_len != view.p->ct_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mlkem_workspace_bytes(set, GIRIH_MLKEM_ENCAPS, 0, backend))
        return GIRIH_WORKSPACE;
    need = mlkem_work_carve(&w, ws, (mlkem_shape){.items = 1, .with_a = 1, .with_t = 1}, view.p, backend);
    exceeds = mlkem_decode_public(&view, &w);
    if (exceeds == 0) {
        memcpy(w.item->m, m, sizeof w.item->m);
        mlkem_prepare(&view, &w, 1);
        encapsulate(&view, ct, ss, 1, &w);
    }
    mlkem_work_wipe(&w, ws, need);
    return exceeds == 0 ? GIRIH_OK : GIRIH_BAD_KEY;
}

/* Any number of them with an object, as many at once as the workspace has items. */
static girih_status encaps_all(uint8_t *cts, uint8_t *sss, mlkem_public view, const uint8_t *ms, size_t count, mlkem_shape shape, void *ws,
                               size_t ws_len)
{
    mlkem_work w;
    size_t need = mlkem_work_carve(&w, NULL, shape, view.p, view.id);

    if (ws_len < need)
        return GIRIH_WORKSPACE;
    need = mlkem_work_carve(&w, ws, shape, view.p, view.id);
    mlkem_prepare(&view, &w, 1);
    while (count != 0) {
        const unsigned now = count < w.items ? (unsigned)count : w.items;

        for (unsigned n = 0; n < now; n++)
            memcpy(w.item[n].m, ms + 32 * n, 32);
        encapsulate(&view, cts, sss, now, &w);
        cts += (size_t)view.p->ct_bytes * now;
        sss += 32 * now;
        ms += 32 * now;
        count -= now;
    }
    mlkem_work_wipe(&w, ws, need);
    return GIRIH_OK;
}

girih_status girih_mlkem_ek_encaps(uint8_t *ct, size_t ct_len, uint8_t ss[GIRIH_MLKEM_SHARED_SECRET_BYTES], const girih_mlkem_ek *ek,
                                   const uint8_t m[GIRIH_MLKEM_M_BYTES], void *ws, size_t ws_len)
{
    const mlkem_public view = mlkem_public_of(ek);

    if (view.p == NULL)
        return GIRIH_BAD_KEY;
    if (ct_len != view.p->ct_bytes)
        return GIRIH_BAD_LENGTH;
    return encaps_all(ct, ss, view, m, 1, mlkem_shape_of(GIRIH_MLKEM_ENCAPS, ek->caches, view.id), ws, ws_len);
}

girih_status girih_mlkem_encaps_many(uint8_t *cts, uint8_t *sss, const girih_mlkem_ek *ek, const uint8_t *ms, size_t count, void *ws,
                                     size_t ws_len)
{
    const mlkem_public view = mlkem_public_of(ek);

    if (view.p == NULL)
        return GIRIH_BAD_KEY;
    return encaps_all(cts, sss, view, ms, count, mlkem_shape_of(GIRIH_MLKEM_ENCAPS_MANY, ek->caches, view.id), ws, ws_len);
}
