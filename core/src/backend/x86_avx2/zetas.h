/* The 256 roots of unity of the NTT as the vectors of ntt.c want them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Beside each root stands its product with q^-1 mod 2^32. The tables are defined in a file of their own: where the compiler sees their
 * values, it builds vectors of them out of immediates, which costs more than to load them. */
#ifndef GIRIH_BACKEND_X86_AVX2_ZETAS_H
#define GIRIH_BACKEND_X86_AVX2_ZETAS_H

#include "backend/x86_avx2/avx2.h"

#define SCALE 41978 /* 2^64 / 256 mod q: with the reduction's 2^-32, the inverse times 2^32 */
_Static_assert((uint64_t)SCALE * 256 % MLDSA_Q == (UINT64_C(0xFFFFFFFFFFFFFFFF) % MLDSA_Q + 1) % MLDSA_Q, "SCALE is 2^64 / 256 mod q");

/* The roots of one layer, for each sixteen coefficients one for each lane of the upper operand of eight butterflies, and the products. */
typedef struct {
    _Alignas(64) int32_t zeta[16][8];
    int32_t zeta_qinv[16][8];
} zeta_layer;

typedef struct {
    int32_t block[32][2];      /* layers of length 128 ... 8: root and product of block m, which fills vectors */
    zeta_layer four, two, one; /* layers of length 4, 2, 1 */
} zeta_tables;

extern const zeta_tables mldsa_forward_zetas, mldsa_inverse_zetas;

#endif
