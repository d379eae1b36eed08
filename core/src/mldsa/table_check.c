/* Tables against what is expected of them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/ct.h"
#include "mldsa/packed.h"

girih_status girih_mldsa_vk_load_expected(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_set set, girih_backend backend, const uint8_t *pk,
                                          size_t pk_len, const uint8_t tr[64], void *ws, size_t ws_len)
{
    girih_status status = girih_mldsa_vk_load(vk, vk_len, set, backend, pk, pk_len, ws, ws_len);

    if (status == GIRIH_OK && memcmp(vk->tr, tr, GIRIH_MLDSA_TR_BYTES) != 0) {
        girih_wipe(vk, girih_mldsa_vk_bytes(set, backend));
        status = GIRIH_BAD_KEY;
    }
    return status;
}

girih_status girih_mldsa_vk_check(const girih_mldsa_vk *vk, size_t len, girih_mldsa_set set, girih_backend backend, const uint8_t *tr)
{
    const mldsa_params *p = mldsa_params_of(set);

    if (p == NULL || !girih_backend_available(backend) || !mldsa_is_packed(backend) || (uintptr_t)vk % GIRIH_TABLE_ALIGN != 0)
        return GIRIH_BAD_ARGUMENT;
    if (len < MLDSA_PACKED_VK_BYTES(p->k, p->l) || vk->magic != (MLDSA_VK_MAGIC | (uint32_t)backend) || vk->set != (uint32_t)set ||
        vk->reserved != 0)
        return GIRIH_BAD_KEY;
    if (vk->digest != mldsa_packed_vk_digest(vk, p) || (tr != NULL && memcmp(vk->tr, tr, GIRIH_MLDSA_TR_BYTES) != 0))
        return GIRIH_BAD_KEY;
    return GIRIH_OK;
}

#if GIRIH_MLDSA >= 2

girih_status girih_mldsa_seed_load_expected(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_sk *sk, size_t sk_len, girih_mldsa_set set,
                                            girih_backend backend, const uint8_t seed[32], const uint8_t tr[64], void *ws, size_t ws_len)
{
    girih_status status = girih_mldsa_seed_load(vk, vk_len, sk, sk_len, NULL, 0, set, backend, seed, ws, ws_len);

    if (status == GIRIH_OK && memcmp(vk->tr, tr, GIRIH_MLDSA_TR_BYTES) != 0) {
        girih_wipe(vk, girih_mldsa_vk_bytes(set, backend));
        girih_wipe(sk, girih_mldsa_sk_bytes(set, backend));
        status = GIRIH_BAD_KEY;
    }
    return status;
}

girih_status girih_mldsa_sk_check(const girih_mldsa_sk *sk, size_t len, const girih_mldsa_vk *vk)
{
    girih_backend id;
    const mldsa_params *p = mldsa_vk_params(vk, &id);
    uint32_t digest;

    if (p == NULL || !mldsa_is_packed(id) || (uintptr_t)sk % GIRIH_TABLE_ALIGN != 0)
        return GIRIH_BAD_ARGUMENT;
    if (len < MLDSA_PACKED_SK_BYTES(p->k, p->l) || sk->magic != (MLDSA_SK_MAGIC | (uint32_t)id) || sk->set != vk->set)
        return GIRIH_BAD_KEY;
    digest = mldsa_packed_sk_digest(sk, p);
    GIRIH_DECLASSIFY(&digest, sizeof digest, "whether a secret table is intact is told to the caller");
    if (sk->reserved[0] != digest || memcmp(sk->tr, vk->tr, GIRIH_MLDSA_TR_BYTES) != 0)
        return GIRIH_BAD_KEY;
    return GIRIH_OK;
}

#endif
