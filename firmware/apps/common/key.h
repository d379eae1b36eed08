/* A key pair in one memory mode, as the apps see it; apps/modes/<mode>.c implements this for the set APP_SET, once an image.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_KEY_H
#define APP_KEY_H

#include "girih/mldsa.h"

#define APP_SET_NAME_(n) "ml-dsa-" #n
#define APP_SET_NAME(n) APP_SET_NAME_(n)

typedef enum { KEY_KEYGEN, KEY_LOAD, KEY_SIGN, KEY_VERIFY, KEY_OPS } key_op;

typedef struct {
    girih_backend backend;
    uint8_t *pk, *sk;  /* encoded, written by key_keygen; the caller's */
    uint8_t *tables;   /* key_table_bytes(), aligned to GIRIH_TABLE_ALIGN; filled by key_load, kept between calls */
    uint8_t *ws;       /* key_workspace_bytes() of the call */
    size_t ws_len;
} app_key;

/* 1 when the mode has the operation. */
int key_has(key_op op);

/* What a key keeps between calls, and what a call needs beside it. */
size_t key_table_bytes(girih_backend backend);
size_t key_workspace_bytes(key_op op, girih_backend backend);

/* What the mode signs with: 1 the encoded secret key, 0 the seed or the tables. */
int key_needs_sk(void);

girih_status key_keygen(app_key *key, const uint8_t seed[32]);
girih_status key_load(app_key *key, const uint8_t seed[32]);
girih_status key_sign(app_key *key, uint8_t *sig, const uint8_t seed[32], const uint8_t *msg, size_t msg_len);
girih_status key_verify(app_key *key, const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len);

#endif
