/* The memory of an app: taken piece by piece at the start, never given back.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ram.h"

#include "board.h"
#include "log.h"

#if defined(APP_RUNTIME_SET)
volatile girih_mldsa_set app_set = (girih_mldsa_set)APP_SET;
#endif

static uint8_t *next = __ram_begin;

uint8_t *ram_take(size_t bytes)
{
    uint8_t *p = next;

    next += (bytes + GIRIH_TABLE_ALIGN - 1) & ~(size_t)(GIRIH_TABLE_ALIGN - 1);
    if (next > __ram_end - 1024)
        log_exit("out of memory");
    return p;
}

void ram_take_key(app_key *key)
{
    key->tables = ram_take(key_table_bytes(key->backend) + GIRIH_TABLE_ALIGN);
    key->ws_len = 0;
    for (key_op op = KEY_KEYGEN; op < KEY_OPS; op++)
        if (key_has(op) && key_workspace_bytes(op, key->backend) > key->ws_len)
            key->ws_len = key_workspace_bytes(op, key->backend);
    key->ws = ram_take(key->ws_len);
}
