/* Known answers of ML-KEM. Key pair i has the seed stream_bytes('s', 2 i) || stream_bytes('s', 2 i + 1) and encapsulates
 * stream_bytes('m', i); the ciphertext that is rejected has the lowest bit of byte i changed.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_KEM_ANSWERS_H
#define APP_KEM_ANSWERS_H

#include "answers.h"

#define KEM_ANSWERS 16

/* Each the stream_tag: of ek || dk, of ciphertext || secret, of the secret of the rejection. */
typedef struct {
    uint8_t keys[ANSWER_TAG_BYTES], encapsulated[ANSWER_TAG_BYTES], rejected[ANSWER_TAG_BYTES];
} kem_answer;

#endif
