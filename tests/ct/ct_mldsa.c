/* Every operation with secrets that memcheck takes for undefined: it then reports each branch and each address that depends on one.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: valgrind ... ct_mldsa BACKEND [SET]   with a core built with GIRIH_CT_CHECK. The seed, K, s1, s2 and t0 of the encoded key, and rnd are marked
 * here, before each call, as a caller's secrets; s1, s2, t0, K and y are marked by the core where it makes them. What a call releases must be
 * defined when it returns: the signature, the public key and the status. What it keeps must not be: the secret key and its table. */
#include "ct.h"
#include "girih/mldsa.h"
#include "girih/mldsa_lowram.h"

static uint8_t msg[100], ctx[10], mu[64], digest[64];

/* Every way to sign, plain and checked, hedged with the given rnd. Signatures of several messages, so that every rejection is met. */
static void sign_all(girih_mldsa_set set, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, uint8_t *ws, size_t ws_len)
{
    static const girih_mldsa_options options[] = {{.checked = 0}, {.checked = 1}, {.max_attempts = 1000, .checked = 1}};
    size_t n = girih_mldsa_signature_bytes(set);
    uint8_t *sig = (uint8_t *)allocate(n), rnd[32];

    for (unsigned i = 0; i < 24; i++) {
        const girih_mldsa_options *how = &options[i / 4 % 3];
        girih_status status;

        memset(msg, (int)i, sizeof msg);
        memset(mu, (int)i, sizeof mu);
        memset(rnd, (int)i, sizeof rnd);
        SECRET(rnd, sizeof rnd);
        SECRET(sig, n);
        switch (i % 4) {
        case 0:
            status = girih_mldsa_sign(sig, n, sk, vk, msg, sizeof msg, ctx, sizeof ctx, rnd, how, ws, ws_len);
            break;
        case 1:
            status =
                girih_mldsa_sign_digest(sig, n, sk, vk, GIRIH_MLDSA_SHA2_512, digest, sizeof digest, ctx, sizeof ctx, rnd, how, ws, ws_len);
            break;
        case 2:
            status = girih_mldsa_sign_mu(sig, n, sk, vk, mu, rnd, how, ws, ws_len);
            break;
        default:
            status = girih_mldsa_sign_internal(sig, n, sk, vk, msg, sizeof msg, rnd, how, ws, ws_len);
            break;
        }
        expect(is_public(&status, sizeof status), "the status of a signing call depends on a secret", set);
        expect(status == GIRIH_OK, "a signing call failed", set);
        expect(is_public(sig, n), "a signature is not released", set);
    }
    free(sig);
}

/* Many signatures in one call. */
static void sign_many(girih_mldsa_set set, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, uint8_t *ws, size_t ws_len)
{
    enum { COUNT = 6 };
    girih_mldsa_sign_item items[COUNT];
    size_t n = girih_mldsa_signature_bytes(set);
    uint8_t *sigs = (uint8_t *)allocate(COUNT * n), rnd[COUNT][32];
    girih_status status;

    for (unsigned i = 0; i < COUNT; i++) {
        memset(rnd[i], (int)i, sizeof rnd[i]);
        items[i] = (girih_mldsa_sign_item){sigs + n * i, msg, sizeof msg, ctx, i, rnd[i], GIRIH_FAULT};
    }
    SECRET(rnd, sizeof rnd);
    SECRET(sigs, COUNT * n);
    status = girih_mldsa_sign_many(items, COUNT, sk, vk, 1, ws, ws_len);
    expect(is_public(&status, sizeof status) && status == GIRIH_OK, "signing many", set);
    for (unsigned i = 0; i < COUNT; i++)
        expect(is_public(&items[i].status, sizeof items[i].status) && items[i].status == GIRIH_OK, "one of many signatures", set);
    expect(is_public(sigs, COUNT * n), "one of many signatures is not released", set);
    free(sigs);
}

/* A budget that runs out releases nothing. */
static void exhaust(girih_mldsa_set set, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, uint8_t *ws, size_t ws_len)
{
    static const girih_mldsa_options once = {.max_attempts = 1};
    size_t n = girih_mldsa_signature_bytes(set);
    uint8_t *sig = (uint8_t *)allocate(n), rnd[32] = {0};
    unsigned exhausted = 0;

    for (unsigned i = 0; i < 16; i++) {
        girih_status status;

        PUBLIC(rnd, sizeof rnd);
        rnd[0] = (uint8_t)i;
        SECRET(rnd, sizeof rnd);
        status = girih_mldsa_sign_mu(sig, n, sk, vk, mu, rnd, &once, ws, ws_len);
        exhausted += status == GIRIH_ATTEMPTS;
        expect(is_public(sig, n), "what a failed call leaves depends on a secret", set);
    }
    expect(exhausted > 0, "no budget ran out", set);
    free(sig);
}

