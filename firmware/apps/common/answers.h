/* Known answers: what the image that is measured must compute. Keys i have the seed stream_bytes('s', i); signature i is the
 * deterministic one of message stream_bytes('m', i) with key 0 and an empty context.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_ANSWERS_H
#define APP_ANSWERS_H

#include <stdint.h>

#define ANSWER_KEYS       8
#define ANSWER_SIGNATURES 256
#define ANSWER_TAG_BYTES  8

typedef struct {
    uint8_t attempts;
    uint8_t tag[ANSWER_TAG_BYTES]; /* stream_tag of the signature */
} app_answer;

#endif
