/* The entries of the AVX2 table; contracts and ranges are those of backend/mldsa.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_TABLE_H
#define GIRIH_BACKEND_X86_AVX2_TABLE_H

#include "backend/mldsa.h"

void mldsa_ntt_avx2(int32_t a[256]);
void mldsa_intt_avx2(int32_t a[256]);
void mldsa_times_avx2(int32_t r[256], const int32_t a[256], const int32_t b[256]);

#endif
