/* Runs a file of test cases of ML-KEM against the public C interface, as case_runner.c does for ML-DSA.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: kem_runner BACKEND FILE         BACKEND: one of girih_backend_name()
 * A case (runner.h) has five fields: operation set key input expected. tests/core/kem_cases.py writes the file; this is what an operation
 * does with them, from bytes and with objects that keep caches, another combination from line to line:
 *   keygen        key: seed. expected: SHA-256(ek || dk)
 *   encaps        key: ek, input: m. expected: SHA-256(ciphertext || shared secret), or a status
 *   decaps        key: seed or dk, input: ciphertext. expected: the shared secret, or a status
 *   check-ek, -dk key: ek or dk. expected: a status
 *   export        key: ek, input: the caches, a byte, and the key of a MAC. expected: SHA-256(exported cache) */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "girih/mlkem.h"
#include "runner.h"
#include "sha256.h"

enum { FIELDS = 5, MOST = 6 };

typedef struct {
    const char *op, *expected;
    girih_mlkem_set set;
    unsigned caches;
    size_t ek_len, dk_len, ct_len, ek_bytes, dk_bytes;
    bytes key, input;
} test_case;

static const uint8_t mac_key[40] = {9, 8, 7};

static workspace take(const test_case *t, girih_mlkem_op op, unsigned caches)
{
    return take_workspace(girih_mlkem_workspace_bytes(t->set, op, caches, backend));
}

/* What may hold secrets lies in front. Behind it a backend that samples in lanes keeps four entries of A_hat, and A_hat and t_hat, which are
 * public. */
static void give(workspace w, const test_case *t)
{
    const size_t k = (t->ek_len - 32) / 384, open = girih_backend_name(backend)[0] == 'c' ? 0 : 512 * k * (k + 1) + 2304 + 5 * 64;

    give_back(w, t->op, w.len > open ? w.len - open : 0);
}

static void same(const test_case *t, const void *a, const void *b, size_t len, const char *what)
{
    if (memcmp(a, b, len) != 0)
        fail(t->op, what);
}

static girih_status load_ek(girih_mlkem_ek *ek, const test_case *t, bytes encoded)
{
    workspace w = take(t, GIRIH_MLKEM_LOAD, t->caches);
    girih_status status = girih_mlkem_ek_load(ek, t->ek_bytes, t->set, t->caches, backend, encoded.p, encoded.len, w.ws, w.len);

    give(w, t);
    if (status != GIRIH_OK)
        expect_no_output(t->op, (const uint8_t *)ek, t->ek_bytes);
    return status;
}

/* Loads a seed or an encoded decapsulation key. */
static girih_status load_dk(girih_mlkem_dk *dk, const test_case *t, bytes key)
{
    const int seed = key.len == GIRIH_MLKEM_SEED_BYTES;
    workspace w = take(t, seed ? GIRIH_MLKEM_KEYGEN : GIRIH_MLKEM_LOAD, t->caches);
    girih_status status;

    if (seed)
        status = girih_mlkem_seed_load(dk, t->dk_bytes, t->set, t->caches, backend, key.p, w.ws, w.len);
    else
        status = girih_mlkem_dk_load(dk, t->dk_bytes, t->set, t->caches, backend, key.p, key.len, w.ws, w.len);
    give(w, t);
    if (status != GIRIH_OK)
        expect_no_output(t->op, (const uint8_t *)dk, t->dk_bytes);
    return status;
}

static girih_status keygen(const test_case *t, uint8_t *ek, uint8_t *dk)
{
    workspace w = take(t, GIRIH_MLKEM_KEYGEN, 0);
    girih_status status = girih_mlkem_keygen(ek, t->ek_len, dk, t->dk_len, t->set, backend, t->key.p, w.ws, w.len);

    give(w, t);
    return status;
}

