/* The 256 roots of unity of the NTT as the vectors of ntt.c want them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Beside each root stands its product with q^-1 mod 2^32. The tables are defined in a file of their own: where the compiler sees their
 * values, it builds vectors of them out of immediates, which costs more than to load them. */
#ifndef GIRIH_BACKEND_X86_AVX2_ZETAS_H
#define GIRIH_BACKEND_X86_AVX2_ZETAS_H

#include "backend/x86_avx2/avx2.h"

/* One root for each lane of the upper operand of eight butterflies. */
typedef struct {
    _Alignas(32) int32_t zeta[8];
    int32_t zeta_qinv[8];
} zeta_row;

typedef struct {
    int32_t block[32][2]; /* layers of length 128 ... 8: root and product of block m, which fills vectors */
    zeta_row four[16];    /* layers of length 4, 2, 1: for each sixteen coefficients */
    zeta_row two[16];
    zeta_row one[16];
} zeta_tables;

extern const zeta_tables mldsa_forward_zetas, mldsa_inverse_zetas;

#endif
