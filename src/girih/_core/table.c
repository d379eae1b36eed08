/* Memory of public tables, and the budget of those made without being asked for.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "binding.h"

_Atomic(size_t) budget_limit = (size_t)256 << 20, budget_used = 0;

/* From the C library, because a table is also made without the GIL. */
void *table_new(size_t size)
{
    size_t whole = (size + GIRIH_TABLE_ALIGN - 1) / GIRIH_TABLE_ALIGN * GIRIH_TABLE_ALIGN;

#if defined(_WIN32)
    return _aligned_malloc(whole, GIRIH_TABLE_ALIGN);
#else
    return aligned_alloc(GIRIH_TABLE_ALIGN, whole);
#endif
}

void table_free(void *table)
{
#if defined(_WIN32)
    _aligned_free(table);
#else
    free(table);
#endif
}

int budget_reserve(size_t size)
{
    size_t used = atomic_load(&budget_used);

    do {
        size_t limit = atomic_load(&budget_limit);

        if (used > limit || size > limit - used)
            return 0;
    } while (!atomic_compare_exchange_weak(&budget_used, &used, used + size));
    return 1;
}

void budget_return(size_t size)
{
    atomic_fetch_sub(&budget_used, size);
}
