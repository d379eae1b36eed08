/* The drivers of little memory, for callers inside the core.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_LOWRAM_H_INSIDE
#define GIRIH_MLDSA_LOWRAM_H_INSIDE

#include "common/arena.h"
#include "girih/mldsa_lowram.h"
#include "mldsa/mu.h"
#include "mldsa/stream.h"

/* Key generation row by row. columns of NTT(s1) that the workspace holds: 1, or all l. pk and sk are used on the way. base: wiped. */
size_t mldsa_keygen_rows_bytes(unsigned columns);
void mldsa_keygen_rows(uint8_t *pk, uint8_t *sk, const uint8_t seed[32], unsigned columns, const mldsa_params *p, girih_backend id,
                       void *base);

size_t mldsa_sign_lowram_bytes(const mldsa_params *p);
size_t mldsa_verify_lowram_bytes(void);

/* Verification of a message (pure, or mu) under the key pk. sig: p->sig_bytes, or NULL to check the arguments only. base:
 * mldsa_verify_lowram_bytes(), wiped. */
girih_status mldsa_verify_lowram(const uint8_t *pk, const uint8_t *sig, const mldsa_message *m, const mldsa_params *p, girih_backend id,
                                 void *base);

#endif
