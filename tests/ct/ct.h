/* What the constant-time programs share: marks, and what memcheck knows of a piece of memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef TESTS_CT_CT_H
#define TESTS_CT_CT_H

#include "girih/girih.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#define SECRET(p, n) ((void)VALGRIND_MAKE_MEM_UNDEFINED((p), (n)))
#define PUBLIC(p, n) ((void)VALGRIND_MAKE_MEM_DEFINED((p), (n)))

static unsigned failures;

static void expect(int holds, const char *what, unsigned set)
{
    if (!holds) {
        fprintf(stderr, "set %u: %s\n", set, what);
        failures++;
    }
}

static int is_public(const void *p, size_t n)
{
    return VALGRIND_CHECK_MEM_IS_DEFINED(p, n) == 0;
}

/* Whether every byte of p holds a secret bit. Reads the validity bits, so that nothing is reported. */
static int is_secret(const void *p, size_t n)
{
    const uint8_t *bytes = (const uint8_t *)p;

    for (size_t i = 0; i < n; i++) {
        uint8_t validity = 0;

        (void)VALGRIND_GET_VBITS(bytes + i, &validity, 1);
        if (validity == 0)
            return 0;
    }
    return 1;
}

static void *allocate(size_t n)
{
    void *p = aligned_alloc(64, (n + 63) / 64 * 64);

    if (p == NULL)
        abort();
    memset(p, 0, (n + 63) / 64 * 64);
    return p;
}

/* The backend of a name, 0 where this build or CPU has none or memcheck does not run. */
static girih_backend backend_named(const char *name)
{
    for (int id = GIRIH_BACKEND_C; id < 64 && RUNNING_ON_VALGRIND; id++)
        if (strcmp(girih_backend_name((girih_backend)id), name) == 0 && girih_backend_available((girih_backend)id))
            return (girih_backend)id;
    return (girih_backend)0;
}

#endif
