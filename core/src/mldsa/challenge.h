/* The challenge of ML-DSA.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_CHALLENGE_H
#define GIRIH_MLDSA_CHALLENGE_H

#include "common/ct.h"
#include "mldsa/params.h"

/* c_tilde may be known before its attempt is accepted. */
static inline void mldsa_declassify_c_tilde(const uint8_t *c_tilde, const mldsa_params *p)
{
    GIRIH_DECLASSIFY(c_tilde, p->c_tilde_bytes, "c_tilde: public in a signature; of a rejected attempt, a hash of w1, which stays secret");
}

/* SampleInBall at work, fed with blocks of SHAKE256. */
typedef struct {
    uint64_t signs;
    unsigned next;  /* index of the next coefficient to be set; 256 when c is complete */
    unsigned fresh; /* 1 until the first block, which begins with the signs */
} mldsa_ball;

void mldsa_ball_start(mldsa_ball *ball, int32_t c[256], const mldsa_params *p);
int mldsa_ball_block(mldsa_ball *ball, int32_t c[256], const uint8_t block[136]);
/* SampleInBall from a sponge that has absorbed c_tilde. */
void mldsa_ball_squeeze(int32_t c[256], girih_sha3 *xof, const mldsa_params *p);
void mldsa_sample_in_ball(int32_t c[256], const uint8_t *c_tilde, const mldsa_params *p, girih_backend id);

#endif
