/* Expanded keys: the one place that says how a table lies in memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A table belongs to the backend named in its magic and to this process; no pointers, so it may be moved and its digest taken.
 *   girih_mldsa_vk  polys: A_hat, k * l polynomials, coefficients in [0, q), in the backend's layout (backend c: row by row, each in the order of
 *                   FIPS 204, Algorithm 41); then t1_hat = NTT(t1 * 2^d), k polynomials, |.| <= 9q, in the backend's NTT order
 *   girih_mldsa_sk  polys: NTT(s1), l polynomials; NTT(-s2), k; NTT(t0), k; |.| <= 9q, in the backend's NTT order. (-s2: every product with
 *                   c is then added.) */
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
    uint8_t rho[32];
    uint8_t tr[64];
    uint8_t pad[16];
    int32_t polys[][256];
};

struct girih_mldsa_sk {
    uint32_t magic;
    uint32_t set;
    uint32_t reserved[2];
    uint8_t key[32]; /* K */
    uint8_t tr[64];  /* names the vk that belongs to it */
    uint8_t pad[16];
    int32_t polys[][256];
};

_Static_assert(sizeof(girih_mldsa_vk) % GIRIH_TABLE_ALIGN == 0, "the polynomials of a table are aligned");
_Static_assert(sizeof(girih_mldsa_sk) % GIRIH_TABLE_ALIGN == 0, "the polynomials of a table are aligned");

/* tr = H(pk, 64). */
void mldsa_tr_of(uint8_t tr[64], const uint8_t *pk, const mldsa_params *p, girih_backend id);

/* NTT(t1 * 2^d) of one packed polynomial of t1. */
void mldsa_t1_hat(int32_t t1_hat[256], const uint8_t t1[MLDSA_T1_BYTES], girih_backend id);

/* The head of a vk whose polynomials are in place. */
void mldsa_vk_finish(girih_mldsa_vk *vk, const uint8_t rho[32], const uint8_t tr[64], const mldsa_params *p, girih_backend id);

/* Checksum of tr and the public polynomials (XXH32): finds corruption, not tampering. */
uint32_t mldsa_vk_digest(const girih_mldsa_vk *vk, const mldsa_params *p);

/* The parameters of a table, or NULL when its magic, set or backend is unknown. *id: its backend. */
const mldsa_params *mldsa_vk_params(const girih_mldsa_vk *vk, girih_backend *id);

#endif
