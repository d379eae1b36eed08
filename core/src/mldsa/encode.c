/* The encodings of FIPS 204, section 7.2, that no backend replaces.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/encode.h"

#include "common/bytes.h"
#include "common/ct.h"

/* FIPS 204, Algorithm 17 (BitPack) with a = b = eta: eta - s_i in 3 or 4 bits. In: s_i in [-eta, eta]. */
void mldsa_s_pack(uint8_t *packed, const int32_t s[256], const mldsa_params *p)
{
    const int32_t eta = (int32_t)p->eta;

    if (p->eta == 4) {
        for (unsigned i = 0; i < 256; i += 2)
            *packed++ = (uint8_t)((eta - s[i]) | (eta - s[i + 1]) << 4);
        return;
    }
    for (unsigned i = 0; i < 256; i += 8, packed += 3) {
        uint32_t bits = 0;

        for (unsigned j = 0; j < 8; j++)
            bits |= (uint32_t)(eta - s[i + j]) << (3 * j);
        packed[0] = (uint8_t)bits;
        packed[1] = (uint8_t)(bits >> 8);
        packed[2] = (uint8_t)(bits >> 16);
    }
}

/* FIPS 204, Algorithm 19 (BitUnpack) with a = b = eta. Returns all ones when a field is above 2 eta, so that s_i < -eta, else 0.
 * CT: every field is read. */
uint32_t mldsa_s_unpack(int32_t s[256], const uint8_t *packed, const mldsa_params *p)
{
    const int32_t eta = (int32_t)p->eta;
    const unsigned bits = p->eta == 4 ? 4 : 3;
    uint32_t bad = 0;

    for (unsigned i = 0; i < 256; i += 8, packed += bits) {
        uint32_t fields = bits == 4 ? load_le32(packed) : load_le24(packed);

        for (unsigned j = 0; j < 8; j++) {
            s[i + j] = eta - (int32_t)(fields >> (bits * j) & ((1U << bits) - 1));
            bad |= ct_mask_negative(s[i + j] + eta);
        }
    }
    return bad;
}

/* FIPS 204, Algorithm 17 (BitPack) with a = 2^12 - 1, b = 2^12: 2^12 - t0_i in 13 bits. In: t0_i in (-2^12, 2^12]. */
void mldsa_t0_pack(uint8_t packed[MLDSA_T0_BYTES], const int32_t t0[256])
{
    for (unsigned i = 0; i < 256; i += 8, packed += 13) { /* 104 bits: the fifth field lies across the middle */
        uint64_t low = 0, high = 0, field;

        for (unsigned j = 0; j < 8; j++) {
            field = (uint64_t)((1 << (MLDSA_D - 1)) - t0[i + j]);
            if (j < 5)
                low |= field << (13 * j);
            if (j == 4)
                high = field >> 12;
            if (j > 4)
                high |= field << (13 * j - 64);
        }
        store_le64(packed, low);
        store_le32(packed + 8, (uint32_t)high);
        packed[12] = (uint8_t)(high >> 32);
    }
}

/* FIPS 204, Algorithm 21 (HintBitUnpack). Returns 1, or 0 for a string that no signer writes: a cut that falls or exceeds omega, indices of
 * a polynomial that do not rise, or a byte behind the last cut that is not zero. Nothing is read outside omega + k bytes. Public. */
int mldsa_hint_unpack(mldsa_hints *h, const uint8_t *packed, const mldsa_params *p)
{
    unsigned index = 0;

    h->positions = packed;
    for (unsigned i = 0; i < p->k; i++) {
        unsigned first = index, cut = packed[p->omega + i];

        if (cut < index || cut > p->omega) /* 204/21 l.4 */
            return 0;
        for (; index < cut; index++) {
            if (index > first && packed[index - 1] >= packed[index]) /* 204/21 l.9 */
                return 0;
        }
        h->end[i] = (uint8_t)cut;
    }
    for (; index < p->omega; index++) {
        if (packed[index] != 0) /* 204/21 l.17 */
            return 0;
    }
    return 1;
}
