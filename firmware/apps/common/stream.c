/* What the apps sign: a fixed stream, the same on every target and on the host.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "stream.h"

#include "girih/sha3.h"

void stream_bytes(uint8_t out[STREAM_BYTES], char kind, uint32_t i, girih_backend backend)
{
    uint8_t label[15] = "girih lab ";

    label[10] = (uint8_t)kind;
    for (unsigned n = 0; n < 4; n++)
        label[11 + n] = (uint8_t)(i >> 8 * n);
    if (girih_sha3_hash(out, STREAM_BYTES, GIRIH_SHAKE256, backend, label, sizeof label) != GIRIH_OK)
        out[0] = 0; /* a backend that the build has not got: every answer will be wrong */
}

void stream_tag(uint8_t *tag, size_t tag_len, const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len, girih_backend backend)
{
    girih_sha3 h;

    tag[0] = 0;
    if (girih_sha3_init(&h, GIRIH_SHAKE256, backend) != GIRIH_OK || girih_sha3_update(&h, a, a_len) != GIRIH_OK ||
        girih_sha3_update(&h, b, b_len) != GIRIH_OK || girih_shake_squeeze(tag, tag_len, &h) != GIRIH_OK)
        tag[0] = 0;
}
