/* Mode default of ML-KEM: encodings are all there is; nothing is kept, every check is made at every call.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bytes.h"
#include "kem.h"

int kem_has(kem_op op)
{
    return op != KEM_LOAD && op < KEM_OPS;
}

size_t kem_ek_bytes(girih_backend backend)
{
    (void)backend;
    return girih_mlkem_ek_encoded_bytes(KEM_SET);
}

size_t kem_dk_bytes(girih_backend backend)
{
    (void)backend;
    return girih_mlkem_dk_encoded_bytes(KEM_SET);
}

size_t kem_table_bytes(kem_op op, girih_backend backend)
{
    (void)op, (void)backend;
    return 0;
}

size_t kem_state_bytes(girih_backend backend)
{
    (void)backend;
    return 0;
}

size_t kem_workspace_bytes(kem_op op, girih_backend backend)
{
    static const uint8_t operation[KEM_OPS] = {GIRIH_MLKEM_KEYGEN, 0, GIRIH_MLKEM_ENCAPS, GIRIH_MLKEM_DECAPS};

    return operation[op] == 0 ? 0 : girih_mlkem_workspace_bytes(KEM_SET, (girih_mlkem_op)operation[op], 0, backend);
}

girih_status kem_keygen(app_kem *kem, const uint8_t seed[GIRIH_MLKEM_SEED_BYTES])
{
    return girih_mlkem_keygen(kem->ek, girih_mlkem_ek_encoded_bytes(KEM_SET), kem->dk, girih_mlkem_dk_encoded_bytes(KEM_SET), KEM_SET,
                              kem->backend, seed, kem->ws, kem->ws_len);
}

girih_status kem_encode(const app_kem *kem, uint8_t *ek, uint8_t *dk)
{
    copy_bytes(ek, kem->ek, girih_mlkem_ek_encoded_bytes(KEM_SET));
    copy_bytes(dk, kem->dk, girih_mlkem_dk_encoded_bytes(KEM_SET));
    return GIRIH_OK;
}

girih_status kem_use_ek(app_kem *kem, const uint8_t *ek)
{
    copy_bytes(kem->ek, ek, girih_mlkem_ek_encoded_bytes(KEM_SET));
    return GIRIH_OK;
}

girih_status kem_use_dk(app_kem *kem, const uint8_t *dk)
{
    copy_bytes(kem->dk, dk, girih_mlkem_dk_encoded_bytes(KEM_SET));
    return GIRIH_OK;
}

girih_status kem_encaps(app_kem *kem, uint8_t *ct, uint8_t ss[32], const uint8_t m[32])
{
    return girih_mlkem_encaps(ct, girih_mlkem_ct_bytes(KEM_SET), ss, KEM_SET, kem->backend, kem->ek, girih_mlkem_ek_encoded_bytes(KEM_SET),
                              m, kem->ws, kem->ws_len);
}

girih_status kem_decaps(app_kem *kem, uint8_t ss[32], const uint8_t *ct)
{
    return girih_mlkem_decaps(ss, KEM_SET, kem->backend, kem->dk, girih_mlkem_dk_encoded_bytes(KEM_SET), ct, girih_mlkem_ct_bytes(KEM_SET),
                              kem->ws, kem->ws_len);
}
