/* Memory of public tables, and the budget of those made without being asked for.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "binding.h"

_Atomic(size_t) budget_limit = (size_t)256 << 20, budget_used = 0;

/* malloc, because a table is also made without the GIL; what malloc returned lies just before the table. */
void *table_new(size_t size)
{
    char *memory = malloc(size + GIRIH_TABLE_ALIGN + sizeof memory), *table;

    if (memory == NULL)
        return NULL;
    table = memory + sizeof memory;
    table += (size_t)(0 - (uintptr_t)table) % GIRIH_TABLE_ALIGN;
    memcpy(table - sizeof memory, &memory, sizeof memory);
    return table;
}

void table_free(void *table)
{
    void *memory;

    if (table == NULL)
        return;
    memcpy(&memory, (char *)table - sizeof memory, sizeof memory);
    free(memory);
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
