/* The transforms and products of ML-DSA in portable C. NTT order: that of FIPS 204.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/c/mldsa_field.h"
#include "backend/mldsa.h"
#include "common/compiler.h"

/* roots[m] = 1753^BitRev8(m) mod q, centred (FIPS 204, appendix B). */
static const int32_t roots[256] = {
    1,        -3572223, 3765607,  3761513,  -3201494, -2883726, -3145678, -3201430, -601683,  3542485,  2682288,  2129892,  3764867,
    -1005239, 557458,   -1221177, -3370349, -4063053, 2663378,  -1674615, -3524442, -434125,  676590,   -1335936, -3227876, 1714295,
    2453983,  1460718,  -642628,  -3585098, 2815639,  2283733,  3602218,  3182878,  2740543,  -3586446, -3110818, 2101410,  3704823,
    1159875,  394148,   928749,   1095468,  -3506380, 2071829,  -4018989, 3241972,  2156050,  3415069,  1759347,  -817536,  -3574466,
    3756790,  -1935799, -1716988, -3950053, -2897314, 3192354,  556856,   3870317,  2917338,  1853806,  3345963,  1858416,  3073009,
    1277625,  -2635473, 3852015,  4183372,  -3222807, -3121440, -274060,  2508980,  2028118,  1937570,  -3815725, 2811291,  -2983781,
    -1109516, 4158088,  1528066,  482649,   1148858,  -2962264, -565603,  169688,   2462444,  -3334383, -4166425, -3488383, 1987814,
    -3197248, 1736313,  235407,   -3250154, 3258457,  -2579253, 1787943,  -2391089, -2254727, 3482206,  -4182915, -1300016, -2362063,
    -1317678, 2461387,  3035980,  621164,   3901472,  -1226661, 2925816,  3374250,  1356448,  -2775755, 2683270,  -2778788, -3467665,
    2312838,  -653275,  -459163,  348812,   -327848,  1011223,  -2354215, -3818627, -1922253, -2236726, 1744507,  1753,     -1935420,
    -2659525, -1455890, 2660408,  -1780227, -59148,   2772600,  1182243,  87208,    636927,   -3965306, -3956745, -2296397, -3284915,
    -3716946, -27812,   822541,   1009365,  -2454145, -1979497, 1596822,  -3956944, -3759465, -1685153, -3410568, 2678278,  -3768948,
    -3551006, 635956,   -250446,  -2455377, -4146264, -1772588, 2192938,  -1727088, 2387513,  -3611750, -268456,  -3180456, 3747250,
    2296099,  1239911,  -3838479, 3195676,  2642980,  1254190,  -12417,   2998219,  141835,   -89301,   2513018,  -1354892, 613238,
    -1310261, -2218467, -458740,  -1921994, 4040196,  -3472069, 2039144,  -1879878, -818761,  -2178965, -1623354, 2105286,  -2374402,
    -2033807, 586241,   -1179613, 527981,   -2743411, -1476985, 1994046,  2491325,  -1393159, 507927,   -1187885, -724804,  -1834526,
    -3033742, -338420,  2647994,  3009748,  -2612853, 4148469,  749577,   -4022750, 3980599,  2569011,  -1615530, 1723229,  1665318,
    2028038,  1163598,  -3369273, 3994671,  -11879,   -1370517, 3020393,  3363542,  214880,   545376,   -770441,  3105558,  -1103344,
    508145,   -553718,  860144,   3430436,  140244,   -1514152, -2185084, 3123762,  2358373,  -2193087, -3014420, -1716814, 2926054,
    -392707,  -303005,  3531229,  -3974485, -3773731, 1900052,  -781875,  1054478,  -731434,
};

/* A root w, and w * 2^32 / q, at most 1.001 below it. */
typedef struct {
    int32_t w, quotient;
} twiddle;

/* 2^32 / q = 513 + -2145647103 / 2^32, rounded. Three instructions: a table of quotients would be another kilobyte. */
GIRIH_INLINE twiddle twiddle_of(unsigned m)
{
    const int32_t w = roots[m];
    const uint32_t fraction = (uint32_t)(((int64_t)w * -2145647103) >> 32);

    return (twiddle){w, (int32_t)(513 * (uint32_t)w + fraction)};
}

