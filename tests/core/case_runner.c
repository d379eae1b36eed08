/* Runs a file of test cases against the public C interface: one program for every way to build the core (sanitizers, 32 bits, memcheck,
 * mutants), because a C program is what those builds can run.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: case_runner BACKEND FILE        BACKEND: one of girih_backend_name()
 * A case (runner.h) has nine fields: operation set key hash message context rnd signature expected. tests/core/cases.py writes the file;
 * this is what an operation does with them:
 *   keygen                      key: seed. expected: SHA-256(pk || sk). Loads the seed and the encoded sk too, which must give the same pk
 *   load                        key: encoded secret key. expected: a status
 *   sign-pure, -internal, -mu   key: seed or encoded secret key. expected: SHA-256(signature), or a status
 *   sign-digest                 the same with hash: a girih_mldsa_hash, message: the digest
 *   verify-...                  key: public key. expected: a status
 *   sha3                        set: a girih_sha3_kind. expected: the digest */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "girih/mldsa.h"
#include "runner.h"
#include "sha256.h"

enum { FIELDS = 9 };

typedef struct {
    const char *op, *expected;
    unsigned number, set, hash;
    bytes key, msg, ctx, rnd, sig;
} test_case;

typedef struct {
    girih_mldsa_vk *vk;
    girih_mldsa_sk *sk;
} key_pair;

static key_pair new_key_pair(girih_mldsa_set set)
{
    key_pair k = {(girih_mldsa_vk *)allocate_table(girih_mldsa_vk_bytes(set, backend)),
                  (girih_mldsa_sk *)allocate_table(girih_mldsa_sk_bytes(set, backend))};

    return k;
}

static void free_key_pair(key_pair k)
{
    free(k.vk);
    free(k.sk);
}

/* Loads a seed (32 bytes) or an encoded secret key. pk: girih_mldsa_public_key_bytes(set). */
static girih_status load(key_pair k, uint8_t *pk, const char *op, girih_mldsa_set set, bytes key)
{
    workspace w = take_workspace(girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_LOAD, backend));
    size_t pk_len = pk != NULL ? girih_mldsa_public_key_bytes(set) : 0;
    girih_status status;

    if (key.len == GIRIH_MLDSA_SEED_BYTES)
        status = girih_mldsa_seed_load(k.vk, girih_mldsa_vk_bytes(set, backend), k.sk, girih_mldsa_sk_bytes(set, backend), pk, pk_len, set,
                                       backend, key.p, w.ws, w.len);
    else
        status = girih_mldsa_sk_load(k.vk, girih_mldsa_vk_bytes(set, backend), k.sk, girih_mldsa_sk_bytes(set, backend), pk, pk_len, set,
                                     backend, key.p, key.len, w.ws, w.len);
    give_back(w, op, status == GIRIH_OK ? w.len : 0);
    if (status != GIRIH_OK) {
        expect_no_output(op, (const uint8_t *)k.vk, girih_mldsa_vk_bytes(set, backend));
        expect_no_output(op, (const uint8_t *)k.sk, girih_mldsa_sk_bytes(set, backend));
        if (pk != NULL)
            expect_no_output(op, pk, pk_len);
    }
    return status;
}

/* sig: exactly the set's length. */
static girih_status sign(uint8_t *sig, const test_case *t, key_pair k, const girih_mldsa_options *options)
{
    girih_mldsa_set set = (girih_mldsa_set)t->set;
    size_t sig_len = girih_mldsa_signature_bytes(set);
    workspace w = take_workspace(girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_SIGN, backend));
    girih_status status;

    if (strcmp(t->op, "sign-pure") == 0)
        status = girih_mldsa_sign(sig, sig_len, k.sk, k.vk, t->msg.p, t->msg.len, t->ctx.p, t->ctx.len, t->rnd.p, options, w.ws, w.len);
    else if (strcmp(t->op, "sign-internal") == 0)
        status = girih_mldsa_sign_internal(sig, sig_len, k.sk, k.vk, t->msg.p, t->msg.len, t->rnd.p, options, w.ws, w.len);
    else if (strcmp(t->op, "sign-mu") == 0)
        status = girih_mldsa_sign_mu(sig, sig_len, k.sk, k.vk, t->msg.p, t->rnd.p, options, w.ws, w.len);
    else
        status = girih_mldsa_sign_digest(sig, sig_len, k.sk, k.vk, (girih_mldsa_hash)t->hash, t->msg.p, t->msg.len, t->ctx.p, t->ctx.len,
                                         t->rnd.p, options, w.ws, w.len);
    give_back(w, t->op, status == GIRIH_OK && options == NULL ? w.len : 0); /* a checked call ends with a verification, which is public */
    return status;
}

