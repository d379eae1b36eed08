/* A random generator for devices: HMAC_DRBG of NIST SP 800-90A Rev. 1 with SHA3-256, over an entropy source. A port (core/ports), not
 * part of the freestanding core.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The product writes girih_entropy_bytes for its chip; everything else is here. Security strength 256 bits. A generator belongs to one
 * thread. */
#ifndef GIRIH_DRBG_H
#define GIRIH_DRBG_H

#include "girih.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GIRIH_DRBG_ENTROPY_BYTES   32 /* of full entropy, a reseed */
#define GIRIH_DRBG_NONCE_BYTES     16 /* more of it, at instantiation */
#define GIRIH_DRBG_MAX_REQUEST     65536
#define GIRIH_DRBG_RESEED_INTERVAL 4096 /* requests; the standard allows 2^48 */

/* To be written by the product: len bytes of full entropy, from a source that runs the health tests of SP 800-90B at start and while it
 * is read. Anything but GIRIH_OK means that the source has failed; out is then not used. */
GIRIH_MUST_USE girih_status girih_entropy_bytes(uint8_t *out, size_t len);

/* The fields are private. All zeros is a generator that has not been instantiated: it gives GIRIH_RANDOMNESS. */
typedef struct girih_drbg {
    uint8_t key[32];
    uint8_t v[32];
    uint32_t requests; /* since the last reseed, counted from 1; 0: not instantiated */
} girih_drbg;

/* 10.1.2.3 with entropy and nonce from the source. personalization (may be NULL with length 0, at most 4096 bytes) makes two devices
 * with one broken source differ: a serial number, for example. GIRIH_RANDOMNESS: the source failed and d is not instantiated. */
GIRIH_MUST_USE girih_status girih_drbg_instantiate(girih_drbg *d, const uint8_t *personalization, size_t len);

/* 10.1.2.4: fresh entropy, at once. GIRIH_RANDOMNESS: the source failed; d is wiped and has to be instantiated again. */
GIRIH_MUST_USE girih_status girih_drbg_reseed(girih_drbg *d, const uint8_t *additional, size_t additional_len);

/* 10.1.2.5: len bytes, at most GIRIH_DRBG_MAX_REQUEST; reseeds first when GIRIH_DRBG_RESEED_INTERVAL requests were served. additional: see
 * personalization. On anything but GIRIH_OK out is zeroed. */
GIRIH_MUST_USE girih_status girih_drbg_generate(girih_drbg *d, uint8_t *out, size_t len, const uint8_t *additional, size_t additional_len);

/* 9.4: wipes the state. */
void girih_drbg_uninstantiate(girih_drbg *d);

#ifdef __cplusplus
}
#endif
#endif