/* b w mod q up to a multiple of q, with Barrett's reduction and a quotient prepared for w, as Shoup does: the estimate of b w / q is up to
 * 1 off downwards and, for the quotient's error, up to e = |b| / 2^32 away from 0 or towards it. Out: in [-e q, (1 + e) q]. Three
 * multiplications, the last one subtracts. */
GIRIH_INLINE uint32_t shoup(int32_t b, twiddle z, uint32_t q)
{
    const uint32_t estimate = (uint32_t)(((int64_t)b * z.quotient) >> 32);

    return (uint32_t)b * (uint32_t)z.w - estimate * q;
}

/* (a, b) becomes (a + b w, a - b w) mod q: on Arm, whose multiplication can accumulate, four instructions: the sum, and twice a less the
 * sum. */
GIRIH_INLINE void butterfly(int32_t *a, int32_t *b, twiddle z, uint32_t q)
{
    const uint32_t sum = ct_barrier((uint32_t)*a + shoup(*b, z, q)); /* or compilers subtract the product a second time */

    *b = (int32_t)(2 * (uint32_t)*a - sum);
    *a = (int32_t)sum;
}

/* The layers of distance 2 d and d: what is loaded is used four times. d is a constant in each of the four calls, so that loads and stores
 * have their offsets in the instruction. */
GIRIH_INLINE void forward_pass(int32_t *a, const unsigned d, uint32_t q)
{
    for (unsigned m = 64 / d; m != 128 / d; m++, a += 3 * d) {
        const twiddle z = twiddle_of(m), z_low = twiddle_of(2 * m), z_high = twiddle_of(2 * m + 1);

        for (const int32_t *end = a + d; a != end; a++) {
            int32_t a0 = a[0], a1 = a[d], a2 = a[2 * d], a3 = a[3 * d];

            butterfly(&a0, &a2, z, q);
            butterfly(&a1, &a3, z, q);
            butterfly(&a0, &a1, z_low, q);
            butterfly(&a2, &a3, z_high, q);
            a[0] = a0;
            a[d] = a1;
            a[2 * d] = a2;
            a[3 * d] = a3;
        }
    }
}

/* FIPS 204, Algorithm 41 (NTT). In: |a_i| < q. Out: |a_i| <= 10q: each of the 8 layers adds at most q (1 + 10 q / 2^32).
 * CT: no data-dependent step. */
GIRIH_NOINLINE void mldsa_ntt_c(int32_t a[256])
{
    const uint32_t q = ct_barrier(MLDSA_Q); /* in a register: known, compilers for size make shifts and additions of it, three for one */

    forward_pass(a, 64, q);
    forward_pass(a, 16, q);
    forward_pass(a, 4, q);
    forward_pass(a, 1, q);
}

/* (a, b) becomes (a + b, (b - a) w) mod q. */
GIRIH_INLINE void inverse_butterfly(int32_t *a, int32_t *b, twiddle z, uint32_t q)
{
    const int32_t difference = *b - *a;

    *a += *b;
    *b = (int32_t)shoup(difference, z, q);
}

/* The layers of distance d and 2 d. */
GIRIH_INLINE void inverse_pass(int32_t *a, const unsigned d, uint32_t q)
{
    for (unsigned m = 128 / d - 1; m != 64 / d - 1; m--, a += 3 * d) {
        const twiddle z = twiddle_of(m), z_low = twiddle_of(2 * m + 1), z_high = twiddle_of(2 * m);

        for (const int32_t *end = a + d; a != end; a++) {
            int32_t a0 = a[0], a1 = a[d], a2 = a[2 * d], a3 = a[3 * d];

            inverse_butterfly(&a0, &a1, z_low, q);
            inverse_butterfly(&a2, &a3, z_high, q);
            inverse_butterfly(&a0, &a2, z, q);
            inverse_butterfly(&a1, &a3, z, q);
            a[0] = a0;
            a[d] = a1;
            a[2 * d] = a2;
            a[3 * d] = a3;
        }
    }
}

