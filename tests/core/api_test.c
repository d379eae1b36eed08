/* Every error of the public C interface, on purpose: what is refused, with which status, and that a refused call leaves its outputs alone.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: api_test BACKEND. Needs no vectors. Exit status 0 when all holds, else 1 and the line that does not. */
#include "girih/mldsa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFILL = 0xA5, GUARD = 64, MAX_SIG = GIRIH_MLDSA_87_SIGNATURE_BYTES, MAX_PK = GIRIH_MLDSA_87_PUBLIC_KEY_BYTES };

#define CHECK(condition)                                                                                                                   \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            fprintf(stderr, "%s:%d: not so on ML-DSA-%d: %s\n", __FILE__, __LINE__, set, #condition);                                      \
            exit(1);                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

static const girih_mldsa_set sets[] = {GIRIH_MLDSA_44, GIRIH_MLDSA_65, GIRIH_MLDSA_87};
static const uint8_t seed[32] = {1}, other_seed[32] = {2}, rnd[32] = {3}, msg[] = "message", ctx[256] = {4};
static girih_mldsa_set set; /* the one under test */
static girih_backend backend;

static int is(const void *p, size_t len, uint8_t value)
{
    const uint8_t *b = (const uint8_t *)p;

    for (size_t i = 0; i < len; i++)
        if (b[i] != value)
            return 0;
    return 1;
}

/* The longest run of zero bytes. */
static size_t most_zeros(const uint8_t *p, size_t len)
{
    size_t run = 0, most = 0;

    for (size_t i = 0; i < len; i++) {
        run = p[i] == 0 ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most;
}

static void *filled(size_t len)
{
    void *p = aligned_alloc(64, (len + 127) / 64 * 64);

    if (p == NULL)
        abort();
    memset(p, PREFILL, (len + 127) / 64 * 64);
    return p;
}

/* A key pair and its encodings, with a workspace for each operation. */
typedef struct {
    size_t pk_len, sk_len, sig_len, vk_bytes, table_bytes, ws_len[GIRIH_MLDSA_SIGN_MANY + 1];
    uint8_t *pk, *sk, *sig, *ws;
    girih_mldsa_vk *vk;
    girih_mldsa_sk *table;
} fixture;

static fixture make(const uint8_t from[32])
{
    fixture f;
    size_t most = 0;

    f.pk_len = girih_mldsa_public_key_bytes(set);
    f.sk_len = girih_mldsa_secret_key_bytes(set);
    f.sig_len = girih_mldsa_signature_bytes(set);
    f.vk_bytes = girih_mldsa_vk_bytes(set, backend);
    f.table_bytes = girih_mldsa_sk_bytes(set, backend);
    for (int op = GIRIH_MLDSA_KEYGEN; op <= GIRIH_MLDSA_SIGN_MANY; op++) {
        f.ws_len[op] = girih_mldsa_workspace_bytes(set, (girih_mldsa_op)op, backend);
        CHECK(f.ws_len[op] != 0);
        most = f.ws_len[op] > most ? f.ws_len[op] : most;
    }
    f.pk = (uint8_t *)filled(f.pk_len);
    f.sk = (uint8_t *)filled(f.sk_len);
    f.sig = (uint8_t *)filled(f.sig_len);
    f.ws = (uint8_t *)filled(most);
    f.vk = (girih_mldsa_vk *)filled(f.vk_bytes);
    f.table = (girih_mldsa_sk *)filled(f.table_bytes);
    CHECK(girih_mldsa_keygen(f.pk, f.pk_len, f.sk, f.sk_len, set, backend, from, f.ws, f.ws_len[GIRIH_MLDSA_KEYGEN]) == GIRIH_OK);
    CHECK(girih_mldsa_seed_load(f.vk, f.vk_bytes, f.table, f.table_bytes, NULL, 0, set, backend, from, f.ws, f.ws_len[GIRIH_MLDSA_LOAD]) ==
          GIRIH_OK);
    return f;
}

static void drop(fixture *f)
{
    free(f->pk);
    free(f->sk);
    free(f->sig);
    free(f->ws);
    free(f->vk);
    free(f->table);
}

static void test_sizes(void)
{
    static const size_t expected[3][3] = {
        {GIRIH_MLDSA_44_PUBLIC_KEY_BYTES, GIRIH_MLDSA_44_SECRET_KEY_BYTES, GIRIH_MLDSA_44_SIGNATURE_BYTES},
        {GIRIH_MLDSA_65_PUBLIC_KEY_BYTES, GIRIH_MLDSA_65_SECRET_KEY_BYTES, GIRIH_MLDSA_65_SIGNATURE_BYTES},
        {GIRIH_MLDSA_87_PUBLIC_KEY_BYTES, GIRIH_MLDSA_87_SECRET_KEY_BYTES, GIRIH_MLDSA_87_SIGNATURE_BYTES}};
    static const int unknown[] = {0, 1, 43, 45, 64, 66, 86, 88, -44};

    for (int i = 0; i < 3; i++) {
        set = sets[i];
        CHECK(girih_mldsa_public_key_bytes(set) == expected[i][0]);
        CHECK(girih_mldsa_secret_key_bytes(set) == expected[i][1]);
        CHECK(girih_mldsa_signature_bytes(set) == expected[i][2]);
        CHECK(girih_mldsa_vk_bytes(set, backend) != 0 && girih_mldsa_sk_bytes(set, backend) != 0);
        CHECK(girih_mldsa_vk_bytes(set, (girih_backend)0) == 0 && girih_mldsa_sk_bytes(set, (girih_backend)0) == 0);
        CHECK(girih_mldsa_workspace_bytes(set, (girih_mldsa_op)0, backend) == 0);
        CHECK(girih_mldsa_workspace_bytes(set, (girih_mldsa_op)(GIRIH_MLDSA_SIGN_MANY + 1), backend) == 0);
        CHECK(girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_SIGN, (girih_backend)0) == 0);
        CHECK(girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_SIGN, (girih_backend)99) == 0);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        set = (girih_mldsa_set)unknown[i];
        CHECK(girih_mldsa_public_key_bytes(set) == 0);
        CHECK(girih_mldsa_secret_key_bytes(set) == 0);
        CHECK(girih_mldsa_signature_bytes(set) == 0);
        CHECK(girih_mldsa_vk_bytes(set, backend) == 0);
        CHECK(girih_mldsa_sk_bytes(set, backend) == 0);
        CHECK(girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_SIGN, backend) == 0);
    }
}

