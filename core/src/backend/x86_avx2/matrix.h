/* Products of A_hat with vectors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A_hat lies in the order in which it is read: for each eight coefficients (a vector, see order.h) the k rows, in each row the l columns.
 * One sequential stream; polynomials one behind another would all fall into the same sets of the first-level cache. Compiled for AVX2 and,
 * with twice as many registers for the columns, for AVX-512VL. */
#ifndef GIRIH_BACKEND_X86_AVX2_MATRIX_H
#define GIRIH_BACKEND_X86_AVX2_MATRIX_H

#include "backend/x86_avx2/avx2.h"

/* Eight coefficients in all rows. minus: t1_hat, and c_hat as column l of y_even and y_odd; NULL leaves the column out. */
INLINE void rows(int32_t *w, const int32_t *a, const __m256i y_even[], const __m256i y_odd[], const int32_t *minus, unsigned k, unsigned l)
{
    for (unsigned i = 0; i < k; i++, a += 8 * l, w += MLDSA_N) {
        __m256i even = _mm256_setzero_si256(), odd = even;

        for (unsigned j = 0; j < l; j++) {
            const __m256i x = load(a + 8 * j);

            even = _mm256_add_epi64(even, _mm256_mul_epi32(x, y_even[j]));
            odd = _mm256_add_epi64(odd, _mm256_mul_epi32(odd_lanes(x), y_odd[j]));
        }
        if (minus != NULL) {
            const __m256i x = load(minus + MLDSA_N * i);

            even = _mm256_sub_epi64(even, _mm256_mul_epi32(x, y_even[l]));
            odd = _mm256_sub_epi64(odd, _mm256_mul_epi32(odd_lanes(x), y_odd[l]));
        }
        store(w, montgomery(even, odd));
    }
}

/* FIPS 204, Algorithm 48 (MatrixVectorNTT) for one k and l: w = (A_hat y_hat - c_hat t1_hat) / 2^32. */
INLINE void product(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const int32_t *c_hat, const int32_t *t1_hat, unsigned k,
                    unsigned l)
{
    for (unsigned i = 0; i < MLDSA_N; i += 8, a_hat += 8 * k * l) {
        __m256i y_even[MLDSA_MAX_L + 1], y_odd[MLDSA_MAX_L + 1];

        for (unsigned j = 0; j < l; j++) {
            y_even[j] = load(y_hat + MLDSA_N * j + i);
            y_odd[j] = odd_lanes(y_even[j]);
        }
        if (t1_hat != NULL) {
            y_even[l] = load(c_hat + i);
            y_odd[l] = odd_lanes(y_even[l]);
        }
        rows(w + i, a_hat, y_even, y_odd, t1_hat != NULL ? t1_hat + i : NULL, k, l);
    }
}

/* The same for the k and l of p. The three shapes are compiled on their own, so that the columns stay in registers. */
INLINE void product_of_set(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const int32_t *c_hat, const int32_t *t1_hat,
                           const mldsa_params *p)
{
    if (p->k == 4)
        product(w, a_hat, y_hat, c_hat, t1_hat, 4, 4);
    else if (p->k == 6)
        product(w, a_hat, y_hat, c_hat, t1_hat, 6, 5);
    else
        product(w, a_hat, y_hat, c_hat, t1_hat, 8, 7);
}

#endif
