/* Expanded keys: sizes, identity, digest.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/table.h"

#include "common/bytes.h"
#include "keccak/sponge.h"
#include "mldsa/encode.h"
#include "mldsa/packed.h"

size_t girih_mldsa_vk_bytes(girih_mldsa_set set, girih_backend backend)
{
    const mldsa_params *p = mldsa_params_of(set);

    if (p == NULL || !girih_backend_available(backend))
        return 0;
    if (mldsa_is_packed(backend))
        return MLDSA_PACKED_VK_BYTES(p->k, p->l);
    return sizeof(girih_mldsa_vk) + 1024 * (size_t)(p->k * p->l + p->k);
}

size_t girih_mldsa_sk_bytes(girih_mldsa_set set, girih_backend backend)
{
    const mldsa_params *p = mldsa_params_of(set);

    if (p == NULL || !girih_backend_available(backend))
        return 0;
    if (mldsa_is_packed(backend))
        return MLDSA_PACKED_SK_BYTES(p->k, p->l);
    return sizeof(girih_mldsa_sk) + mldsa_t0_at(p->k, p, backend);
}

const mldsa_params *mldsa_vk_params(const girih_mldsa_vk *vk, girih_backend *id)
{
    if ((uintptr_t)vk % GIRIH_TABLE_ALIGN != 0)
        return NULL;
    *id = (girih_backend)(vk->magic & 0xFF);
    if ((vk->magic ^ (uint32_t)*id) != MLDSA_VK_MAGIC || !girih_backend_available(*id))
        return NULL;
    return mldsa_params_of((girih_mldsa_set)vk->set);
}

uint32_t mldsa_vk_digest(const girih_mldsa_vk *vk, const mldsa_params *p)
{
    const mldsa_backend *be = mldsa_backend_of((girih_backend)(vk->magic & 0xFF));
    int32_t head[256] = {0};

    if (mldsa_is_packed((girih_backend)(vk->magic & 0xFF)))
        return mldsa_packed_vk_digest(vk, p);
    for (unsigned i = 0; i < 8; i++)
        head[i] = (int32_t)load_le32(vk->rho + 4 * i);
    for (unsigned i = 0; i < 16; i++)
        head[8 + i] = (int32_t)load_le32(vk->tr + 4 * i);
    head[24] = (int32_t)be->digest(vk->polys[0], 256 * (size_t)(p->k * p->l + p->k));
    return be->digest(head, 256);
}

void mldsa_tr_of(uint8_t tr[64], const uint8_t *pk, const mldsa_params *p, girih_backend id)
{
    girih_sha3 h;

    keccak_init(&h, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(&h, pk, p->pk_bytes);
    keccak_squeeze(&h, tr, GIRIH_MLDSA_TR_BYTES);
}

void mldsa_t1_hat(int32_t t1_hat[256], const uint8_t t1[MLDSA_T1_BYTES], girih_backend id)
{
    const mldsa_backend *be = mldsa_backend_of(id);

    be->t1_unpack(t1_hat, t1);
    be->ntt(t1_hat);
}

void mldsa_vk_finish(girih_mldsa_vk *vk, const uint8_t rho[32], const uint8_t tr[64], const mldsa_params *p, girih_backend id)
{
    memset(vk, 0, sizeof *vk);
    vk->magic = MLDSA_VK_MAGIC | (uint32_t)id;
    vk->set = (uint32_t)p->set;
    memcpy(vk->rho, rho, MLDSA_RHO_BYTES);
    memcpy(vk->tr, tr, GIRIH_MLDSA_TR_BYTES);
    vk->digest = mldsa_vk_digest(vk, p);
}

girih_status girih_mldsa_tr(uint8_t tr[64], girih_mldsa_set set, girih_backend backend, const uint8_t *pk, size_t pk_len)
{
    const mldsa_params *p = mldsa_params_of(set);

    if (p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if (pk_len != p->pk_bytes)
        return GIRIH_BAD_LENGTH;
    mldsa_tr_of(tr, pk, p, backend);
    return GIRIH_OK;
}

girih_status girih_mldsa_vk_a_hat(int32_t out[256], const girih_mldsa_vk *vk, unsigned i, unsigned j)
{
    girih_backend id;
    const mldsa_params *p = mldsa_vk_params(vk, &id);

    if (p == NULL)
        return GIRIH_BAD_KEY;
    if (i >= p->k || j >= p->l)
        return GIRIH_BAD_ARGUMENT;
    if (mldsa_is_packed(id))
        mldsa_packed_a_hat_entry(out, vk, i, j, p);
    else
        mldsa_backend_of(id)->a_hat_entry(out, vk->polys[0], i, j, p);
    return GIRIH_OK;
}

girih_status girih_mldsa_vk_tr(uint8_t tr[64], const girih_mldsa_vk *vk)
{
    girih_backend id;

    if (mldsa_vk_params(vk, &id) == NULL)
        return GIRIH_BAD_KEY;
    memcpy(tr, vk->tr, GIRIH_MLDSA_TR_BYTES);
    return GIRIH_OK;
}
