/* A cache for another process: export and import.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *   4  "gKC" and the version, 1
 *   2  the set, low byte first
 *   1  the caches it holds
 *   1  0
 *  32  H(ek)
 *      where A_hat is cached: ByteEncode_12 of its k * k polynomials, polynomial k i + j being A_hat[j][i]
 *  32  KMAC256 of all that and of ByteEncode_12(t_hat), which is the beginning of ek
 * t_hat is not carried: ek, which the importer has, is nothing else. */
#include "common/bytes.h"
#include "common/ct.h"
#include "keccak/kmac.h"
#include "mlkem/load.h"

enum { HEAD_BYTES = 8, VERSION = 1, MIN_MAC_KEY_BYTES = 32 };

static size_t export_bytes(unsigned caches, const mlkem_params *p)
{
    const size_t of_a = (caches & GIRIH_MLKEM_CACHE_A) == 0 ? 0 : (size_t)MLKEM_POLY_BYTES * p->k * p->k;

    return HEAD_BYTES + MLKEM_H_BYTES + of_a + GIRIH_MLKEM_CACHE_MAC_BYTES;
}

size_t girih_mlkem_export_bytes(girih_mlkem_set set, unsigned caches)
{
    const mlkem_params *p = mlkem_params_of(set);

    return p == NULL || caches > GIRIH_MLKEM_CACHE_ALL ? 0 : export_bytes(caches, p);
}

static void head_of(uint8_t head[HEAD_BYTES], unsigned caches, const mlkem_params *p)
{
    const uint8_t bytes[HEAD_BYTES] = {'g', 'K', 'C', VERSION, (uint8_t)p->set, (uint8_t)(p->set >> 8), (uint8_t)caches, 0};

    memcpy(head, bytes, sizeof bytes);
}

/* The MAC of an exported cache of len bytes without it, for the key that is encoded. */
static void mac_of(uint8_t mac[GIRIH_MLKEM_CACHE_MAC_BYTES], const uint8_t *cache, size_t len, const uint8_t *encoded,
                   const mlkem_params *p, girih_backend id, const uint8_t *mac_key, size_t mac_key_len)
{
    girih_sha3 h;

    kmac256_init(&h, mac_key, mac_key_len, "girih ML-KEM cache", id);
    keccak_absorb(&h, cache, len);
    keccak_absorb(&h, encoded, (size_t)MLKEM_POLY_BYTES * p->k);
    kmac256_final(mac, GIRIH_MLKEM_CACHE_MAC_BYTES, &h);
}

girih_status girih_mlkem_ek_export(uint8_t *out, size_t out_len, const girih_mlkem_ek *ek, const uint8_t *mac_key, size_t mac_key_len)
{
    const mlkem_public view = mlkem_public_of(ek);
    uint8_t *at = out + HEAD_BYTES + MLKEM_H_BYTES;

    if (view.p == NULL)
        return GIRIH_BAD_KEY;
    if (out_len != export_bytes(ek->caches, view.p) || mac_key_len < MIN_MAC_KEY_BYTES)
        return GIRIH_BAD_LENGTH;
    head_of(out, ek->caches, view.p);
    if (girih_sha3_hash(out + HEAD_BYTES, MLKEM_H_BYTES, GIRIH_SHA3_256, view.id, view.encoded, view.p->ek_bytes) != GIRIH_OK)
        return GIRIH_BAD_KEY;
    if (view.a_hat != NULL)
        for (unsigned n = 0; n < view.p->k * view.p->k; n++, at += MLKEM_POLY_BYTES)
            mlkem_backend_of(view.id)->encode(at, view.a_hat + 256 * n);
    mac_of(at, out, (size_t)(at - out), view.encoded, view.p, view.id, mac_key, mac_key_len);
    GIRIH_DECLASSIFY(at, GIRIH_MLKEM_CACHE_MAC_BYTES, "the MAC of a cache is sent");
    return GIRIH_OK;
}

/* GIRIH_OK when the cache is one of this version, set and caches, its MAC, where a key is given, is right, and it names the key that is
 * encoded: h receives H(ek), computed here. */
static girih_status check(uint8_t h[MLKEM_H_BYTES], const uint8_t *cache, size_t cache_len, unsigned caches, const uint8_t *encoded,
                          const mlkem_params *p, girih_backend id, const uint8_t *mac_key, size_t mac_key_len)
{
    uint8_t head[HEAD_BYTES], mac[GIRIH_MLKEM_CACHE_MAC_BYTES];
    const size_t len = cache_len - sizeof mac;

    if (cache_len != export_bytes(caches, p))
        return GIRIH_BAD_KEY;
    head_of(head, caches, p);
    if (memcmp(cache, head, sizeof head) != 0)
        return GIRIH_BAD_KEY;
    if (mac_key != NULL) {
        uint32_t equal;

        mac_of(mac, cache, len, encoded, p, id, mac_key, mac_key_len);
        equal = (uint32_t)girih_equal(mac, cache + len, sizeof mac);
        girih_wipe(mac, sizeof mac);
        GIRIH_DECLASSIFY(&equal, sizeof equal, "whether a cache is accepted is the answer");
        if (!equal)
            return GIRIH_BAD_KEY;
    }
    if (girih_sha3_hash(h, MLKEM_H_BYTES, GIRIH_SHA3_256, id, encoded, p->ek_bytes) != GIRIH_OK)
        return GIRIH_BAD_KEY;
    return girih_equal(h, cache + HEAD_BYTES, MLKEM_H_BYTES) ? GIRIH_OK : GIRIH_BAD_KEY;
}

girih_status girih_mlkem_ek_import(girih_mlkem_ek *ek, size_t ek_bytes, girih_mlkem_set set, unsigned caches, girih_backend backend,
                                   const uint8_t *encoded, size_t encoded_len, const uint8_t *cache, size_t cache_len,
                                   const uint8_t *mac_key, size_t mac_key_len, void *ws, size_t ws_len)
{
    const mlkem_params *p = mlkem_params_of(set);
    const size_t object_bytes = girih_mlkem_ek_bytes(set, caches, backend);
    girih_status status = mlkem_object_check(p, caches, backend, ek, ek_bytes, object_bytes);
    uint8_t h[MLKEM_H_BYTES];
    mlkem_work w;
    size_t need;

    if (status != GIRIH_OK)
        return status;
    if (encoded_len != p->ek_bytes || (mac_key != NULL && mac_key_len < MIN_MAC_KEY_BYTES) || (mac_key == NULL && mac_key_len != 0))
        return GIRIH_BAD_LENGTH;
    if (ws_len < girih_mlkem_workspace_bytes(set, GIRIH_MLKEM_LOAD, caches, backend))
        return GIRIH_WORKSPACE;
    status = check(h, cache, cache_len, caches, encoded, p, backend, mac_key, mac_key_len);
    if (status != GIRIH_OK)
        return status;
    need = mlkem_work_carve(&w, ws, mlkem_shape_of(GIRIH_MLKEM_LOAD, caches, backend), p, backend);
    status = mlkem_load_public(ek, caches, encoded, h, cache + HEAD_BYTES + MLKEM_H_BYTES, p, backend, &w);
    mlkem_work_wipe(&w, ws, need);
    if (status != GIRIH_OK)
        girih_wipe(ek, object_bytes);
    return status;
}
