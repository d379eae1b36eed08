/* Wiping and comparing.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/bytes.h"
#include "common/ct.h"
#include "girih/girih.h"

void girih_wipe(void *p, size_t len)
{
    if (len == 0)
        return;
    memset(p, 0, len);
#if defined(__GNUC__)
    __asm__ volatile("" : : "r"(p) : "memory"); /* the zeros are read, as far as the compiler knows */
#else
    for (volatile uint8_t *v = (volatile uint8_t *)p; len != 0; len--)
        *v++ = 0;
#endif
}

int girih_equal(const void *a, const void *b, size_t len)
{
    const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;
    uint32_t difference = 0;

    /* CT: every byte is read, no early exit */
    for (size_t i = 0; i < len; i++)
        difference |= (uint32_t)x[i] ^ (uint32_t)y[i];
    return (int)(1U & ~ct_mask_nonzero(difference));
}
