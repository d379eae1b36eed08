/* The challenge of ML-DSA.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_CHALLENGE_H
#define GIRIH_MLDSA_CHALLENGE_H

#include "mldsa/params.h"

void mldsa_sample_in_ball(int32_t c[256], const uint8_t *c_tilde, const mldsa_params *p, girih_backend id);

#endif
