/* Arithmetic modulo q = 8380417.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_C_MLDSA_FIELD_H
#define GIRIH_BACKEND_C_MLDSA_FIELD_H

#include "common/bytes.h"
#include "common/compiler.h"
#include "common/ct.h"
#include "mldsa/params.h"

/* FIPS 204, Algorithm 49 (MontgomeryReduce). In: |a| < 2^31 q. Out: a / 2^32 mod q, |.| <= |a| / 2^32 + q/2. Deviation: t comes from -1/q
 * and is added, not subtracted; the result is congruent and its bound the same, and a 32-bit core does it in three instructions (smull,
 * mul, smlal). */
GIRIH_INLINE int32_t mldsa_montgomery_reduce(int64_t a)
{
    const uint32_t minus_q_inverse = 4236238847U; /* -1/q mod 2^32 */
    int32_t t = (int32_t)((uint32_t)(uint64_t)a * minus_q_inverse);

    _Static_assert((uint32_t)(4236238847U * (uint64_t)MLDSA_Q) == UINT32_MAX, "minus_q_inverse * q = -1 mod 2^32");
    return (int32_t)((a + (int64_t)t * MLDSA_Q) >> 32);
}

/* In: -q < a < q. Out: in [0, q). */
GIRIH_INLINE int32_t mldsa_to_positive(int32_t a)
{
    return a + (int32_t)(ct_mask_negative(a) & MLDSA_Q);
}

/* In: |a| < q. Out: centred, in (-q/2, q/2). */
GIRIH_INLINE int32_t mldsa_to_centred(int32_t a)
{
    a -= (int32_t)(ct_mask_negative((MLDSA_Q - 1) / 2 - a) & MLDSA_Q);
    a += (int32_t)(ct_mask_negative(a + (MLDSA_Q - 1) / 2) & MLDSA_Q);
    return a;
}

/* All ones when |a| >= bound, else 0. */
GIRIH_INLINE uint32_t mldsa_exceeds(int32_t a, int32_t bound)
{
    uint32_t sign = ct_mask_negative(a);
    int32_t magnitude = (int32_t)(((uint32_t)a ^ sign) - sign);

    return ct_mask_negative(bound - 1 - magnitude);
}

#endif
