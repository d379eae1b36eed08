/* The table of compress.h, computed by the compiler.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/compress.h"

#define BIT(m, i) ((m) >> (i)&1)
/* Ones of m below bit i. */
#define BELOW_1(m) BIT(m, 0)
#define BELOW_2(m) (BELOW_1(m) + BIT(m, 1))
#define BELOW_3(m) (BELOW_2(m) + BIT(m, 2))
#define BELOW_4(m) (BELOW_3(m) + BIT(m, 3))
#define BELOW_5(m) (BELOW_4(m) + BIT(m, 4))
#define BELOW_6(m) (BELOW_5(m) + BIT(m, 5))
#define BELOW_7(m) (BELOW_6(m) + BIT(m, 6))
/* Position i in the place of its rank, when m has it. */
#define PLACE(m, i, below) (UINT64_C(i) * BIT(m, i) << (8 * (below)))
#define ENTRY(m)                                                                                                                           \
    (PLACE(m, 1, BELOW_1(m)) | PLACE(m, 2, BELOW_2(m)) | PLACE(m, 3, BELOW_3(m)) | PLACE(m, 4, BELOW_4(m)) | PLACE(m, 5, BELOW_5(m)) |     \
     PLACE(m, 6, BELOW_6(m)) | PLACE(m, 7, BELOW_7(m)))
#define ENTRIES_4(m)  ENTRY(m), ENTRY((m) + 1), ENTRY((m) + 2), ENTRY((m) + 3)
#define ENTRIES_16(m) ENTRIES_4(m), ENTRIES_4((m) + 4), ENTRIES_4((m) + 8), ENTRIES_4((m) + 12)
#define ENTRIES_64(m) ENTRIES_16(m), ENTRIES_16((m) + 16), ENTRIES_16((m) + 32), ENTRIES_16((m) + 48)

const uint64_t girih_compress_table[256] = {ENTRIES_64(0), ENTRIES_64(64), ENTRIES_64(128), ENTRIES_64(192)};
