/* KMAC256 (NIST SP 800-185, section 4); for callers inside the core, which know their arguments.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_KECCAK_KMAC_H
#define GIRIH_KECCAK_KMAC_H

#include "keccak/sponge.h"

/* Then keccak_absorb any number of times. customization: S, a string of at most 31 bytes. */
void kmac256_init(girih_sha3 *h, const uint8_t *key, size_t key_len, const char *customization, girih_backend id);
/* The MAC, whose length is part of it. Wipes h. */
void kmac256_final(uint8_t *mac, size_t mac_len, girih_sha3 *h);

#endif
