/* ML-DSA parameter sets (FIPS 204, tables 1 and 2) as constant objects.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_PARAMS_H
#define GIRIH_MLDSA_PARAMS_H

#include "girih/mldsa.h"

#define MLDSA_N                 256
#define MLDSA_Q                 8380417 /* 2^23 - 2^13 + 1 */
#define MLDSA_D                 13
#define MLDSA_MAX_K             (GIRIH_LARGEST_SET / 10) /* 4, 6, 8 */
#define MLDSA_MAX_L             (GIRIH_LARGEST_SET == 44 ? 4 : GIRIH_LARGEST_SET == 65 ? 5 : 7)
#define MLDSA_MAX_OMEGA         80
#define MLDSA_MAX_C_TILDE_BYTES 64
#define MLDSA_T1_BYTES          320 /* 256 * 10 / 8 */
#define MLDSA_T0_BYTES          416 /* 256 * 13 / 8 */
#define MLDSA_MAX_W1_BYTES      192
#define MLDSA_RHO_BYTES         32
#define MLDSA_K_BYTES           32

typedef struct {
    girih_mldsa_set set;
    unsigned k, l;          /* rows and columns of A */
    unsigned eta;           /* secrets lie in [-eta, eta] */
    unsigned tau;           /* number of +-1 in c */
    unsigned c_tilde_bytes; /* lambda / 4 */
    unsigned gamma1_bits;   /* gamma1 = 2^gamma1_bits: 17 or 19 */
    unsigned gamma2_den;    /* gamma2 = (q - 1) / gamma2_den: 88 or 32 */
    unsigned omega;         /* largest number of hints */
    int32_t beta;           /* tau * eta */
    int32_t gamma1, gamma2;
    unsigned eta_bytes; /* a packed polynomial of s1 or s2: 96 or 128 */
    unsigned z_bytes;   /* a packed polynomial of z or y: 576 or 640 */
    unsigned w1_bytes;  /* a packed polynomial of w1: 192 or 128 */
    unsigned pk_bytes, sk_bytes, sig_bytes;
} mldsa_params;

/* NULL for an unknown set. */
const mldsa_params *mldsa_params_of(girih_mldsa_set set);

#endif
