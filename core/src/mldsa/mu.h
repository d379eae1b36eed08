/* mu, the 64 bytes that are signed.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_MU_H
#define GIRIH_MLDSA_MU_H

#include "common/bytes.h"
#include "mldsa/params.h"

/* What is to be signed or verified. */
typedef struct {
    enum {
        MLDSA_MESSAGE_PURE,   /* M, with a context */
        MLDSA_MESSAGE_DIGEST, /* a digest of M, with its hash and a context */
        MLDSA_MESSAGE_PRIME,  /* M' of the internal functions */
        MLDSA_MESSAGE_MU      /* mu itself, 64 bytes */
    } kind;
    girih_mldsa_hash hash;
    const uint8_t *data, *ctx;
    size_t len, ctx_len;
} mldsa_message;

/* The part of mu's sponge that comes before the message: tr, and what the kind of message puts before it; the digest itself for a digest.
 * GIRIH_BAD_CONTEXT, GIRIH_BAD_LENGTH or GIRIH_BAD_ARGUMENT as the public functions say. Not for MLDSA_MESSAGE_MU. */
girih_status mldsa_mu_begin(girih_sha3 *h, girih_backend id, const uint8_t tr[64], const mldsa_message *m);

/* mu of any message. GIRIH_BAD_CONTEXT, GIRIH_BAD_LENGTH or GIRIH_BAD_ARGUMENT as the public functions say. */
girih_status mldsa_mu_of(uint8_t out[64], girih_backend id, const uint8_t tr[64], const mldsa_message *m);

#endif
