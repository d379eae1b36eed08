/* The public hashes of FIPS 202: arguments are checked here.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "girih/sha3.h"

#include "keccak/sponge.h"

/* Digest bytes of a SHA3-*, 0 for a SHAKE. */
static size_t digest_bytes(const girih_sha3 *h)
{
    return h->suffix == SHA3_SUFFIX ? (200 - h->rate) / 2 : 0;
}

girih_status girih_sha3_init(girih_sha3 *h, girih_sha3_kind kind, girih_backend backend)
{
    unsigned capacity = 0; /* bytes: twice the security strength */

    switch (kind) {
    case GIRIH_SHA3_224:
        capacity = 56;
        break;
    case GIRIH_SHA3_256:
    case GIRIH_SHAKE256:
        capacity = 64;
        break;
    case GIRIH_SHA3_384:
        capacity = 96;
        break;
    case GIRIH_SHA3_512:
        capacity = 128;
        break;
    case GIRIH_SHAKE128:
        capacity = 32;
        break;
    }
    if (capacity == 0 || !girih_backend_available(backend))
        return GIRIH_BAD_ARGUMENT;
    keccak_init(h, 200 - capacity, kind == GIRIH_SHAKE128 || kind == GIRIH_SHAKE256 ? SHAKE_SUFFIX : SHA3_SUFFIX, backend);
    return GIRIH_OK;
}

girih_status girih_sha3_update(girih_sha3 *h, const void *data, size_t len)
{
    if (h->squeezing || h->rate == 0) /* after a squeeze, or after final has wiped h */
        return GIRIH_BAD_ARGUMENT;
    keccak_absorb(h, data, len);
    return GIRIH_OK;
}

girih_status girih_sha3_final(uint8_t *out, size_t out_len, girih_sha3 *h)
{
    if (digest_bytes(h) == 0)
        return GIRIH_BAD_ARGUMENT;
    if (out_len != digest_bytes(h))
        return GIRIH_BAD_LENGTH;
    keccak_squeeze(h, out, out_len);
    girih_wipe(h, sizeof *h);
    return GIRIH_OK;
}

girih_status girih_shake_squeeze(uint8_t *out, size_t out_len, girih_sha3 *h)
{
    if (h->suffix != SHAKE_SUFFIX)
        return GIRIH_BAD_ARGUMENT;
    keccak_squeeze(h, out, out_len);
    return GIRIH_OK;
}

girih_status girih_sha3_hash(uint8_t *out, size_t out_len, girih_sha3_kind kind, girih_backend backend, const void *data, size_t len)
{
    girih_sha3 h;
    girih_status status = girih_sha3_init(&h, kind, backend);

    if (status != GIRIH_OK)
        return status;
    if (digest_bytes(&h) != 0 && out_len != digest_bytes(&h))
        return GIRIH_BAD_LENGTH;
    keccak_absorb(&h, data, len);
    keccak_squeeze(&h, out, out_len);
    girih_wipe(&h, sizeof h);
    return GIRIH_OK;
}
