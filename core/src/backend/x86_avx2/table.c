/* The table of this backend.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/table.h"

const mldsa_backend mldsa_backend_avx2 = MLDSA_BACKEND_TABLE_C;
