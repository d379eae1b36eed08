/* Bytes from one place to another.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_BYTES_H
#define APP_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline void copy_bytes(uint8_t *to, const uint8_t *from, size_t len)
{
    for (size_t i = 0; i < len; i++)
        to[i] = from[i];
}

#endif