/* The object that an exported cache gives is the one that it came from. */
static void carry(const test_case *t, const girih_mlkem_ek *ek, girih_mlkem_ek *copy, bytes encoded)
{
    const size_t len = girih_mlkem_export_bytes(t->set, t->caches);
    uint8_t *cache = (uint8_t *)allocate(len);
    workspace w = take(t, GIRIH_MLKEM_LOAD, t->caches);

    expect_status(t->op, girih_mlkem_ek_export(cache, len, ek, mac_key, sizeof mac_key), "OK");
    expect_status(t->op,
                  girih_mlkem_ek_import(copy, t->ek_bytes, t->set, t->caches, backend, encoded.p, encoded.len, cache, len, mac_key,
                                        sizeof mac_key, w.ws, w.len),
                  "OK");
    give(w, t);
    free(cache);
}

static void run_keygen(const test_case *t)
{
    const size_t padding = GIRIH_TABLE_ALIGN - t->ek_len % GIRIH_TABLE_ALIGN; /* behind the encoding at the end of an object */
    bytes ek = {(uint8_t *)allocate(t->ek_len), t->ek_len}, dk = {(uint8_t *)allocate(t->dk_len), t->dk_len};
    uint8_t digest[32], *again = (uint8_t *)allocate(t->dk_len);
    girih_mlkem_dk *from_seed = (girih_mlkem_dk *)allocate_table(t->dk_bytes), *from_dk = (girih_mlkem_dk *)allocate_table(t->dk_bytes);
    girih_mlkem_ek *from_ek = (girih_mlkem_ek *)allocate_table(t->ek_bytes), *copy = (girih_mlkem_ek *)allocate_table(t->ek_bytes);

    expect_status(t->op, keygen(t, ek.p, dk.p), "OK");
    sha256(digest, ek.p, ek.len, dk.p, dk.len);
    expect_bytes(t->op, digest, sizeof digest, t->expected);
    expect_status(t->op, girih_mlkem_check_ek(t->set, ek.p, ek.len), "OK");
    expect_status(t->op, girih_mlkem_check_dk(t->set, backend, dk.p, dk.len), "OK");

    expect_status(t->op, load_dk(from_seed, t, t->key), "OK");
    expect_status(t->op, girih_mlkem_dk_encode(again, t->dk_len, from_seed), "OK");
    same(t, again, dk.p, dk.len, "a loaded seed is another key");
    expect_status(t->op, load_dk(from_dk, t, dk), "OK");
    expect_status(t->op, girih_mlkem_dk_encode(again, t->dk_len, from_dk), "OK");
    same(t, again, dk.p, dk.len, "a loaded dk is another key");
    same(t, from_seed, from_dk, t->dk_bytes - padding, "a seed and its dk load as different objects");
    expect_status(t->op, load_ek(from_ek, t, ek), "OK");
    same(t, girih_mlkem_ek_encoding(from_ek), ek.p, ek.len, "a loaded ek is another key");
    carry(t, girih_mlkem_dk_public(from_seed), copy, ek);
    /* an imported key always has its H(ek), a loaded one where it is cached */
    same(t, copy, girih_mlkem_dk_public(from_dk), t->ek_bytes - padding, "an imported object is not the exported one");
    if ((t->caches & GIRIH_MLKEM_CACHE_H) != 0)
        same(t, copy, from_ek, t->ek_bytes - padding, "an imported object is not the loaded one");
    free(from_seed);
    free(from_dk);
    free(from_ek);
    free(copy);
    free(ek.p);
    free(dk.p);
    free(again);
}

/* Several times in one call, m changed but for the first: each gives what it gives alone. */
static void encaps_many(const test_case *t, const girih_mlkem_ek *ek)
{
    const size_t count = 1 + line_number % MOST;
    uint8_t *ms = (uint8_t *)allocate(32 * count), *cts = (uint8_t *)allocate(t->ct_len * count), *sss = (uint8_t *)allocate(32 * count);
    uint8_t *ct = (uint8_t *)allocate(t->ct_len), ss[32];
    workspace w = take(t, GIRIH_MLKEM_ENCAPS_MANY, t->caches);

    for (size_t i = 0; i < count; i++) {
        memcpy(ms + 32 * i, t->input.p, 32);
        ms[33 * i % (32 * count)] ^= (uint8_t)i;
    }
    expect_status(t->op, girih_mlkem_encaps_many(cts, sss, ek, ms, count, w.ws, w.len), "OK");
    give(w, t);
    for (size_t i = 0; i < count; i++) {
        w = take(t, GIRIH_MLKEM_ENCAPS, t->caches);
        expect_status(t->op, girih_mlkem_ek_encaps(ct, t->ct_len, ss, ek, ms + 32 * i, w.ws, w.len), "OK");
        give(w, t);
        same(t, ct, cts + t->ct_len * i, t->ct_len, "a ciphertext among many is another one");
        same(t, ss, sss + 32 * i, 32, "a shared secret among many is another one");
    }
    free(ms);
    free(cts);
    free(sss);
    free(ct);
}

