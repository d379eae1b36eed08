/* An ML-KEM key pair in one memory mode, as the apps see it; apps/modes/mlkem_<kind>.c implements this for one set, once an image.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_KEM_H
#define APP_KEM_H

#include "girih/mlkem.h"

#define KEM_SET_NAME_(n) "ml-kem-" #n
#define KEM_SET_NAME(n)  KEM_SET_NAME_(n)

#define KEM_SET ((girih_mlkem_set)APP_KEM_SET)

typedef enum { KEM_KEYGEN, KEM_LOAD, KEM_ENCAPS, KEM_DECAPS, KEM_OPS } kem_op;

/* ek: kem_ek_bytes(), the key that is encapsulated to; dk: kem_dk_bytes(), the key pair: objects (aligned as they are) or encodings. ws:
 * kem_workspace_bytes() of the call. */
typedef struct {
    girih_backend backend;
    uint8_t *ek, *dk, *ws;
    size_t ws_len;
} app_kem;

/* 1 when the mode has the operation; only modes with objects load. */
int kem_has(kem_op op);

size_t kem_ek_bytes(girih_backend backend);
size_t kem_dk_bytes(girih_backend backend);

/* What an operation uses of objects, of it what caches are, and what it needs beside it. */
size_t kem_table_bytes(kem_op op, girih_backend backend);
size_t kem_state_bytes(girih_backend backend);
size_t kem_workspace_bytes(kem_op op, girih_backend backend);

/* Takes the memory of all this (ram.h). */
void kem_take(app_kem *kem);

/* The key pair of d || z; and its encodings. */
girih_status kem_keygen(app_kem *kem, const uint8_t seed[GIRIH_MLKEM_SEED_BYTES]);
girih_status kem_encode(const app_kem *kem, uint8_t *ek, uint8_t *dk);

/* The key for kem_encaps (KEM_LOAD, where the mode has it) or for kem_decaps, from its encoding. */
girih_status kem_use_ek(app_kem *kem, const uint8_t *ek);
girih_status kem_use_dk(app_kem *kem, const uint8_t *dk);

girih_status kem_encaps(app_kem *kem, uint8_t *ct, uint8_t ss[32], const uint8_t m[32]);
girih_status kem_decaps(app_kem *kem, uint8_t ss[32], const uint8_t *ct);

#endif
