/* Mode default: nothing is kept between calls but the key as it was given; each call makes its tables in the workspace.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "key.h"

int key_has(key_op op)
{
    return op != KEY_LOAD && op < KEY_OPS;
}

size_t key_table_bytes(girih_backend backend)
{
    (void)backend;
    return 0;
}

static size_t vk_bytes(girih_backend backend)
{
    return (girih_mldsa_vk_bytes(KEY_SET, backend) + GIRIH_TABLE_ALIGN - 1) & ~(size_t)(GIRIH_TABLE_ALIGN - 1);
}

static size_t sk_bytes(girih_backend backend)
{
    return girih_mldsa_sk_bytes(KEY_SET, backend);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Tables first, then what the load and the operation share. */
size_t key_workspace_bytes(key_op op, girih_backend backend)
{
    size_t load = girih_mldsa_workspace_bytes(KEY_SET, GIRIH_MLDSA_LOAD, backend);

    switch (op) {
    case KEY_KEYGEN:
        return girih_mldsa_workspace_bytes(KEY_SET, GIRIH_MLDSA_KEYGEN, backend);
    case KEY_SIGN:
        return vk_bytes(backend) + sk_bytes(backend) + larger(load, girih_mldsa_workspace_bytes(KEY_SET, GIRIH_MLDSA_SIGN, backend));
    case KEY_VERIFY:
        return vk_bytes(backend) + larger(load, girih_mldsa_workspace_bytes(KEY_SET, GIRIH_MLDSA_VERIFY, backend));
    default:
        return 0;
    }
}

girih_status key_keygen(app_key *key, uint8_t *pk, uint8_t *sk, const uint8_t seed[32])
{
    return girih_mldsa_keygen(pk, girih_mldsa_public_key_bytes(KEY_SET), sk, girih_mldsa_secret_key_bytes(KEY_SET), KEY_SET, key->backend,
                              seed, key->ws, key->ws_len);
}

girih_status key_use_seed(app_key *key, const uint8_t seed[32])
{
    key->seed = seed;
    key->sk = NULL;
    return GIRIH_OK;
}

girih_status key_use_sk(app_key *key, const uint8_t *sk)
{
    key->seed = NULL;
    key->sk = sk;
    return GIRIH_OK;
}

girih_status key_use_pk(app_key *key, const uint8_t *pk)
{
    key->pk = pk;
    return GIRIH_OK;
}

girih_status key_sign(app_key *key, uint8_t *sig, const uint8_t *msg, size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                      const uint8_t rnd[32], const girih_mldsa_options *options)
{
    size_t vk_len = vk_bytes(key->backend), sk_len = sk_bytes(key->backend), left;
    girih_mldsa_vk *vk = (girih_mldsa_vk *)(void *)key->ws;
    girih_mldsa_sk *sk = (girih_mldsa_sk *)(void *)(key->ws + vk_len);
    uint8_t *ws = key->ws + vk_len + sk_len;
    girih_status status;

    if (key->ws_len < vk_len + sk_len)
        return GIRIH_WORKSPACE;
    left = key->ws_len - vk_len - sk_len;
    if (key->seed != NULL)
        status = girih_mldsa_seed_load(vk, vk_len, sk, sk_len, NULL, 0, KEY_SET, key->backend, key->seed, ws, left);
    else
        status = girih_mldsa_sk_load(vk, vk_len, sk, sk_len, NULL, 0, KEY_SET, key->backend, key->sk, girih_mldsa_secret_key_bytes(KEY_SET),
                                     ws, left);
    if (status == GIRIH_OK)
        status = girih_mldsa_sign(sig, girih_mldsa_signature_bytes(KEY_SET), sk, vk, msg, msg_len, ctx, ctx_len, rnd, options, ws, left);
    girih_wipe(sk, sk_len);
    return status;
}

girih_status key_verify(app_key *key, const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len, const uint8_t *ctx,
                        size_t ctx_len)
{
    size_t vk_len = vk_bytes(key->backend);
    girih_mldsa_vk *vk = (girih_mldsa_vk *)(void *)key->ws;
    girih_status status;

    if (key->ws_len < vk_len)
        return GIRIH_WORKSPACE;
    status = girih_mldsa_vk_load(vk, vk_len, KEY_SET, key->backend, key->pk, girih_mldsa_public_key_bytes(KEY_SET), key->ws + vk_len,
                                 key->ws_len - vk_len);
    if (status != GIRIH_OK)
        return status;
    return girih_mldsa_verify(vk, sig, sig_len, msg, msg_len, ctx, ctx_len, key->ws + vk_len, key->ws_len - vk_len);
}
