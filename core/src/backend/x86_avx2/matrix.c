/* Products of A_hat with vectors, and its order.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/matrix.h"

#include "backend/x86_avx2/order.h"
#include "backend/x86_avx2/table.h"

void mldsa_matrix_times_vector_avx2(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const mldsa_params *p)
{
    product_of_set(w, a_hat, y_hat, NULL, NULL, p);
}

void mldsa_matrix_times_vector_minus_avx2(int32_t *w, const int32_t *a_hat, const int32_t *z_hat, const int32_t c_hat[256],
                                          const int32_t *t1_hat, const mldsa_params *p)
{
    product_of_set(w, a_hat, z_hat, c_hat, t1_hat, p);
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

void mldsa_a_hat_insert_avx2(int32_t *a_hat, const int32_t in[256], unsigned first, unsigned i, unsigned j, const mldsa_params *p)
{
    const unsigned stride = 8 * p->k * p->l;

    a_hat += 8 * (p->l * i + j) + stride * (first / 8);
    for (unsigned n = first; n < MLDSA_N; n += 16, a_hat += 2 * stride) {
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
        _mm256_storeu_si256((__m256i *)(out + n), x); /* the caller's own memory */
        _mm256_storeu_si256((__m256i *)(out + n + 8), y);
    }
}
