/* Strings of d-bit numbers, the first number in the lowest bits (FIPS 203, Algorithms 3 to 6), 16 bits at a time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_C_MLKEM_BITS_H
#define GIRIH_BACKEND_C_MLKEM_BITS_H

#include "common/bytes.h"
#include "common/compiler.h"

typedef struct {
    uint8_t *p;
    uint32_t bits;
    unsigned count;
} bit_writer;

typedef struct {
    const uint8_t *p;
    uint32_t bits;
    unsigned count;
} bit_reader;

/* Appends the d bits of v; d <= 16. What is written is complete when its bits are a multiple of 16. */
GIRIH_INLINE void bits_put(bit_writer *w, uint32_t v, unsigned d)
{
    w->bits |= v << w->count;
    w->count += d;
    if (w->count >= 16) {
        w->p[0] = (uint8_t)w->bits;
        w->p[1] = (uint8_t)(w->bits >> 8);
        w->p += 2;
        w->bits >>= 16;
        w->count -= 16;
    }
}

/* The next d bits; d <= 16. */
GIRIH_INLINE uint32_t bits_get(bit_reader *r, unsigned d)
{
    uint32_t v;

    if (r->count < d) {
        r->bits |= ((uint32_t)r->p[0] | (uint32_t)r->p[1] << 8) << r->count;
        r->p += 2;
        r->count += 16;
    }
    v = r->bits & ((1U << d) - 1);
    r->bits >>= d;
    r->count -= d;
    return v;
}

/* Two numbers of 12 bits. */
GIRIH_INLINE void encode_pair(uint8_t encoded[3], uint32_t low, uint32_t high)
{
    encoded[0] = (uint8_t)low;
    encoded[1] = (uint8_t)(low >> 8 | high << 4);
    encoded[2] = (uint8_t)(high >> 4);
}

#endif
