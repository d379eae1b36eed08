/* Modes prepared, cached-…, parsed of ML-KEM: keys are objects, checked once, with the caches APP_CACHES.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bytes.h"
#include "kem.h"

int kem_has(kem_op op)
{
    return op < KEM_OPS;
}

size_t kem_ek_bytes(girih_backend backend)
{
    return girih_mlkem_ek_bytes(KEM_SET, APP_CACHES, backend);
}

size_t kem_dk_bytes(girih_backend backend)
{
    return girih_mlkem_dk_bytes(KEM_SET, APP_CACHES, backend);
}

size_t kem_table_bytes(kem_op op, girih_backend backend)
{
    return op == KEM_KEYGEN || op == KEM_DECAPS ? kem_dk_bytes(backend) : kem_ek_bytes(backend);
}

size_t kem_state_bytes(girih_backend backend)
{
    return girih_mlkem_cache_bytes(KEM_SET, APP_CACHES, backend);
}

size_t kem_workspace_bytes(kem_op op, girih_backend backend)
{
    static const uint8_t operation[KEM_OPS] = {GIRIH_MLKEM_KEYGEN, GIRIH_MLKEM_LOAD, GIRIH_MLKEM_ENCAPS, GIRIH_MLKEM_DECAPS};

    return girih_mlkem_workspace_bytes(KEM_SET, (girih_mlkem_op)operation[op], APP_CACHES, backend);
}

static girih_mlkem_ek *ek_of(const app_kem *kem)
{
    return (girih_mlkem_ek *)(void *)kem->ek;
}

static girih_mlkem_dk *dk_of(const app_kem *kem)
{
    return (girih_mlkem_dk *)(void *)kem->dk;
}

girih_status kem_keygen(app_kem *kem, const uint8_t seed[GIRIH_MLKEM_SEED_BYTES])
{
    return girih_mlkem_seed_load(dk_of(kem), kem_dk_bytes(kem->backend), KEM_SET, APP_CACHES, kem->backend, seed, kem->ws, kem->ws_len);
}

girih_status kem_encode(const app_kem *kem, uint8_t *ek, uint8_t *dk)
{
    copy_bytes(ek, girih_mlkem_ek_encoding(girih_mlkem_dk_public(dk_of(kem))), girih_mlkem_ek_encoded_bytes(KEM_SET));
    return girih_mlkem_dk_encode(dk, girih_mlkem_dk_encoded_bytes(KEM_SET), dk_of(kem));
}

girih_status kem_use_ek(app_kem *kem, const uint8_t *ek)
{
    return girih_mlkem_ek_load(ek_of(kem), kem_ek_bytes(kem->backend), KEM_SET, APP_CACHES, kem->backend, ek,
                               girih_mlkem_ek_encoded_bytes(KEM_SET), kem->ws, kem->ws_len);
}

girih_status kem_use_dk(app_kem *kem, const uint8_t *dk)
{
    return girih_mlkem_dk_load(dk_of(kem), kem_dk_bytes(kem->backend), KEM_SET, APP_CACHES, kem->backend, dk,
                               girih_mlkem_dk_encoded_bytes(KEM_SET), kem->ws, kem->ws_len);
}

girih_status kem_encaps(app_kem *kem, uint8_t *ct, uint8_t ss[32], const uint8_t m[32])
{
    return girih_mlkem_ek_encaps(ct, girih_mlkem_ct_bytes(KEM_SET), ss, ek_of(kem), m, kem->ws, kem->ws_len);
}

girih_status kem_decaps(app_kem *kem, uint8_t ss[32], const uint8_t *ct)
{
    return girih_mlkem_dk_decaps(ss, dk_of(kem), ct, girih_mlkem_ct_bytes(KEM_SET), kem->ws, kem->ws_len);
}
