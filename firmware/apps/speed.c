/* What an operation costs: every operation of the mode between marks, its results checked against known answers outside them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments: the number of signatures (1 to 256, else APP_MESSAGES). The log: one line about the image, one line a call, one line at
 * the end. */
#include "answers.h"
#include "board.h"
#include "key.h"
#include "log.h"
#include "mark.h"
#include "ram.h"
#include "stack.h"
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

/* One call and what it cost beside instructions. */
typedef struct {
    uint32_t stack, cycles;
} call_cost;

static uint32_t number_argument(uint32_t otherwise)
{
    char text[64];
    uint32_t value = 0;
    const char *p = text;

    board_arguments(text, sizeof text);
    while (*p != 0 && *p != ' ')
        p++;
    for (; *p != 0; p++)
        if (*p >= '0' && *p <= '9')
            value = 10 * value + (uint32_t)(*p - '0');
    return value == 0 || value > ANSWER_SIGNATURES ? otherwise : value;
}

static void log_call(key_op op, uint32_t i, uint32_t attempts, const call_cost *cost)
{
    log_begin();
    log_text("op", op_names[op]);
    log_number("i", i);
    if (attempts != 0)
        log_number("attempts", attempts);
    log_number("stack", cost->stack);
    if (cost->cycles != 0)
        log_number("cycles", cost->cycles);
    log_end();
}

static int same(const uint8_t *a, const uint8_t *b)
{
    return girih_equal(a, b, ANSWER_TAG_BYTES);
}

/* Measures one call: statement stands between the marks, and nothing else. */
#define MEASURE(cost, mark, statement)                                                                                                     \
    do {                                                                                                                                   \
        const uint8_t *here = stack_here();                                                                                                \
        stack_paint(here);                                                                                                                 \
        uint32_t cycles = board_cycles();                                                                                                  \
        mark();                                                                                                                            \
        statement;                                                                                                                         \
        girih_end();                                                                                                                       \
        (cost)->cycles = board_cycles() - cycles;                                                                                          \
        (cost)->stack = stack_used(here);                                                                                                  \
    } while (0)

static void describe(const app_key *key, uint32_t messages)
{
    log_begin();
    log_text("app", "speed");
    log_text("scheme", APP_SET_NAME(APP_SET));
    log_text("mode", APP_MODE);
    log_text("target", APP_BOARD);
    log_text("kernel", girih_backend_name(key->backend));
    log_text("compiler", APP_COMPILER);
    log_text("flags", APP_FLAGS);
    log_number("hardening", APP_HARDENING);
    log_number("messages", messages);
    log_number("tables", (uint32_t)key_table_bytes(key->backend));
    for (key_op op = KEY_KEYGEN; op < KEY_OPS; op++)
        if (key_has(op))
            log_number(op_names[op], (uint32_t)key_workspace_bytes(op, key->backend));
    log_number("stack_here", (uint32_t)(uintptr_t)stack_here());
    log_number("stack_bottom", (uint32_t)(uintptr_t)stack_bottom());
    log_number("ram_begin", (uint32_t)(uintptr_t)__ram_begin);
    log_end();
}

int main(void)
{
    app_key key = {.backend = girih_backend_detect()};
    static const uint8_t deterministic[GIRIH_MLDSA_RND_BYTES];
    uint8_t seed[STREAM_BYTES], msg[STREAM_BYTES], tag[ANSWER_TAG_BYTES];
    const size_t pk_len = girih_mldsa_public_key_bytes(KEY_SET), sk_len = girih_mldsa_secret_key_bytes(KEY_SET);
    const size_t sig_len = girih_mldsa_signature_bytes(KEY_SET);
    uint32_t messages = number_argument(APP_MESSAGES);
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
        log_call(KEY_KEYGEN, i, 0, &cost);
    }
    MEASURE(&cost, girih_begin_load, status = key_use_seed(&key, seed));
    if (key_has(KEY_LOAD))
        log_call(KEY_LOAD, 0, 0, &cost);
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
        log_call(KEY_SIGN, i, answer_signatures[i].attempts, &cost);

        MEASURE(&cost, girih_begin_verify, status = key_verify(&key, sig, sig_len, msg, sizeof msg, NULL, 0));
        if (status != GIRIH_OK)
            log_exit("verify: refused a signature");
        log_call(KEY_VERIFY, i, 0, &cost);
        msg[i % sizeof msg] ^= 1;
        if (key_verify(&key, sig, sig_len, msg, sizeof msg, NULL, 0) != GIRIH_BAD_SIGNATURE)
            log_exit("verify: accepted a wrong message");
    }
    log_exit("ok");
}
