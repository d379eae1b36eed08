/* Every error of the public C interface of ML-KEM, on purpose: what is refused, with which status, and that a refused call leaves its
 * outputs alone; and what a cache must be to be taken for its key's.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: kem_test BACKEND. Needs no vectors. Exit status 0 when all holds, else 1 and the line that does not. */
#include "girih/mlkem.h"
#include "girih/sha3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFILL = 0xA5, OPS = GIRIH_MLKEM_DECAPS_MANY + 1, ALL = GIRIH_MLKEM_CACHE_ALL, A = GIRIH_MLKEM_CACHE_A, COUNT = 3 };

#define CHECK(condition)                                                                                                                   \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            fprintf(stderr, "%s:%d: not so on ML-KEM-%d: %s\n", __FILE__, __LINE__, set, #condition);                                      \
            exit(1);                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

static const girih_mlkem_set sets[] = {GIRIH_MLKEM_512, GIRIH_MLKEM_768, GIRIH_MLKEM_1024};
static const uint8_t seed[64] = {1}, other_seed[64] = {2}, m[COUNT * 32] = {3}, mac_key[64] = {4}, other_mac_key[64] = {5};
static girih_mlkem_set set; /* the one under test */
static girih_backend backend;

static int is(const void *p, size_t len, uint8_t value)
{
    const uint8_t *b = (const uint8_t *)p;

    for (size_t i = 0; i < len; i++)
        if (b[i] != value)
            return 0;
    return 1;
}

static void *filled(size_t len)
{
    void *p = aligned_alloc(64, (len + 127) / 64 * 64);

    if (p == NULL)
        abort();
    memset(p, PREFILL, (len + 127) / 64 * 64);
    return p;
}

/* A key pair with its objects, and room for what is made of it. */
typedef struct {
    unsigned caches;
    size_t ek_len, dk_len, ct_len, ek_bytes, dk_bytes, export_len, ws_len[OPS], ws_len_0[OPS];
    uint8_t *ek, *dk, *ct, *cache, *ws;
    girih_mlkem_ek *public;
    girih_mlkem_dk *private;
} fixture;

static fixture make(const uint8_t from[64], unsigned caches)
{
    fixture f = {.caches = caches};
    size_t most = 0;
    uint8_t ss[32];

    f.ek_len = girih_mlkem_ek_encoded_bytes(set);
    f.dk_len = girih_mlkem_dk_encoded_bytes(set);
    f.ct_len = girih_mlkem_ct_bytes(set);
    f.ek_bytes = girih_mlkem_ek_bytes(set, caches, backend);
    f.dk_bytes = girih_mlkem_dk_bytes(set, caches, backend);
    f.export_len = girih_mlkem_export_bytes(set, caches);
    for (int op = GIRIH_MLKEM_KEYGEN; op < OPS; op++) {
        f.ws_len[op] = girih_mlkem_workspace_bytes(set, (girih_mlkem_op)op, caches, backend);
        f.ws_len_0[op] = girih_mlkem_workspace_bytes(set, (girih_mlkem_op)op, 0, backend);
        CHECK(f.ws_len[op] != 0 && f.ws_len_0[op] >= f.ws_len[op]);
        most = f.ws_len_0[op] > most ? f.ws_len_0[op] : most;
    }
    f.ek = (uint8_t *)filled(f.ek_len);
    f.dk = (uint8_t *)filled(f.dk_len);
    f.ct = (uint8_t *)filled(f.ct_len);
    f.cache = (uint8_t *)filled(f.export_len);
    f.ws = (uint8_t *)filled(most);
    f.public = (girih_mlkem_ek *)filled(f.ek_bytes);
    f.private = (girih_mlkem_dk *)filled(f.dk_bytes);
    CHECK(girih_mlkem_keygen(f.ek, f.ek_len, f.dk, f.dk_len, set, backend, from, f.ws, f.ws_len_0[GIRIH_MLKEM_KEYGEN]) == GIRIH_OK);
    CHECK(girih_mlkem_ek_load(f.public, f.ek_bytes, set, caches, backend, f.ek, f.ek_len, f.ws, f.ws_len[GIRIH_MLKEM_LOAD]) == GIRIH_OK);
    CHECK(girih_mlkem_seed_load(f.private, f.dk_bytes, set, caches, backend, from, f.ws, f.ws_len[GIRIH_MLKEM_KEYGEN]) == GIRIH_OK);
    CHECK(girih_mlkem_ek_encaps(f.ct, f.ct_len, ss, f.public, m, f.ws, f.ws_len[GIRIH_MLKEM_ENCAPS]) == GIRIH_OK);
    CHECK(girih_mlkem_ek_export(f.cache, f.export_len, f.public, mac_key, 32) == GIRIH_OK);
    return f;
}

