/* Keys as objects: the one place that says how they lie in memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLKEM_KEY_H
#define GIRIH_MLKEM_KEY_H

#include "mlkem/pke.h"

#define MLKEM_EK_MAGIC UINT32_C(0x674B4500) /* "gKE", then the backend */
#define MLKEM_DK_MAGIC UINT32_C(0x674B4400)

/* Followed by A_hat (k * k polynomials, transposed) and t_hat (k), each where it is cached, and by the encoding. */
struct girih_mlkem_ek {
    uint32_t magic;
    uint32_t set;
    uint32_t caches;
    uint32_t reserved;
    uint8_t h[32]; /* H(ek) where it is cached, and in every decapsulation key */
    uint8_t pad[16];
    int16_t polys[][256];
};

/* Followed by s_hat, k polynomials, and by the ek object. */
struct girih_mlkem_dk {
    uint32_t magic;
    uint32_t set;
    uint32_t caches;
    uint32_t reserved;
    uint8_t z[32];
    uint8_t pad[16];
    int16_t s_hat[][256]; /* hat, in [0, 4095] */
};

_Static_assert(sizeof(girih_mlkem_ek) % GIRIH_TABLE_ALIGN == 0, "the polynomials of an object are aligned");
_Static_assert(sizeof(girih_mlkem_dk) % GIRIH_TABLE_ALIGN == 0, "the polynomials of an object are aligned");

/* Where the parts of an object are; NULL for a cache that it is without. */
static inline int16_t *mlkem_ek_a_hat(const girih_mlkem_ek *ek)
{
    return (ek->caches & GIRIH_MLKEM_CACHE_A) == 0 ? NULL : (int16_t *)(uintptr_t)ek->polys[0];
}

static inline int16_t *mlkem_ek_t_hat(const girih_mlkem_ek *ek, const mlkem_params *p)
{
    const unsigned before = (ek->caches & GIRIH_MLKEM_CACHE_A) == 0 ? 0 : p->k * p->k;

    return (ek->caches & GIRIH_MLKEM_CACHE_T) == 0 ? NULL : (int16_t *)(uintptr_t)ek->polys[before];
}

uint8_t *mlkem_ek_encoded(const girih_mlkem_ek *ek, const mlkem_params *p);
girih_mlkem_ek *mlkem_dk_ek(const girih_mlkem_dk *dk, const mlkem_params *p);

/* GIRIH_OK when memory for an object is aligned, and long enough for the set, caches and backend. */
girih_status mlkem_object_check(const mlkem_params *p, unsigned caches, girih_backend backend, const void *object, size_t bytes,
                                size_t need);

/* Writes the head of an object. */
void mlkem_ek_begin(girih_mlkem_ek *ek, unsigned caches, const mlkem_params *p, girih_backend id);

/* The key as encryption reads it; *p NULL when it is no such object. */
mlkem_public mlkem_public_of(const girih_mlkem_ek *ek);
const mlkem_params *mlkem_dk_params(const girih_mlkem_dk *dk, girih_backend *id);

#endif
