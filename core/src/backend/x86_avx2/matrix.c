/* Products of A_hat with vectors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A_hat lies in the order in which it is read: for each eight coefficients (a vector, see order.h) the k rows, in each row the l columns.
 * One sequential stream; polynomials one behind another would all fall into the same sets of the first-level cache. */
#include "backend/x86_avx2/avx2.h"
#include "backend/x86_avx2/order.h"
#include "backend/x86_avx2/table.h"

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

/* The three shapes are compiled on their own, so that the columns stay in registers. */
void mldsa_matrix_times_vector_avx2(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const mldsa_params *p)
{
    if (p->k == 4)
        product(w, a_hat, y_hat, NULL, NULL, 4, 4);
    else if (p->k == 6)
        product(w, a_hat, y_hat, NULL, NULL, 6, 5);
    else
        product(w, a_hat, y_hat, NULL, NULL, 8, 7);
}

/* One row of as many columns. */
INLINE void row_product(int32_t w[256], const int32_t *a_hat, const int32_t *y_hat, unsigned stride, unsigned l)
{
    for (unsigned n = 0; n < MLDSA_N; n += 8, a_hat += stride) {
        __m256i even = _mm256_setzero_si256(), odd = even;

        for (unsigned j = 0; j < l; j++) {
            const __m256i x = load(a_hat + 8 * j), y = load(y_hat + MLDSA_N * j + n);

            even = _mm256_add_epi64(even, _mm256_mul_epi32(x, y));
            odd = _mm256_add_epi64(odd, _mm256_mul_epi32(odd_lanes(x), odd_lanes(y)));
        }
        store(w + n, montgomery(even, odd));
    }
}

void mldsa_row_times_vector_avx2(int32_t w[256], const int32_t *a_hat, unsigned i, const int32_t *y_hat, const mldsa_params *p)
{
    const unsigned stride = 8 * p->k * p->l;

    a_hat += 8 * p->l * i;
    if (p->l == 4)
        row_product(w, a_hat, y_hat, stride, 4);
    else if (p->l == 5)
        row_product(w, a_hat, y_hat, stride, 5);
    else
        row_product(w, a_hat, y_hat, stride, 7);
}

void mldsa_matrix_times_vector_minus_avx2(int32_t *w, const int32_t *a_hat, const int32_t *z_hat, const int32_t c_hat[256],
                                          const int32_t *t1_hat, const mldsa_params *p)
{
    if (p->k == 4)
        product(w, a_hat, z_hat, c_hat, t1_hat, 4, 4);
    else if (p->k == 6)
        product(w, a_hat, z_hat, c_hat, t1_hat, 6, 5);
    else
        product(w, a_hat, z_hat, c_hat, t1_hat, 8, 7);
}

void mldsa_a_hat_insert_avx2(int32_t *a_hat, const int32_t in[256], unsigned i, unsigned j, const mldsa_params *p)
{
    const unsigned stride = 8 * p->k * p->l;

    a_hat += 8 * (p->l * i + j);
    for (unsigned n = 0; n < MLDSA_N; n += 16, a_hat += 2 * stride) {
        __m256i x = load(in + n), y = load(in + n + 8);

        to_own_order(&x, &y);
        store(a_hat, x);
        store(a_hat + stride, y);
    }
}

void mldsa_a_hat_entry_avx2(int32_t out[256], const int32_t *a_hat, unsigned i, unsigned j, const mldsa_params *p)
{
    const unsigned stride = 8 * p->k * p->l;

    a_hat += 8 * (p->l * i + j);
    for (unsigned n = 0; n < MLDSA_N; n += 16, a_hat += 2 * stride) {
        __m256i x = load(a_hat), y = load(a_hat + stride);

        from_own_order(&x, &y);
        store(out + n, x);
        store(out + n + 8, y);
    }
}
