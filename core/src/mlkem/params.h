/* ML-KEM parameter sets (FIPS 203, table 2) as constant objects.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLKEM_PARAMS_H
#define GIRIH_MLKEM_PARAMS_H

#include "girih/mlkem.h"

#define MLKEM_N             256
#define MLKEM_Q             3329
#define MLKEM_MAX_K         (GIRIH_MLKEM_LARGEST / 256) /* 2, 3, 4 */
#define MLKEM_POLY_BYTES    384                         /* ByteEncode_12 of a polynomial */
#define MLKEM_RHO_BYTES     32
#define MLKEM_H_BYTES       32
#define MLKEM_MAX_CT_POLY   352 /* the most that a polynomial of a ciphertext takes: 256 * 11 / 8 */
#define MLKEM_MAX_CBD_BYTES 192 /* 64 * eta, eta = 3 */

typedef struct {
    girih_mlkem_set set;
    unsigned k;       /* rows and columns of A */
    unsigned eta1;    /* s, e and y lie in [-eta1, eta1]; e1 and e2 in [-2, 2] */
    unsigned du, dv;  /* bits of a coefficient of u and of v in a ciphertext */
    unsigned u_bytes; /* a polynomial of u: 32 * du */
    unsigned v_bytes; /* v: 32 * dv */
    unsigned ek_bytes, dk_bytes, ct_bytes;
} mlkem_params;

/* NULL for an unknown set. */
const mlkem_params *mlkem_params_of(girih_mlkem_set set);

#endif
