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

/* FIPS 204, Algorithm 18 (SimpleBitUnpack) of t1, times 2^d: ten bytes are eight fields of ten bits. The last vector is loaded so that it
 * ends with the last byte. */
void mldsa_t1_unpack_avx2(int32_t t1[256], const uint8_t packed[MLDSA_T1_BYTES])
{
    const __m256i spread =
        _mm256_setr_epi8(0, 1, -1, -1, 1, 2, -1, -1, 2, 3, -1, -1, 3, 4, -1, -1, 5, 6, -1, -1, 6, 7, -1, -1, 7, 8, -1, -1, 8, 9, -1, -1);
    const __m256i last = _mm256_add_epi8(spread, _mm256_and_si256(_mm256_cmpgt_epi8(spread, splat(-1)), _mm256_set1_epi8(6)));
    const __m256i shift = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6), mask = splat(0x3FF);

    for (unsigned i = 0; i < MLDSA_N; i += 8, packed += 10) {
        const int end = i == MLDSA_N - 8;
        const __m256i x = both_halves(_mm_loadu_si128((const __m128i *)(end ? packed - 6 : packed)));
        const __m256i fields = _mm256_srlv_epi32(_mm256_shuffle_epi8(x, end ? last : spread), shift);

        store(t1 + i, _mm256_slli_epi32(_mm256_and_si256(fields, mask), MLDSA_D));
    }
}
