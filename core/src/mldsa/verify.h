/* Verification of ML-DSA for callers inside the core.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_VERIFY_H
#define GIRIH_MLDSA_VERIFY_H

#include "mldsa/mu.h"
#include "mldsa/table.h"

#define MLDSA_VERIFY_LANES 4

/* One signature on its way. */
typedef struct {
    const girih_mldsa_vk *vk;
    const uint8_t *sig;
    size_t sig_len;
    mldsa_message message;
    girih_status status;
} mldsa_verification;

typedef struct {
    girih_sha3 *hash;    /* two for each lane */
    int32_t *c;          /* one for each lane */
    uint8_t *commitment; /* mu and w1, one for each lane */
    int32_t *z;          /* l */
    int32_t *w;          /* k */
} mldsa_verify_workspace;

size_t mldsa_verify_workspace_carve(mldsa_verify_workspace *ws, void *base, const mldsa_params *p, unsigned lanes);

/* Verifies up to MLDSA_VERIFY_LANES signatures of one set and backend; each status is set. base: carved for as many lanes. */
void mldsa_verify_lanes(mldsa_verification *v, unsigned lanes, const mldsa_params *p, girih_backend id, void *base);

#endif
