/* What the files of the 32-bit Keccak share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_C_KECCAK32_H
#define GIRIH_BACKEND_C_KECCAK32_H

#include "backend/keccak.h"
#include "common/bytes.h"

#define rol rotate_left32

/* No load or store crosses this. Left to itself a compiler fetches lanes long before it can use them and spills them all. */
#if defined(__GNUC__)
#define KEEP_ORDER() __asm__ volatile("" : : : "memory")
#else
#define KEEP_ORDER() ((void)0)
#endif

#endif
