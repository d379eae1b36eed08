/* A key pair in one memory mode, as the apps see it; apps/modes/<mode>.c implements this for one set, once an image.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_KEY_H
#define APP_KEY_H

#include "girih/mldsa.h"

#define APP_SET_NAME_(n) "ml-dsa-" #n
#define APP_SET_NAME(n)  APP_SET_NAME_(n)

/* The parameter set: a constant of the image, or (APP_RUNTIME_SET) a word that is read, as in a firmware that serves every set. */
#if defined(APP_RUNTIME_SET)
extern volatile girih_mldsa_set app_set;
#define KEY_SET (app_set)
#else
#define KEY_SET ((girih_mldsa_set)APP_SET)
#endif

typedef enum { KEY_KEYGEN, KEY_LOAD, KEY_SIGN, KEY_VERIFY, KEY_OPS } key_op;

/* tables: key_table_bytes() and GIRIH_TABLE_ALIGN more (each table is aligned), itself aligned, kept between calls. ws:
 * key_workspace_bytes() of the call. The other pointers are those that key_use_* was given, where the mode goes back to them at each
 * call. */
typedef struct {
    girih_backend backend;
    uint8_t *tables, *ws;
    size_t ws_len;
    const uint8_t *seed, *sk, *pk;
} app_key;

/* 1 when the mode has the operation; only modes with tables load. */
int key_has(key_op op);

/* What a key keeps between calls, and what a call needs beside it. */
size_t key_table_bytes(girih_backend backend);
size_t key_workspace_bytes(key_op op, girih_backend backend);

/* The encoded key pair of a seed; lengths are the set's. */
girih_status key_keygen(app_key *key, uint8_t *pk, uint8_t *sk, const uint8_t seed[32]);

/* The key for the calls that follow: from its seed (KEY_LOAD, where the mode has it), from the encoded secret key, or the public key alone.
 * The pair of a seed or of a secret key also verifies in the modes that load; the others verify with key_use_pk. */
girih_status key_use_seed(app_key *key, const uint8_t seed[32]);
girih_status key_use_sk(app_key *key, const uint8_t *sk);
girih_status key_use_pk(app_key *key, const uint8_t *pk);

/* options as girih_mldsa_sign has them. */
girih_status key_sign(app_key *key, uint8_t *sig, const uint8_t *msg, size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                      const uint8_t rnd[32], const girih_mldsa_options *options);
girih_status key_verify(app_key *key, const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len, const uint8_t *ctx,
                        size_t ctx_len);

#endif
