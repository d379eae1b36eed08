/* What an operation costs: every operation of the mode between marks, its results checked against known answers outside them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments: the number of signatures (1 to 256, else APP_MESSAGES). The log: one line about the image, one line a call, one line at
 * the end. */
#include "answers.h"
#include "key.h"
#include "measured.h"
#include "ram.h"
#include "stream.h"

#if APP_SET == 44
#include "../answers/44.h"
#elif APP_SET == 65
#include "../answers/65.h"
#else
#include "../answers/87.h"
#endif

MARK_DEFINE(girih_begin_keygen)
MARK_DEFINE(girih_begin_load)
MARK_DEFINE(girih_begin_sign)
MARK_DEFINE(girih_begin_verify)
MARK_DEFINE(girih_end)

static const char *const op_names[KEY_OPS] = {"keygen", "load", "sign", "verify"};

static int same(const uint8_t *a, const uint8_t *b)
{
    return girih_equal(a, b, ANSWER_TAG_BYTES);
}

static void describe(const app_key *key, uint32_t messages)
{
    log_begin();
    log_image("speed", APP_SET_NAME(APP_SET), key->backend);
    log_text("mode", APP_MODE);
    log_number("messages", messages);
    log_number("tables", (uint32_t)key_table_bytes(key->backend));
    for (key_op op = KEY_KEYGEN; op < KEY_OPS; op++)
        if (key_has(op))
            log_number(op_names[op], (uint32_t)key_workspace_bytes(op, key->backend));
    log_end();
}

int main(void)
{
    app_key key = {.backend = girih_backend_detect()};
    static const uint8_t deterministic[GIRIH_MLDSA_RND_BYTES];
    uint8_t seed[STREAM_BYTES], msg[STREAM_BYTES], tag[ANSWER_TAG_BYTES];
    const size_t pk_len = girih_mldsa_public_key_bytes(KEY_SET), sk_len = girih_mldsa_secret_key_bytes(KEY_SET);
    const size_t sig_len = girih_mldsa_signature_bytes(KEY_SET);
    uint32_t messages = number_argument(ANSWER_SIGNATURES, APP_MESSAGES);
    uint8_t *pk, *sk, *sig;
    call_cost cost = {0, 0};
    girih_status status;

    pk = ram_take(pk_len);
    sk = ram_take(sk_len);
    sig = ram_take(sig_len);
    ram_take_key(&key);
    stack_take();
    describe(&key, messages);

    for (uint32_t i = ANSWER_KEYS; i-- != 0;) { /* key 0 last: it stays */
        stream_bytes(seed, 's', i, key.backend);
        MEASURE(&cost, girih_begin_keygen, status = key_keygen(&key, pk, sk, seed));
        stream_tag(tag, sizeof tag, pk, pk_len, sk, sk_len, key.backend);
        if (status != GIRIH_OK || !same(tag, answer_keys[i]))
            log_exit("keygen: wrong answer");
        log_call(op_names[KEY_KEYGEN], i, 0, &cost);
    }
    MEASURE(&cost, girih_begin_load, status = key_use_seed(&key, seed));
    if (key_has(KEY_LOAD))
        log_call(op_names[KEY_LOAD], 0, 0, &cost);
    else if (status == GIRIH_BAD_ARGUMENT) /* a mode that starts from the encoded key */
        status = key_use_sk(&key, sk);
    if (status != GIRIH_OK || (!key_has(KEY_LOAD) && key_use_pk(&key, pk) != GIRIH_OK))
        log_exit("load: failed");
    for (uint32_t i = 0; i < messages; i++) {
        stream_bytes(msg, 'm', i, key.backend);
        MEASURE(&cost, girih_begin_sign, status = key_sign(&key, sig, msg, sizeof msg, NULL, 0, deterministic, NULL));
        stream_tag(tag, sizeof tag, sig, sig_len, NULL, 0, key.backend);
        if (status != GIRIH_OK || !same(tag, answer_signatures[i].tag))
            log_exit("sign: wrong answer");
        log_call(op_names[KEY_SIGN], i, answer_signatures[i].attempts, &cost);

        MEASURE(&cost, girih_begin_verify, status = key_verify(&key, sig, sig_len, msg, sizeof msg, NULL, 0));
        if (status != GIRIH_OK)
            log_exit("verify: refused a signature");
        log_call(op_names[KEY_VERIFY], i, 0, &cost);
        msg[i % sizeof msg] ^= 1;
        if (key_verify(&key, sig, sig_len, msg, sizeof msg, NULL, 0) != GIRIH_BAD_SIGNATURE)
            log_exit("verify: accepted a wrong message");
    }
    log_exit("ok");
}
