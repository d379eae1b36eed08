/* z to bytes and back.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/avx2.h"
#include "backend/x86_avx2/table.h"
#include "backend/x86_avx2/z.h"

INLINE void pack(uint8_t *packed, const int32_t z[256], unsigned bits)
{
    for (unsigned i = 0; i < MLDSA_N; i += 8, packed += bits)
        z_pack_8(packed, load(z + i), bits);
}

void mldsa_z_pack_avx2(uint8_t *packed, const int32_t z[256], const mldsa_params *p)
{
    if (p->gamma1_bits == 17)
        pack(packed, z, 18);
    else
        pack(packed, z, 20);
}

INLINE uint32_t unpack_exceeds(int32_t z[256], const uint8_t *packed, int32_t bound, unsigned bits)
{
    __m256i largest = _mm256_setzero_si256();

    for (unsigned i = 0; i < MLDSA_N; i += 8, packed += bits) {
        const __m256i x = z_unpack_8(packed, bits);

        largest = _mm256_max_epi32(largest, _mm256_abs_epi32(x));
        store(z + i, x);
    }
    return _mm256_movemask_epi8(_mm256_cmpgt_epi32(largest, splat(bound - 1))) != 0;
}

uint32_t mldsa_z_unpack_exceeds_avx2(int32_t z[256], const uint8_t *packed, const mldsa_params *p)
{
    if (p->gamma1_bits == 17)
        return unpack_exceeds(z, packed, p->gamma1 - p->beta, 18);
    return unpack_exceeds(z, packed, p->gamma1 - p->beta, 20);
}
