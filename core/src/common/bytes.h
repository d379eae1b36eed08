/* Rotation, little-endian loads and stores, and the three functions that the core asks of its platform.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_COMMON_BYTES_H
#define GIRIH_COMMON_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"

/* A freestanding implementation need not ship <string.h>; gcc and clang want these three in any case. */
void *memcpy(void *restrict dst, const void *restrict src, size_t n);
void *memset(void *dst, int value, size_t n);
int memcmp(const void *a, const void *b, size_t n);

/* n in 1..31. */
static inline uint32_t rotate_left32(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

GIRIH_INLINE uint32_t load_le24(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

static inline uint32_t load_le32(const uint8_t *p)
{
    return load_le24(p) | (uint32_t)p[3] << 24;
}

static inline uint64_t load_le64(const uint8_t *p)
{
    return (uint64_t)load_le32(p) | (uint64_t)load_le32(p + 4) << 32;
}

static inline void store_le32(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
    p[2] = (uint8_t)(x >> 16);
    p[3] = (uint8_t)(x >> 24);
}

static inline void store_le64(uint8_t *p, uint64_t x)
{
    store_le32(p, (uint32_t)x);
    store_le32(p + 4, (uint32_t)(x >> 32));
}

/* p is a multiple of 4: one load or store, also where words must not lie across a boundary. */
static inline uint32_t load_le32_aligned(const uint8_t *p)
{
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    typedef uint32_t __attribute__((may_alias)) word;

    return *(const word *)(const void *)p;
#else
    return load_le32(p);
#endif
}

static inline void store_le32_aligned(uint8_t *p, uint32_t x)
{
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    typedef uint32_t __attribute__((may_alias)) word;

    *(word *)(void *)p = x;
#else
    store_le32(p, x);
#endif
}

#endif
