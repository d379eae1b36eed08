/* The transforms and products of ML-KEM in portable C. Hat order: that of FIPS 203.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/c/mlkem_bits.h"
#include "backend/c/mlkem_field.h"

/* 17^BitRev7(m) mod q (FIPS 203, appendix A), ready for plantard_multiply. */
static const int32_t roots[128] = {
    1290167,     -2064267850, -966335387,  -51606696,   -886345008,  812805466,   -1847519726, 1094061961,  1370157786,  -1819136043,
    249002309,   1028263423,  -700560902,  -89021551,   734105254,   -2042335004, 381889552,   -1137927652, 1727534157,  1904287092,
    -365117376,  72249375,    -1404992306, 1719793153,  1839778722,  -1593356747, 690239562,   -576704831,  -1207596692, -580575333,
    -1748176836, 1059227441,  372858380,   427045412,   -98052723,   -2029433330, 1544330385,  -1322421592, -1357256112, -1643673276,
    838608814,   -1744306333, -1052776604, 815385801,   -598637677,  42575524,    1703020976,  -1824296713, -1303069080, 1851390228,
    1041165097,  583155668,   1855260730,  -594767174,  1979116801,  -1195985186, -879894171,  -918599193,  1910737929,  836028479,
    -1103093132, -282546662,  1583035408,  1174052340,  21932846,    -732815087,  752167598,   -877313836,  2112004044,  932791035,
    -1343064270, 1419184147,  1817845876,  -860541660,  -61928036,   300609006,   975366559,   -1513366368, -405112566,  -359956706,
    -2097812203, 2130066388,  -696690399,  -1986857806, -1912028096, 1228239371,  1884934581,  -828287475,  1211467195,  -1317260922,
    -1150829327, -1214047529, 945692709,   -1279846067, 345764865,   826997308,   2043625172,  -1330162596, -1666896289, -140628247,
    483812777,   -1006330577, -1598517417, 2122325384,  1371447953,  411563403,   -717333078,  976656727,   -1586905910, 723783915,
    -1113414472, -948273044,  -677337888,  1408862808,  519937465,   1323711759,  1474661346,  -1521107372, -714752743,  1143088322,
    -2073299022, 1563682897,  -1877193576, 1327582261,  -1572714068, -508325958,  1141798155,  -1515946703,
};

/* (a, b) becomes (a + b w, a - b w). */
GIRIH_INLINE void butterfly(int32_t *a, int32_t *b, int32_t w)
{
    const int32_t t = plantard_multiply(*b, w);

    *b = *a - t;
    *a += t;
}

/* The layers of distance 2 d and d, in blocks of 4 d: what is loaded is used four times. d is a constant in each call, so that loads and
 * stores have their offsets in the instruction. */
GIRIH_INLINE void forward_pass(int16_t *a, const unsigned d, const unsigned blocks)
{
    for (unsigned m = blocks; m != 2 * blocks; m++, a += 3 * d) {
        const int32_t w = roots[m], w_low = roots[2 * m], w_high = roots[2 * m + 1];

        for (const int16_t *end = a + d; a != end; a++) {
            int32_t a0 = a[0], a1 = a[d], a2 = a[2 * d], a3 = a[3 * d];

            butterfly(&a0, &a2, w);
            butterfly(&a1, &a3, w);
            butterfly(&a0, &a1, w_low);
            butterfly(&a2, &a3, w_high);
            a[0] = (int16_t)a0;
            a[d] = (int16_t)a1;
            a[2 * d] = (int16_t)a2;
            a[3 * d] = (int16_t)a3;
        }
    }
}

/* FIPS 203, Algorithm 9 (NTT). In: |a_i| <= q. Out: |a_i| <= q + 7 q / 2, below 8q: each of the 7 layers adds at most q / 2.
 * CT: no data-dependent step. */
GIRIH_NOINLINE void mlkem_ntt_c(int16_t a[256])
{
    forward_pass(a, 64, 1);
    forward_pass(a, 16, 4);
    forward_pass(a, 4, 16);
    for (unsigned m = 64; m != 128; m++, a += 4) {
        int32_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];

        butterfly(&a0, &a2, roots[m]);
        butterfly(&a1, &a3, roots[m]);
        a[0] = (int16_t)a0;
        a[1] = (int16_t)a1;
        a[2] = (int16_t)a2;
        a[3] = (int16_t)a3;
    }
}

/* (a, b) becomes (a + b, (b - a) w). */
GIRIH_INLINE void inverse_butterfly(int32_t *a, int32_t *b, int32_t w)
{
    const int32_t difference = *b - *a;

    *a += *b;
    *b = plantard_multiply(difference, w);
}

/* The layers of distance d and 2 d, and then every coefficient a times w: reduced, 1 for those that have grown most; last, the factor of
 * the whole transform. */
typedef enum { GROWING, REDUCED, LAST } inverse_kind;

