/* mu, the 64 bytes that are signed, of messages and of digests.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/mu.h"

#include "keccak/sponge.h"

/* DER of the object identifier 2.16.840.1.101.3.4.2.x without its last byte. */
static const uint8_t hash_oid[10] = {0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02};

/* The sponge with tr in it (FIPS 204, Algorithm 7, line 6). */
static void start(girih_sha3 *h, girih_backend id, const uint8_t tr[64])
{
    keccak_init(h, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(h, tr, GIRIH_MLDSA_TR_BYTES);
}

/* tr || domain || |ctx| || ctx */
static girih_status start_with_context(girih_sha3 *h, girih_backend id, const uint8_t tr[64], uint8_t domain, const uint8_t *ctx,
                                       size_t ctx_len)
{
    const uint8_t prefix[2] = {domain, (uint8_t)ctx_len};

    if (ctx_len > GIRIH_MLDSA_MAX_CTX_BYTES)
        return GIRIH_BAD_CONTEXT;
    if (!girih_backend_available(id))
        return GIRIH_BAD_ARGUMENT;
    start(h, id, tr);
    keccak_absorb(h, prefix, sizeof prefix);
    keccak_absorb(h, ctx, ctx_len);
    return GIRIH_OK;
}

girih_status girih_mldsa_mu_init(girih_mldsa_mu *mu, girih_backend backend, const uint8_t tr[64], const uint8_t *ctx, size_t ctx_len)
{
    return start_with_context(&mu->h, backend, tr, 0, ctx, ctx_len);
}

girih_status girih_mldsa_mu_update(girih_mldsa_mu *mu, const void *data, size_t len)
{
    return girih_sha3_update(&mu->h, data, len);
}

girih_status girih_mldsa_mu_final(uint8_t out[64], girih_mldsa_mu *mu)
{
    if (mu->h.squeezing)
        return GIRIH_BAD_ARGUMENT;
    keccak_squeeze(&mu->h, out, GIRIH_MLDSA_MU_BYTES);
    return GIRIH_OK;
}

size_t girih_mldsa_digest_bytes(girih_mldsa_hash hash)
{
    switch (hash) {
    case GIRIH_MLDSA_SHA2_224:
    case GIRIH_MLDSA_SHA2_512_224:
    case GIRIH_MLDSA_SHA3_224:
        return 28;
    case GIRIH_MLDSA_SHA2_256:
    case GIRIH_MLDSA_SHA2_512_256:
    case GIRIH_MLDSA_SHA3_256:
    case GIRIH_MLDSA_SHAKE128:
        return 32;
    case GIRIH_MLDSA_SHA2_384:
    case GIRIH_MLDSA_SHA3_384:
        return 48;
    case GIRIH_MLDSA_SHA2_512:
    case GIRIH_MLDSA_SHA3_512:
    case GIRIH_MLDSA_SHAKE256:
        return 64;
    }
    return 0;
}

/* FIPS 204, Algorithm 4 (HashML-DSA.Sign), lines 10-23: M' = 1 || |ctx| || ctx || OID || digest. */
static girih_status absorb_digest(girih_sha3 *h, girih_backend id, const uint8_t tr[64], girih_mldsa_hash hash, const uint8_t *digest,
                                  size_t digest_len, const uint8_t *ctx, size_t ctx_len)
{
    const uint8_t arc = (uint8_t)hash;
    girih_status status;

    if (girih_mldsa_digest_bytes(hash) == 0)
        return GIRIH_BAD_ARGUMENT;
    if (digest_len != girih_mldsa_digest_bytes(hash))
        return GIRIH_BAD_LENGTH;
    status = start_with_context(h, id, tr, 1, ctx, ctx_len);
    if (status != GIRIH_OK)
        return status;
    keccak_absorb(h, hash_oid, sizeof hash_oid);
    keccak_absorb(h, &arc, 1);
    keccak_absorb(h, digest, digest_len);
    return GIRIH_OK;
}

girih_status girih_mldsa_mu_of_digest(uint8_t out[64], girih_backend backend, const uint8_t tr[64], girih_mldsa_hash hash,
                                      const uint8_t *digest, size_t digest_len, const uint8_t *ctx, size_t ctx_len)
{
    girih_sha3 h;
    girih_status status = absorb_digest(&h, backend, tr, hash, digest, digest_len, ctx, ctx_len);

    if (status == GIRIH_OK)
        keccak_squeeze(&h, out, GIRIH_MLDSA_MU_BYTES);
    return status;
}

girih_status mldsa_mu_begin(girih_sha3 *h, girih_backend id, const uint8_t tr[64], const mldsa_message *m)
{
    switch (m->kind) {
    case MLDSA_MESSAGE_PURE:
        return start_with_context(h, id, tr, 0, m->ctx, m->ctx_len);
    case MLDSA_MESSAGE_DIGEST:
        return absorb_digest(h, id, tr, m->hash, m->data, m->len, m->ctx, m->ctx_len);
    case MLDSA_MESSAGE_PRIME:
        start(h, id, tr);
        return GIRIH_OK;
    case MLDSA_MESSAGE_MU:
        break;
    }
    return GIRIH_BAD_ARGUMENT;
}

girih_status mldsa_mu_of(uint8_t out[64], girih_backend id, const uint8_t tr[64], const mldsa_message *m)
{
    girih_sha3 h;
    girih_status status;

    if (m->kind == MLDSA_MESSAGE_MU) {
        memcpy(out, m->data, GIRIH_MLDSA_MU_BYTES);
        return GIRIH_OK;
    }
    status = mldsa_mu_begin(&h, id, tr, m);
    if (status != GIRIH_OK)
        return status;
    if (m->kind != MLDSA_MESSAGE_DIGEST)
        keccak_absorb(&h, m->data, m->len);
    keccak_squeeze(&h, out, GIRIH_MLDSA_MU_BYTES);
    girih_wipe(&h, sizeof h);
    return GIRIH_OK;
}
