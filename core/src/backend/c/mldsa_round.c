/* Rounding, hints, and the coding of z, of ML-DSA in portable C.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/c/mldsa_rounding.h"
#include "backend/mldsa.h"

/* FIPS 204, Algorithm 35 (Power2Round) and Algorithm 16 (SimpleBitPack) of t1. In: |t_i| < q. Out: t_i = t0 in (-2^12, 2^12]. */
void mldsa_power2round_c(uint8_t t1[MLDSA_T1_BYTES], int32_t t[256])
{
    for (unsigned i = 0; i < 256; i += 4, t1 += 5) {
        uint32_t r1[4];

        for (unsigned j = 0; j < 4; j++)
            r1[j] = (uint32_t)mldsa_power2round(&t[i + j], mldsa_to_positive(t[i + j]));
        store_le32(t1, r1[0] | r1[1] << 10 | r1[2] << 20 | r1[3] << 30);
        t1[4] = (uint8_t)(r1[3] >> 2);
    }
}

/* FIPS 204, Algorithm 18 (SimpleBitUnpack) with b = 2^10 - 1, times 2^d. Out: in [0, q). */
void mldsa_t1_unpack_c(int32_t t1[256], const uint8_t packed[MLDSA_T1_BYTES])
{
    for (unsigned i = 0; i < 256; i += 4, packed += 5) {
        uint64_t bits = load_le32(packed) | (uint64_t)packed[4] << 32;

        for (unsigned j = 0; j < 4; j++)
            t1[i + j] = (int32_t)(bits >> (10 * j) & 0x3FF) << MLDSA_D;
    }
}

/* FIPS 204, Algorithm 36 (Decompose) and Algorithm 28 (w1Encode) of one polynomial. Ranges: backend/mldsa.h. */
void mldsa_decompose_c(uint8_t *w1, int32_t w[256], const mldsa_params *p)
{
    for (unsigned i = 0; i < 256; i += 4) {
        int32_t r1[4];

        for (unsigned j = 0; j < 4; j++)
            r1[j] = mldsa_decompose(&w[i + j], mldsa_to_positive(w[i + j]), p);
        w1 = w1_pack_group(w1, r1, p);
    }
}

/* FIPS 204, Algorithm 39 (MakeHint) of one polynomial. With w1 the high bits of w - c s2 and r its low bits plus c t0, the high bits
 * change when r leaves (-gamma2, gamma2], but not at r = -gamma2 where w1 = 0: there q - 1 wraps to 0. CT: an index is always stored, the
 * count moves by the hint; only the position of the next store depends on it, and hints are released once the norms fit. */
unsigned mldsa_make_hint_c(uint8_t positions[256], const int32_t r[256], const uint8_t *w1, const mldsa_params *p)
{
    unsigned count = 0;

    for (unsigned i = 0; i < 256; i++) {
        uint32_t outside = mldsa_exceeds(r[i], p->gamma2 + 1);
        uint32_t edge = ~ct_mask_nonzero((uint32_t)(r[i] + p->gamma2)) & ct_mask_nonzero(w1_coefficient(w1, i, p));
        uint32_t hint = (outside | edge) & 1;

        GIRIH_DECLASSIFY(&hint, sizeof hint,
                         "h: made only when z and r0 fit, and then a function of w - c s2 + c t0, which a verifier computes");
        positions[count] = (uint8_t)i; /* count <= i */
        count += hint;
    }
    return count;
}

/* FIPS 204, Algorithm 40 (UseHint) and Algorithm 28 (w1Encode) of one polynomial. Public input. */
void mldsa_use_hint_c(uint8_t *w1, const int32_t w[256], const uint8_t *positions, unsigned count, const mldsa_params *p)
{
    unsigned next = 0;

    for (unsigned i = 0; i < 256; i += 4) {
        int32_t r1[4];

        for (unsigned j = 0; j < 4; j++) {
            int32_t r0;

            r1[j] = mldsa_decompose(&r0, mldsa_to_positive(w[i + j]), p);
            if (next < count && positions[next] == i + j) {
                next++;
                r1[j] = mldsa_apply_hint(r1[j], r0, p);
            }
        }
        w1 = w1_pack_group(w1, r1, p);
    }
}

/* FIPS 204, Algorithm 17 (BitPack) with b = gamma1: gamma1 - z_i in 18 or 20 bits. In: -gamma1 < z_i <= gamma1. */
void mldsa_z_pack_c(uint8_t *packed, const int32_t z[256], const mldsa_params *p)
{
    const unsigned bits = p->gamma1_bits + 1;

    for (unsigned i = 0; i < 256; i += 4) {
        uint64_t low = 0;
        uint32_t last = (uint32_t)(p->gamma1 - z[i + 3]);

        for (unsigned j = 0; j < 3; j++)
            low |= (uint64_t)(uint32_t)(p->gamma1 - z[i + j]) << (bits * j);
        low |= (uint64_t)last << (3 * bits); /* 54 or 60 bits lie below: the rest of the last one follows */
        store_le64(packed, low);
        packed[8] = (uint8_t)(last >> (64 - 3 * bits));
        if (bits == 20)
            packed[9] = (uint8_t)(last >> (72 - 3 * bits));
        packed += bits / 2;
    }
}

/* FIPS 204, Algorithm 19 (BitUnpack) with b = gamma1, and the norm of z against gamma1 - beta. Also makes y of ExpandMask's bytes. */
uint32_t mldsa_z_unpack_exceeds_c(int32_t z[256], const uint8_t *packed, const mldsa_params *p)
{
    const unsigned bits = p->gamma1_bits + 1;
    const uint32_t mask = (UINT32_C(1) << bits) - 1;
    uint32_t exceeds = 0;

    for (unsigned i = 0; i < 256; i += 4, packed += bits / 2) {
        uint64_t low = load_le64(packed);
        uint32_t last = (uint32_t)(low >> (3 * bits)) | (uint32_t)packed[8] << (64 - 3 * bits);

        if (bits == 20)
            last |= (uint32_t)packed[9] << (72 - 3 * bits);
        for (unsigned j = 0; j < 4; j++) {
            uint32_t field = j == 3 ? last : (uint32_t)(low >> (bits * j)) & mask;

            z[i + j] = p->gamma1 - (int32_t)field;
            exceeds |= mldsa_exceeds(z[i + j], p->gamma1 - p->beta);
        }
    }
    return exceeds & 1;
}
