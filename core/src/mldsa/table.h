/* Expanded keys: the one place that says how a table lies in memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A table belongs to the backend named in its magic and to this process (packed ones excepted: mldsa/packed.h); no pointers, so
 * that it may be moved and its digest taken.
 *   girih_mldsa_vk  polys: A_hat, k * l polynomials, coefficients in [0, q), in the backend's layout (backend c: row by row, each in the
 *                   order of FIPS 204, Algorithm 41); then t1_hat = NTT(t1 * 2^d), k polynomials, |.| <= 10q, in the backend's NTT order
 *   girih_mldsa_sk  forms: of s1, l polynomials; of -s2, k (every product with c is then added); of t0, k. What a form is, the backend
 *                   says: backend c: the NTT, |.| <= 10q; backend avx2: the coefficients, three times over
 *                   (backend/x86_avx2/products.c) */
#ifndef GIRIH_MLDSA_TABLE_H
#define GIRIH_MLDSA_TABLE_H

#include "backend/mldsa.h"

#define MLDSA_VK_MAGIC UINT32_C(0x67764B00) /* "gvK", then the backend */
#define MLDSA_SK_MAGIC UINT32_C(0x67734B00)

struct girih_mldsa_vk {
    uint32_t magic;
    uint32_t set;
    uint32_t digest; /* mldsa_vk_digest of a sound table */
    uint32_t reserved;
    uint8_t tr[64];
    uint8_t rho[32];
    uint8_t pad[16];
    int32_t polys[][256];
};

struct girih_mldsa_sk {
    uint32_t magic;
    uint32_t set;
    uint32_t reserved[2]; /* packed tables: the digest, and 0 */
    uint8_t key[32];      /* K */
    uint8_t tr[64];       /* names the vk that belongs to it */
    uint8_t pad[16];
    uint8_t forms[];
};

_Static_assert(sizeof(girih_mldsa_vk) % GIRIH_TABLE_ALIGN == 0, "the polynomials of a table are aligned");
_Static_assert(sizeof(girih_mldsa_sk) % GIRIH_TABLE_ALIGN == 0, "the forms of a table are aligned");

/* 1 for the backends whose tables are packed and have drivers of their own: mldsa/packed.h. A constant in a firmware build. */
static inline int mldsa_is_packed(girih_backend id)
{
#if defined(GIRIH_BIND)
    id = (girih_backend)GIRIH_BIND;
#endif
    return id == GIRIH_BACKEND_C32_PACKED || id == GIRIH_BACKEND_C32_SMALL;
}

/* 1 for the backends of 32-bit cores, whose key generation keeps no matrix (keygen_lowram.c). */
static inline int mldsa_keeps_no_matrix(girih_backend id)
{
#if defined(GIRIH_BIND)
    id = (girih_backend)GIRIH_BIND;
#endif
    return id == GIRIH_BACKEND_C32 || mldsa_is_packed(id);
}

/* Where the form of polynomial i of s1 (i < l) or of -s2 (i - l) begins, and that of polynomial i of t0. */
static inline size_t mldsa_secret_at(unsigned i, girih_backend id)
{
    return i * mldsa_backend_of(id)->secret_bytes;
}

static inline size_t mldsa_t0_at(unsigned i, const mldsa_params *p, girih_backend id)
{
    return mldsa_secret_at(p->l + p->k, id) + i * mldsa_backend_of(id)->t0_bytes;
}

/* tr = H(pk, 64). */
void mldsa_tr_of(uint8_t tr[64], const uint8_t *pk, const mldsa_params *p, girih_backend id);

/* NTT(t1 * 2^d) of one packed polynomial of t1. */
void mldsa_t1_hat(int32_t t1_hat[256], const uint8_t t1[MLDSA_T1_BYTES], girih_backend id);

/* The head of a vk whose polynomials are in place. */
void mldsa_vk_finish(girih_mldsa_vk *vk, const uint8_t rho[32], const uint8_t tr[64], const mldsa_params *p, girih_backend id);

/* Fingerprint of rho, tr and the public polynomials: finds corruption, not tampering. */
uint32_t mldsa_vk_digest(const girih_mldsa_vk *vk, const mldsa_params *p);

/* The parameters of a table, or NULL when it is not aligned or its magic, set or backend is unknown. *id: its backend. */
const mldsa_params *mldsa_vk_params(const girih_mldsa_vk *vk, girih_backend *id);

#endif
