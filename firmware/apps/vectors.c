/* Runs vectors of the standard on the target. They come from the debugger's side, in the file vectors.bin of its working folder.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The file: records, each a kind and its fields; the lengths of keys and signatures are the set's, the others are written before what
 * they measure.
 *   'k'  seed, pk, sk                                               what KeyGen must give
 *   's'  sk, message (2 bytes of length), context (1), rnd, sig     what Sign must give
 *   'v'  pk, message (2), context (1), sig (2), verdict (1)         what Verify must say
 *   'e'  the end */
#include "log.h"
#include "ram.h"
#include "records.h"
#include "stack.h"

#define MAX_MESSAGE 1024
#define MAX_CONTEXT 255

static size_t get_length(unsigned bytes)
{
    uint8_t b[2] = {0, 0};

    record_get(b, bytes);
    return (size_t)(b[0] | b[1] << 8);
}

int main(void)
{
    app_key key = {.backend = girih_backend_detect()};
    const size_t pk_len = girih_mldsa_public_key_bytes(KEY_SET), sk_len = girih_mldsa_secret_key_bytes(KEY_SET);
    const size_t sig_len = girih_mldsa_signature_bytes(KEY_SET);
    uint8_t *pk = ram_take(pk_len), *sk = ram_take(sk_len), *sig = ram_take(sig_len + 1), *msg = ram_take(MAX_MESSAGE);
    uint8_t ctx[MAX_CONTEXT], seed[32];
    uint8_t kind;

    ram_take_key(&key);
    stack_take();
    records_open();
    while ((kind = record_kind()) != 'e') {
        size_t msg_len, ctx_len, given;
        int good;

        if (kind == 'k') {
            record_get(seed, sizeof seed);
            good = key_keygen(&key, pk, sk, seed) == GIRIH_OK;
            good &= record_matches(pk, pk_len);
            good &= record_matches(sk, sk_len);
        } else {
            record_get(kind == 's' ? sk : pk, kind == 's' ? sk_len : pk_len);
            msg_len = get_length(2);
            if (msg_len > MAX_MESSAGE)
                log_exit("vectors.bin: a message is too long");
            record_get(msg, msg_len);
            ctx_len = get_length(1);
            record_get(ctx, ctx_len);
            if (kind == 's') {
                record_get(seed, sizeof seed); /* rnd */
                good = key_use_sk(&key, sk) == GIRIH_OK && key_sign(&key, sig, msg, msg_len, ctx, ctx_len, seed, NULL) == GIRIH_OK;
                good &= record_matches(sig, sig_len);
            } else {
                given = get_length(2);
                if (given > sig_len + 1)
                    log_exit("vectors.bin: a signature is too long");
                record_get(sig, given);
                good = key_use_pk(&key, pk) == GIRIH_OK;
                good &= (key_verify(&key, sig, given, msg, msg_len, ctx, ctx_len) == GIRIH_OK) == (get_length(1) == 1);
            }
        }
        record_judge(good);
    }
    records_end();
}