/* b w mod q up to a multiple of q, the estimate rounded. Out: |.| <= q / 2 + q |b| / 2^33. */
GIRIH_INLINE int32_t shoup_centred(int32_t b, twiddle z, uint32_t q)
{
    const uint32_t estimate = (uint32_t)(((int64_t)b * z.quotient + (INT64_C(1) << 31)) >> 32);

    return (int32_t)((uint32_t)b * (uint32_t)z.w - estimate * q);
}

/* FIPS 204, Algorithm 42 (NTT^-1), times 2^32. In: |a_i| < q. Out: |a_i| <= 3q/4. Sums reach 256 q < 2^31, so nothing is reduced on the
 * way; the factor 2^32 / 256 comes in with the last layer. CT: no data-dependent step. */
GIRIH_NOINLINE void mldsa_intt_c(int32_t a[256])
{
    const uint32_t q = ct_barrier(MLDSA_Q);
    const twiddle z_low = twiddle_of(3), z_high = twiddle_of(2);
    const twiddle f = {16382, 8395782};     /* 2^32 / 256 mod q */
    const twiddle fz = {294725, 151046689}; /* f times roots[1] */

    _Static_assert((int64_t)256 * MLDSA_Q <= INT32_MAX, "intt: the sums fit 32 bits");
    inverse_pass(a, 1, q);
    inverse_pass(a, 4, q);
    inverse_pass(a, 16, q);
    for (const int32_t *end = a + 64; a != end; a++) {
        int32_t a0 = a[0], a1 = a[64], a2 = a[128], a3 = a[192];

        inverse_butterfly(&a0, &a1, z_low, q);
        inverse_butterfly(&a2, &a3, z_high, q);
        a[0] = shoup_centred(a0 + a2, f, q);
        a[64] = shoup_centred(a1 + a3, f, q);
        a[128] = shoup_centred(a2 - a0, fz, q);
        a[192] = shoup_centred(a3 - a1, fz, q);
    }
}

/* FIPS 204, Algorithm 48 (MatrixVectorNTT), one row, over 2^32; one reduction a coefficient. Ranges: backend/mldsa.h. */
void mldsa_row_times_vector_c(int32_t w[256], const int32_t *a_hat, unsigned i, const int32_t *y_hat, const mldsa_params *p)
{
    a_hat += 256 * p->l * i;
    for (unsigned c = 0; c < 256; c++) {
        int64_t sum = 0;

        for (unsigned j = 0; j < p->l; j++)
            sum += (int64_t)a_hat[256 * j + c] * y_hat[256 * j + c];
        w[c] = mldsa_montgomery_reduce(sum);
    }
}

void mldsa_matrix_times_vector_c(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const mldsa_params *p)
{
    for (unsigned i = 0; i < p->k; i++)
        mldsa_row_times_vector_c(w + 256 * i, a_hat, i, y_hat, p);
}

/* FIPS 204, Algorithm 48 (MatrixVectorNTT) with the column -c_hat t1_hat beside A_hat. Ranges: backend/mldsa.h. */
void mldsa_matrix_times_vector_minus_c(int32_t *w, const int32_t *a_hat, const int32_t *z_hat, const int32_t c_hat[256],
                                       const int32_t *t1_hat, const mldsa_params *p)
{
    for (unsigned i = 0; i < p->k; i++, w += 256, a_hat += 256 * p->l, t1_hat += 256) {
        for (unsigned c = 0; c < 256; c++) {
            int64_t sum = -(int64_t)c_hat[c] * t1_hat[c];

            for (unsigned j = 0; j < p->l; j++)
                sum += (int64_t)a_hat[256 * j + c] * z_hat[256 * j + c];
            w[c] = mldsa_montgomery_reduce(sum);
        }
    }
}

/* The layout of backend c is the standard's. */
void mldsa_a_hat_entry_c(int32_t out[256], const int32_t *a_hat, unsigned i, unsigned j, const mldsa_params *p)
{
    memcpy(out, a_hat + 256 * (p->l * i + j), 256 * sizeof out[0]);
}
