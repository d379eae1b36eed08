/* Loading keys: from a seed, from encodings, into the tables that signing and verification use.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/bytes.h"
#include "common/ct.h"
#include "keccak/sponge.h"
#include "mldsa/encode.h"
#include "mldsa/keygen.h"
#include "mldsa/packed.h"

#if GIRIH_MLDSA >= 2

/* What every load asks of its tables; pk may be left out. */
static girih_status check_outputs(const mldsa_params *p, girih_backend backend, const void *vk, size_t vk_len, const void *sk,
                                  size_t sk_len, const uint8_t *pk, size_t pk_len)
{
    if (p == NULL || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    if ((uintptr_t)vk % GIRIH_TABLE_ALIGN != 0 || (uintptr_t)sk % GIRIH_TABLE_ALIGN != 0)
        return GIRIH_BAD_ARGUMENT;
    if (vk_len < girih_mldsa_vk_bytes(p->set, backend) || sk_len < girih_mldsa_sk_bytes(p->set, backend))
        return GIRIH_WORKSPACE;
    if (pk_len != (pk == NULL ? 0 : p->pk_bytes))
        return GIRIH_BAD_LENGTH;
    return GIRIH_OK;
}

static void wipe_outputs(girih_mldsa_vk *vk, girih_mldsa_sk *sk, uint8_t *pk, size_t pk_len, girih_mldsa_set set, girih_backend backend)
{
    girih_wipe(vk, girih_mldsa_vk_bytes(set, backend));
    girih_wipe(sk, girih_mldsa_sk_bytes(set, backend));
    girih_wipe(pk, pk_len);
}

girih_status girih_mldsa_seed_load(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_sk *sk, size_t sk_len, uint8_t *pk, size_t pk_len,
                                   girih_mldsa_set set, girih_backend backend, const uint8_t seed[32], void *ws, size_t ws_len)
{
    const mldsa_params *p = mldsa_params_of(set);
    const mldsa_key_parts out = {.pk = pk, .vk = vk, .table = sk};
    mldsa_key_workspace buffers;
    girih_status status = check_outputs(p, backend, vk, vk_len, sk, sk_len, pk, pk_len);
    size_t need;

    if (status != GIRIH_OK)
        return status;
    if (ws_len < girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_LOAD, backend))
        return GIRIH_WORKSPACE;
    if (mldsa_is_packed(backend))
        return mldsa_packed_seed_load(vk, sk, pk, seed, p, backend, ws);
    need = mldsa_key_workspace_carve(&buffers, ws, p, backend, 0, 0);
    mldsa_key_from_seed(&out, seed, p, backend, &buffers);
    arena_wipe(ws, need);
    return GIRIH_OK;
}

/* FIPS 204, Algorithm 25 (skDecode), into ws. Returns all ones when s1 or s2 is out of range (lines 6 and 9), else 0. */
static uint32_t decode_secrets(mldsa_key_workspace *ws, const uint8_t *encoded, const mldsa_params *p)
{
    uint32_t bad = 0;

    memcpy(ws->seeds, encoded, MLDSA_RHO_BYTES);
    memcpy(ws->seeds + 96, encoded + MLDSA_SK_KEY, MLDSA_K_BYTES);
    for (unsigned i = 0; i < p->l + p->k; i++)
        bad |= mldsa_s_unpack(ws->s + 256 * i, encoded + MLDSA_SK_S + p->eta_bytes * i, p);
    return bad;
}

girih_status girih_mldsa_sk_load(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_sk *sk, size_t sk_len, uint8_t *pk, size_t pk_len,
                                 girih_mldsa_set set, girih_backend backend, const uint8_t *encoded, size_t encoded_len, void *ws,
                                 size_t ws_len)
{
    const mldsa_params *p = mldsa_params_of(set);
    mldsa_key_parts out = {.pk = pk, .vk = vk, .table = sk};
    mldsa_key_workspace buffers;
    girih_status status = check_outputs(p, backend, vk, vk_len, sk, sk_len, pk, pk_len);
    uint32_t bad;
    size_t need;

    if (status != GIRIH_OK)
        return status;
    if (encoded_len != p->sk_bytes)
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_LOAD, backend))
        return GIRIH_WORKSPACE;
    GIRIH_SECRET(encoded + MLDSA_SK_KEY, MLDSA_K_BYTES);
    GIRIH_SECRET(encoded + MLDSA_SK_S, encoded_len - MLDSA_SK_S);
    if (mldsa_is_packed(backend)) {
        status = mldsa_packed_sk_load(vk, sk, pk, encoded, p, backend, ws);
        if (status != GIRIH_OK)
            wipe_outputs(vk, sk, pk, pk_len, set, backend);
        return status;
    }
    need = mldsa_key_workspace_carve(&buffers, ws, p, backend, 0, 1);
    bad = decode_secrets(&buffers, encoded, p);
    GIRIH_DECLASSIFY(&bad, sizeof bad, "whether an encoded key is well formed is told to the caller");
    status = GIRIH_BAD_KEY;
    if (bad == 0) {
        int equal;

        /* What s1 and s2 give must be what was encoded: this checks t0 and tr, and every bit besides. */
        out.sk = buffers.encoded;
        mldsa_key_from_secrets(&out, p, backend, &buffers);
        equal = girih_equal(buffers.encoded, encoded, encoded_len);
        GIRIH_DECLASSIFY(&equal, sizeof equal, "whether an encoded key is consistent is told to the caller");
        if (equal)
            status = GIRIH_OK;
    }
    if (status != GIRIH_OK)
        wipe_outputs(vk, sk, pk, pk_len, set, backend);
    arena_wipe(ws, need);
    return status;
}

#endif

girih_status girih_mldsa_vk_load(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_set set, girih_backend backend, const uint8_t *pk,
                                 size_t pk_len, void *ws, size_t ws_len)
{
    const mldsa_params *p = mldsa_params_of(set);
    const mldsa_backend *be;
    arena a = arena_over(ws);
    uint8_t tr[GIRIH_MLDSA_TR_BYTES];
    void *rows;

    if (p == NULL || !girih_backend_available(backend) || (uintptr_t)vk % GIRIH_TABLE_ALIGN != 0)
        return GIRIH_BAD_ARGUMENT;
    if (pk_len != p->pk_bytes)
        return GIRIH_BAD_LENGTH;
    if (vk_len < girih_mldsa_vk_bytes(set, backend) || ws_len < girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_LOAD, backend))
        return GIRIH_WORKSPACE;
    if (mldsa_is_packed(backend)) {
        mldsa_packed_vk_load(vk, pk, p, backend, ws);
        return GIRIH_OK;
    }

    be = mldsa_backend_of(backend);
    rows = arena_take(&a, be->rows_bytes);
    be->rows_start(rows, pk, p, backend); /* rho comes first */
    be->rows_absorb(rows, pk, pk_len);
    for (unsigned i = 0; i < p->k; i++) {
        be->rows_next(rows, vk->polys[0], p);
        mldsa_t1_hat(vk->polys[p->k * p->l + i], pk + MLDSA_RHO_BYTES + MLDSA_T1_BYTES * i, backend);
    }
    be->rows_tr(rows, tr, p);
    mldsa_vk_finish(vk, pk, tr, p, backend);
    arena_wipe(ws, a.used);
    return GIRIH_OK;
}