/* The drivers of little memory: the signature buffer is working memory, and holds nothing secret afterwards. */
static void little_memory(girih_mldsa_set set, girih_backend backend)
{
    size_t pk_len = girih_mldsa_public_key_bytes(set), sk_len = girih_mldsa_secret_key_bytes(set), n = girih_mldsa_signature_bytes(set);
    size_t to_sign = girih_mldsa_lowram_bytes(set, GIRIH_MLDSA_SIGN, backend),
           ws_len = girih_mldsa_lowram_bytes(set, GIRIH_MLDSA_VERIFY, backend);
    uint8_t *pk = (uint8_t *)allocate(pk_len), *sk = (uint8_t *)allocate(sk_len), *sig = (uint8_t *)allocate(n), *ws, seed[32] = {9},
            rnd[32];
    const girih_mldsa_options options[] = {{.checked = 0}, {.checked = 1, .pk = pk, .pk_len = pk_len}, {.max_attempts = 1}};
    unsigned exhausted = 0;
    girih_status status;

    ws_len = to_sign > ws_len ? to_sign : ws_len;
    ws = (uint8_t *)allocate(ws_len);
    SECRET(seed, sizeof seed);
    SECRET(ws, ws_len);
    status = girih_mldsa_keygen_lowram(pk, pk_len, sk, sk_len, set, backend, seed, ws, ws_len);
    expect(is_public(&status, sizeof status) && status == GIRIH_OK, "key generation in little memory", set);
    expect(is_public(pk, pk_len), "a public key is not released in little memory", set);
    expect(is_secret(sk + 32, 32) && is_secret(sk + 128, sk_len - 128), "a secret is declassified in little memory", set);
    for (unsigned i = 0; i < 12; i++) {
        memset(rnd, (int)i, sizeof rnd);
        memset(mu, (int)i, sizeof mu);
        SECRET(rnd, sizeof rnd);
        SECRET(sig, n);
        if (i % 2 == 0)
            status = girih_mldsa_sign_lowram(sig, n, sk, sk_len, set, backend, msg, sizeof msg, ctx, i, rnd, &options[i % 3], ws, ws_len);
        else
            status = girih_mldsa_sign_mu_lowram(sig, n, sk, sk_len, set, backend, mu, rnd, &options[i % 3], ws, ws_len);
        expect(is_public(&status, sizeof status), "the status of a signing call in little memory depends on a secret", set);
        expect(status == GIRIH_OK || (status == GIRIH_ATTEMPTS && i % 3 == 2), "a signing call in little memory failed", set);
        expect(is_public(sig, n) && is_public(ws, to_sign - 63), "little memory: what a call leaves depends on a secret", set);
        exhausted += status == GIRIH_ATTEMPTS;
    }
    expect(exhausted > 0, "no budget ran out in little memory", set);
    PUBLIC(sk, sk_len);
    sk[128] = 0xFF;
    SECRET(sk + 32, 32);
    SECRET(sk + 128, sk_len - 128);
    status = girih_mldsa_sign_mu_lowram(sig, n, sk, sk_len, set, backend, mu, rnd, NULL, ws, ws_len);
    expect(is_public(&status, sizeof status) && status == GIRIH_BAD_KEY, "refusing a secret key in little memory", set);
    free(pk);
    free(sk);
    free(sig);
    free(ws);
}

