/* HMAC_DRBG (NIST SP 800-90A Rev. 1, 10.1.2) with SHA3-256 (FIPS 202; HMAC as FIPS 198-1 has it, blocks of 136 bytes).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "girih/drbg.h"

#include "girih/sha3.h"

void *memcpy(void *restrict dst, const void *restrict src, size_t n);
void *memset(void *dst, int value, size_t n);

#define HASH_BYTES  32
#define BLOCK_BYTES 136
#define MAX_INPUT   4096

/* A piece of what is authenticated. */
typedef struct {
    const uint8_t *data;
    size_t len;
} piece;

/* out = HMAC(key, pieces one behind another). out may be the key or a piece. */
static girih_status hmac(uint8_t out[HASH_BYTES], const uint8_t key[HASH_BYTES], const piece *pieces, unsigned count)
{
    girih_sha3 h;
    uint8_t pad[BLOCK_BYTES], inner[HASH_BYTES], outer[HASH_BYTES];
    girih_status status;

    memset(pad, 0x36, sizeof pad);
    for (unsigned i = 0; i < HASH_BYTES; i++)
        pad[i] ^= key[i];
    status = girih_sha3_init(&h, GIRIH_SHA3_256, girih_backend_detect());
    if (status == GIRIH_OK)
        status = girih_sha3_update(&h, pad, sizeof pad);
    for (unsigned i = 0; i < count && status == GIRIH_OK; i++)
        status = girih_sha3_update(&h, pieces[i].data, pieces[i].len);
    if (status == GIRIH_OK)
        status = girih_sha3_final(inner, sizeof inner, &h);

    memset(pad, 0x5C, sizeof pad);
    for (unsigned i = 0; i < HASH_BYTES; i++)
        pad[i] ^= key[i];
    if (status == GIRIH_OK)
        status = girih_sha3_init(&h, GIRIH_SHA3_256, girih_backend_detect());
    if (status == GIRIH_OK)
        status = girih_sha3_update(&h, pad, sizeof pad);
    if (status == GIRIH_OK)
        status = girih_sha3_update(&h, inner, sizeof inner);
    if (status == GIRIH_OK)
        status = girih_sha3_final(outer, sizeof outer, &h);
    if (status == GIRIH_OK)
        memcpy(out, outer, HASH_BYTES);
    girih_wipe(pad, sizeof pad);
    girih_wipe(inner, sizeof inner);
    girih_wipe(outer, sizeof outer);
    girih_wipe(&h, sizeof h);
    return status;
}

/* 10.1.2.2 (HMAC_DRBG_Update) with up to three pieces of provided data. */
static girih_status update(girih_drbg *d, const piece provided[3])
{
    int given = provided[0].len != 0 || provided[1].len != 0 || provided[2].len != 0;
    girih_status status = GIRIH_OK;

    for (uint8_t round = 0; round < (given ? 2 : 1) && status == GIRIH_OK; round++) {
        const piece input[5] = {{d->v, sizeof d->v}, {&round, 1}, provided[0], provided[1], provided[2]};
        const piece old = {d->v, sizeof d->v};

        status = hmac(d->key, d->key, input, 5);
        if (status == GIRIH_OK)
            status = hmac(d->v, d->key, &old, 1);
    }
    return status;
}

/* Seeds from the source: n bytes of entropy, then data. */
static girih_status seed(girih_drbg *d, size_t n, const uint8_t *data, size_t len)
{
    uint8_t entropy[GIRIH_DRBG_ENTROPY_BYTES + GIRIH_DRBG_NONCE_BYTES];
    const piece provided[3] = {{entropy, n}, {data, len}, {NULL, 0}};
    girih_status status;

    if (len > MAX_INPUT) {
        girih_wipe(d, sizeof *d);
        return GIRIH_BAD_LENGTH;
    }
    status = girih_entropy_bytes(entropy, n) == GIRIH_OK ? update(d, provided) : GIRIH_RANDOMNESS;
    girih_wipe(entropy, sizeof entropy);
    if (status != GIRIH_OK)
        girih_wipe(d, sizeof *d);
    else
        d->requests = 1;
    return status;
}

girih_status girih_drbg_instantiate(girih_drbg *d, const uint8_t *personalization, size_t len)
{
    memset(d->key, 0, sizeof d->key);
    memset(d->v, 1, sizeof d->v);
    d->requests = 0;
    return seed(d, GIRIH_DRBG_ENTROPY_BYTES + GIRIH_DRBG_NONCE_BYTES, personalization, len);
}

girih_status girih_drbg_reseed(girih_drbg *d, const uint8_t *additional, size_t additional_len)
{
    if (d->requests == 0)
        return GIRIH_RANDOMNESS;
    return seed(d, GIRIH_DRBG_ENTROPY_BYTES, additional, additional_len);
}

girih_status girih_drbg_generate(girih_drbg *d, uint8_t *out, size_t len, const uint8_t *additional, size_t additional_len)
{
    const piece v = {d->v, sizeof d->v};
    girih_status status = GIRIH_OK;

    memset(out, 0, len);
    if (d->requests == 0)
        return GIRIH_RANDOMNESS;
    if (len > GIRIH_DRBG_MAX_REQUEST || additional_len > MAX_INPUT)
        return GIRIH_BAD_LENGTH;
    if (d->requests > GIRIH_DRBG_RESEED_INTERVAL) { /* 9.3.1, step 7: the additional input goes into the reseed */
        status = girih_drbg_reseed(d, additional, additional_len);
        additional_len = 0;
    }
    {
        const piece provided[3] = {{additional, additional_len}, {NULL, 0}, {NULL, 0}};

        if (status == GIRIH_OK && additional_len != 0)
            status = update(d, provided);
        for (size_t done = 0; done < len && status == GIRIH_OK; done += HASH_BYTES) {
            status = hmac(d->v, d->key, &v, 1);
            memcpy(out + done, d->v, len - done < HASH_BYTES ? len - done : HASH_BYTES);
        }
        if (status == GIRIH_OK)
            status = update(d, provided);
    }
    if (status != GIRIH_OK) {
        girih_wipe(d, sizeof *d);
        memset(out, 0, len);
        return status;
    }
    d->requests++;
    return GIRIH_OK;
}

void girih_drbg_uninstantiate(girih_drbg *d)
{
    girih_wipe(d, sizeof *d);
}
