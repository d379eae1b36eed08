/* From secrets to key pair: shared by key generation and by the loads.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_KEYGEN_H
#define GIRIH_MLDSA_KEYGEN_H

#include "common/arena.h"
#include "mldsa/table.h"

/* Buffers of a derivation, in the caller's workspace. */
typedef struct {
    int32_t *s;       /* s1, then s2: l + k polynomials */
    int32_t *s1_hat;  /* l */
    int32_t *t;       /* 1 */
    int32_t *a_hat;   /* k * l, only where no table keeps it */
    uint8_t *seeds;   /* rho, rho', K: 128 bytes */
    uint8_t *encoded; /* sk_bytes, only for the check of a loaded key */
    void *rows;
} mldsa_key_workspace;

/* Where the parts of a key pair go; each may be NULL. */
typedef struct {
    uint8_t *pk;
    uint8_t *sk; /* encoded */
    girih_mldsa_vk *vk;
    girih_mldsa_sk *table;
} mldsa_key_parts;

size_t mldsa_key_workspace_carve(mldsa_key_workspace *ws, void *base, const mldsa_params *p, girih_backend id, int with_a_hat,
                                 int with_encoded);
void mldsa_key_from_seed(const mldsa_key_parts *out, const uint8_t seed[32], const mldsa_params *p, girih_backend id,
                         mldsa_key_workspace *ws);
void mldsa_key_from_secrets(const mldsa_key_parts *out, const mldsa_params *p, girih_backend id, mldsa_key_workspace *ws);

#endif
