/* Keccak-f[1600], four states side by side.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two rounds a pass, from the state to its working space and back. The lanes stay in memory between the rounds, where they are operands of
 * theta's xors; the sixteen registers then hold what a round needs without spilling: theta's five words, five lanes of chi and the five
 * column parities of the next round, which are summed while the lanes are written. Lanes that the compiler may keep where it likes cost 3 %
 * more, all 24 rounds in a row 30 %: they outgrow the cache of decoded instructions. chi follows seven lanes behind rho, so that the
 * shifts of one plane, which only half of the units do, run beside the logic of the plane before: 4 %. */
#include "backend/c/keccak_round.h"
#include "backend/keccak.h"
#include "backend/x86_avx2/vectors.h"

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

/* theta and rho of lane `from`. */
INLINE __m256i turned(const uint64_t a[100], unsigned from, const __m256i d[5], int n)
{
    const __m256i x = xor2(lane(a, from), d[from % 5]);

    return n == 0 ? x : n == 1 ? rotate_1(x) : n == 8 ? rotate_8(x) : n == 56 ? rotate_56(x) : rotate(x, n);
}

INLINE void put(uint64_t *e, __m256i *parity, __m256i x)
{
    _mm256_store_si256((__m256i *)e, x);
    *parity = xor2(*parity, x);
}

/* FIPS 202, Algorithms 1-6 (theta, rho, pi, chi, iota): e = round(a). c: column parities of a; becomes those of e. */
INLINE void round_x4(uint64_t e[100], __m256i c[5], const uint64_t a[100], uint64_t rc)
{
    const __m256i d[5] = {xor2(c[4], rotate_1(c[1])), xor2(c[0], rotate_1(c[2])), xor2(c[1], rotate_1(c[3])), xor2(c[2], rotate_1(c[4])),
                          xor2(c[3], rotate_1(c[0]))};
    __m256i b[25];

    __asm__ volatile("" ::: "memory"); /* or the compiler keeps lanes in registers that it has not got */
    for (unsigned x = 0; x < 5; x++)
        c[x] = _mm256_setzero_si256();
#define TURN(to, from, n)    b[to] = turned(a, from, d, n)
#define CHI(to, next, after) put(e + 4 * (to), &c[(to) % 5], xor2(b[to], _mm256_andnot_si256(b[next], b[after])))
#define TURN_CHI(to, from, n, out, next, after)                                                                                            \
    TURN(to, from, n);                                                                                                                     \
    CHI(out, next, after)
    TURN(0, 0, 0);
    TURN(1, 6, 44);
    TURN(2, 12, 43);
    TURN(3, 18, 21);
    TURN(4, 24, 14);
    TURN(5, 3, 28);
    TURN(6, 9, 20);
    TURN(7, 10, 3);
    put(e, &c[0], xor2(xor2(b[0], _mm256_andnot_si256(b[1], b[2])), _mm256_set1_epi64x((long long)rc))); /* chi, iota */
    TURN_CHI(8, 16, 45, 1, 2, 3);
    TURN_CHI(9, 22, 61, 2, 3, 4);
    TURN_CHI(10, 1, 1, 3, 4, 0);
    TURN_CHI(11, 7, 6, 4, 0, 1);
    TURN_CHI(12, 13, 25, 5, 6, 7);
    TURN_CHI(13, 19, 8, 6, 7, 8);
    TURN_CHI(14, 20, 18, 7, 8, 9);
    TURN_CHI(15, 4, 27, 8, 9, 5);
    TURN_CHI(16, 5, 36, 9, 5, 6);
    TURN_CHI(17, 11, 10, 10, 11, 12);
    TURN_CHI(18, 17, 15, 11, 12, 13);
    TURN_CHI(19, 23, 56, 12, 13, 14);
    TURN_CHI(20, 2, 62, 13, 14, 10);
    TURN_CHI(21, 8, 55, 14, 10, 11);
    TURN_CHI(22, 14, 39, 15, 16, 17);
    TURN_CHI(23, 15, 41, 16, 17, 18);
    TURN_CHI(24, 21, 2, 17, 18, 19);
    CHI(18, 19, 15);
    CHI(19, 15, 16);
    CHI(20, 21, 22);
    CHI(21, 22, 23);
    CHI(22, 23, 24);
    CHI(23, 24, 20);
    CHI(24, 20, 21);
#undef TURN
#undef CHI
#undef TURN_CHI
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
