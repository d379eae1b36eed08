/* Carves a caller's workspace into buffers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_COMMON_ARENA_H
#define GIRIH_COMMON_ARENA_H

#include "girih/girih.h"

/* Alignment of every buffer: a vector register on hosts with vectors, a doubleword elsewhere. */
#if defined(__x86_64__) || defined(_M_X64)
#define ARENA_ALIGN 64
#else
#define ARENA_ALIGN 8
#endif

/* Test builds put a poisoned gap behind each buffer, so that AddressSanitizer sees an overrun inside a workspace. */
#if defined(GIRIH_REDZONES)
#include <sanitizer/asan_interface.h>
#define ARENA_REDZONE 64
#else
#define ARENA_REDZONE                     0
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

#define ARENA_ROUND(n) (((n) + (ARENA_ALIGN - 1)) & ~(size_t)(ARENA_ALIGN - 1))

typedef struct {
    uint8_t *base; /* NULL: only count */
    size_t used;
} arena;

/* base may have any alignment; with base NULL the arena measures what a carving needs, alignment included. */
static inline arena arena_over(void *base)
{
    arena a = {(uint8_t *)base, 0};

    if (base != NULL)
        a.used = (size_t)(0U - (uintptr_t)base) & (ARENA_ALIGN - 1);
    else
        a.used = ARENA_ALIGN - 1;
    return a;
}

/* The next bytes of the arena. */
static inline void *arena_take(arena *a, size_t bytes)
{
    size_t at = a->used;

    a->used = at + ARENA_ROUND(bytes) + ARENA_REDZONE;
    if (a->base == NULL)
        return NULL;
    ASAN_POISON_MEMORY_REGION(a->base + at + bytes, ARENA_ROUND(bytes) - bytes + ARENA_REDZONE);
    return a->base + at;
}

/* Takes the poison off a carved workspace. */
static inline void arena_release(void *base, size_t used)
{
    ASAN_UNPOISON_MEMORY_REGION(base, used);
}

/* Wipes a carved workspace, gaps included, and takes the poison off it. */
static inline void arena_wipe(void *base, size_t used)
{
    arena_release(base, used);
    girih_wipe(base, used);
}

#endif
