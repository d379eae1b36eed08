/* Loading keys from their encodings, and the caches with them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mlkem/load.h"

#include "common/bytes.h"
#include "common/ct.h"

girih_status girih_mlkem_check_ek(girih_mlkem_set set, const uint8_t *ek, size_t ek_len)
{
    const mlkem_params *p = mlkem_params_of(set);
    uint32_t exceeds = 0;

    if (p == NULL)
        return GIRIH_BAD_ARGUMENT;
    if (ek_len != p->ek_bytes)
        return GIRIH_BAD_LENGTH;
    for (const uint8_t *end = ek + MLKEM_POLY_BYTES * p->k; ek != end; ek += 3) {
        const uint32_t pair = load_le24(ek);

        exceeds |= (MLKEM_Q - 1 - (pair & 0xFFF)) | (MLKEM_Q - 1 - (pair >> 12));
    }
    return exceeds >> 31 == 0 ? GIRIH_OK : GIRIH_BAD_KEY;
}

girih_status mlkem_load_public(girih_mlkem_ek *ek, unsigned caches, const uint8_t *encoded, const uint8_t *h, const uint8_t *a_hat,
                               const mlkem_params *p, girih_backend id, mlkem_work *w)
{
    int16_t *a, *t;
    uint8_t *inside;
    uint32_t exceeds = 0;

    mlkem_ek_begin(ek, caches, p, id);
    a = mlkem_ek_a_hat(ek);
    t = mlkem_ek_t_hat(ek, p);
    inside = mlkem_ek_encoded(ek, p);
    memcpy(inside, encoded, p->ek_bytes);
    for (unsigned j = 0; j < p->k; j++)
        exceeds |= mlkem_be(w)->decode(t == NULL ? w->poly : t + 256 * j, inside + MLKEM_POLY_BYTES * j);
    if (exceeds != 0)
        return GIRIH_BAD_KEY;

    if (h != NULL)
        memcpy(ek->h, h, MLKEM_H_BYTES);
    else if ((caches & GIRIH_MLKEM_CACHE_H) != 0)
        (void)mlkem_add_hash(w, MLKEM_H, ek->h, inside, p->ek_bytes, NULL, 0);
    if (w->count != 0 && mlkem_be(w)->lanes == 1)
        mlkem_run(w);
    for (unsigned i = 0; a != NULL && i < p->k; i++) {
        for (unsigned j = 0; j < p->k; j++, a += 256) {
            if (a_hat != NULL) {
                exceeds |= mlkem_be(w)->decode(a, a_hat + MLKEM_POLY_BYTES * (p->k * i + j));
            } else {
                (void)mlkem_add_entry(w, a, inside + MLKEM_POLY_BYTES * p->k, i, j);
                if (mlkem_be(w)->lanes == 1)
                    mlkem_run(w);
            }
        }
    }
    mlkem_run(w);
    return exceeds == 0 ? GIRIH_OK : GIRIH_BAD_KEY;
}

girih_status girih_mlkem_ek_load(girih_mlkem_ek *ek, size_t ek_bytes, girih_mlkem_set set, unsigned caches, girih_backend backend,
                                 const uint8_t *encoded, size_t encoded_len, void *ws, size_t ws_len)
{
    const mlkem_params *p = mlkem_params_of(set);
    const size_t object_bytes = girih_mlkem_ek_bytes(set, caches, backend);
    girih_status status = mlkem_object_check(p, caches, backend, ek, ek_bytes, object_bytes);
    mlkem_work w;
    size_t need;

    if (status != GIRIH_OK)
        return status;
    if (encoded_len != p->ek_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mlkem_workspace_bytes(set, GIRIH_MLKEM_LOAD, caches, backend))
        return GIRIH_WORKSPACE;
    need = mlkem_work_carve(&w, ws, mlkem_shape_of(GIRIH_MLKEM_LOAD, caches, backend), p, backend);
    status = mlkem_load_public(ek, caches, encoded, NULL, NULL, p, backend, &w);
    mlkem_work_wipe(&w, ws, need);
    if (status != GIRIH_OK)
        girih_wipe(ek, object_bytes);
    return status;
}

#if GIRIH_MLKEM >= 2

girih_status girih_mlkem_check_dk(girih_mlkem_set set, girih_backend backend, const uint8_t *dk, size_t dk_len)
{
    const mlkem_params *p = mlkem_params_of(set);
    const uint8_t *ek;
    uint8_t h[MLKEM_H_BYTES];

    if (p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if (dk_len != p->dk_bytes)
        return GIRIH_BAD_LENGTH;
    ek = dk + MLKEM_POLY_BYTES * p->k;
    if (girih_sha3_hash(h, sizeof h, GIRIH_SHA3_256, backend, ek, p->ek_bytes) != GIRIH_OK)
        return GIRIH_BAD_ARGUMENT;
    return girih_equal(h, ek + p->ek_bytes, sizeof h) ? GIRIH_OK : GIRIH_BAD_KEY;
}

girih_status girih_mlkem_dk_load(girih_mlkem_dk *dk, size_t dk_bytes, girih_mlkem_set set, unsigned caches, girih_backend backend,
                                 const uint8_t *encoded, size_t encoded_len, void *ws, size_t ws_len)
{
    const mlkem_params *p = mlkem_params_of(set);
    const size_t object_bytes = girih_mlkem_dk_bytes(set, caches, backend);
    girih_status status = mlkem_object_check(p, caches, backend, dk, dk_bytes, object_bytes);
    const uint8_t *ek, *h;
    mlkem_work w;
    size_t need;

    if (status != GIRIH_OK)
        return status;
    if (encoded_len != p->dk_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mlkem_workspace_bytes(set, GIRIH_MLKEM_LOAD, caches, backend))
        return GIRIH_WORKSPACE;
    status = girih_mlkem_check_dk(set, backend, encoded, encoded_len);
    if (status != GIRIH_OK)
        return status;
    ek = encoded + MLKEM_POLY_BYTES * p->k;
    h = ek + p->ek_bytes;
    need = mlkem_work_carve(&w, ws, mlkem_shape_of(GIRIH_MLKEM_LOAD, caches, backend), p, backend);
    *dk = (girih_mlkem_dk){.magic = MLKEM_DK_MAGIC | (uint32_t)backend, .set = (uint32_t)set, .caches = caches};
    memcpy(dk->z, h + MLKEM_H_BYTES, sizeof dk->z);
    for (unsigned j = 0; j < p->k; j++)
        (void)mlkem_be(&w)->decode(dk->s_hat[j], encoded + MLKEM_POLY_BYTES * j);
    status = mlkem_load_public(mlkem_dk_ek(dk, p), caches, ek, h, NULL, p, backend, &w);
    mlkem_work_wipe(&w, ws, need);
    if (status != GIRIH_OK)
        girih_wipe(dk, object_bytes);
    return status;
}

#endif
