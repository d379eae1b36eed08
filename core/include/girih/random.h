/* Randomness of the operating system: a port (core/ports), not part of the freestanding core.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_RANDOM_H
#define GIRIH_RANDOM_H

#include "girih.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fill out with len random bytes fit for keys. GIRIH_RANDOMNESS: the system gave none; out is zeroed. */
GIRIH_MUST_USE GIRIH_API girih_status girih_random_bytes(uint8_t *out, size_t len);

#ifdef __cplusplus
}
#endif
#endif
