/* What ML-KEM costs: every operation of the mode between marks, its results checked against known answers outside them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments: the number of key pairs (1 to KEM_ANSWERS, else all). Each is made, loaded, encapsulated to once, and asked for the secret of
 * that ciphertext and of a spoiled one. */
#include "kem.h"
#include "kem_answers.h"
#include "measured.h"
#include "ram.h"
#include "stream.h"

#if APP_KEM_SET == 512
#include "../answers/mlkem_512.h"
#elif APP_KEM_SET == 768
#include "../answers/mlkem_768.h"
#else
#include "../answers/mlkem_1024.h"
#endif

MARK_DEFINE(girih_begin_keygen)
MARK_DEFINE(girih_begin_load)
MARK_DEFINE(girih_begin_encaps)
MARK_DEFINE(girih_begin_decaps)
MARK_DEFINE(girih_end)

static const char *const op_names[KEM_OPS] = {"keygen", "load", "encaps", "decaps"};
static const char *const table_names[KEM_OPS] = {"keygen_tables", "load_tables", "encaps_tables", "decaps_tables"};

static void describe(const app_kem *kem)
{
    log_begin();
    log_image("mlkem_speed", KEM_SET_NAME(APP_KEM_SET), kem->backend);
    log_text("mode", APP_KEM_MODE);
    log_number("state", (uint32_t)kem_state_bytes(kem->backend));
    for (kem_op op = KEM_KEYGEN; op < KEM_OPS; op++) {
        if (kem_has(op)) {
            log_number(op_names[op], (uint32_t)kem_workspace_bytes(op, kem->backend));
            log_number(table_names[op], (uint32_t)kem_table_bytes(op, kem->backend));
        }
    }
    log_end();
}

/* The tag of a || b must be the one that is known. */
static void check(const char *what, girih_status status, const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len,
                  const uint8_t known[ANSWER_TAG_BYTES], girih_backend backend)
{
    uint8_t tag[ANSWER_TAG_BYTES];

    stream_tag(tag, sizeof tag, a, a_len, b, b_len, backend);
    if (status != GIRIH_OK || !girih_equal(tag, known, sizeof tag))
        log_exit(what);
}

int main(void)
{
    app_kem kem = {.backend = girih_backend_detect()};
    const size_t ek_len = girih_mlkem_ek_encoded_bytes(KEM_SET), dk_len = girih_mlkem_dk_encoded_bytes(KEM_SET);
    const size_t ct_len = girih_mlkem_ct_bytes(KEM_SET);
    uint8_t *ek = ram_take(ek_len), *dk = ram_take(dk_len), *ct = ram_take(ct_len);
    uint8_t seed[2 * STREAM_BYTES], m[STREAM_BYTES], ss[STREAM_BYTES];
    call_cost cost = {0, 0};
    girih_status status;

    kem_take(&kem);
    stack_take();
    describe(&kem);
    for (uint32_t i = 0, count = number_argument(KEM_ANSWERS, KEM_ANSWERS); i < count; i++) {
        stream_bytes(seed, 's', 2 * i, kem.backend);
        stream_bytes(seed + STREAM_BYTES, 's', 2 * i + 1, kem.backend);
        MEASURE(&cost, girih_begin_keygen, status = kem_keygen(&kem, seed));
        status |= kem_encode(&kem, ek, dk);
        check("keygen: wrong answer", status, ek, ek_len, dk, dk_len, kem_answers[i].keys, kem.backend);
        log_call(op_names[KEM_KEYGEN], i, 0, &cost);

        if (kem_has(KEM_LOAD)) {
            MEASURE(&cost, girih_begin_load, status = kem_use_ek(&kem, ek));
            log_call(op_names[KEM_LOAD], i, 0, &cost);
        }
        stream_bytes(m, 'm', i, kem.backend);
        MEASURE(&cost, girih_begin_encaps, status = kem_encaps(&kem, ct, ss, m));
        check("encaps: wrong answer", status, ct, ct_len, ss, sizeof ss, kem_answers[i].encapsulated, kem.backend);
        log_call(op_names[KEM_ENCAPS], i, 0, &cost);

        MEASURE(&cost, girih_begin_decaps, status = kem_decaps(&kem, ss, ct));
        check("decaps: wrong answer", status, ct, ct_len, ss, sizeof ss, kem_answers[i].encapsulated, kem.backend);
        log_call(op_names[KEM_DECAPS], i, 0, &cost);
        ct[i] ^= 1;
        MEASURE(&cost, girih_begin_decaps, status = kem_decaps(&kem, ss, ct));
        check("decaps: wrong rejection", status, ss, sizeof ss, NULL, 0, kem_answers[i].rejected, kem.backend);
        log_call(op_names[KEM_DECAPS], i, 0, &cost);
    }
    log_exit("ok");
}
