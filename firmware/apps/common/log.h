/* Log lines of the apps: one JSON object a line.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_LOG_H
#define APP_LOG_H

#include <stddef.h>
#include <stdint.h>

/* A line: log_begin, any number of log_text and log_number, log_end. Names and texts hold no character that JSON escapes. */
void log_begin(void);
void log_text(const char *name, const char *text);
void log_number(const char *name, uint32_t value);
void log_bytes(const char *name, const uint8_t *data, size_t len); /* in hexadecimal */
void log_end(void);

/* Ends the app: {"end": "ok"} and status 0, or {"end": reason} and status 1. */
_Noreturn void log_exit(const char *reason);

#endif