static void run(girih_mldsa_set set, girih_backend backend)
{
    size_t pk_len = girih_mldsa_public_key_bytes(set), sk_len = girih_mldsa_secret_key_bytes(set),
           sig_len = girih_mldsa_signature_bytes(set);
    size_t vk_bytes = girih_mldsa_vk_bytes(set, backend), table_bytes = girih_mldsa_sk_bytes(set, backend), ws_len = 0;
    uint8_t *pk = (uint8_t *)allocate(pk_len), *sk = (uint8_t *)allocate(sk_len), *sig = (uint8_t *)allocate(sig_len), *ws, *bad;
    girih_mldsa_vk *vk = (girih_mldsa_vk *)allocate(vk_bytes);
    girih_mldsa_sk *table = (girih_mldsa_sk *)allocate(table_bytes);
    uint8_t seed[32] = {7}, rnd[32] = {8};
    girih_status status;

    for (int op = GIRIH_MLDSA_KEYGEN; op <= GIRIH_MLDSA_SIGN_MANY; op++) {
        size_t n = girih_mldsa_workspace_bytes(set, (girih_mldsa_op)op, backend);

        ws_len = n > ws_len ? n : ws_len;
    }
    ws = (uint8_t *)allocate(ws_len);
    SECRET(seed, sizeof seed);
    SECRET(ws, ws_len);

    status = girih_mldsa_keygen(pk, pk_len, sk, sk_len, set, backend, seed, ws, ws_len);
    expect(is_public(&status, sizeof status) && status == GIRIH_OK, "key generation", set);
    expect(is_public(pk, pk_len), "a public key is not released by key generation", set);
    expect(is_public(sk, 32), "rho in a secret key is public", set);
    expect(is_secret(sk + 32, 32), "K is declassified by key generation", set);
    expect(is_secret(sk + 128, sk_len - 128), "s1, s2 or t0 is declassified by key generation", set);

    status = girih_mldsa_seed_load(vk, vk_bytes, table, table_bytes, pk, pk_len, set, backend, seed, ws, ws_len);
    expect(is_public(&status, sizeof status) && status == GIRIH_OK, "loading a seed", set);
    expect(is_public(pk, pk_len) && is_public(vk, vk_bytes), "a public table is not released by loading a seed", set);
    sign_all(set, table, vk, ws, ws_len);
    sign_many(set, table, vk, ws, ws_len);
    exhaust(set, table, vk, ws, ws_len);

    status = girih_mldsa_sk_load(vk, vk_bytes, table, table_bytes, pk, pk_len, set, backend, sk, sk_len, ws, ws_len);
    expect(is_public(&status, sizeof status) && status == GIRIH_OK, "loading a secret key", set);
    expect(is_public(pk, pk_len) && is_public(vk, vk_bytes), "a public table is not released by loading a secret key", set);
    sign_all(set, table, vk, ws, ws_len);

    /* A secret key that is refused, for its s1 and for its t0. */
    bad = (uint8_t *)allocate(sk_len);
    for (int i = 0; i < 2; i++) {
        memcpy(bad, sk, sk_len);
        PUBLIC(bad, sk_len);
        bad[i == 0 ? 128 : sk_len - 1] ^= i == 0 ? 0xFF : 1;
        SECRET(bad + 32, 32);
        SECRET(bad + 128, sk_len - 128);
        status = girih_mldsa_sk_load(vk, vk_bytes, table, table_bytes, pk, pk_len, set, backend, bad, sk_len, ws, ws_len);
        expect(is_public(&status, sizeof status) && status == GIRIH_BAD_KEY, "refusing a secret key", set);
        expect(is_public(table, table_bytes) && is_public(pk, pk_len), "what a refused key leaves depends on a secret", set);
    }

    /* Verification is all public: with nothing secret it must not meet an undefined byte either. */
    status = girih_mldsa_seed_load(vk, vk_bytes, table, table_bytes, pk, pk_len, set, backend, seed, ws, ws_len);
    expect(status == GIRIH_OK, "loading a seed again", set);
    status = girih_mldsa_sign(sig, sig_len, table, vk, msg, sizeof msg, ctx, sizeof ctx, rnd, NULL, ws, ws_len);
    expect(status == GIRIH_OK, "signing for verification", set);
    status = girih_mldsa_vk_load(vk, vk_bytes, set, backend, pk, pk_len, ws, ws_len);
    expect(status == GIRIH_OK, "loading a public key", set);
    expect(girih_mldsa_verify(vk, sig, sig_len, msg, sizeof msg, ctx, sizeof ctx, ws, ws_len) == GIRIH_OK, "verification", set);
    sig[0] ^= 1;
    expect(girih_mldsa_verify(vk, sig, sig_len, msg, sizeof msg, ctx, sizeof ctx, ws, ws_len) == GIRIH_BAD_SIGNATURE, "refusal", set);
    free(pk);
    free(sk);
    free(sig);
    free(ws);
    free(bad);
    free(vk);
    free(table);
}

int main(int argc, char **argv)
{
    static const girih_mldsa_set sets[] = {GIRIH_MLDSA_44, GIRIH_MLDSA_65, GIRIH_MLDSA_87};
    const girih_backend backend = argc >= 2 ? backend_named(argv[1]) : (girih_backend)0;

    if (backend == 0) {
        fprintf(stderr, "usage: valgrind ct_mldsa BACKEND [SET], a backend that this build and CPU have\n");
        return 2;
    }
    for (int i = 0; i < 3; i++)
        if (argc == 2 || atoi(argv[2]) == (int)sets[i])
            run(sets[i], backend), little_memory(sets[i], backend);
    printf("%s: every operation with secrets undefined\n", argv[1]);
    return failures != 0;
}
