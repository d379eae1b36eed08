/* The encodings of FIPS 204, section 7.2, that no backend replaces.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_ENCODE_H
#define GIRIH_MLDSA_ENCODE_H

#include "mldsa/params.h"

/* Offsets inside an encoded secret key: rho, K, tr, s1, s2, t0. */
#define MLDSA_SK_KEY 32
#define MLDSA_SK_TR  64
#define MLDSA_SK_S   128

/* Offset of t0 inside an encoded secret key. */
static inline size_t mldsa_sk_t0(const mldsa_params *p)
{
    return MLDSA_SK_S + (size_t)p->eta_bytes * (p->k + p->l);
}

/* Offset of the hints inside a signature. */
static inline size_t mldsa_sig_hints(const mldsa_params *p)
{
    return p->c_tilde_bytes + (size_t)p->z_bytes * p->l;
}

void mldsa_s_pack(uint8_t *packed, const int32_t s[256], const mldsa_params *p);
uint32_t mldsa_s_unpack(int32_t s[256], const uint8_t *packed, const mldsa_params *p);
void mldsa_t0_pack(uint8_t packed[MLDSA_T0_BYTES], const int32_t t0[256]);

/* The hints of a signature, decoded: where each polynomial's indices begin and end in the omega bytes. */
typedef struct {
    const uint8_t *positions;
    uint8_t end[MLDSA_MAX_K];
} mldsa_hints;

int mldsa_hint_unpack(mldsa_hints *h, const uint8_t *packed, const mldsa_params *p);

#endif
