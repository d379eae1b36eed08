/* The memory of an app: taken piece by piece at the start, never given back.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_RAM_H
#define APP_RAM_H

#include "key.h"

/* The next bytes of the RAM, aligned for tables; ends the app when less than 1 KB would be left for the stack. */
uint8_t *ram_take(size_t bytes);

/* Tables and workspace for every operation that the mode has. */
void ram_take_key(app_key *key);

#endif
