/* Mode default: nothing is kept between calls but the seed and the public key; each call makes its tables in the workspace.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "key.h"

static const uint8_t deterministic[GIRIH_MLDSA_RND_BYTES];

int key_has(key_op op)
{
    return op != KEY_LOAD && op < KEY_OPS;
}

int key_needs_sk(void)
{
    return 0;
}

size_t key_table_bytes(girih_backend backend)
{
    (void)backend;
    return 0;
}

static size_t vk_bytes(girih_backend backend)
{
    return girih_mldsa_vk_bytes(APP_SET, backend);
}

static size_t sk_bytes(girih_backend backend)
{
    return girih_mldsa_sk_bytes(APP_SET, backend);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Tables first, then what the load and the operation share. */
size_t key_workspace_bytes(key_op op, girih_backend backend)
{
    size_t load = girih_mldsa_workspace_bytes(APP_SET, GIRIH_MLDSA_LOAD, backend);

    switch (op) {
    case KEY_KEYGEN:
        return girih_mldsa_workspace_bytes(APP_SET, GIRIH_MLDSA_KEYGEN, backend);
    case KEY_SIGN:
        return vk_bytes(backend) + sk_bytes(backend) + larger(load, girih_mldsa_workspace_bytes(APP_SET, GIRIH_MLDSA_SIGN, backend));
    case KEY_VERIFY:
        return vk_bytes(backend) + larger(load, girih_mldsa_workspace_bytes(APP_SET, GIRIH_MLDSA_VERIFY, backend));
    default:
        return 0;
    }
}

girih_status key_keygen(app_key *key, const uint8_t seed[32])
{
    return girih_mldsa_keygen(key->pk, girih_mldsa_public_key_bytes(APP_SET), key->sk, girih_mldsa_secret_key_bytes(APP_SET), APP_SET,
                              key->backend, seed, key->ws, key->ws_len);
}

girih_status key_load(app_key *key, const uint8_t seed[32])
{
    (void)key;
    (void)seed;
    return GIRIH_BAD_ARGUMENT;
}

girih_status key_sign(app_key *key, uint8_t *sig, const uint8_t seed[32], const uint8_t *msg, size_t msg_len)
{
    girih_mldsa_vk *vk = (girih_mldsa_vk *)key->ws;
    girih_mldsa_sk *sk = (girih_mldsa_sk *)(key->ws + vk_bytes(key->backend));
    size_t tables = vk_bytes(key->backend) + sk_bytes(key->backend);
    girih_status status;

    if (key->ws_len < tables)
        return GIRIH_WORKSPACE;
    status = girih_mldsa_seed_load(vk, vk_bytes(key->backend), sk, sk_bytes(key->backend), NULL, 0, APP_SET, key->backend, seed,
                                   key->ws + tables, key->ws_len - tables);
    if (status == GIRIH_OK)
        status = girih_mldsa_sign(sig, girih_mldsa_signature_bytes(APP_SET), sk, vk, msg, msg_len, NULL, 0, deterministic, NULL,
                                  key->ws + tables, key->ws_len - tables);
    girih_wipe(sk, sk_bytes(key->backend));
    return status;
}

girih_status key_verify(app_key *key, const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len)
{
    girih_mldsa_vk *vk = (girih_mldsa_vk *)key->ws;
    size_t table = vk_bytes(key->backend);
    girih_status status;

    if (key->ws_len < table)
        return GIRIH_WORKSPACE;
    status = girih_mldsa_vk_load(vk, table, APP_SET, key->backend, key->pk, girih_mldsa_public_key_bytes(APP_SET), key->ws + table,
                                 key->ws_len - table);
    if (status != GIRIH_OK)
        return status;
    return girih_mldsa_verify(vk, sig, sig_len, msg, msg_len, NULL, 0, key->ws + table, key->ws_len - table);
}