static girih_status verify(const test_case *t, const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len)
{
    workspace w = take_workspace(girih_mldsa_workspace_bytes((girih_mldsa_set)t->set, GIRIH_MLDSA_VERIFY, backend));
    const char *layer = strchr(t->op, '-') + 1;
    girih_status status;

    if (strcmp(layer, "pure") == 0)
        status = girih_mldsa_verify(vk, sig, sig_len, t->msg.p, t->msg.len, t->ctx.p, t->ctx.len, w.ws, w.len);
    else if (strcmp(layer, "internal") == 0)
        status = girih_mldsa_verify_internal(vk, sig, sig_len, t->msg.p, t->msg.len, w.ws, w.len);
    else if (strcmp(layer, "mu") == 0)
        status = girih_mldsa_verify_mu(vk, sig, sig_len, t->msg.p, w.ws, w.len);
    else
        status =
            girih_mldsa_verify_digest(vk, sig, sig_len, (girih_mldsa_hash)t->hash, t->msg.p, t->msg.len, t->ctx.p, t->ctx.len, w.ws, w.len);
    give_back(w, t->op, 0);
    return status;
}

/* The same signature several times in one call, every other one with a changed bit: each has the verdict that it has alone. */
static void verify_many(const test_case *t, girih_mldsa_vk *vk, girih_status expected)
{
    girih_mldsa_verify_item items[6];
    uint8_t *changed = (uint8_t *)allocate(t->sig.len);
    size_t count = 1 + line_number % 6;
    workspace w = take_workspace(girih_mldsa_workspace_bytes((girih_mldsa_set)t->set, GIRIH_MLDSA_VERIFY_MANY, backend));

    if (t->sig.len != 0) {
        memcpy(changed, t->sig.p, t->sig.len);
        changed[line_number % t->sig.len] ^= 0x10;
    }
    for (size_t i = 0; i < count; i++)
        items[i] =
            (girih_mldsa_verify_item){vk, i % 2 ? changed : t->sig.p, t->sig.len, t->msg.p, t->msg.len, t->ctx.p, t->ctx.len, GIRIH_FAULT};
    expect_status(t->op, girih_mldsa_verify_many(items, count, (girih_mldsa_set)t->set, backend, w.ws, w.len), "OK");
    for (size_t i = 0; i < count; i++)
        if (items[i].status != (i % 2 && expected == GIRIH_OK ? GIRIH_BAD_SIGNATURE : expected))
            fail(t->op, "not the expected status among many");
    give_back(w, t->op, 0);
    free(changed);
}

static void run_keygen(const test_case *t)
{
    girih_mldsa_set set = (girih_mldsa_set)t->set;
    size_t pk_len = girih_mldsa_public_key_bytes(set), sk_len = girih_mldsa_secret_key_bytes(set);
    uint8_t *pk = (uint8_t *)allocate(pk_len), *sk = (uint8_t *)allocate(sk_len), *again = (uint8_t *)allocate(pk_len);
    workspace w = take_workspace(girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_KEYGEN, backend));
    key_pair from_seed = new_key_pair(set), from_sk = new_key_pair(set);
    girih_mldsa_vk *from_pk = (girih_mldsa_vk *)allocate_table(girih_mldsa_vk_bytes(set, backend));
    uint8_t digest[32];

    expect_status(t->op, girih_mldsa_keygen(pk, pk_len, sk, sk_len, set, backend, t->key.p, w.ws, w.len), "OK");
    give_back(w, t->op, w.len);
    sha256(digest, pk, pk_len, sk, sk_len);
    expect_bytes(t->op, digest, sizeof digest, t->expected);

    expect_status(t->op, load(from_seed, again, t->op, set, t->key), "OK");
    if (memcmp(again, pk, pk_len) != 0)
        fail(t->op, "loading the seed gives another public key");
    memset(again, PREFILL, pk_len);
    expect_status(t->op, load(from_sk, again, t->op, set, (bytes){sk, sk_len}), "OK");
    if (memcmp(again, pk, pk_len) != 0)
        fail(t->op, "loading the secret key gives another public key");
    w = take_workspace(girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_LOAD, backend));
    expect_status(t->op, girih_mldsa_vk_load(from_pk, girih_mldsa_vk_bytes(set, backend), set, backend, pk, pk_len, w.ws, w.len), "OK");
    give_back(w, t->op, 0);
    if (memcmp(from_seed.vk, from_pk, girih_mldsa_vk_bytes(set, backend)) != 0 ||
        memcmp(from_sk.vk, from_pk, girih_mldsa_vk_bytes(set, backend)) != 0)
        fail(t->op, "the verification tables of one key differ");
    if (memcmp(from_seed.sk, from_sk.sk, girih_mldsa_sk_bytes(set, backend)) != 0)
        fail(t->op, "the signing tables of one key differ");
    free_key_pair(from_seed);
    free_key_pair(from_sk);
    free(from_pk);
    free(pk);
    free(sk);
    free(again);
}

static void run_load(const test_case *t)
{
    key_pair k = new_key_pair((girih_mldsa_set)t->set);
    uint8_t *pk = (uint8_t *)allocate(girih_mldsa_public_key_bytes((girih_mldsa_set)t->set));

    expect_status(t->op, load(k, pk, t->op, (girih_mldsa_set)t->set, t->key), t->expected);
    free(pk);
    free_key_pair(k);
}

