/* Signing with an expanded key: its buffers, and what its drivers share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_SIGN_H
#define GIRIH_MLDSA_SIGN_H

#include "mldsa/attempt.h"

typedef struct {
    mldsa_attempt attempt;
    int32_t *y_hat; /* l */
    void *masks;
} mldsa_sign_workspace;

size_t mldsa_sign_workspace_carve(mldsa_sign_workspace *ws, void *base, const mldsa_params *p, girih_backend id);

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal), line 7: rho'' = H(K || rnd || mu, 64). Secret. */
void mldsa_mask_seed(uint8_t rho_prime[64], const mldsa_signer *s, const uint8_t rnd[32], const uint8_t mu[64]);

#endif
