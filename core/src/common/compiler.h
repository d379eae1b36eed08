/* What the core asks of a compiler beyond C11, where the compiler has it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_COMMON_COMPILER_H
#define GIRIH_COMMON_COMPILER_H

#if defined(__GNUC__)
/* A helper of a few instructions in a hot loop: compilers for size would call it. */
#define GIRIH_INLINE static inline __attribute__((always_inline))
/* Keeps its frame to itself: inlined, it would make its caller's stack deeper for the whole of the caller's life. */
#define GIRIH_NOINLINE __attribute__((noinline))
/* No load or store crosses this. */
#define GIRIH_KEEP_ORDER() __asm__ volatile("" : : : "memory")
#else
#define GIRIH_INLINE static inline
#define GIRIH_NOINLINE
#define GIRIH_KEEP_ORDER() ((void)0)
#endif

#endif
