/* Records of vectors, from the file vectors.bin of the debugger's working folder, and the tally of their answers. Ends the app when the file
 * is missing or too short.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_RECORDS_H
#define APP_RECORDS_H

#include <stddef.h>
#include <stdint.h>

void records_open(void);
uint8_t record_kind(void);
void record_get(uint8_t *out, size_t len);
/* Whether the next bytes of the file are these. */
int record_matches(const uint8_t *have, size_t len);
/* Counts a record, and says its number when its answer was wrong. */
void record_judge(int good);
/* The tally, and the end of the app. */
_Noreturn void records_end(void);

#endif
