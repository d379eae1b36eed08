/* Every operation of ML-KEM with secrets that memcheck takes for undefined.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: valgrind ... ct_mlkem BACKEND [SET]   with a core built with GIRIH_CT_CHECK. Secret are d and z, m, the key of a MAC, and what follows from
 * them: s_hat, the noise, the decrypted message, what G and J give, and whether a ciphertext was the right one. What a call releases must be defined
 * when it returns: ek, the ciphertext, the status; what it keeps must not be: dk, the shared secret. */
#include "ct.h"
#include "girih/mlkem.h"

enum { MANY = 6 };

typedef struct {
    girih_mlkem_set set;
    girih_backend backend;
    size_t ek_len, dk_len, ct_len, s_len, ws_len;
    uint8_t *ek, *dk, *cts, *ws;
} kem;

static void released(girih_status status, girih_status expected, const char *what, const kem *k)
{
    expect(is_public(&status, sizeof status), "a status depends on a secret", k->set);
    expect(status == expected, what, k->set);
}

/* A changed ciphertext takes the same way. */
static void decapsulate(const kem *k, const girih_mlkem_dk *object, const uint8_t *cts)
{
    uint8_t sss[MANY][32];

    released(girih_mlkem_decaps(sss[0], k->set, k->backend, k->dk, k->dk_len, cts, k->ct_len, k->ws, k->ws_len), GIRIH_OK, "decaps", k);
    expect(is_secret(sss[0], 32), "a shared secret is declassified by decaps", k->set);
    released(girih_mlkem_dk_decaps(sss[1], object, cts, k->ct_len, k->ws, k->ws_len), GIRIH_OK, "dk_decaps", k);
    expect(is_secret(sss[1], 32), "a shared secret is declassified by dk_decaps", k->set);
    released(girih_mlkem_decaps_many(sss[0], object, cts, MANY, k->ws, k->ws_len), GIRIH_OK, "decaps_many", k);
    expect(is_secret(sss, sizeof sss), "a shared secret is declassified by decaps_many", k->set);
}

static void encapsulate(const kem *k, const girih_mlkem_ek *object)
{
    uint8_t sss[MANY][32], ms[MANY][32];

    memset(ms, 3, sizeof ms);
    for (unsigned i = 0; i < MANY; i++)
        ms[i][0] = (uint8_t)i;
    SECRET(ms, sizeof ms);
    released(girih_mlkem_encaps(k->cts, k->ct_len, sss[0], k->set, k->backend, k->ek, k->ek_len, ms[0], k->ws, k->ws_len), GIRIH_OK,
             "encaps", k);
    expect(is_public(k->cts, k->ct_len) && is_secret(sss[0], 32), "what encaps releases", k->set);
    released(girih_mlkem_ek_encaps(k->cts, k->ct_len, sss[0], object, ms[0], k->ws, k->ws_len), GIRIH_OK, "ek_encaps", k);
    expect(is_public(k->cts, k->ct_len) && is_secret(sss[0], 32), "what ek_encaps releases", k->set);
    released(girih_mlkem_encaps_many(k->cts, sss[0], object, ms[0], MANY, k->ws, k->ws_len), GIRIH_OK, "encaps_many", k);
    expect(is_public(k->cts, MANY * k->ct_len) && is_secret(sss, sizeof sss), "what encaps_many releases", k->set);
}

/* A cache under a secret MAC key, right and wrong. */
static void carry_cache(const kem *k, const girih_mlkem_ek *object, girih_mlkem_ek *copy, size_t copy_len, unsigned caches)
{
    const size_t n = girih_mlkem_export_bytes(k->set, caches);
    uint8_t *cache = (uint8_t *)allocate(n), mac_key[32] = {5};

    SECRET(mac_key, sizeof mac_key);
    released(girih_mlkem_ek_export(cache, n, object, mac_key, sizeof mac_key), GIRIH_OK, "export", k);
    expect(is_public(cache, n), "an exported cache is not released", k->set);
    released(girih_mlkem_ek_import(copy, copy_len, k->set, caches, k->backend, k->ek, k->ek_len, cache, n, mac_key, sizeof mac_key, k->ws,
                                   k->ws_len),
             GIRIH_OK, "import", k);
    expect(is_public(copy, copy_len), "an imported key depends on the MAC's key", k->set);
    cache[n - 1] ^= 1;
    released(girih_mlkem_ek_import(copy, copy_len, k->set, caches, k->backend, k->ek, k->ek_len, cache, n, mac_key, sizeof mac_key, k->ws,
                                   k->ws_len),
             GIRIH_BAD_KEY, "import with a wrong MAC", k);
    free(cache);
}

