/* Mode expanded: a key is loaded once, into tables that stay.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "key.h"

/* The table of the public key, up to where that of the secret one may begin. */
static size_t vk_room(girih_backend backend)
{
    return (girih_mldsa_vk_bytes(KEY_SET, backend) + GIRIH_TABLE_ALIGN - 1) & ~(size_t)(GIRIH_TABLE_ALIGN - 1);
}

int key_has(key_op op)
{
    return op < KEY_OPS;
}

size_t key_table_bytes(girih_backend backend)
{
    return girih_mldsa_vk_bytes(KEY_SET, backend) + girih_mldsa_sk_bytes(KEY_SET, backend);
}

size_t key_workspace_bytes(key_op op, girih_backend backend)
{
    static const uint8_t operation[KEY_OPS] = {GIRIH_MLDSA_KEYGEN, GIRIH_MLDSA_LOAD, GIRIH_MLDSA_SIGN, GIRIH_MLDSA_VERIFY};

    return girih_mldsa_workspace_bytes(KEY_SET, (girih_mldsa_op)operation[op], backend);
}

static girih_mldsa_vk *vk_of(app_key *key)
{
    return (girih_mldsa_vk *)(void *)key->tables;
}

static girih_mldsa_sk *sk_of(app_key *key)
{
    return (girih_mldsa_sk *)(void *)(key->tables + vk_room(key->backend));
}

girih_status key_keygen(app_key *key, uint8_t *pk, uint8_t *sk, const uint8_t seed[32])
{
    return girih_mldsa_keygen(pk, girih_mldsa_public_key_bytes(KEY_SET), sk, girih_mldsa_secret_key_bytes(KEY_SET), KEY_SET, key->backend,
                              seed, key->ws, key->ws_len);
}

girih_status key_use_seed(app_key *key, const uint8_t seed[32])
{
    return girih_mldsa_seed_load(vk_of(key), girih_mldsa_vk_bytes(KEY_SET, key->backend), sk_of(key),
                                 girih_mldsa_sk_bytes(KEY_SET, key->backend), NULL, 0, KEY_SET, key->backend, seed, key->ws, key->ws_len);
}

girih_status key_use_sk(app_key *key, const uint8_t *sk)
{
    return girih_mldsa_sk_load(vk_of(key), girih_mldsa_vk_bytes(KEY_SET, key->backend), sk_of(key),
                               girih_mldsa_sk_bytes(KEY_SET, key->backend), NULL, 0, KEY_SET, key->backend, sk,
                               girih_mldsa_secret_key_bytes(KEY_SET), key->ws, key->ws_len);
}

girih_status key_use_pk(app_key *key, const uint8_t *pk)
{
    return girih_mldsa_vk_load(vk_of(key), girih_mldsa_vk_bytes(KEY_SET, key->backend), KEY_SET, key->backend, pk,
                               girih_mldsa_public_key_bytes(KEY_SET), key->ws, key->ws_len);
}

girih_status key_sign(app_key *key, uint8_t *sig, const uint8_t *msg, size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                      const uint8_t rnd[32], const girih_mldsa_options *options)
{
    return girih_mldsa_sign(sig, girih_mldsa_signature_bytes(KEY_SET), sk_of(key), vk_of(key), msg, msg_len, ctx, ctx_len, rnd, options,
                            key->ws, key->ws_len);
}

girih_status key_verify(app_key *key, const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len, const uint8_t *ctx,
                        size_t ctx_len)
{
    return girih_mldsa_verify(vk_of(key), sig, sig_len, msg, msg_len, ctx, ctx_len, key->ws, key->ws_len);
}
