/* Products of A_hat with vectors, all columns in registers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/matrix.h"

#include "backend/x86_avx2/table.h"

void mldsa_matrix_times_vector_avx512(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const mldsa_params *p)
{
    product_of_set(w, a_hat, y_hat, NULL, NULL, p);
}

void mldsa_matrix_times_vector_minus_avx512(int32_t *w, const int32_t *a_hat, const int32_t *z_hat, const int32_t c_hat[256],
                                            const int32_t *t1_hat, const mldsa_params *p)
{
    product_of_set(w, a_hat, z_hat, c_hat, t1_hat, p);
}
