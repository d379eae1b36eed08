/* Separate states through the four-way permutation, four at a time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/vectors.h"
#include "backend/keccak.h"

/* The 4 x 4 words of rows become columns. */
INLINE void transpose(__m256i x[4])
{
    const __m256i a = _mm256_unpacklo_epi64(x[0], x[1]), b = _mm256_unpackhi_epi64(x[0], x[1]);
    const __m256i c = _mm256_unpacklo_epi64(x[2], x[3]), d = _mm256_unpackhi_epi64(x[2], x[3]);

    x[0] = _mm256_permute2x128_si256(a, c, 0x20);
    x[1] = _mm256_permute2x128_si256(b, d, 0x20);
    x[2] = _mm256_permute2x128_si256(a, c, 0x31);
    x[3] = _mm256_permute2x128_si256(b, d, 0x31);
}

/* Two to four states; lanes without one repeat the last. */
static void permute_up_to_4(girih_sha3 *const h[], unsigned count, keccak_x4 permute_x4)
{
    _Alignas(32) uint64_t s[200];
    uint64_t *lane[4];

    for (unsigned n = 0; n < 4; n++) {
        lane[n] = h[n < count ? n : count - 1]->state.lane;
        s[96 + n] = lane[n][24];
    }
    for (unsigned i = 0; i < 24; i += 4) {
        __m256i x[4];

        for (unsigned n = 0; n < 4; n++)
            x[n] = _mm256_loadu_si256((const __m256i *)(lane[n] + i));
        transpose(x);
        for (unsigned n = 0; n < 4; n++)
            _mm256_store_si256((__m256i *)(s + 4 * (i + n)), x[n]);
    }
    permute_x4(s);
    for (unsigned i = 0; i < 24; i += 4) {
        __m256i x[4];

        for (unsigned n = 0; n < 4; n++)
            x[n] = _mm256_load_si256((const __m256i *)(s + 4 * (i + n)));
        transpose(x);
        for (unsigned n = 0; n < count; n++)
            _mm256_storeu_si256((__m256i *)(lane[n] + i), x[n]);
    }
    for (unsigned n = 0; n < count; n++)
        lane[n][24] = s[96 + n];
    girih_wipe(s, sizeof s);
}

static void permute_all(girih_sha3 *const h[], unsigned count, void (*permute)(girih_sha3 *), keccak_x4 permute_x4)
{
    while (count > 1) {
        const unsigned n = count < 4 ? count : 4;

        permute_up_to_4(h, n, permute_x4);
        h += n;
        count -= n;
    }
    if (count == 1)
        permute(h[0]);
}

void keccak_permute_all_avx2(girih_sha3 *const h[], unsigned count)
{
    permute_all(h, count, keccak_permute_bmi2, keccak_permute_x4_avx2);
}

#if defined(GIRIH_X86_AVX512)
void keccak_permute_all_avx512(girih_sha3 *const h[], unsigned count)
{
    permute_all(h, count, keccak_permute_avx512, keccak_permute_x4_avx512);
}
#endif

keccak_x4 keccak_x4_of(girih_backend id)
{
#if defined(GIRIH_X86_AVX512)
    if (id == GIRIH_BACKEND_AVX512)
        return keccak_permute_x4_avx512;
#endif
    (void)id;
    return keccak_permute_x4_avx2;
}
