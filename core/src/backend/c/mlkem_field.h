/* Arithmetic mod q = 3329 in 32-bit words: Plantard's multiplication.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_C_MLKEM_FIELD_H
#define GIRIH_BACKEND_C_MLKEM_FIELD_H

#include "backend/mlkem.h"
#include "common/compiler.h"
#include "common/ct.h"

#define MLKEM_Q_INVERSE UINT32_C(1806234369) /* q^-1 mod 2^32 */

/* A constant w, made ready for plantard_multiply: (-w 2^32 mod q) q^-1 mod 2^32. */
#define MLKEM_ONE     1290167       /* w = 1 */
#define MLKEM_INTT    (-1859131233) /* w = -2^32 / 128: the scaling of NTT^-1 and what a product lacks */
#define MLKEM_INTT_17 (-1802363867) /* the same times 17^64, the root of the last layer */
#define MLKEM_PRODUCT (-1745596501) /* w = -2^32: what a product lacks */

/* The upper half of p, rounded, times q: p = c q^-1 mod 2^32 gives -c / 2^32 mod q, in [-q/2, q/2], for c in [-1.5 10^9, 1.7 10^9]
 * (Plantard 2021, signed as Huang et al., TCHES 2022). */
GIRIH_INLINE int32_t plantard_finish(uint32_t p)
{
    return (((int32_t)p >> 16) * MLKEM_Q + 8 * MLKEM_Q) >> 16;
}

/* a w mod q, in [-q/2, q/2]. |a| <= 450,000: a w fits in the range above. */
GIRIH_INLINE int32_t plantard_multiply(int32_t a, int32_t w)
{
    return plantard_finish((uint32_t)a * (uint32_t)w);
}

/* -c / 2^32 mod q, in [-q/2, q/2]. c in [-1.5 10^9, 1.7 10^9]. */
GIRIH_INLINE int32_t plantard_reduce(int32_t c)
{
    return plantard_finish((uint32_t)c * MLKEM_Q_INVERSE);
}

/* The representative in [0, q). |a| <= 450,000. */
GIRIH_INLINE int32_t mlkem_canonical(int32_t a)
{
    const int32_t centred = plantard_multiply(a, MLKEM_ONE);

    return centred + (int32_t)(MLKEM_Q & ct_mask_negative(centred));
}

/* round(2^d x / q) mod 2^d (FIPS 203, (4.7), Compress_d): the first d bits of the fraction x / q, of which 1290167 x gives 32. What the
 * factor lacks of 2^32 / q = 1290167.406 decides nothing while |x| <= 2078 for d = 10, 2703 for d = 11, 6658 for d <= 5. */
GIRIH_INLINE uint32_t mlkem_compress(int32_t x, unsigned d)
{
    return ((uint32_t)x * 1290167U + (UINT32_C(1) << (31 - d))) >> (32 - d);
}

/* FIPS 203, (4.8), Decompress_d. y < 2^d. Out: in [0, q). */
GIRIH_INLINE int32_t mlkem_decompress(uint32_t y, unsigned d)
{
    return (int32_t)((y * MLKEM_Q + (1U << (d - 1))) >> d);
}

#endif
