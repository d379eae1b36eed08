/* Simulated hardware behind the ports of a device, for emulation; a product has real ones. The entropy is a fixed stream, so that two
 * runs are the same run; the fault counter is a word of RAM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "girih/drbg.h"
#include "girih/fault.h"
#include "stream.h"

static uint32_t reads, faults;

girih_status girih_entropy_bytes(uint8_t *out, size_t len)
{
    uint8_t block[STREAM_BYTES];

    for (size_t i = 0; i < len; i++) {
        if (i % sizeof block == 0)
            stream_bytes(block, 'e', reads++, girih_backend_detect());
        out[i] = block[i % sizeof block];
    }
    return GIRIH_OK;
}

girih_status girih_fault_read(uint32_t *count)
{
    *count = faults;
    return GIRIH_OK;
}

girih_status girih_fault_write(uint32_t count)
{
    faults = count;
    return GIRIH_OK;
}