GIRIH_INLINE void inverse_pass(int16_t *a, const unsigned d, const unsigned blocks, inverse_kind kind)
{
    for (unsigned m = 2 * blocks - 1; m != blocks - 1; m--, a += 3 * d) {
        const int32_t w = kind == LAST ? MLKEM_INTT_17 : roots[m], w_low = roots[2 * m + 1], w_high = roots[2 * m];

        for (const int16_t *end = a + d; a != end; a++) {
            int32_t a0 = a[0], a1 = a[d], a2 = a[2 * d], a3 = a[3 * d];

            inverse_butterfly(&a0, &a1, w_low);
            inverse_butterfly(&a2, &a3, w_high);
            inverse_butterfly(&a0, &a2, w);
            inverse_butterfly(&a1, &a3, w);
            if (kind != GROWING)
                a0 = plantard_multiply(a0, kind == LAST ? MLKEM_INTT : MLKEM_ONE);
            if (kind == LAST)
                a1 = plantard_multiply(a1, MLKEM_INTT);
            a[0] = (int16_t)a0;
            a[d] = (int16_t)a1;
            a[2 * d] = (int16_t)a2;
            a[3 * d] = (int16_t)a3;
        }
    }
}

/* FIPS 203, Algorithm 10 (NTT^-1), times -2^32. In: |a_i| <= q / 2, as products are. Out: |a_i| <= q / 2.
 * In units of q / 2: 2 after distance 2, 8 after 8, then 32 in registers and again at most 2 in memory, 8 at last. */
GIRIH_NOINLINE void mlkem_intt_c(int16_t a[256])
{
    int16_t *f = a;

    for (unsigned m = 127; m != 63; m--, f += 4) {
        int32_t f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];

        inverse_butterfly(&f0, &f2, roots[m]);
        inverse_butterfly(&f1, &f3, roots[m]);
        f[0] = (int16_t)f0;
        f[1] = (int16_t)f1;
        f[2] = (int16_t)f2;
        f[3] = (int16_t)f3;
    }
    inverse_pass(a, 4, 16, GROWING);
    inverse_pass(a, 16, 4, REDUCED);
    inverse_pass(a, 64, 1, LAST);
}

/* What a product wants of its second factor: the odd coefficients times the root of their pair (FIPS 203, Algorithm 12, gamma).
 * In: |b_i| <= 8q. Out: 128 words, |cache_i| <= q / 2. */
void mlkem_product_cache_c(int16_t *cache, const int16_t b[256])
{
    for (unsigned i = 0; i < 64; i++) {
        cache[2 * i] = (int16_t)plantard_multiply(b[4 * i + 1], roots[64 + i]);
        cache[2 * i + 1] = (int16_t)-plantard_multiply(b[4 * i + 3], roots[64 + i]);
    }
}

/* FIPS 203, Algorithm 12 (BaseCaseMultiply) of pair i, added up. |a_i| <= 4095, |b_i| <= 8q: a summand is at most 2 * 4095 * 8 * q =
 * 2.2 10^8 in each place, four of them 8.8 10^8. */
GIRIH_INLINE void base_case_multiply(int32_t *even, int32_t *odd, const int16_t a[2], const int16_t b[2], int32_t cache)
{
    *even += a[0] * b[0] + a[1] * cache;
    *odd += a[0] * b[1] + a[1] * b[0];
}

/* FIPS 203, Algorithm 11 (MultiplyNTTs), summed over k: r = sum a_j b_j / -2^32, |r_i| <= q / 2. */
void mlkem_product_c(int16_t r[256], const int16_t *a, unsigned stride, const int16_t *b, const int16_t *caches, unsigned k)
{
    for (unsigned i = 0; i < 128; i++) {
        int32_t even = 0, odd = 0;

        for (unsigned j = 0; j < k; j++)
            base_case_multiply(&even, &odd, a + 256 * (size_t)stride * j + 2 * i, b + 256 * j + 2 * i, caches[128 * j + i]);
        r[2 * i] = (int16_t)plantard_reduce(even);
        r[2 * i + 1] = (int16_t)plantard_reduce(odd);
    }
}

void mlkem_sum_add_c(int32_t sum[256], const int16_t a[256], const int16_t b[256], const int16_t cache[128])
{
    for (unsigned i = 0; i < 128; i++)
        base_case_multiply(&sum[2 * i], &sum[2 * i + 1], a + 2 * i, b + 2 * i, cache[i]);
}

void mlkem_sum_finish_c(int16_t r[256], const int32_t sum[256])
{
    for (unsigned i = 0; i < 256; i++)
        r[i] = (int16_t)plantard_reduce(sum[i]);
}

/* t_hat = -2^32 r + e_hat (the first takes off what the product lacks). In: |r_i| <= q / 2, |e_i| <= 8q. Out: in [0, q); and encoded. */
void mlkem_key_row_c(uint8_t encoded[384], int16_t t_hat[256], const int16_t r[256], const int16_t e_hat[256])
{
    for (const uint8_t *end = encoded + 384; encoded != end; encoded += 3, t_hat += 2, r += 2, e_hat += 2) {
        const int32_t low = mlkem_canonical(plantard_multiply(r[0], MLKEM_PRODUCT) + e_hat[0]);
        const int32_t high = mlkem_canonical(plantard_multiply(r[1], MLKEM_PRODUCT) + e_hat[1]);

        t_hat[0] = (int16_t)low;
        t_hat[1] = (int16_t)high;
        encode_pair(encoded, (uint32_t)low, (uint32_t)high);
    }
}