static void test_common(void)
{
    uint8_t a[33], b[33];

    CHECK(girih_backend_available(girih_backend_detect()));
    CHECK(!girih_backend_available((girih_backend)0));
    CHECK(!girih_backend_available((girih_backend)63));
    CHECK(strcmp(girih_backend_name(GIRIH_BACKEND_C), "c") == 0);
    CHECK(strcmp(girih_backend_name(GIRIH_BACKEND_C32), "c32") == 0);
    CHECK(strcmp(girih_backend_name(GIRIH_BACKEND_AVX2), "avx2") == 0);
    CHECK(strcmp(girih_backend_name(GIRIH_BACKEND_AVX512), "avx512") == 0);
    CHECK(strcmp(girih_backend_name((girih_backend)0), "") == 0);
    memset(a, PREFILL, sizeof a);
    memset(b, PREFILL, sizeof b);
    for (size_t i = 0; i < 32; i++) {
        CHECK(girih_equal(a, b, 32));
        b[i] ^= (uint8_t)(1U << i % 8);
        CHECK(!girih_equal(a, b, 32));
        CHECK(girih_equal(a, b, i));
        b[i] = a[i];
    }
    CHECK(girih_equal(NULL, NULL, 0));
    girih_wipe(NULL, 0);
    girih_wipe(a, 32);
    CHECK(is(a, 32, 0) && a[32] == PREFILL);
}

static void test_hashes(void)
{
    static const size_t digest[] = {28, 32, 48, 64};
    uint8_t out[65];
    girih_sha3 h;

    for (int kind = GIRIH_SHA3_224; kind <= GIRIH_SHA3_512; kind++) {
        size_t len = digest[kind - GIRIH_SHA3_224];

        memset(out, PREFILL, sizeof out);
        CHECK(girih_sha3_hash(out, len - 1, (girih_sha3_kind)kind, backend, msg, 7) == GIRIH_BAD_LENGTH);
        CHECK(girih_sha3_hash(out, len + 1, (girih_sha3_kind)kind, backend, msg, 7) == GIRIH_BAD_LENGTH);
        CHECK(girih_sha3_init(&h, (girih_sha3_kind)kind, backend) == GIRIH_OK);
        CHECK(girih_shake_squeeze(out, len, &h) == GIRIH_BAD_ARGUMENT);
        CHECK(girih_sha3_final(out, len - 1, &h) == GIRIH_BAD_LENGTH);
        CHECK(girih_sha3_final(out, len + 1, &h) == GIRIH_BAD_LENGTH);
        CHECK(is(out, sizeof out, PREFILL));
        CHECK(girih_sha3_final(out, len, &h) == GIRIH_OK);
        CHECK(out[len] == PREFILL && is(&h, sizeof h, 0));
        CHECK(girih_sha3_final(out, len, &h) == GIRIH_BAD_ARGUMENT); /* a finished hash is none */
        CHECK(girih_sha3_init(&h, (girih_sha3_kind)kind, (girih_backend)0) == GIRIH_BAD_ARGUMENT);
    }
    memset(out, PREFILL, sizeof out);
    CHECK(girih_sha3_init(&h, (girih_sha3_kind)0, backend) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_sha3_init(&h, (girih_sha3_kind)(GIRIH_SHAKE256 + 1), backend) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_sha3_hash(out, 32, (girih_sha3_kind)0, backend, msg, 7) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_sha3_init(&h, GIRIH_SHAKE256, backend) == GIRIH_OK);
    CHECK(girih_sha3_final(out, 32, &h) == GIRIH_BAD_ARGUMENT);
    CHECK(is(out, sizeof out, PREFILL));
    CHECK(girih_shake_squeeze(out, 1, &h) == GIRIH_OK);
    CHECK(girih_sha3_update(&h, msg, 7) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_sha3_update(&h, NULL, 0) == GIRIH_BAD_ARGUMENT);
}