static void drop(fixture *f)
{
    free(f->ek);
    free(f->dk);
    free(f->ct);
    free(f->cache);
    free(f->ws);
    free(f->public);
    free(f->private);
}

static void test_sizes(void)
{
    static const int unknown[] = {0, 1, 256, 511, 513, 767, 769, 1023, 1025, 1280, -512};
    const girih_backend no_backend[] = {(girih_backend)0, (girih_backend)63, (girih_backend)99};

    for (int i = 0; i < 3; i++) {
        size_t k = (size_t)i + 2;

        set = sets[i];
        CHECK(girih_mlkem_ek_encoded_bytes(set) == 384 * k + 32 && girih_mlkem_dk_encoded_bytes(set) == 768 * k + 96);
        CHECK(girih_mlkem_ct_bytes(set) == (k == 4 ? 1568 : 320 * k + 128));
        CHECK(girih_mlkem_cache_bytes(set, 0, backend) == 0);
        CHECK(girih_mlkem_cache_bytes(set, GIRIH_MLKEM_CACHE_A, backend) == 512 * k * k);
        CHECK(girih_mlkem_cache_bytes(set, GIRIH_MLKEM_CACHE_H, backend) == 32);
        CHECK(girih_mlkem_cache_bytes(set, GIRIH_MLKEM_CACHE_T, backend) == 512 * k);
        CHECK(girih_mlkem_cache_bytes(set, ALL, backend) == 512 * k * (k + 1) + 32);
        for (unsigned caches = 0; caches <= ALL; caches++) {
            const size_t polys = girih_mlkem_cache_bytes(set, caches, backend) - ((caches & GIRIH_MLKEM_CACHE_H) != 0 ? 32 : 0);

            CHECK(girih_mlkem_ek_bytes(set, caches, backend) == 64 + polys + (384 * k + 32 + 63) / 64 * 64);
            CHECK(girih_mlkem_dk_bytes(set, caches, backend) == 64 + 512 * k + girih_mlkem_ek_bytes(set, caches, backend));
            CHECK(girih_mlkem_export_bytes(set, caches) == 8 + 32 + 32 + ((caches & A) != 0 ? 384 * k * k : 0));
        }
        for (int op = GIRIH_MLKEM_KEYGEN; op < OPS; op++) {
            CHECK(girih_mlkem_workspace_bytes(set, (girih_mlkem_op)op, ALL + 1, backend) == 0);
            for (int n = 0; n < 3; n++)
                CHECK(girih_mlkem_workspace_bytes(set, (girih_mlkem_op)op, 0, no_backend[n]) == 0);
        }
        CHECK(girih_mlkem_workspace_bytes(set, (girih_mlkem_op)0, 0, backend) == 0);
        CHECK(girih_mlkem_workspace_bytes(set, (girih_mlkem_op)OPS, 0, backend) == 0);
        CHECK(girih_mlkem_ek_bytes(set, ALL + 1, backend) == 0 && girih_mlkem_dk_bytes(set, ALL + 1, backend) == 0);
        CHECK(girih_mlkem_cache_bytes(set, ALL + 1, backend) == 0 && girih_mlkem_export_bytes(set, ALL + 1) == 0);
        for (int n = 0; n < 3; n++) {
            CHECK(girih_mlkem_ek_bytes(set, 0, no_backend[n]) == 0 && girih_mlkem_dk_bytes(set, 0, no_backend[n]) == 0);
            CHECK(girih_mlkem_cache_bytes(set, A, no_backend[n]) == 0);
        }
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        set = (girih_mlkem_set)unknown[i];
        CHECK(girih_mlkem_ek_encoded_bytes(set) == 0 && girih_mlkem_dk_encoded_bytes(set) == 0 && girih_mlkem_ct_bytes(set) == 0);
        CHECK(girih_mlkem_ek_bytes(set, 0, backend) == 0 && girih_mlkem_dk_bytes(set, 0, backend) == 0);
        CHECK(girih_mlkem_cache_bytes(set, A, backend) == 0 && girih_mlkem_export_bytes(set, A) == 0);
        CHECK(girih_mlkem_workspace_bytes(set, GIRIH_MLKEM_ENCAPS, 0, backend) == 0);
        CHECK(girih_mlkem_check_ek(set, mac_key, 0) == GIRIH_BAD_ARGUMENT);
        CHECK(girih_mlkem_check_dk(set, backend, mac_key, 0) == GIRIH_BAD_ARGUMENT);
    }
}

