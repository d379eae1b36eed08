/* The fault counter: what is counted, over the product's storage.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "girih/fault.h"

int girih_fault_below(uint32_t limit)
{
    uint32_t count;

    return girih_fault_read(&count) == GIRIH_OK && count < limit;
}

girih_status girih_fault_noted(girih_status status)
{
    uint32_t count;

    if (status != GIRIH_FAULT)
        return status;
    /* A counter that cannot be read fails girih_fault_below, one that cannot be written has no more to say: the fault is returned in
     * any case. */
    if (girih_fault_read(&count) == GIRIH_OK && count != UINT32_MAX)
        (void)!girih_fault_write(count + 1);
    return status;
}
