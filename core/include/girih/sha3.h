/* SHA-3 and SHAKE (FIPS 202), one-shot and streaming.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_SHA3_H
#define GIRIH_SHA3_H

#include "girih.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of one hash. The fields are private; the type is complete so that callers can place it where they like.
 * The lanes hold 64-bit words or bit-interleaved 32-bit pairs, as the backend wants, from init to wipe. */
typedef struct girih_sha3 {
    union {
        uint64_t lane[25];
        uint32_t word[50];
    } state;
    uint32_t rate;     /* bytes a block */
    uint32_t pos;      /* bytes of the current block already absorbed or squeezed */
    uint8_t suffix;    /* domain bits and first padding bit: 0x06 SHA3, 0x1F SHAKE */
    uint8_t squeezing; /* 1 once the padding is in */
    uint16_t backend;  /* a girih_backend */
} girih_sha3;

typedef enum girih_sha3_kind {
    GIRIH_SHA3_224 = 1,
    GIRIH_SHA3_256,
    GIRIH_SHA3_384,
    GIRIH_SHA3_512,
    GIRIH_SHAKE128,
    GIRIH_SHAKE256
} girih_sha3_kind;

/* Start a hash. GIRIH_BAD_ARGUMENT: unknown kind, or a backend that this build or CPU has not got. */
GIRIH_MUST_USE GIRIH_API girih_status girih_sha3_init(girih_sha3 *h, girih_sha3_kind kind, girih_backend backend);

/* Absorb len bytes, any number of times. GIRIH_BAD_ARGUMENT after the first squeeze or the digest. */
GIRIH_MUST_USE GIRIH_API girih_status girih_sha3_update(girih_sha3 *h, const void *data, size_t len);

/* The digest of a SHA3-* hash: out_len must be 28, 32, 48 or 64 as the kind says. Wipes h. */
GIRIH_MUST_USE GIRIH_API girih_status girih_sha3_final(uint8_t *out, size_t out_len, girih_sha3 *h);

/* The next out_len bytes of a SHAKE, any number of times. */
GIRIH_MUST_USE GIRIH_API girih_status girih_shake_squeeze(uint8_t *out, size_t out_len, girih_sha3 *h);

/* One-shot: init, update, final or squeeze, wipe. */
GIRIH_MUST_USE GIRIH_API girih_status girih_sha3_hash(uint8_t *out, size_t out_len, girih_sha3_kind kind, girih_backend backend,
                                                      const void *data, size_t len);

#ifdef __cplusplus
}
#endif
#endif
