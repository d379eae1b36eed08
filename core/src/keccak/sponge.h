/* The sponge on which SHA-3, SHAKE and the XOFs of the schemes stand; for callers inside the core, which know their arguments.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_KECCAK_SPONGE_H
#define GIRIH_KECCAK_SPONGE_H

#include "girih/sha3.h"

#define SHAKE128_RATE 168
#define SHAKE256_RATE 136
#define SHA3_256_RATE 136
#define SHA3_512_RATE 72
#define SHAKE_SUFFIX  0x1F
#define SHA3_SUFFIX   0x06

void keccak_init(girih_sha3 *h, unsigned rate, uint8_t suffix, girih_backend id);
/* Only before the first squeeze. */
void keccak_absorb(girih_sha3 *h, const void *data, size_t len);
/* Pads on the first call; goes on where it stopped on the next. */
void keccak_squeeze(girih_sha3 *h, uint8_t *out, size_t len);

/* The same for several sponges of one backend, side by side. */
typedef struct {
    girih_sha3 *h;
    const uint8_t *data;
    size_t len;
} keccak_input;

#define KECCAK_MOST 8 /* sponges in one call */

/* Absorbs all of every input; data and len are used up. */
void keccak_absorb_all(keccak_input in[], unsigned count);
/* Pads every sponge and permutes: the first block of each is ready to be squeezed. */
void keccak_finish_all(girih_sha3 *const h[], unsigned count);

#endif
