/* Signing with an expanded key: its buffers, and what its drivers share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_SIGN_H
#define GIRIH_MLDSA_SIGN_H

#include "mldsa/attempt.h"
#include "mldsa/mu.h"

typedef struct {
    mldsa_attempt attempt;
    int32_t *y_hat; /* l */
    void *masks;
} mldsa_sign_workspace;

size_t mldsa_sign_workspace_carve(mldsa_sign_workspace *ws, void *base, const mldsa_params *p, girih_backend id);

#define MLDSA_SIGN_LANES 4

/* Several signers side by side. */
typedef struct {
    mldsa_attempt attempt[MLDSA_SIGN_LANES];
    uint8_t *rho_prime; /* 64 for each lane */
    uint8_t *prepared;  /* mu and rho'' of the next messages */
    girih_sha3 *hash;   /* one for each lane */
    int32_t *y_hat;     /* l */
    void *masks;
    void *verify; /* for checked signatures */
} mldsa_sign_many_workspace;

size_t mldsa_sign_many_workspace_carve(mldsa_sign_many_workspace *ws, void *base, const mldsa_params *p, girih_backend id);

/* A signature before it is released: mu is computed again, the signature verifies, and the public table is the one that was loaded
 * (verifying with a changed table would accept what was signed with it). pk: as in girih_mldsa_options, NULL to verify with the table.
 * GIRIH_OK or GIRIH_FAULT. ws: of a verification, of either kind. */
girih_status mldsa_signature_check(const uint8_t *sig, const mldsa_signer *s, const uint8_t mu[64], const mldsa_message *m,
                                   const uint8_t *pk, void *ws, size_t ws_len);

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal), line 7: rho'' = H(K || rnd || mu, 64). Secret. */
void mldsa_mask_seed(uint8_t rho_prime[64], const mldsa_signer *s, const uint8_t rnd[32], const uint8_t mu[64]);

#endif