static void expect_encapsulated(const test_case *t, uint8_t *ct, uint8_t *ss)
{
    uint8_t digest[32];

    sha256(digest, ct, t->ct_len, ss, 32);
    expect_bytes(t->op, digest, sizeof digest, t->expected);
    memset(ct, PREFILL, t->ct_len);
    memset(ss, PREFILL, 32);
}

static void run_encaps(const test_case *t)
{
    uint8_t *ct = (uint8_t *)allocate(t->ct_len), *ss = (uint8_t *)allocate(32);
    girih_mlkem_ek *ek = (girih_mlkem_ek *)allocate_table(t->ek_bytes);
    workspace w = take(t, GIRIH_MLKEM_ENCAPS, 0);
    girih_status status = girih_mlkem_encaps(ct, t->ct_len, ss, t->set, backend, t->key.p, t->key.len, t->input.p, w.ws, w.len);

    give(w, t);
    if (expected_status(t->expected) != 1) {
        expect_status(t->op, status, t->expected);
        expect_no_output(t->op, ct, t->ct_len);
        expect_no_output(t->op, ss, 32);
        expect_status(t->op, load_ek(ek, t, t->key), t->expected);
    } else {
        expect_status(t->op, status, "OK");
        expect_encapsulated(t, ct, ss);
        expect_status(t->op, load_ek(ek, t, t->key), "OK");
        w = take(t, GIRIH_MLKEM_ENCAPS, t->caches);
        expect_status(t->op, girih_mlkem_ek_encaps(ct, t->ct_len, ss, ek, t->input.p, w.ws, w.len), "OK");
        give(w, t);
        expect_encapsulated(t, ct, ss);
        encaps_many(t, ek);
    }
    free(ct);
    free(ss);
    free(ek);
}

/* The same ciphertext several times in one call, every other one with a changed bit. */
static void decaps_many(const test_case *t, const girih_mlkem_dk *dk)
{
    const size_t count = 1 + line_number % MOST;
    uint8_t *cts = (uint8_t *)allocate(t->ct_len * count), *sss = (uint8_t *)allocate(32 * count), ss[32];
    workspace w = take(t, GIRIH_MLKEM_DECAPS_MANY, t->caches);

    for (size_t i = 0; i < count; i++) {
        memcpy(cts + t->ct_len * i, t->input.p, t->ct_len);
        cts[t->ct_len * i + line_number * 37 % t->ct_len] ^= (uint8_t)(i % 2 << line_number % 8);
    }
    expect_status(t->op, girih_mlkem_decaps_many(sss, dk, cts, count, w.ws, w.len), "OK");
    give(w, t);
    for (size_t i = 0; i < count; i++) {
        w = take(t, GIRIH_MLKEM_DECAPS, t->caches);
        expect_status(t->op, girih_mlkem_dk_decaps(ss, dk, cts + t->ct_len * i, t->ct_len, w.ws, w.len), "OK");
        give(w, t);
        same(t, ss, sss + 32 * i, 32, "a shared secret among many is another one");
        if (i % 2 == 0)
            expect_bytes(t->op, ss, 32, t->expected);
        else if (memcmp(ss, sss, 32) == 0)
            fail(t->op, "a changed ciphertext has the same shared secret");
    }
    free(cts);
    free(sss);
}