static void test_keygen(const fixture *f)
{
    uint8_t *pk = (uint8_t *)filled(f->pk_len), *sk = (uint8_t *)filled(f->sk_len);
    size_t len = f->ws_len[GIRIH_MLDSA_KEYGEN];

    CHECK(girih_mldsa_keygen(pk, f->pk_len - 1, sk, f->sk_len, set, backend, seed, f->ws, len) == GIRIH_BAD_LENGTH);
    CHECK(girih_mldsa_keygen(pk, f->pk_len + 1, sk, f->sk_len, set, backend, seed, f->ws, len) == GIRIH_BAD_LENGTH);
    CHECK(girih_mldsa_keygen(pk, f->pk_len, sk, f->sk_len - 1, set, backend, seed, f->ws, len) == GIRIH_BAD_LENGTH);
    CHECK(girih_mldsa_keygen(pk, f->pk_len, sk, f->sk_len + 1, set, backend, seed, f->ws, len) == GIRIH_BAD_LENGTH);
    CHECK(girih_mldsa_keygen(pk, f->pk_len, sk, f->sk_len, (girih_mldsa_set)0, backend, seed, f->ws, len) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_keygen(pk, f->pk_len, sk, f->sk_len, set, (girih_backend)0, seed, f->ws, len) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_keygen(pk, f->pk_len, sk, f->sk_len, set, backend, seed, f->ws, len - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mldsa_keygen(pk, f->pk_len, sk, f->sk_len, set, backend, seed, NULL, 0) == GIRIH_WORKSPACE);
    CHECK(is(pk, f->pk_len, PREFILL) && is(sk, f->sk_len, PREFILL));
    free(pk);
    free(sk);
}

/* Every load with memory of other lengths and alignments than it asks for. */
static void test_load_arguments(const fixture *f)
{
    uint8_t *pk = (uint8_t *)filled(f->pk_len), *vk = (uint8_t *)filled(f->vk_bytes), *sk = (uint8_t *)filled(f->table_bytes);
    size_t vn = f->vk_bytes, sn = f->table_bytes, pn = f->pk_len, wn = f->ws_len[GIRIH_MLDSA_LOAD];
    girih_mldsa_vk *v = (girih_mldsa_vk *)vk, *v4 = (girih_mldsa_vk *)(vk + 32);
    girih_mldsa_sk *s = (girih_mldsa_sk *)sk, *s4 = (girih_mldsa_sk *)(sk + 32);
    const struct {
        girih_status status;
        girih_mldsa_vk *vk;
        size_t vk_len;
        girih_mldsa_sk *sk;
        size_t sk_len;
        uint8_t *pk;
        size_t pk_len, ws_len;
        girih_mldsa_set set;
        girih_backend backend;
    } row[] = {{GIRIH_BAD_ARGUMENT, v, vn, s, sn, pk, pn, wn, (girih_mldsa_set)0, backend},
               {GIRIH_BAD_ARGUMENT, v, vn, s, sn, pk, pn, wn, set, (girih_backend)0},
               {GIRIH_BAD_ARGUMENT, v4, vn, s, sn, pk, pn, wn, set, backend},
               {GIRIH_BAD_ARGUMENT, v, vn, s4, sn, pk, pn, wn, set, backend},
               {GIRIH_WORKSPACE, v, vn - 1, s, sn, pk, pn, wn, set, backend},
               {GIRIH_WORKSPACE, v, vn, s, sn - 1, pk, pn, wn, set, backend},
               {GIRIH_WORKSPACE, v, vn, s, sn, pk, pn, wn - 1, set, backend},
               {GIRIH_BAD_LENGTH, v, vn, s, sn, pk, pn - 1, wn, set, backend},
               {GIRIH_BAD_LENGTH, v, vn, s, sn, pk, pn + 1, wn, set, backend},
               {GIRIH_BAD_LENGTH, v, vn, s, sn, pk, 0, wn, set, backend},
               {GIRIH_BAD_LENGTH, v, vn, s, sn, NULL, pn, wn, set, backend}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        CHECK(girih_mldsa_seed_load(row[i].vk, row[i].vk_len, row[i].sk, row[i].sk_len, row[i].pk, row[i].pk_len, row[i].set,
                                    row[i].backend, seed, f->ws, row[i].ws_len) == row[i].status);
        CHECK(girih_mldsa_sk_load(row[i].vk, row[i].vk_len, row[i].sk, row[i].sk_len, row[i].pk, row[i].pk_len, row[i].set, row[i].backend,
                                  f->sk, f->sk_len, f->ws, row[i].ws_len) == row[i].status);
    }
    CHECK(girih_mldsa_sk_load(v, vn, s, sn, pk, pn, set, backend, f->sk, f->sk_len - 1, f->ws, wn) == GIRIH_BAD_LENGTH);
    CHECK(girih_mldsa_sk_load(v, vn, s, sn, pk, pn, set, backend, f->sk, f->sk_len + 1, f->ws, wn) == GIRIH_BAD_LENGTH);
    CHECK(girih_mldsa_vk_load(v, vn, (girih_mldsa_set)0, backend, f->pk, pn, f->ws, wn) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_vk_load(v, vn, set, (girih_backend)0, f->pk, pn, f->ws, wn) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_vk_load(v4, vn, set, backend, f->pk, pn, f->ws, wn) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_vk_load(v, vn - 1, set, backend, f->pk, pn, f->ws, wn) == GIRIH_WORKSPACE);
    CHECK(girih_mldsa_vk_load(v, vn, set, backend, f->pk, pn, f->ws, wn - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mldsa_vk_load(v, vn, set, backend, f->pk, pn - 1, f->ws, wn) == GIRIH_BAD_LENGTH);
    CHECK(girih_mldsa_vk_load(v, vn, set, backend, f->pk, pn + 1, f->ws, wn) == GIRIH_BAD_LENGTH);
    CHECK(is(vk, vn, PREFILL) && is(sk, sn, PREFILL) && is(pk, pn, PREFILL));
    free(pk);
    free(vk);
    free(sk);
}

/* Secret keys of the right length that no key generation gives: each part of the encoding changed in turn. K alone may be anything. */
static void test_inconsistent_secret_keys(const fixture *f)
{
    const unsigned eta_bytes = set == GIRIH_MLDSA_65 ? 128 : 96, k = set == GIRIH_MLDSA_44 ? 4 : set == GIRIH_MLDSA_65 ? 6 : 8;
    const size_t s1 = 128, t0 = f->sk_len - 416 * k, s2 = t0 - eta_bytes * k;
    const uint8_t range = set == GIRIH_MLDSA_65 ? 0x0F : 0x07; /* a field above 2 eta */
    uint8_t *pk = (uint8_t *)filled(f->pk_len), *vk = (uint8_t *)filled(f->vk_bytes), *sk = (uint8_t *)filled(f->table_bytes);
    uint8_t *bad = (uint8_t *)filled(f->sk_len);
    const struct {
        girih_status status;
        size_t at;
        uint8_t set, flip;
    } change[] = {{GIRIH_OK, 32, 0, 1},          {GIRIH_OK, 63, 0, 0x80},
                  {GIRIH_BAD_KEY, 0, 0, 1},      {GIRIH_BAD_KEY, 31, 0, 0x80},
                  {GIRIH_BAD_KEY, 64, 0, 1},     {GIRIH_BAD_KEY, 127, 0, 0x80},
                  {GIRIH_BAD_KEY, s1, range, 0}, {GIRIH_BAD_KEY, s2 - 1, 0xF0, 0},
                  {GIRIH_BAD_KEY, s2, range, 0}, {GIRIH_BAD_KEY, t0 - 1, 0xF0, 0},
                  {GIRIH_BAD_KEY, t0, 0, 1},     {GIRIH_BAD_KEY, f->sk_len - 1, 0, 0x80}};

    for (size_t i = 0; i < sizeof change / sizeof change[0]; i++) {
        girih_status status;

        memcpy(bad, f->sk, f->sk_len);
        bad[change[i].at] = (uint8_t)((bad[change[i].at] | change[i].set) ^ change[i].flip);
        memset(pk, PREFILL, f->pk_len);
        status = girih_mldsa_sk_load((girih_mldsa_vk *)vk, f->vk_bytes, (girih_mldsa_sk *)sk, f->table_bytes, pk, f->pk_len, set, backend,
                                     bad, f->sk_len, f->ws, f->ws_len[GIRIH_MLDSA_LOAD]);
        CHECK(status == change[i].status);
        if (status == GIRIH_OK)
            CHECK(memcmp(pk, f->pk, f->pk_len) == 0);
        else
            CHECK(is(vk, f->vk_bytes, 0) && is(sk, f->table_bytes, 0) && is(pk, f->pk_len, 0));
        CHECK(is(f->ws, f->ws_len[GIRIH_MLDSA_LOAD] - 64, 0));
        memset(f->ws, PREFILL, f->ws_len[GIRIH_MLDSA_LOAD]);
    }
    free(pk);
    free(vk);
    free(sk);
    free(bad);
}

static void test_table_views(const fixture *f)
{
    const unsigned k = set == GIRIH_MLDSA_44   ? 4
                       : set == GIRIH_MLDSA_65 ? 6
                                               : 8,
                   l = set == GIRIH_MLDSA_44   ? 4
                       : set == GIRIH_MLDSA_65 ? 5
                                               : 7;
    int32_t entry[256];
    uint8_t tr[64], again[64], magic;

    for (unsigned i = 0; i < k; i++)
        for (unsigned j = 0; j < l; j++)
            CHECK(girih_mldsa_vk_a_hat(entry, f->vk, i, j) == GIRIH_OK);
    memset(entry, PREFILL, sizeof entry);
    memset(tr, PREFILL, sizeof tr);
    CHECK(girih_mldsa_vk_a_hat(entry, f->vk, k, 0) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_vk_a_hat(entry, f->vk, 0, l) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_tr(tr, (girih_mldsa_set)0, backend, f->pk, f->pk_len) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_tr(tr, set, (girih_backend)0, f->pk, f->pk_len) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_tr(tr, set, backend, f->pk, f->pk_len - 1) == GIRIH_BAD_LENGTH);
    CHECK(girih_mldsa_tr(tr, set, backend, f->pk, f->pk_len + 1) == GIRIH_BAD_LENGTH);
    /* A table whose first four bytes, its magic, are not what a load wrote; and one that names a set there is not. */
    for (size_t at = 0; at < 8; at++) {
        magic = ((uint8_t *)f->vk)[at];
        ((uint8_t *)f->vk)[at] = 0x5A;
        CHECK(girih_mldsa_vk_a_hat(entry, f->vk, 0, 0) == GIRIH_BAD_KEY);
        CHECK(girih_mldsa_vk_tr(tr, f->vk) == GIRIH_BAD_KEY);
        CHECK(girih_mldsa_verify(f->vk, f->sig, f->sig_len, msg, 7, ctx, 0, f->ws, f->ws_len[GIRIH_MLDSA_VERIFY]) == GIRIH_BAD_KEY);
        CHECK(girih_mldsa_sign(f->sig, f->sig_len, f->table, f->vk, msg, 7, ctx, 0, rnd, NULL, f->ws, f->ws_len[GIRIH_MLDSA_SIGN]) ==
              GIRIH_BAD_KEY);
        ((uint8_t *)f->vk)[at] = magic;
    }
    CHECK(is(entry, sizeof entry, PREFILL) && is(tr, sizeof tr, PREFILL));
    CHECK(girih_mldsa_vk_tr(tr, f->vk) == GIRIH_OK);
    CHECK(girih_mldsa_tr(again, set, backend, f->pk, f->pk_len) == GIRIH_OK);
    CHECK(memcmp(tr, again, sizeof tr) == 0);
}

static void test_mu(const fixture *f)
{
    static const struct {
        int hash;
        size_t len;
    } digests[] = {{GIRIH_MLDSA_SHA2_256, 32},
                   {GIRIH_MLDSA_SHA2_384, 48},
                   {GIRIH_MLDSA_SHA2_512, 64},
                   {GIRIH_MLDSA_SHA2_224, 28},
                   {GIRIH_MLDSA_SHA2_512_224, 28},
                   {GIRIH_MLDSA_SHA2_512_256, 32},
                   {GIRIH_MLDSA_SHA3_224, 28},
                   {GIRIH_MLDSA_SHA3_256, 32},
                   {GIRIH_MLDSA_SHA3_384, 48},
                   {GIRIH_MLDSA_SHA3_512, 64},
                   {GIRIH_MLDSA_SHAKE128, 32},
                   {GIRIH_MLDSA_SHAKE256, 64},
                   {0, 0},
                   {GIRIH_MLDSA_SHAKE256 + 1, 0}};
    uint8_t tr[64], out[64], streamed[64], digest[65] = {5};
    girih_mldsa_mu mu;
    size_t ws_len = f->ws_len[GIRIH_MLDSA_SIGN];

    CHECK(girih_mldsa_vk_tr(tr, f->vk) == GIRIH_OK);
    for (size_t i = 0; i < sizeof digests / sizeof digests[0]; i++) {
        girih_mldsa_hash hash = (girih_mldsa_hash)digests[i].hash;
        size_t len = digests[i].len;

        memset(out, PREFILL, sizeof out);
        CHECK(girih_mldsa_digest_bytes(hash) == len);
        if (len == 0) {
            CHECK(girih_mldsa_mu_of_digest(out, backend, tr, hash, digest, len, ctx, 0) == GIRIH_BAD_ARGUMENT);
            CHECK(girih_mldsa_sign_digest(f->sig, f->sig_len, f->table, f->vk, hash, digest, len, ctx, 0, rnd, NULL, f->ws, ws_len) ==
                  GIRIH_BAD_ARGUMENT);
            CHECK(girih_mldsa_verify_digest(f->vk, f->sig, f->sig_len, hash, digest, len, ctx, 0, f->ws, f->ws_len[GIRIH_MLDSA_VERIFY]) ==
                  GIRIH_BAD_ARGUMENT);
        } else {
            CHECK(girih_mldsa_mu_of_digest(out, backend, tr, hash, digest, len - 1, ctx, 0) == GIRIH_BAD_LENGTH);
            CHECK(girih_mldsa_mu_of_digest(out, backend, tr, hash, digest, len + 1, ctx, 0) == GIRIH_BAD_LENGTH);
            CHECK(girih_mldsa_mu_of_digest(out, backend, tr, hash, digest, len, ctx, 256) == GIRIH_BAD_CONTEXT);
            CHECK(girih_mldsa_mu_of_digest(out, (girih_backend)0, tr, hash, digest, len, ctx, 0) == GIRIH_BAD_ARGUMENT);
            CHECK(is(out, sizeof out, PREFILL));
            CHECK(girih_mldsa_mu_of_digest(out, backend, tr, hash, digest, len, ctx, 255) == GIRIH_OK);
        }
    }
    CHECK(girih_mldsa_mu_init(&mu, backend, tr, ctx, 256) == GIRIH_BAD_CONTEXT);
    CHECK(girih_mldsa_mu_init(&mu, (girih_backend)0, tr, ctx, 0) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_mu_init(&mu, backend, tr, ctx, 255) == GIRIH_OK);
    CHECK(girih_mldsa_mu_update(&mu, msg, 3) == GIRIH_OK);
    CHECK(girih_mldsa_mu_update(&mu, msg + 3, 4) == GIRIH_OK);
    CHECK(girih_mldsa_mu_final(streamed, &mu) == GIRIH_OK);
    memset(out, PREFILL, sizeof out);
    CHECK(girih_mldsa_mu_update(&mu, msg, 1) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_mu_final(out, &mu) == GIRIH_BAD_ARGUMENT);
    CHECK(is(out, sizeof out, PREFILL));
    /* what was streamed is what sign and verify hash themselves */
    CHECK(girih_mldsa_sign_mu(f->sig, f->sig_len, f->table, f->vk, streamed, rnd, NULL, f->ws, ws_len) == GIRIH_OK);
    CHECK(girih_mldsa_verify(f->vk, f->sig, f->sig_len, msg, 7, ctx, 255, f->ws, f->ws_len[GIRIH_MLDSA_VERIFY]) == GIRIH_OK);
    CHECK(girih_mldsa_verify(f->vk, f->sig, f->sig_len, msg, 7, ctx, 254, f->ws, f->ws_len[GIRIH_MLDSA_VERIFY]) == GIRIH_BAD_SIGNATURE);
}

static void test_sign(const fixture *f)
{
    static const girih_mldsa_options one = {.max_attempts = 1}, few = {.max_attempts = 50, .checked = 1}, checked = {.checked = 1},
                                     many = {.max_attempts = UINT32_MAX};
    girih_mldsa_options with_pk = {.checked = 1, .pk = f->pk, .pk_len = f->pk_len};
    fixture other = make(other_seed);
    uint8_t *sig = (uint8_t *)filled(f->sig_len + 1), *table = (uint8_t *)f->table, *vk = (uint8_t *)f->vk, mu[64] = {6}, hedge[32] = {0};
    size_t len = f->ws_len[GIRIH_MLDSA_SIGN], n = f->sig_len;
    const int transformed = backend == GIRIH_BACKEND_C || backend == GIRIH_BACKEND_C32; /* t0 is k polynomials at the end */
    const size_t swapped = !transformed ? 0 : 1024 * (size_t)(set == GIRIH_MLDSA_44 ? 4 : set == GIRIH_MLDSA_65 ? 6 : 8);
    uint8_t *own = (uint8_t *)filled(swapped);
    unsigned exhausted = 0, signed_at_once = 0;
    girih_status status;

#define SIGN(out, out_len, key, public_table, ctx_len, options, ws_len)                                                                    \
    girih_mldsa_sign(out, out_len, key, public_table, msg, 7, ctx, ctx_len, rnd, options, f->ws, ws_len)
    CHECK(SIGN(sig, n - 1, f->table, f->vk, 0, NULL, len) == GIRIH_BAD_LENGTH);
    CHECK(SIGN(sig, n + 1, f->table, f->vk, 0, NULL, len) == GIRIH_BAD_LENGTH);
    CHECK(SIGN(sig, n, f->table, f->vk, 0, NULL, len - 1) == GIRIH_WORKSPACE);
    CHECK(SIGN(sig, n, f->table, f->vk, 256, NULL, len) == GIRIH_BAD_CONTEXT);
    CHECK(SIGN(sig, n, f->table, other.vk, 0, NULL, len) == GIRIH_BAD_KEY);
    CHECK(SIGN(sig, n, f->table, (const girih_mldsa_vk *)(const void *)((const uint8_t *)f->vk + 8), 0, NULL, len) == GIRIH_BAD_KEY);
    CHECK(SIGN(sig, n, (const girih_mldsa_sk *)(const void *)(table + 8), f->vk, 0, NULL, len) == GIRIH_BAD_KEY);
    CHECK(is(sig, n + 1, PREFILL) || is(sig, n, 0));
    for (size_t at = 0; at < 8; at++) { /* magic and set of the secret table */
        uint8_t was = table[at];

        table[at] = 0x5A;
        CHECK(SIGN(sig, n, f->table, f->vk, 0, NULL, len) == GIRIH_BAD_KEY);
        CHECK(girih_mldsa_sign_mu(sig, n, f->table, f->vk, mu, rnd, NULL, f->ws, len) == GIRIH_BAD_KEY);
        table[at] = was;
    }
    CHECK(SIGN(sig, n, f->table, f->vk, 255, NULL, len) == GIRIH_OK);
    CHECK(sig[n] == PREFILL);
    CHECK(SIGN(f->sig, n, f->table, f->vk, 255, &many, len) == GIRIH_OK);
    CHECK(memcmp(sig, f->sig, n) == 0);

    /* A budget of one attempt ends both ways; the released signature is the one without a budget. */
    for (; hedge[0] != 64; hedge[0]++) {
        memset(sig, PREFILL, n);
        status = girih_mldsa_sign_mu(sig, n, f->table, f->vk, mu, hedge, &one, f->ws, len);
        CHECK(is(f->ws, len - 64, 0));
        if (status == GIRIH_OK) {
            signed_at_once++;
            CHECK(girih_mldsa_sign_mu(f->sig, n, f->table, f->vk, mu, hedge, NULL, f->ws, len) == GIRIH_OK);
            CHECK(memcmp(sig, f->sig, n) == 0);
        } else {
            exhausted++;
            CHECK(status == GIRIH_ATTEMPTS && is(sig, n, 0));
        }
    }
    CHECK(exhausted > 16 && signed_at_once > 4);

    /* A public table changed after the load: the checked mode sees it, wherever it is (but for 16 bytes of padding), and releases nothing.
     * tr must fit the secret table, which is a bad key. */
    for (size_t at = 16; at < f->vk_bytes; at += at < 128 ? 1 : 509) {
        vk[at] ^= 1;
        memset(sig, PREFILL, n);
        status = SIGN(sig, n, f->table, f->vk, 0, &checked, len);
        CHECK(status == GIRIH_FAULT || (at < 128 && status == GIRIH_BAD_KEY) || (at >= 112 && at < 128 && status == GIRIH_OK));
        CHECK(status == GIRIH_OK || is(sig, n, 0) || is(sig, n, PREFILL));
        vk[at] ^= 1;
    }
    /* The encoded public key finds what was wrong before the first digest was taken. */
    CHECK(SIGN(sig, n, f->table, f->vk, 0, &with_pk, len) == GIRIH_OK);
    with_pk.pk_len--;
    CHECK(SIGN(sig, n, f->table, f->vk, 0, &with_pk, len) == GIRIH_BAD_LENGTH);
    with_pk.pk_len++;
    for (size_t at = 0; at < f->pk_len; at += f->pk_len - 1) {
        f->pk[at] ^= 1;
        memset(sig, PREFILL, n);
        CHECK(SIGN(sig, n, f->table, f->vk, 0, &with_pk, len) == GIRIH_FAULT && is(sig, n, 0));
        f->pk[at] ^= 1;
    }
    /* A t0 of another key: its hints are as many, and wrong, so that what is signed does not verify. */
    memcpy(own, table + f->table_bytes - swapped, swapped);
    memcpy(table + f->table_bytes - swapped, (uint8_t *)other.table + f->table_bytes - swapped, swapped);
    memset(sig, PREFILL, n);
    CHECK(SIGN(sig, n, f->table, f->vk, 0, &checked, len) == (transformed ? GIRIH_FAULT : GIRIH_OK));
    CHECK(!transformed || is(sig, n, 0));
    memcpy(table + f->table_bytes - swapped, own, swapped);
    free(own);
    /* A secret changed after the load: what the checked mode releases is a signature, or nothing. */
    table[f->table_bytes / 2] ^= 4;
    memset(sig, PREFILL, n);
    status = SIGN(sig, n, f->table, f->vk, 0, &few, len);
    if (status == GIRIH_OK)
        CHECK(girih_mldsa_verify(f->vk, sig, n, msg, 7, ctx, 0, f->ws, f->ws_len[GIRIH_MLDSA_VERIFY]) == GIRIH_OK);
    else
        CHECK((status == GIRIH_ATTEMPTS || status == GIRIH_FAULT) && is(sig, n, 0));
    table[f->table_bytes / 2] ^= 4;
    CHECK(SIGN(sig, n, f->table, f->vk, 0, &checked, len) == GIRIH_OK);
#undef SIGN
    free(sig);
    drop(&other);
}

/* A signature of msg and 3 bytes of ctx with some bytes replaced, right after the good one in the same workspace: what the refusal did not
 * compute may still lie there, with the c_tilde that fits. */
static void refused_after_the_good_one(const fixture *f, const uint8_t *good, size_t at, const uint8_t *bytes, size_t count)
{
    uint8_t *sig = (uint8_t *)filled(f->sig_len);
    size_t len = f->ws_len[GIRIH_MLDSA_VERIFY];

    memcpy(sig, good, f->sig_len);
    memcpy(sig + at, bytes, count);
    CHECK(girih_mldsa_verify(f->vk, good, f->sig_len, msg, 7, ctx, 3, f->ws, len) == GIRIH_OK);
    CHECK(girih_mldsa_verify(f->vk, sig, f->sig_len, msg, 7, ctx, 3, f->ws, len) == GIRIH_BAD_SIGNATURE);
    free(sig);
}

static void test_verify(const fixture *f)
{
    static const uint8_t malformed[] = {255, 0, 0, 0};
    const size_t c_tilde_bytes = set == GIRIH_MLDSA_44 ? 32 : set == GIRIH_MLDSA_65 ? 48 : 64;
    uint8_t *sig = (uint8_t *)filled(f->sig_len + 1), mu[64] = {6};
    size_t len = f->ws_len[GIRIH_MLDSA_VERIFY], n = f->sig_len;

    CHECK(girih_mldsa_sign(sig, n, f->table, f->vk, msg, 7, ctx, 3, rnd, NULL, f->ws, f->ws_len[GIRIH_MLDSA_SIGN]) == GIRIH_OK);
    CHECK(girih_mldsa_verify(f->vk, sig, n, msg, 7, ctx, 3, f->ws, len) == GIRIH_OK);
    CHECK(girih_mldsa_verify(f->vk, sig, n, msg, 6, ctx, 3, f->ws, len) == GIRIH_BAD_SIGNATURE);
    CHECK(girih_mldsa_verify(f->vk, sig, n, msg, 7, ctx, 2, f->ws, len) == GIRIH_BAD_SIGNATURE);
    CHECK(girih_mldsa_verify(f->vk, sig, n - 1, msg, 7, ctx, 3, f->ws, len) == GIRIH_BAD_SIGNATURE);
    CHECK(girih_mldsa_verify(f->vk, sig, n + 1, msg, 7, ctx, 3, f->ws, len) == GIRIH_BAD_SIGNATURE);
    CHECK(girih_mldsa_verify(f->vk, NULL, 0, msg, 7, ctx, 3, f->ws, len) == GIRIH_BAD_SIGNATURE);
    CHECK(girih_mldsa_verify(f->vk, sig, n, msg, 7, ctx, 256, f->ws, len) == GIRIH_BAD_CONTEXT);
    CHECK(girih_mldsa_verify(f->vk, sig, n - 1, msg, 7, ctx, 256, f->ws, len) ==
          GIRIH_BAD_CONTEXT); /* a mistake is not hidden by a bad signature */
    CHECK(girih_mldsa_verify(f->vk, sig, n, msg, 7, ctx, 3, f->ws, len - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mldsa_verify_mu(f->vk, sig, n, mu, f->ws, len - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mldsa_verify_mu(f->vk, sig, n, mu, f->ws, len) == GIRIH_BAD_SIGNATURE);
    refused_after_the_good_one(f, sig, n - 1, malformed, 1);             /* hints that no signer writes */
    refused_after_the_good_one(f, sig, c_tilde_bytes, malformed + 1, 3); /* the first coefficient of z is gamma1, which is too long */
    /* the internal interface signs something else */
    CHECK(girih_mldsa_verify_internal(f->vk, sig, n, msg, 7, f->ws, len) == GIRIH_BAD_SIGNATURE);
    CHECK(girih_mldsa_sign_internal(sig, n, f->table, f->vk, msg, 7, rnd, NULL, f->ws, f->ws_len[GIRIH_MLDSA_SIGN]) == GIRIH_OK);
    CHECK(girih_mldsa_verify_internal(f->vk, sig, n, msg, 7, f->ws, len) == GIRIH_OK);
    CHECK(girih_mldsa_verify(f->vk, sig, n, msg, 7, NULL, 0, f->ws, len) == GIRIH_BAD_SIGNATURE);
    /* so does the interface for digests, whose domain is another */
    CHECK(girih_mldsa_sign_digest(sig, n, f->table, f->vk, GIRIH_MLDSA_SHA3_256, ctx, 32, NULL, 0, rnd, NULL, f->ws,
                                  f->ws_len[GIRIH_MLDSA_SIGN]) == GIRIH_OK);
    CHECK(girih_mldsa_verify_digest(f->vk, sig, n, GIRIH_MLDSA_SHA3_256, ctx, 32, NULL, 0, f->ws, len) == GIRIH_OK);
    CHECK(girih_mldsa_verify_digest(f->vk, sig, n, GIRIH_MLDSA_SHA2_256, ctx, 32, NULL, 0, f->ws, len) == GIRIH_BAD_SIGNATURE);
    CHECK(girih_mldsa_verify(f->vk, sig, n, ctx, 32, NULL, 0, f->ws, len) == GIRIH_BAD_SIGNATURE);
    free(sig);
}

static void test_verify_many(const fixture *f)
{
    enum { MOST = 9 };
    girih_mldsa_verify_item items[MOST];
    uint8_t *sig = (uint8_t *)filled(f->sig_len);
    size_t len = f->ws_len[GIRIH_MLDSA_VERIFY_MANY], n = f->sig_len;
    uint8_t *magic = (uint8_t *)f->vk, was = magic[4];
    girih_mldsa_vk *bad = (girih_mldsa_vk *)filled(f->vk_bytes);
    girih_mldsa_set other_set = set == GIRIH_MLDSA_44 ? GIRIH_MLDSA_65 : GIRIH_MLDSA_44;
    girih_backend other_backend = backend == GIRIH_BACKEND_C ? GIRIH_BACKEND_C32 : GIRIH_BACKEND_C;

    CHECK(girih_mldsa_sign(sig, n, f->table, f->vk, msg, 7, ctx, 3, rnd, NULL, f->ws, f->ws_len[GIRIH_MLDSA_SIGN]) == GIRIH_OK);
    CHECK(girih_mldsa_verify_many(items, 0, set, backend, f->ws, len) == GIRIH_OK);
    CHECK(girih_mldsa_verify_many(NULL, 0, set, backend, f->ws, len) == GIRIH_OK);
    for (size_t count = 1; count <= MOST; count++)
        for (size_t odd = 0; odd < 5 * count; odd++) { /* one item unlike the others, in each of five ways, or the same */
            for (size_t i = 0; i < count; i++)
                items[i] = (girih_mldsa_verify_item){f->vk, sig, n, msg, 7, ctx, 3, GIRIH_FAULT};
            switch (odd % 5) {
            case 0:
                items[odd / 5].msg_len = 6;
                break;
            case 1:
                items[odd / 5].sig_len = n - 1;
                break;
            case 2:
                items[odd / 5].ctx_len = 256;
                break;
            case 3:
                items[odd / 5].ctx_len = 4;
                break;
            default:
                break;
            }
            CHECK(girih_mldsa_verify_many(items, count, set, backend, f->ws, len) == GIRIH_OK);
            for (size_t i = 0; i < count; i++)
                CHECK(items[i].status ==
                      girih_mldsa_verify(f->vk, sig, items[i].sig_len, msg, items[i].msg_len, ctx, items[i].ctx_len, f->ws, len));
        }
    for (size_t i = 0; i < MOST; i++)
        items[i] = (girih_mldsa_verify_item){f->vk, sig, n, msg, 7, ctx, 3, GIRIH_FAULT};
    memset(f->ws, PREFILL, len);
    CHECK(girih_mldsa_verify_many(items, 4, set, backend, f->ws, len) == GIRIH_OK);
    CHECK(strncmp(girih_backend_name(backend), "c32-", 4) == 0 ||
          most_zeros(f->ws, len) >= 8 * sizeof(girih_sha3)); /* both hashes of each */
    items[0].status = items[1].status = items[2].status = items[3].status = GIRIH_FAULT;
    CHECK(girih_mldsa_verify_many(items, MOST, (girih_mldsa_set)0, backend, f->ws, len) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_verify_many(items, MOST, set, (girih_backend)0, f->ws, len) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mldsa_verify_many(items, MOST, set, backend, f->ws, len - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mldsa_verify_many(items, MOST, other_set, backend, f->ws, (size_t)1 << 30) == GIRIH_BAD_KEY);
    CHECK(girih_mldsa_verify_many(items, MOST, set, other_backend, f->ws, (size_t)1 << 30) == GIRIH_BAD_KEY);
    magic[4] = 0x5A;
    CHECK(girih_mldsa_verify_many(items, MOST, set, backend, f->ws, len) == GIRIH_BAD_KEY);
    magic[4] = was;
    for (size_t i = 0; i < MOST; i++) { /* one item of the nine has another key that is none */
        items[i].vk = bad;
        CHECK(girih_mldsa_verify_many(items, MOST, set, backend, f->ws, len) == GIRIH_BAD_KEY);
        items[i].vk = f->vk;
    }
    free(bad);
    for (size_t i = 0; i < MOST; i++)
        CHECK(items[i].status == GIRIH_FAULT); /* nothing was verified */
    free(sig);
}

/* Many signatures in one call: each is the one that girih_mldsa_sign gives, with a mistake in any of them. */
static void test_sign_many(const fixture *f)
{
    enum { MOST = 9 };
    static const girih_mldsa_options options[] = {{.checked = 0}, {.checked = 1}};
    fixture other = make(other_seed);
    girih_mldsa_sign_item items[MOST];
    uint8_t *sigs = (uint8_t *)filled(MOST * f->sig_len), hedge[MOST][32];
    size_t len = f->ws_len[GIRIH_MLDSA_SIGN_MANY], n = f->sig_len;

    for (size_t i = 0; i < MOST; i++)
        memset(hedge[i], (int)i, sizeof hedge[i]);
    for (size_t count = 0; count <= MOST; count++)
        for (int checked = 0; checked < 2; checked++) {
            for (size_t i = 0; i < count; i++)
                items[i] =
                    (girih_mldsa_sign_item){sigs + n * i, msg, i % 8, ctx, i == count / 2 && count > 4 ? 256 : i, hedge[i], GIRIH_FAULT};
            memset(sigs, PREFILL, MOST * n);
            CHECK(girih_mldsa_sign_many(items, count, f->table, f->vk, checked, f->ws, len) == GIRIH_OK);
            CHECK(is(sigs + n * count, n * (MOST - count), PREFILL));
            for (size_t i = 0; i < count; i++) {
                CHECK(items[i].status == girih_mldsa_sign(f->sig, n, f->table, f->vk, msg, items[i].msg_len, ctx, items[i].ctx_len,
                                                          hedge[i], &options[checked], f->ws, f->ws_len[GIRIH_MLDSA_SIGN]));
                CHECK(items[i].status == GIRIH_OK ? memcmp(items[i].sig, f->sig, n) == 0 : is(items[i].sig, n, 0));
            }
        }
    memset(sigs, PREFILL, MOST * n);
    CHECK(girih_mldsa_sign_many(items, MOST, f->table, f->vk, 0, f->ws, len - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mldsa_sign_many(items, MOST, f->table, other.vk, 0, f->ws, len) == GIRIH_BAD_KEY);
    CHECK(is(sigs, MOST * n, PREFILL));
    ((uint8_t *)f->vk)[f->vk_bytes - 1] ^= 1;
    CHECK(girih_mldsa_sign_many(items, MOST, f->table, f->vk, 1, f->ws, len) == GIRIH_OK);
    ((uint8_t *)f->vk)[f->vk_bytes - 1] ^= 1;
    for (size_t i = 0; i < MOST; i++)
        CHECK(items[i].status == (items[i].ctx_len > 255 ? GIRIH_BAD_CONTEXT : GIRIH_FAULT) && is(items[i].sig, n, 0));
    free(sigs);
    drop(&other);
}

int main(int argc, char **argv)
{
    for (int id = GIRIH_BACKEND_C; argc == 2 && id < 64; id++)
        if (strcmp(girih_backend_name((girih_backend)id), argv[1]) == 0 && girih_backend_available((girih_backend)id))
            backend = (girih_backend)id;
    if (backend == 0) {
        fprintf(stderr, "usage: api_test BACKEND, one that this build and CPU have\n");
        return 2;
    }
    test_sizes();
    test_common();
    test_hashes();
    for (int i = 0; i < 3; i++) {
        fixture f;

        set = sets[i];
        f = make(seed);
        test_keygen(&f);
        test_load_arguments(&f);
        test_inconsistent_secret_keys(&f);
        test_table_views(&f);
        test_mu(&f);
        test_sign(&f);
        test_verify(&f);
        test_verify_many(&f);
        test_sign_many(&f);
        drop(&f);
    }
    printf("every error on %s\n", argv[1]);
    return 0;
}
