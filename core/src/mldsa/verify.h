/* Verification of ML-DSA for callers inside the core.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_VERIFY_H
#define GIRIH_MLDSA_VERIFY_H

#include "mldsa/table.h"

typedef struct {
    int32_t *z;   /* l */
    int32_t *w;   /* k */
    int32_t *c;   /* 1 */
    uint8_t *w1;  /* one packed polynomial */
    girih_sha3 *hash;
} mldsa_verify_workspace;

size_t mldsa_verify_workspace_carve(mldsa_verify_workspace *ws, void *base, const mldsa_params *p);
girih_status mldsa_verify_mu(const girih_mldsa_vk *vk, const uint8_t *sig, const uint8_t mu[64], const mldsa_params *p, girih_backend id,
                             mldsa_verify_workspace *ws);

#endif
