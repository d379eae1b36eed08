/* Keccak-f[1600], four states side by side.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two rounds a pass, from the state to its working space and back. The lanes stay in memory between the rounds, where they are operands of
 * theta's xors; the sixteen registers then hold what a round needs without spilling: theta's five words, five lanes of chi and the five
 * column parities of the next round, which are summed while the lanes are written. Lanes that the compiler may keep where it likes cost 3 %
 * more, all 24 rounds in a row 30 %: they outgrow the cache of decoded instructions. */
#include "backend/c/keccak_round.h"
#include "backend/keccak.h"
#include "backend/x86_avx2/avx2.h"

/* Words of a state to those of the same state in its working space. */
#define WORK 100

INLINE __m256i xor2(__m256i a, __m256i b)
{
    return _mm256_xor_si256(a, b);
}

INLINE __m256i rotate(__m256i x, int n)
{
    return _mm256_or_si256(_mm256_slli_epi64(x, n), _mm256_srli_epi64(x, 64 - n));
}

INLINE __m256i rotate_1(__m256i x)
{
    return _mm256_or_si256(_mm256_add_epi64(x, x), _mm256_srli_epi64(x, 63));
}

INLINE __m256i rotate_8(__m256i x)
{
    return _mm256_shuffle_epi8(x, both_halves(_mm_setr_epi8(7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14)));
}

INLINE __m256i rotate_56(__m256i x)
{
    return _mm256_shuffle_epi8(x, both_halves(_mm_setr_epi8(1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8)));
}

INLINE __m256i lane(const uint64_t *a, unsigned i)
{
    return _mm256_load_si256((const __m256i *)(a + 4 * i));
}

INLINE void put(uint64_t *e, __m256i *parity, __m256i x)
{
    _mm256_store_si256((__m256i *)e, x);
    *parity = xor2(*parity, x);
}

/* FIPS 202, Algorithms 5 and 6 (chi, iota) on one plane: b -> e, and into the parities c. */
INLINE void chi(uint64_t e[20], __m256i c[5], __m256i rc, __m256i b0, __m256i b1, __m256i b2, __m256i b3, __m256i b4)
{
    put(e, &c[0], xor2(xor2(b0, _mm256_andnot_si256(b1, b2)), rc));
    put(e + 4, &c[1], xor2(b1, _mm256_andnot_si256(b2, b3)));
    put(e + 8, &c[2], xor2(b2, _mm256_andnot_si256(b3, b4)));
    put(e + 12, &c[3], xor2(b3, _mm256_andnot_si256(b4, b0)));
    put(e + 16, &c[4], xor2(b4, _mm256_andnot_si256(b0, b1)));
}

/* FIPS 202, Algorithms 1-6: e = round(a). c: column parities of a; becomes those of e. */
INLINE void round_x4(uint64_t e[100], __m256i c[5], const uint64_t a[100], uint64_t rc)
{
    const __m256i d0 = xor2(c[4], rotate_1(c[1])), d1 = xor2(c[0], rotate_1(c[2])), d2 = xor2(c[1], rotate_1(c[3]));
    const __m256i d3 = xor2(c[2], rotate_1(c[4])), d4 = xor2(c[3], rotate_1(c[0]));
    const __m256i zero = _mm256_setzero_si256();

    __asm__ volatile("" ::: "memory"); /* or the compiler keeps lanes in registers that it has not got */
    c[0] = c[1] = c[2] = c[3] = c[4] = zero;
    chi(e, c, _mm256_set1_epi64x((long long)rc), xor2(lane(a, 0), d0), rotate(xor2(lane(a, 6), d1), 44), rotate(xor2(lane(a, 12), d2), 43),
        rotate(xor2(lane(a, 18), d3), 21), rotate(xor2(lane(a, 24), d4), 14));
    chi(e + 20, c, zero, rotate(xor2(lane(a, 3), d3), 28), rotate(xor2(lane(a, 9), d4), 20), rotate(xor2(lane(a, 10), d0), 3),
        rotate(xor2(lane(a, 16), d1), 45), rotate(xor2(lane(a, 22), d2), 61));
    chi(e + 40, c, zero, rotate_1(xor2(lane(a, 1), d1)), rotate(xor2(lane(a, 7), d2), 6), rotate(xor2(lane(a, 13), d3), 25),
        rotate_8(xor2(lane(a, 19), d4)), rotate(xor2(lane(a, 20), d0), 18));
    chi(e + 60, c, zero, rotate(xor2(lane(a, 4), d4), 27), rotate(xor2(lane(a, 5), d0), 36), rotate(xor2(lane(a, 11), d1), 10),
        rotate(xor2(lane(a, 17), d2), 15), rotate_56(xor2(lane(a, 23), d3)));
    chi(e + 80, c, zero, rotate(xor2(lane(a, 2), d2), 62), rotate(xor2(lane(a, 8), d3), 55), rotate(xor2(lane(a, 14), d4), 39),
        rotate(xor2(lane(a, 15), d0), 41), rotate(xor2(lane(a, 21), d1), 2));
}

void keccak_permute_x4_avx2(uint64_t s[200])
{
    __m256i c[5];

    for (unsigned x = 0; x < 5; x++)
        c[x] = xor2(xor2(lane(s, x), lane(s, x + 5)), xor2(xor2(lane(s, x + 10), lane(s, x + 15)), lane(s, x + 20)));
    for (unsigned i = 0; i < 24; i += 2) {
        round_x4(s + WORK, c, s, keccak_round_constants[i]);
        round_x4(s, c, s + WORK, keccak_round_constants[i + 1]);
    }
}