static void with_caches(const kem *k, unsigned caches)
{
    const size_t dk_bytes = girih_mlkem_dk_bytes(k->set, caches, k->backend), ek_bytes = girih_mlkem_ek_bytes(k->set, caches, k->backend);
    girih_mlkem_dk *dk = (girih_mlkem_dk *)allocate(dk_bytes);
    girih_mlkem_ek *ek = (girih_mlkem_ek *)allocate(ek_bytes);
    uint8_t seed[64] = {7}, *encoded = (uint8_t *)allocate(k->dk_len);

    SECRET(seed, sizeof seed);
    released(girih_mlkem_seed_load(dk, dk_bytes, k->set, caches, k->backend, seed, k->ws, k->ws_len), GIRIH_OK, "loading a seed", k);
    expect(is_public(girih_mlkem_dk_public(dk), ek_bytes), "a public object is not released by loading a seed", k->set);
    encapsulate(k, girih_mlkem_dk_public(dk));
    decapsulate(k, dk, k->cts);
    released(girih_mlkem_dk_encode(encoded, k->dk_len, dk), GIRIH_OK, "encoding", k);
    expect(is_secret(encoded, k->s_len) && is_secret(encoded + k->dk_len - 32, 32), "dk is declassified", k->set);

    released(girih_mlkem_dk_load(dk, dk_bytes, k->set, caches, k->backend, k->dk, k->dk_len, k->ws, k->ws_len), GIRIH_OK, "loading dk", k);
    expect(is_public(girih_mlkem_dk_public(dk), ek_bytes), "a public object is not released by loading dk", k->set);
    for (unsigned i = 0; i < MANY; i++)
        k->cts[i * k->ct_len + 100 * i] ^= 1;
    decapsulate(k, dk, k->cts);

    released(girih_mlkem_ek_load(ek, ek_bytes, k->set, caches, k->backend, k->ek, k->ek_len, k->ws, k->ws_len), GIRIH_OK, "loading ek", k);
    encapsulate(k, ek);
    carry_cache(k, girih_mlkem_dk_public(dk), ek, ek_bytes, caches);
    free(dk);
    free(ek);
    free(encoded);
}

static void run(girih_mlkem_set set, girih_backend backend)
{
    kem k = {.set = set, .backend = backend, .ek_len = girih_mlkem_ek_encoded_bytes(set), .dk_len = girih_mlkem_dk_encoded_bytes(set)};
    uint8_t seed[64] = {7};

    k.ct_len = girih_mlkem_ct_bytes(set);
    k.s_len = k.ek_len - 32;
    for (int op = GIRIH_MLKEM_KEYGEN; op <= GIRIH_MLKEM_DECAPS_MANY; op++) {
        size_t n = girih_mlkem_workspace_bytes(set, (girih_mlkem_op)op, 0, backend);

        k.ws_len = n > k.ws_len ? n : k.ws_len;
    }
    k.ek = (uint8_t *)allocate(k.ek_len);
    k.dk = (uint8_t *)allocate(k.dk_len);
    k.cts = (uint8_t *)allocate(MANY * k.ct_len);
    k.ws = (uint8_t *)allocate(k.ws_len);
    SECRET(seed, sizeof seed);
    SECRET(k.ws, k.ws_len);

    released(girih_mlkem_keygen(k.ek, k.ek_len, k.dk, k.dk_len, set, backend, seed, k.ws, k.ws_len), GIRIH_OK, "key generation", &k);
    expect(is_public(k.ek, k.ek_len), "ek is not released by key generation", set);
    expect(is_secret(k.dk, k.s_len) && is_secret(k.dk + k.dk_len - 32, 32), "s or z is declassified by key generation", set);
    expect(is_public(k.dk + k.s_len, k.ek_len + 32), "ek and its hash in dk are public", set);
    released(girih_mlkem_check_dk(set, backend, k.dk, k.dk_len), GIRIH_OK, "the hash check", &k);
    with_caches(&k, 0);
    with_caches(&k, GIRIH_MLKEM_CACHE_A | GIRIH_MLKEM_CACHE_H);
    with_caches(&k, GIRIH_MLKEM_CACHE_ALL);
    free(k.ek);
    free(k.dk);
    free(k.cts);
    free(k.ws);
}

int main(int argc, char **argv)
{
    static const girih_mlkem_set sets[] = {GIRIH_MLKEM_512, GIRIH_MLKEM_768, GIRIH_MLKEM_1024};
    const girih_backend backend = argc >= 2 ? backend_named(argv[1]) : (girih_backend)0;

    if (backend == 0) {
        fprintf(stderr, "usage: valgrind ct_mlkem BACKEND [SET], a backend that this build and CPU have\n");
        return 2;
    }
    for (int i = 0; i < 3; i++)
        if (argc == 2 || atoi(argv[2]) == (int)sets[i])
            run(sets[i], backend);
    printf("%s: every operation with secrets undefined\n", argv[1]);
    return failures != 0;
}
