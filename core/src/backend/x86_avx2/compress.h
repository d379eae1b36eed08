/* Which elements of eight a mask keeps, as indices.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_COMPRESS_H
#define GIRIH_BACKEND_X86_AVX2_COMPRESS_H

#include <stdint.h>

/* Entry m: the positions of the one bits of m in rising order, a byte each, the lowest byte first; then zeros. Its index must be public. */
extern const uint64_t girih_compress_table[256];

#endif
