/* The challenge of ML-DSA.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/challenge.h"

#include "common/bytes.h"
#include "keccak/sponge.h"

/* Line 1: c = 0. */
void mldsa_ball_start(mldsa_ball *ball, int32_t c[256], const mldsa_params *p)
{
    memset(c, 0, 256 * sizeof c[0]);
    ball->next = 256 - p->tau;
    ball->fresh = 1;
}

/* Lines 4-13 as far as the block goes. Returns 1 when c is complete, else 0. */
int mldsa_ball_block(mldsa_ball *ball, int32_t c[256], const uint8_t block[SHAKE256_RATE])
{
    unsigned pos = 0;

    if (ball->fresh) {
        ball->signs = load_le64(block);
        ball->fresh = 0;
        pos = 8;
    }
    for (; ball->next < 256 && pos < SHAKE256_RATE; pos++) {
        const unsigned i = ball->next, j = block[pos];

        if (j > i)
            continue;
        c[i] = c[j];
        c[j] = 1 - 2 * (int32_t)(ball->signs & 1);
        ball->signs >>= 1;
        ball->next++;
    }
    return ball->next == 256;
}

void mldsa_ball_squeeze(int32_t c[256], girih_sha3 *xof, const mldsa_params *p)
{
    uint8_t block[SHAKE256_RATE];
    mldsa_ball ball;

    mldsa_ball_start(&ball, c, p);
    do
        keccak_squeeze(xof, block, sizeof block);
    while (!mldsa_ball_block(&ball, c, block));
}

/* FIPS 204, Algorithm 29 (SampleInBall). c_tilde: p->c_tilde_bytes, public. Out: tau coefficients +-1, the rest 0. */
void mldsa_sample_in_ball(int32_t c[256], const uint8_t *c_tilde, const mldsa_params *p, girih_backend id)
{
    girih_sha3 xof;

    keccak_init(&xof, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(&xof, c_tilde, p->c_tilde_bytes);
    mldsa_ball_squeeze(c, &xof, p);
}
