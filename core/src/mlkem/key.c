/* Keys as objects: sizes, parts, checks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mlkem/key.h"

#include "common/bytes.h"

#define ROUND_TO_TABLE(n) (((n) + (GIRIH_TABLE_ALIGN - 1)) & ~(size_t)(GIRIH_TABLE_ALIGN - 1))

static size_t polys_bytes(unsigned caches, const mlkem_params *p)
{
    const unsigned of_a = (caches & GIRIH_MLKEM_CACHE_A) == 0 ? 0 : p->k * p->k, of_t = (caches & GIRIH_MLKEM_CACHE_T) == 0 ? 0 : p->k;

    return (size_t)512 * (of_a + of_t);
}

static size_t ek_object_bytes(unsigned caches, const mlkem_params *p)
{
    return sizeof(girih_mlkem_ek) + polys_bytes(caches, p) + ROUND_TO_TABLE(p->ek_bytes);
}

static int is_known(const mlkem_params *p, unsigned caches, girih_backend backend)
{
    return p != NULL && caches <= GIRIH_MLKEM_CACHE_ALL && girih_backend_available(backend);
}

size_t girih_mlkem_ek_bytes(girih_mlkem_set set, unsigned caches, girih_backend backend)
{
    const mlkem_params *p = mlkem_params_of(set);

    return is_known(p, caches, backend) ? ek_object_bytes(caches, p) : 0;
}

size_t girih_mlkem_dk_bytes(girih_mlkem_set set, unsigned caches, girih_backend backend)
{
    const mlkem_params *p = mlkem_params_of(set);

    return is_known(p, caches, backend) ? sizeof(girih_mlkem_dk) + 512 * p->k + ek_object_bytes(caches, p) : 0;
}

size_t girih_mlkem_cache_bytes(girih_mlkem_set set, unsigned caches, girih_backend backend)
{
    const mlkem_params *p = mlkem_params_of(set);

    if (!is_known(p, caches, backend))
        return 0;
    return polys_bytes(caches, p) + ((caches & GIRIH_MLKEM_CACHE_H) == 0 ? 0 : MLKEM_H_BYTES);
}

girih_status mlkem_object_check(const mlkem_params *p, unsigned caches, girih_backend backend, const void *object, size_t bytes,
                                size_t need)
{
    if (!is_known(p, caches, backend) || (uintptr_t)object % GIRIH_TABLE_ALIGN != 0)
        return GIRIH_BAD_ARGUMENT;
    return bytes < need ? GIRIH_WORKSPACE : GIRIH_OK;
}

uint8_t *mlkem_ek_encoded(const girih_mlkem_ek *ek, const mlkem_params *p)
{
    return (uint8_t *)(uintptr_t)ek->polys + polys_bytes(ek->caches, p);
}

void mlkem_ek_begin(girih_mlkem_ek *ek, unsigned caches, const mlkem_params *p, girih_backend id)
{
    *ek = (girih_mlkem_ek){.magic = MLKEM_EK_MAGIC | (uint32_t)id, .set = (uint32_t)p->set, .caches = caches};
}

/* The parameters of an object, or NULL when it is not aligned or its magic, set or backend is unknown. */
static const mlkem_params *object_params(const void *object, uint32_t kind, girih_backend *id)
{
    const girih_mlkem_ek *head = (const girih_mlkem_ek *)object;
    const mlkem_params *p;

    if (object == NULL || (uintptr_t)object % GIRIH_TABLE_ALIGN != 0 || (head->magic & ~UINT32_C(0xFF)) != kind)
        return NULL;
    *id = (girih_backend)(head->magic & 0xFF);
    p = mlkem_params_of((girih_mlkem_set)head->set);
    return is_known(p, head->caches, *id) ? p : NULL;
}

mlkem_public mlkem_public_of(const girih_mlkem_ek *ek)
{
    mlkem_public view = {0};

    view.p = object_params(ek, MLKEM_EK_MAGIC, &view.id);
    if (view.p == NULL)
        return view;
    view.encoded = mlkem_ek_encoded(ek, view.p);
    view.a_hat = mlkem_ek_a_hat(ek);
    view.t_hat = mlkem_ek_t_hat(ek, view.p);
    view.h = (ek->caches & GIRIH_MLKEM_CACHE_H) == 0 ? NULL : ek->h;
    return view;
}

const uint8_t *girih_mlkem_ek_encoding(const girih_mlkem_ek *ek)
{
    return mlkem_public_of(ek).encoded;
}

#if GIRIH_MLKEM >= 2

girih_mlkem_ek *mlkem_dk_ek(const girih_mlkem_dk *dk, const mlkem_params *p)
{
    return (girih_mlkem_ek *)(void *)(uintptr_t)dk->s_hat[p->k];
}

const mlkem_params *mlkem_dk_params(const girih_mlkem_dk *dk, girih_backend *id)
{
    return object_params(dk, MLKEM_DK_MAGIC, id);
}

const girih_mlkem_ek *girih_mlkem_dk_public(const girih_mlkem_dk *dk)
{
    girih_backend id;
    const mlkem_params *p = mlkem_dk_params(dk, &id);

    return p == NULL ? NULL : mlkem_dk_ek(dk, p);
}

girih_status girih_mlkem_dk_encode(uint8_t *encoded, size_t encoded_len, const girih_mlkem_dk *dk)
{
    girih_backend id;
    const mlkem_params *p = mlkem_dk_params(dk, &id);
    const girih_mlkem_ek *ek;

    if (p == NULL)
        return GIRIH_BAD_KEY;
    if (encoded_len != p->dk_bytes)
        return GIRIH_BAD_LENGTH;
    ek = mlkem_dk_ek(dk, p);
    for (unsigned j = 0; j < p->k; j++, encoded += MLKEM_POLY_BYTES)
        mlkem_backend_of(id)->encode(encoded, dk->s_hat[j]);
    memcpy(encoded, mlkem_ek_encoded(ek, p), p->ek_bytes);
    memcpy(encoded + p->ek_bytes, ek->h, MLKEM_H_BYTES);
    memcpy(encoded + p->ek_bytes + MLKEM_H_BYTES, dk->z, sizeof dk->z);
    return GIRIH_OK;
}

#endif