/* Signs, and again in the checked mode; the signature must verify, and must not with any one of some bits changed. */
static void run_sign(const test_case *t)
{
    static const girih_mldsa_options checked = {.checked = 1};
    key_pair k = new_key_pair((girih_mldsa_set)t->set);
    size_t sig_len = girih_mldsa_signature_bytes((girih_mldsa_set)t->set);
    uint8_t *sig = (uint8_t *)allocate(sig_len), *again = (uint8_t *)allocate(sig_len), digest[32];
    girih_status status;

    expect_status(t->op, load(k, NULL, t->op, (girih_mldsa_set)t->set, t->key), "OK");
    status = sign(sig, t, k, NULL);
    if (expected_status(t->expected) != 1) {
        expect_status(t->op, status, t->expected);
        expect_no_output(t->op, sig, sig_len);
    } else {
        expect_status(t->op, status, "OK");
        sha256(digest, sig, sig_len, NULL, 0);
        expect_bytes(t->op, digest, sizeof digest, t->expected);
        expect_status(t->op, sign(again, t, k, &checked), "OK");
        if (memcmp(sig, again, sig_len) != 0)
            fail(t->op, "a checked call signs differently");
        expect_status(t->op, verify(t, k.vk, sig, sig_len), "OK");
        sig[line_number % sig_len] ^= (uint8_t)(1U << line_number % 8);
        expect_status(t->op, verify(t, k.vk, sig, sig_len), "BAD_SIGNATURE");
    }
    free(sig);
    free(again);
    free_key_pair(k);
}

static void run_verify(const test_case *t)
{
    girih_mldsa_set set = (girih_mldsa_set)t->set;
    girih_mldsa_vk *vk = (girih_mldsa_vk *)allocate_table(girih_mldsa_vk_bytes(set, backend));
    workspace w = take_workspace(girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_LOAD, backend));
    girih_status status = girih_mldsa_vk_load(vk, girih_mldsa_vk_bytes(set, backend), set, backend, t->key.p, t->key.len, w.ws, w.len);

    give_back(w, t->op, 0);
    if (status == GIRIH_OK) {
        status = verify(t, vk, t->sig.p, t->sig.len);
        if (strcmp(t->op, "verify-pure") == 0)
            verify_many(t, vk, status);
    }
    expect_status(t->op, status, t->expected);
    free(vk);
}

/* One-shot, and in pieces of every length up to the message's. */
static void run_sha3(const test_case *t)
{
    size_t out_len = strlen(t->expected) / 2;
    uint8_t *out = (uint8_t *)allocate(out_len);
    girih_sha3_kind kind = (girih_sha3_kind)t->set;
    girih_sha3 h;

    expect_status(t->op, girih_sha3_hash(out, out_len, kind, backend, t->msg.p, t->msg.len), "OK");
    expect_bytes(t->op, out, out_len, t->expected);
    for (size_t piece = 1; piece <= t->msg.len; piece += 1 + piece / 3) {
        memset(out, PREFILL, out_len);
        expect_status(t->op, girih_sha3_init(&h, kind, backend), "OK");
        for (size_t at = 0; at < t->msg.len; at += piece)
            expect_status(t->op, girih_sha3_update(&h, t->msg.p + at, piece < t->msg.len - at ? piece : t->msg.len - at), "OK");
        if (kind < GIRIH_SHAKE128)
            expect_status(t->op, girih_sha3_final(out, out_len, &h), "OK");
        else
            for (size_t at = 0; at < out_len; at += piece)
                expect_status(t->op, girih_shake_squeeze(out + at, piece < out_len - at ? piece : out_len - at, &h), "OK");
        expect_bytes(t->op, out, out_len, t->expected);
    }
    free(out);
}

static void run_line(char *line)
{
    char *field[FIELDS];
    test_case t;

    split(line, field, FIELDS);
    t.op = field[0];
    t.set = (unsigned)atoi(field[1]);
    t.key = parse_bytes(field[2]);
    t.hash = (unsigned)atoi(field[3]);
    t.msg = parse_bytes(field[4]);
    t.ctx = parse_bytes(field[5]);
    t.rnd = parse_bytes(field[6]);
    t.sig = parse_bytes(field[7]);
    t.expected = field[8];
    if (strcmp(t.op, "keygen") == 0)
        run_keygen(&t);
    else if (strcmp(t.op, "load") == 0)
        run_load(&t);
    else if (strncmp(t.op, "sign-", 5) == 0)
        run_sign(&t);
    else if (strncmp(t.op, "verify-", 7) == 0)
        run_verify(&t);
    else if (strcmp(t.op, "sha3") == 0)
        run_sha3(&t);
    else
        fail(t.op, "an unknown operation");
    free(t.key.p);
    free(t.msg.p);
    free(t.ctx.p);
    free(t.rnd.p);
    free(t.sig.p);
}

int main(int argc, char **argv)
{
    return run_file(argc, argv, run_line);
}
