/* Rounding of ML-DSA, one coefficient or one group of them at a time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_C_MLDSA_ROUNDING_H
#define GIRIH_BACKEND_C_MLDSA_ROUNDING_H

#include "backend/c/mldsa_field.h"
#include "common/compiler.h"

/* FIPS 204, Algorithm 35 (Power2Round). r in [0, q). Returns r1 in [0, 2^10); *r0 in (-2^12, 2^12]; r = r1 * 2^d + *r0. CT: shifts and
 * additions only. */
GIRIH_INLINE int32_t mldsa_power2round(int32_t *r0, int32_t r)
{
    int32_t r1 = (r + (1 << (MLDSA_D - 1)) - 1) >> MLDSA_D;

    *r0 = r - r1 * (1 << MLDSA_D);
    return r1;
}

/* FIPS 204, Algorithm 36 (Decompose). r in [0, q). Returns r1 in [0, (q-1)/(2 gamma2)); *r0 in [-gamma2, gamma2]; r = r1 * 2 gamma2 + *r0
 * mod q. CT: the division by 2 gamma2 is a multiplication by a rounded reciprocal, exact for every r (checked exhaustively by the tests).
 */
GIRIH_INLINE int32_t mldsa_decompose(int32_t *r0, int32_t r, const mldsa_params *p)
{
    int32_t r1 = (r + 127) >> 7;

    if (p->gamma2_den == 32) {
        r1 = (r1 * 1025 + (1 << 21)) >> 22; /* 1025 / 2^22 ~ 2^7 / (2 gamma2) */
        r1 &= 15;
    } else {
        r1 = (r1 * 11275 + (1 << 23)) >> 24;
        r1 &= (int32_t)~ct_mask_negative(43 - r1);
    }
    *r0 = r - r1 * 2 * p->gamma2;
    *r0 -= (int32_t)(ct_mask_negative((MLDSA_Q - 1) / 2 - *r0) & MLDSA_Q);
    return r1;
}

/* FIPS 204, Algorithm 40 (UseHint), lines 3-4, where the hint is 1. r1, r0: as mldsa_decompose gave them. Public. */
GIRIH_INLINE int32_t mldsa_apply_hint(int32_t r1, int32_t r0, const mldsa_params *p)
{
    const int32_t last = p->gamma2_den == 32 ? 15 : 43; /* m - 1 */

    if (r0 > 0)
        return r1 == last ? 0 : r1 + 1;
    return r1 == 0 ? last : r1 - 1;
}

/* FIPS 204, Algorithm 28 (w1Encode), a group: 4 coefficients of 6 bits or 2 of 4 bits become 3 bytes or 1. */
GIRIH_INLINE uint8_t *w1_pack_group(uint8_t *out, const int32_t w1[4], const mldsa_params *p)
{
    if (p->gamma2_den == 32) {
        *out++ = (uint8_t)(w1[0] | w1[1] << 4);
        *out++ = (uint8_t)(w1[2] | w1[3] << 4);
    } else {
        *out++ = (uint8_t)(w1[0] | w1[1] << 6);
        *out++ = (uint8_t)(w1[1] >> 2 | w1[2] << 4);
        *out++ = (uint8_t)(w1[2] >> 4 | w1[3] << 2);
    }
    return out;
}

/* Coefficient i of a packed w1. */
GIRIH_INLINE uint32_t w1_coefficient(const uint8_t *w1, unsigned i, const mldsa_params *p)
{
    if (p->gamma2_den == 32)
        return (uint32_t)(w1[i / 2] >> (4 * (i & 1))) & 15;
    w1 += 3 * (i / 4);
    return load_le24(w1) >> (6 * (i & 3)) & 63;
}

#endif
