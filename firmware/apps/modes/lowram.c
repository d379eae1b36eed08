/* Mode lowram: no tables and the smallest workspace; each call starts from the encoded key.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "girih/mldsa_lowram.h"
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

size_t key_workspace_bytes(key_op op, girih_backend backend)
{
    static const uint8_t operation[KEY_OPS] = {GIRIH_MLDSA_KEYGEN, 0, GIRIH_MLDSA_SIGN, GIRIH_MLDSA_VERIFY};

    return operation[op] == 0 ? 0 : girih_mldsa_lowram_bytes(KEY_SET, (girih_mldsa_op)operation[op], backend);
}

girih_status key_keygen(app_key *key, uint8_t *pk, uint8_t *sk, const uint8_t seed[32])
{
    return girih_mldsa_keygen_lowram(pk, girih_mldsa_public_key_bytes(KEY_SET), sk, girih_mldsa_secret_key_bytes(KEY_SET), KEY_SET,
                                     key->backend, seed, key->ws, key->ws_len);
}

/* The mode signs with the encoded key only. */
girih_status key_use_seed(app_key *key, const uint8_t seed[32])
{
    (void)key;
    (void)seed;
    return GIRIH_BAD_ARGUMENT;
}

girih_status key_use_sk(app_key *key, const uint8_t *sk)
{
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
    return girih_mldsa_sign_lowram(sig, girih_mldsa_signature_bytes(KEY_SET), key->sk, girih_mldsa_secret_key_bytes(KEY_SET), KEY_SET,
                                   key->backend, msg, msg_len, ctx, ctx_len, rnd, options, key->ws, key->ws_len);
}

girih_status key_verify(app_key *key, const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len, const uint8_t *ctx,
                        size_t ctx_len)
{
    return girih_mldsa_verify_lowram(key->pk, girih_mldsa_public_key_bytes(KEY_SET), sig, sig_len, KEY_SET, key->backend, msg, msg_len, ctx,
                                     ctx_len, key->ws, key->ws_len);
}