static void test_from_bytes(const fixture *f)
{
    const girih_mlkem_set none = (girih_mlkem_set)0;
    const girih_backend no_backend = (girih_backend)0;
    uint8_t *ek = (uint8_t *)filled(f->ek_len), *dk = (uint8_t *)filled(f->dk_len), *ct = (uint8_t *)filled(f->ct_len), ss[32];
    const size_t en = f->ek_len, dn = f->dk_len, cn = f->ct_len;
    const size_t kw = f->ws_len_0[GIRIH_MLKEM_KEYGEN], ew = f->ws_len_0[GIRIH_MLKEM_ENCAPS], dw = f->ws_len_0[GIRIH_MLKEM_DECAPS];

    memset(ss, PREFILL, sizeof ss);
    CHECK(girih_mlkem_keygen(ek, en, dk, dn, none, backend, seed, f->ws, kw) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mlkem_keygen(ek, en, dk, dn, set, no_backend, seed, f->ws, kw) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mlkem_encaps(ct, cn, ss, none, backend, f->ek, en, m, f->ws, ew) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mlkem_encaps(ct, cn, ss, set, no_backend, f->ek, en, m, f->ws, ew) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mlkem_decaps(ss, none, backend, f->dk, dn, f->ct, cn, f->ws, dw) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mlkem_decaps(ss, set, no_backend, f->dk, dn, f->ct, cn, f->ws, dw) == GIRIH_BAD_ARGUMENT);
    CHECK(girih_mlkem_check_dk(set, no_backend, f->dk, dn) == GIRIH_BAD_ARGUMENT);
    for (size_t off = 0; off < 3; off += 2) { /* one byte too few, one too many */
        CHECK(girih_mlkem_keygen(ek, en - 1 + off, dk, dn, set, backend, seed, f->ws, kw) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_keygen(ek, en, dk, dn - 1 + off, set, backend, seed, f->ws, kw) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_encaps(ct, cn - 1 + off, ss, set, backend, f->ek, en, m, f->ws, ew) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_encaps(ct, cn, ss, set, backend, f->ek, en - 1 + off, m, f->ws, ew) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_decaps(ss, set, backend, f->dk, dn - 1 + off, f->ct, cn, f->ws, dw) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_decaps(ss, set, backend, f->dk, dn, f->ct, cn - 1 + off, f->ws, dw) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_check_ek(set, f->ek, en - 1 + off) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_check_dk(set, backend, f->dk, dn - 1 + off) == GIRIH_BAD_LENGTH);
    }
    CHECK(girih_mlkem_keygen(ek, en, dk, dn, set, backend, seed, f->ws, kw - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mlkem_encaps(ct, cn, ss, set, backend, f->ek, en, m, f->ws, ew - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mlkem_decaps(ss, set, backend, f->dk, dn, f->ct, cn, f->ws, dw - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mlkem_keygen(ek, en, dk, dn, set, backend, seed, NULL, 0) == GIRIH_WORKSPACE);

    memcpy(dk, f->dk, dn); /* the ek inside a dk out of range, its hash being right or wrong */
    memset(dk + 384 * ((en - 32) / 384), 0xFF, 3);
    CHECK(girih_mlkem_check_dk(set, backend, dk, dn) == GIRIH_BAD_KEY);
    CHECK(girih_mlkem_decaps(ss, set, backend, dk, dn, f->ct, cn, f->ws, dw) == GIRIH_BAD_KEY);
    CHECK(girih_sha3_hash(dk + dn - 64, 32, GIRIH_SHA3_256, backend, dk + 384 * ((en - 32) / 384), en) == GIRIH_OK);
    CHECK(girih_mlkem_check_dk(set, backend, dk, dn) == GIRIH_OK); /* 7.3 asks for the hash only; every use for the range too */
    CHECK(girih_mlkem_decaps(ss, set, backend, dk, dn, f->ct, cn, f->ws, dw) == GIRIH_BAD_KEY);
    CHECK(girih_mlkem_dk_load(f->private, f->dk_bytes, set, f->caches, backend, dk, dn, f->ws, f->ws_len[GIRIH_MLKEM_LOAD]) ==
          GIRIH_BAD_KEY);
    CHECK(is(f->private, f->dk_bytes, 0));
    CHECK(girih_mlkem_seed_load(f->private, f->dk_bytes, set, f->caches, backend, seed, f->ws, f->ws_len[GIRIH_MLKEM_KEYGEN]) == GIRIH_OK);
    CHECK(is(ek, en, PREFILL) && is(ct, cn, PREFILL) && is(ss, sizeof ss, PREFILL));
    free(ek);
    free(dk);
    free(ct);
}

/* Every load with memory of other lengths and alignments than it asks for. */
static void test_load_arguments(const fixture *f)
{
    uint8_t *ek = (uint8_t *)filled(f->ek_bytes), *dk = (uint8_t *)filled(f->dk_bytes);
    const size_t en = f->ek_bytes, dn = f->dk_bytes, lw = f->ws_len[GIRIH_MLKEM_LOAD], kw = f->ws_len[GIRIH_MLKEM_KEYGEN];
    const struct {
        girih_status status;
        size_t shift, short_by, ws_short_by;
        girih_mlkem_set set;
        unsigned caches;
        girih_backend backend;
    } row[] = {{GIRIH_BAD_ARGUMENT, 0, 0, 0, (girih_mlkem_set)0, f->caches, backend},
               {GIRIH_BAD_ARGUMENT, 0, 0, 0, set, f->caches, (girih_backend)0},
               {GIRIH_BAD_ARGUMENT, 0, 0, 0, set, ALL + 1, backend},
               {GIRIH_BAD_ARGUMENT, 32, 0, 0, set, f->caches, backend},
               {GIRIH_WORKSPACE, 0, 1, 0, set, f->caches, backend},
               {GIRIH_WORKSPACE, 0, 0, 1, set, f->caches, backend}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        girih_mlkem_ek *e = (girih_mlkem_ek *)(void *)(ek + row[i].shift);
        girih_mlkem_dk *d = (girih_mlkem_dk *)(void *)(dk + row[i].shift);
        const size_t e_len = en - row[i].short_by, d_len = dn - row[i].short_by, by = row[i].ws_short_by;

        CHECK(girih_mlkem_ek_load(e, e_len, row[i].set, row[i].caches, row[i].backend, f->ek, f->ek_len, f->ws, lw - by) == row[i].status);
        CHECK(girih_mlkem_dk_load(d, d_len, row[i].set, row[i].caches, row[i].backend, f->dk, f->dk_len, f->ws, lw - by) == row[i].status);
        CHECK(girih_mlkem_seed_load(d, d_len, row[i].set, row[i].caches, row[i].backend, seed, f->ws, kw - by) == row[i].status);
        CHECK(girih_mlkem_ek_import(e, e_len, row[i].set, row[i].caches, row[i].backend, f->ek, f->ek_len, f->cache, f->export_len, mac_key,
                                    32, f->ws, lw - by) == row[i].status);
    }
    for (size_t off = 0; off < 3; off += 2) {
        girih_mlkem_ek *e = (girih_mlkem_ek *)(void *)ek;
        girih_mlkem_dk *d = (girih_mlkem_dk *)(void *)dk;

        CHECK(girih_mlkem_ek_load(e, en, set, f->caches, backend, f->ek, f->ek_len - 1 + off, f->ws, lw) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_dk_load(d, dn, set, f->caches, backend, f->dk, f->dk_len - 1 + off, f->ws, lw) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_ek_import(e, en, set, f->caches, backend, f->ek, f->ek_len - 1 + off, f->cache, f->export_len, mac_key, 32, f->ws,
                                    lw) == GIRIH_BAD_LENGTH);
    }
    CHECK(is(ek, en, PREFILL) && is(dk, dn, PREFILL));
    free(ek);
    free(dk);
}

/* Calls every function that reads an object with one that is none; each must refuse it and write nothing. */
static void refused(const fixture *f, const girih_mlkem_ek *ek, const girih_mlkem_dk *dk)
{
    uint8_t ss[COUNT * 32], *cts = (uint8_t *)filled(COUNT * f->ct_len), *out = (uint8_t *)filled(f->dk_len + f->export_len);
    const size_t much = (size_t)1 << 30; /* not to be refused for the workspace */

    memset(ss, PREFILL, sizeof ss);
    CHECK(girih_mlkem_ek_encaps(cts, f->ct_len, ss, ek, m, f->ws, much) == GIRIH_BAD_KEY);
    CHECK(girih_mlkem_encaps_many(cts, ss, ek, m, COUNT, f->ws, much) == GIRIH_BAD_KEY);
    CHECK(girih_mlkem_ek_export(out, f->export_len, ek, mac_key, 32) == GIRIH_BAD_KEY);
    CHECK(girih_mlkem_ek_encoding(ek) == NULL);
    CHECK(girih_mlkem_dk_decaps(ss, dk, f->ct, f->ct_len, f->ws, much) == GIRIH_BAD_KEY);
    CHECK(girih_mlkem_decaps_many(ss, dk, f->ct, 1, f->ws, much) == GIRIH_BAD_KEY);
    CHECK(girih_mlkem_dk_encode(out, f->dk_len, dk) == GIRIH_BAD_KEY);
    CHECK(girih_mlkem_dk_public(dk) == NULL);
    CHECK(is(ss, sizeof ss, PREFILL) && is(cts, COUNT * f->ct_len, PREFILL) && is(out, f->dk_len + f->export_len, PREFILL));
    free(cts);
    free(out);
}

static void test_what_is_no_object(const fixture *f)
{
    static const uint32_t other_head[][2] = {{1, 0}, {1, 511}, {1, 2048}, {2, ALL + 1}, {2, UINT32_MAX}}; /* word, value */
    uint8_t *ek = (uint8_t *)filled(f->ek_bytes), *dk = (uint8_t *)filled(f->dk_bytes);

    refused(f, NULL, NULL);
    refused(f, (const girih_mlkem_ek *)(const void *)f->private, (const girih_mlkem_dk *)(const void *)f->public); /* each for the other */
    for (unsigned byte = 0; byte < 4; byte++) { /* the magic, and a backend that is not here */
        memcpy(ek, f->public, f->ek_bytes);
        memcpy(dk, f->private, f->dk_bytes);
        ek[byte] = (uint8_t)(ek[byte] ^ 0x80);
        dk[byte] = (uint8_t)(dk[byte] ^ 0x80);
        refused(f, (girih_mlkem_ek *)(void *)ek, (girih_mlkem_dk *)(void *)dk);
    }
    for (size_t i = 0; i < sizeof other_head / sizeof other_head[0]; i++) {
        memcpy(ek, f->public, f->ek_bytes);
        memcpy(dk, f->private, f->dk_bytes);
        memcpy(ek + 4 * other_head[i][0], &other_head[i][1], 4);
        memcpy(dk + 4 * other_head[i][0], &other_head[i][1], 4);
        refused(f, (girih_mlkem_ek *)(void *)ek, (girih_mlkem_dk *)(void *)dk);
    }
    memmove(ek + 32, f->public, f->ek_bytes); /* aligned to half of what it must be */
    memmove(dk + 32, f->private, f->dk_bytes);
    refused(f, (girih_mlkem_ek *)(void *)(ek + 32), (girih_mlkem_dk *)(void *)(dk + 32));
    memset(ek, 0, f->ek_bytes); /* wiped */
    memset(dk, 0, f->dk_bytes);
    refused(f, (girih_mlkem_ek *)(void *)ek, (girih_mlkem_dk *)(void *)dk);
    free(ek);
    free(dk);
}

/* Objects in use: lengths and workspaces; a copy elsewhere is as good as the original. */
static void test_objects(const fixture *f)
{
    uint8_t ss[COUNT * 32], sss[COUNT * 32], *cts = (uint8_t *)filled(COUNT * f->ct_len), *dk = (uint8_t *)filled(f->dk_len);
    girih_mlkem_ek *ek_copy = (girih_mlkem_ek *)filled(f->ek_bytes);
    girih_mlkem_dk *dk_copy = (girih_mlkem_dk *)filled(f->dk_bytes);
    const size_t *ws = f->ws_len;

    memset(ss, PREFILL, sizeof ss);
    for (size_t off = 0; off < 3; off += 2) {
        CHECK(girih_mlkem_ek_encaps(cts, f->ct_len - 1 + off, ss, f->public, m, f->ws, ws[GIRIH_MLKEM_ENCAPS]) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_dk_decaps(ss, f->private, f->ct, f->ct_len - 1 + off, f->ws, ws[GIRIH_MLKEM_DECAPS]) == GIRIH_BAD_LENGTH);
        CHECK(girih_mlkem_dk_encode(dk, f->dk_len - 1 + off, f->private) == GIRIH_BAD_LENGTH);
    }
    CHECK(girih_mlkem_ek_encaps(cts, f->ct_len, ss, f->public, m, f->ws, ws[GIRIH_MLKEM_ENCAPS] - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mlkem_dk_decaps(ss, f->private, f->ct, f->ct_len, f->ws, ws[GIRIH_MLKEM_DECAPS] - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mlkem_encaps_many(cts, ss, f->public, m, COUNT, f->ws, ws[GIRIH_MLKEM_ENCAPS_MANY] - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mlkem_decaps_many(ss, f->private, f->ct, 1, f->ws, ws[GIRIH_MLKEM_DECAPS_MANY] - 1) == GIRIH_WORKSPACE);
    CHECK(girih_mlkem_encaps_many(cts, ss, f->public, m, 0, f->ws, ws[GIRIH_MLKEM_ENCAPS_MANY]) == GIRIH_OK);
    CHECK(girih_mlkem_decaps_many(ss, f->private, f->ct, 0, f->ws, ws[GIRIH_MLKEM_DECAPS_MANY]) == GIRIH_OK);
    CHECK(is(ss, sizeof ss, PREFILL) && is(cts, COUNT * f->ct_len, PREFILL) && is(dk, f->dk_len, PREFILL));

    memcpy(ek_copy, f->public, f->ek_bytes);
    memcpy(dk_copy, f->private, f->dk_bytes);
    CHECK(girih_mlkem_encaps_many(cts, ss, ek_copy, m, COUNT, f->ws, ws[GIRIH_MLKEM_ENCAPS_MANY]) == GIRIH_OK);
    CHECK(memcmp(cts, f->ct, f->ct_len) == 0 && !is(ss + 32, 32, PREFILL));
    CHECK(girih_mlkem_decaps_many(sss, dk_copy, cts, COUNT, f->ws, ws[GIRIH_MLKEM_DECAPS_MANY]) == GIRIH_OK);
    CHECK(memcmp(ss, sss, sizeof ss) == 0);
    CHECK(girih_mlkem_dk_encode(dk, f->dk_len, dk_copy) == GIRIH_OK && memcmp(dk, f->dk, f->dk_len) == 0);
    free(cts);
    free(dk);
    free(ek_copy);
    free(dk_copy);
}

/* The end of every polynomial, and of every vector of it, is compared: a change that decryption takes for noise is found there alone. */
static void test_changed_ciphertexts(const fixture *f)
{
    uint8_t ss[32], other[32];

    CHECK(girih_mlkem_dk_decaps(ss, f->private, f->ct, f->ct_len, f->ws, f->ws_len[GIRIH_MLKEM_DECAPS]) == GIRIH_OK);
    for (size_t at = 31; at < f->ct_len; at += 32) {
        f->ct[at] ^= 1;
        CHECK(girih_mlkem_dk_decaps(other, f->private, f->ct, f->ct_len, f->ws, f->ws_len[GIRIH_MLKEM_DECAPS]) == GIRIH_OK);
        CHECK(memcmp(ss, other, sizeof ss) != 0);
        f->ct[at] ^= 1;
    }
}

/* Whether the cache is imported for a key; what is refused leaves the object as it was, or wiped. */
static girih_status import(const fixture *f, const uint8_t *cache, size_t len, const uint8_t *key, size_t key_len)
{
    girih_mlkem_ek *ek = (girih_mlkem_ek *)filled(f->ek_bytes);
    const girih_status status = girih_mlkem_ek_import(ek, f->ek_bytes, set, f->caches, backend, f->ek, f->ek_len, cache, len, key, key_len,
                                                      f->ws, f->ws_len[GIRIH_MLKEM_LOAD]);
    uint8_t *ct = (uint8_t *)filled(f->ct_len), ss[32];

    if (status == GIRIH_OK) {
        CHECK(girih_mlkem_ek_encaps(ct, f->ct_len, ss, ek, m, f->ws, f->ws_len[GIRIH_MLKEM_ENCAPS]) == GIRIH_OK);
        CHECK(memcmp(ct, f->ct, f->ct_len) == 0);
    } else {
        CHECK(is(ek, f->ek_bytes, PREFILL) || is(ek, f->ek_bytes, 0));
    }
    free(ek);
    free(ct);
    return status;
}

static void test_caches(const fixture *f)
{
    const size_t n = f->export_len;
    uint8_t *cache = (uint8_t *)filled(n + 1);

    for (size_t off = 0; off < 3; off += 2)
        CHECK(girih_mlkem_ek_export(cache, n - 1 + off, f->public, mac_key, 32) == GIRIH_BAD_LENGTH);
    CHECK(girih_mlkem_ek_export(cache, n, f->public, mac_key, 31) == GIRIH_BAD_LENGTH);
    CHECK(girih_mlkem_ek_export(cache, n, f->public, mac_key, 0) == GIRIH_BAD_LENGTH);
    CHECK(is(cache, n, PREFILL));

    CHECK(import(f, f->cache, n, mac_key, 32) == GIRIH_OK);
    CHECK(import(f, f->cache, n, NULL, 0) == GIRIH_OK);
    CHECK(import(f, f->cache, n, mac_key, 31) == GIRIH_BAD_LENGTH);
    CHECK(import(f, f->cache, n, mac_key, 0) == GIRIH_BAD_LENGTH); /* no key is not the same as trust */
    CHECK(import(f, f->cache, n, NULL, 32) == GIRIH_BAD_LENGTH);
    CHECK(import(f, f->cache, n, mac_key, 33) == GIRIH_BAD_KEY);
    CHECK(import(f, f->cache, n, other_mac_key, 32) == GIRIH_BAD_KEY);
    CHECK(import(f, f->cache, n - 1, mac_key, 32) == GIRIH_BAD_KEY);
    CHECK(import(f, f->cache, n - 1, NULL, 0) == GIRIH_BAD_KEY);
    CHECK(import(f, f->cache, 0, NULL, 0) == GIRIH_BAD_KEY);
    memcpy(cache, f->cache, n);
    CHECK(import(f, cache, n + 1, NULL, 0) == GIRIH_BAD_KEY);
    for (size_t at = 0; at < n; at += f->caches == ALL && (at < 40 || at + 33 >= n) ? 1 : 97) { /* head, H(ek) and MAC byte by byte */
        cache[at] ^= 1;
        CHECK(import(f, cache, n, mac_key, 32) == GIRIH_BAD_KEY);
        if (at < 40)
            CHECK(import(f, cache, n, NULL, 0) == GIRIH_BAD_KEY);
        cache[at] ^= 1;
    }
    CHECK(girih_mlkem_ek_export(cache, n, girih_mlkem_dk_public(f->private), mac_key, 32) == GIRIH_OK && memcmp(cache, f->cache, n) == 0);
    CHECK(girih_mlkem_ek_export(cache, n, f->public, mac_key, 64) == GIRIH_OK && import(f, cache, n, mac_key, 64) == GIRIH_OK);
    memset(cache + n - 32, 0, 32); /* trusted: the MAC is not looked at */
    CHECK(import(f, cache, n, NULL, 0) == GIRIH_OK);
    if ((f->caches & A) != 0)
        for (size_t at = 40; at + 32 < n; at += 384) { /* a coefficient of each polynomial that is q, trusted or not: 0xD01 */
            uint8_t was[3];

            memcpy(was, cache + at, 3);
            cache[at] = 0x01;
            cache[at + 1] = (uint8_t)((was[1] & 0xF0) | 0x0D);
            CHECK(import(f, cache, n, NULL, 0) == GIRIH_BAD_KEY);
            memcpy(cache + at, was, 3);
        }
    free(cache);
}

/* Every cache is refused for every other key, set and combination, with its MAC and without. */
static void test_swapped_caches(void)
{
    struct {
        girih_mlkem_set set;
        fixture f;
    } all[] = {{sets[0], {0}}, {sets[0], {0}}, {sets[0], {0}}, {sets[1], {0}}, {sets[1], {0}},
               {sets[1], {0}}, {sets[2], {0}}, {sets[2], {0}}, {sets[2], {0}}};
    enum { KEYS = sizeof all / sizeof all[0] };

    for (unsigned i = 0; i < KEYS; i++) { /* of each set: two keys with A_hat, and the first with H alone */
        set = all[i].set;
        all[i].f = make(i % 3 == 1 ? other_seed : seed, i % 3 == 2 ? GIRIH_MLKEM_CACHE_H : ALL);
    }
    for (unsigned i = 0; i < KEYS; i++)
        for (unsigned j = 0; j < KEYS; j++) {
            const girih_status expected = i == j ? GIRIH_OK : GIRIH_BAD_KEY;

            set = all[i].set;
            CHECK(import(&all[i].f, all[j].f.cache, all[j].f.export_len, mac_key, 32) == expected);
            CHECK(import(&all[i].f, all[j].f.cache, all[j].f.export_len, NULL, 0) == expected);
        }
    for (unsigned i = 0; i < KEYS; i++)
        drop(&all[i].f);
}

int main(int argc, char **argv)
{
    for (int id = GIRIH_BACKEND_C; argc == 2 && id < 64; id++)
        if (strcmp(girih_backend_name((girih_backend)id), argv[1]) == 0 && girih_backend_available((girih_backend)id))
            backend = (girih_backend)id;
    if (backend == 0) {
        fprintf(stderr, "usage: kem_test BACKEND, one that this build and CPU have\n");
        return 2;
    }
    test_sizes();
    for (int i = 0; i < 3; i++)
        for (unsigned caches = 0; caches <= ALL; caches++) {
            fixture f;

            set = sets[i];
            f = make(seed, caches);
            test_from_bytes(&f);
            test_load_arguments(&f);
            test_what_is_no_object(&f);
            test_objects(&f);
            if (caches == ALL)
                test_changed_ciphertexts(&f);
            test_caches(&f);
            drop(&f);
        }
    test_swapped_caches();
    printf("every error on %s\n", argv[1]);
    return 0;
}
