/* The challenge of ML-DSA.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/challenge.h"

#include "common/bytes.h"
#include "keccak/sponge.h"

/* FIPS 204, Algorithm 29 (SampleInBall). c_tilde: p->c_tilde_bytes, public. Out: tau coefficients +-1, the rest 0. */
void mldsa_sample_in_ball(int32_t c[256], const uint8_t *c_tilde, const mldsa_params *p, girih_backend id)
{
    girih_sha3 xof;
    uint8_t block[SHAKE256_RATE];
    unsigned pos = 8;
    uint64_t signs;

    keccak_init(&xof, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(&xof, c_tilde, p->c_tilde_bytes);
    keccak_squeeze(&xof, block, sizeof block);
    signs = load_le64(block);
    memset(c, 0, 256 * sizeof c[0]);
    for (unsigned i = 256 - p->tau; i < 256; i++) {
        unsigned j;

        do {
            if (pos == sizeof block) {
                keccak_squeeze(&xof, block, sizeof block);
                pos = 0;
            }
            j = block[pos++];
        } while (j > i);
        c[i] = c[j];
        c[j] = 1 - 2 * (int32_t)(signs & 1);
        signs >>= 1;
    }
}
