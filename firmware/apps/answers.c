/* Host program: prints the known answers of a parameter set (answers/<set>.h), computed through the public interface of the core.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The attempts of a signature are the smallest budget with which it succeeds. */
#include <stdio.h>
#include <stdlib.h>

#include "answers.h"
#include "girih/mldsa.h"
#include "stream.h"

static void fail(const char *what)
{
    fprintf(stderr, "answers: %s\n", what);
    exit(1);
}

static void *memory(size_t size)
{
    void *p = aligned_alloc(GIRIH_TABLE_ALIGN, (size + GIRIH_TABLE_ALIGN - 1) / GIRIH_TABLE_ALIGN * GIRIH_TABLE_ALIGN);

    if (p == NULL)
        fail("no memory");
    return p;
}

static void print_tag(const uint8_t *tag, size_t len)
{
    for (size_t i = 0; i < len; i++)
        printf("%s0x%02x", i == 0 ? "{" : ", ", tag[i]);
    printf("}");
}

int main(int argc, char **argv)
{
    girih_mldsa_set set = (girih_mldsa_set)(argc == 2 ? atoi(argv[1]) : 0);
    girih_backend backend = girih_backend_detect();
    size_t pk_len = girih_mldsa_public_key_bytes(set), sk_len = girih_mldsa_secret_key_bytes(set),
           sig_len = girih_mldsa_signature_bytes(set);
    size_t vk_bytes = girih_mldsa_vk_bytes(set, backend), table_bytes = girih_mldsa_sk_bytes(set, backend), ws_len = 0;
    const uint8_t deterministic[GIRIH_MLDSA_RND_BYTES] = {0};
    uint8_t seed[STREAM_BYTES], msg[STREAM_BYTES], tag[ANSWER_TAG_BYTES];

    if (pk_len == 0)
        fail("usage: answers 44|65|87");
    for (int op = GIRIH_MLDSA_KEYGEN; op <= GIRIH_MLDSA_VERIFY; op++) {
        size_t need = girih_mldsa_workspace_bytes(set, (girih_mldsa_op)op, backend);

        ws_len = need > ws_len ? need : ws_len;
    }

    uint8_t *pk = memory(pk_len), *sk = memory(sk_len), *sig = memory(sig_len), *ws = memory(ws_len);
    girih_mldsa_vk *vk = memory(vk_bytes);
    girih_mldsa_sk *table = memory(table_bytes);

    printf("/* Known answers of ML-DSA-%d, printed by answers.c; tests compare them with the host's library.\n"
           " * SPDX-License-Identifier: Apache-2.0 OR MIT */\n"
           "static const uint8_t answer_keys[ANSWER_KEYS][ANSWER_TAG_BYTES] = {\n",
           (int)set);
    for (uint32_t i = 0; i < ANSWER_KEYS; i++) {
        stream_bytes(seed, 's', i, backend);
        if (girih_mldsa_keygen(pk, pk_len, sk, sk_len, set, backend, seed, ws, ws_len) != GIRIH_OK)
            fail("keygen");
        stream_tag(tag, sizeof tag, pk, pk_len, sk, sk_len, backend);
        printf("    ");
        print_tag(tag, sizeof tag);
        printf(",\n");
    }
    printf("};\n\nstatic const app_answer answer_signatures[ANSWER_SIGNATURES] = {\n");

    stream_bytes(seed, 's', 0, backend);
    if (girih_mldsa_seed_load(vk, vk_bytes, table, table_bytes, NULL, 0, set, backend, seed, ws, ws_len) != GIRIH_OK)
        fail("load");
    for (uint32_t i = 0; i < ANSWER_SIGNATURES; i++) {
        girih_mldsa_options options = {.max_attempts = 0};
        girih_status status;

        stream_bytes(msg, 'm', i, backend);
        do {
            options.max_attempts++;
            status = girih_mldsa_sign(sig, sig_len, table, vk, msg, sizeof msg, NULL, 0, deterministic, &options, ws, ws_len);
        } while (status == GIRIH_ATTEMPTS);
        if (status != GIRIH_OK || options.max_attempts > 255)
            fail("sign");
        stream_tag(tag, sizeof tag, sig, sig_len, NULL, 0, backend);
        printf("%s{%u, ", i % 2 == 0 ? "    " : " ", (unsigned)options.max_attempts);
        print_tag(tag, sizeof tag);
        printf("},%s", i % 2 == 1 ? "\n" : "");
    }
    printf("};\n");
    return 0;
}