static void run_decaps(const test_case *t)
{
    const int from_seed = t->key.len == GIRIH_MLKEM_SEED_BYTES;
    uint8_t *ss = (uint8_t *)allocate(32), *ek = (uint8_t *)allocate(t->ek_len), *made = (uint8_t *)allocate(t->dk_len);
    bytes dk = from_seed ? (bytes){made, t->dk_len} : t->key;
    girih_mlkem_dk *object = (girih_mlkem_dk *)allocate_table(t->dk_bytes);
    girih_status status, loaded;
    workspace w;

    if (from_seed)
        expect_status(t->op, keygen(t, ek, made), "OK");
    w = take(t, GIRIH_MLKEM_DECAPS, 0);
    status = girih_mlkem_decaps(ss, t->set, backend, dk.p, dk.len, t->input.p, t->input.len, w.ws, w.len);
    give(w, t);
    loaded = load_dk(object, t, t->key);
    if (expected_status(t->expected) != 1) {
        expect_status(t->op, status, t->expected);
        if (loaded == GIRIH_OK) {
            w = take(t, GIRIH_MLKEM_DECAPS, t->caches);
            loaded = girih_mlkem_dk_decaps(ss, object, t->input.p, t->input.len, w.ws, w.len);
            give(w, t);
        }
        expect_status(t->op, loaded, t->expected);
        expect_no_output(t->op, ss, 32);
    } else {
        expect_status(t->op, status, "OK");
        expect_bytes(t->op, ss, 32, t->expected);
        expect_status(t->op, loaded, "OK");
        decaps_many(t, object);
    }
    free(ss);
    free(ek);
    free(made);
    free(object);
}

static void run_export(const test_case *t)
{
    const size_t len = girih_mlkem_export_bytes(t->set, t->caches);
    uint8_t *cache = (uint8_t *)allocate(len), digest[32];
    girih_mlkem_ek *ek = (girih_mlkem_ek *)allocate_table(t->ek_bytes);

    expect_status(t->op, load_ek(ek, t, t->key), "OK");
    expect_status(t->op, girih_mlkem_ek_export(cache, len, ek, t->input.p + 1, t->input.len - 1), "OK");
    sha256(digest, cache, len, NULL, 0);
    expect_bytes(t->op, digest, sizeof digest, t->expected);
    free(cache);
    free(ek);
}

static void run_line(char *line)
{
    char *field[FIELDS];
    test_case t;

    split(line, field, FIELDS);
    t.op = field[0];
    t.set = (girih_mlkem_set)atoi(field[1]);
    t.key = parse_bytes(field[2]);
    t.input = parse_bytes(field[3]);
    t.expected = field[4];
    t.caches = strcmp(t.op, "export") == 0 ? t.input.p[0] : line_number % (GIRIH_MLKEM_CACHE_ALL + 1);
    t.ek_len = girih_mlkem_ek_encoded_bytes(t.set);
    t.dk_len = girih_mlkem_dk_encoded_bytes(t.set);
    t.ct_len = girih_mlkem_ct_bytes(t.set);
    t.ek_bytes = girih_mlkem_ek_bytes(t.set, t.caches, backend);
    t.dk_bytes = girih_mlkem_dk_bytes(t.set, t.caches, backend);
    if (strcmp(t.op, "keygen") == 0)
        run_keygen(&t);
    else if (strcmp(t.op, "encaps") == 0)
        run_encaps(&t);
    else if (strcmp(t.op, "decaps") == 0)
        run_decaps(&t);
    else if (strcmp(t.op, "check-ek") == 0)
        expect_status(t.op, girih_mlkem_check_ek(t.set, t.key.p, t.key.len), t.expected);
    else if (strcmp(t.op, "check-dk") == 0)
        expect_status(t.op, girih_mlkem_check_dk(t.set, backend, t.key.p, t.key.len), t.expected);
    else if (strcmp(t.op, "export") == 0)
        run_export(&t);
    else
        fail(t.op, "an unknown operation");
    free(t.key.p);
    free(t.input.p);
}

int main(int argc, char **argv)
{
    return run_file(argc, argv, run_line);
}
