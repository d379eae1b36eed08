/* What the apps sign: a fixed stream, the same on every target and on the host.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_STREAM_H
#define APP_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "girih/girih.h"

#define STREAM_BYTES 32

/* out = SHAKE256("girih lab " || kind || i (4 bytes, little endian), 32). kind: 's' seed i, 'm' message i, 'r' what has no other name. */
void stream_bytes(uint8_t out[STREAM_BYTES], char kind, uint32_t i, girih_backend backend);

/* tag = SHAKE256(a || b, tag_len). */
void stream_tag(uint8_t *tag, size_t tag_len, const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len, girih_backend backend);

#endif
