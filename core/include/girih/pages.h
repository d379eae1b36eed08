/* Whole pages of memory for secrets: a port (core/ports), not part of the freestanding core.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_PAGES_H
#define GIRIH_PAGES_H

#include "girih.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct girih_pages {
    void *base;  /* NULL: no memory */
    size_t size; /* bytes, whole pages */
    int locked;  /* 1: never written to swap */
} girih_pages;

/* At least size zeroed bytes, aligned to a page and, where the system can, left out of core dumps. lock 1 asks that they never be swapped
 * out; where the process's limit forbids that they are given all the same, with locked 0. */
GIRIH_API girih_pages girih_pages_take(size_t size, int lock);

/* Wipe and give back. */
GIRIH_API void girih_pages_give(const girih_pages *pages);

/* How many bytes the process may lock; SIZE_MAX: no limit, or none that can be asked for. */
GIRIH_API size_t girih_pages_lock_limit(void);

#ifdef __cplusplus
}
#endif
#endif
