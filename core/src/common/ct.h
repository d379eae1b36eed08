/* Constant-time masks, and the marks by which tools follow secrets.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_COMMON_CT_H
#define GIRIH_COMMON_CT_H

#include <stddef.h>
#include <stdint.h>

/* GIRIH_SECRET(p, n): n bytes at p are secret from here on. GIRIH_DECLASSIFY(p, n, "why"): they may be known, for the reason given;
 * docs/ct.md lists every one. Both are memcheck requests in a GIRIH_CT_CHECK build ("undefined" stands for "secret": memcheck then reports
 * each branch and each address that depends on it) and nothing at all in any other. */
#if defined(GIRIH_CT_CHECK)
#include <valgrind/memcheck.h>
#define GIRIH_SECRET(p, n)          ((void)VALGRIND_MAKE_MEM_UNDEFINED((p), (n)))
#define GIRIH_DECLASSIFY(p, n, why) ((void)VALGRIND_MAKE_MEM_DEFINED((p), (n)))
#else
#define GIRIH_SECRET(p, n)          ((void)(p), (void)(n))
#define GIRIH_DECLASSIFY(p, n, why) ((void)(p), (void)(n))
#endif

/* Counts an event in a test build (test doors, never in a release). */
#if defined(GIRIH_TEST_DOORS)
void girih_test_event(unsigned event);
#define GIRIH_TEST_EVENT(event) girih_test_event(event)
/* A place between two steps of an operation, where a fault campaign may strike. */
void girih_test_step(void);
#define GIRIH_TEST_STEP() girih_test_step()
#else
#define GIRIH_TEST_EVENT(event) ((void)0)
#define GIRIH_TEST_STEP()       ((void)0)
#endif
enum {
    GIRIH_EVENT_REJECT_Z,
    GIRIH_EVENT_REJECT_R0,
    GIRIH_EVENT_REJECT_CT0,
    GIRIH_EVENT_REJECT_HINT,
    GIRIH_EVENT_ACCEPT,
    GIRIH_EVENT_COUNT
};

/* The value of x, which the compiler must take as unknown: keeps it from turning masks back into branches. */
static inline uint32_t ct_barrier(uint32_t x)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(x));
    return x;
#else
    volatile uint32_t v = x;
    return v;
#endif
}

/* All ones when x < 0, else 0. */
static inline uint32_t ct_mask_negative(int32_t x)
{
    return 0U - ct_barrier((uint32_t)x >> 31);
}

/* All ones when x != 0, else 0. */
static inline uint32_t ct_mask_nonzero(uint32_t x)
{
    return 0U - ct_barrier((x | (0U - x)) >> 31);
}

/* a where mask is all ones, b where it is 0. */
static inline int32_t ct_select(uint32_t mask, int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)b ^ (mask & ((uint32_t)a ^ (uint32_t)b)));
}

#endif
