/* A device that attests: signs a report about itself with the key of its seed, checked before it is released.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The report: the challenger's nonce, SHA3-256 of the image in flash, the faults on record. The mark is around the whole call: random
 * bytes from the DRBG, the signature, its check, the digest of the tables. Arguments: "fault" damages the table first: the call must
 * fail, be counted, and lock the key. "budget" signs with one attempt at a time: exhausted attempts are tried again and not counted.
 * "many" attests 32 times, each time with a new nonce, for a mean. */
#include "board.h"
#include "girih/drbg.h"
#include "girih/fault.h"
#include "log.h"
#include "mark.h"
#include "ram.h"
#include "stack.h"
#include "stream.h"

MARK_DEFINE(girih_begin_attest)
MARK_DEFINE(girih_end)

#define FAULT_LIMIT        1
#define IMAGE_DIGEST_BYTES 32

extern const uint8_t __flash_begin[], __flash_end[];

static const uint8_t context[] = "girih attest";

typedef struct {
    uint8_t nonce[STREAM_BYTES];
    uint8_t image[IMAGE_DIGEST_BYTES];
    uint8_t faults[4];
} report;

/* One attestation. */
static girih_status attest(uint8_t *sig, app_key *key, girih_drbg *drbg, const report *r, const girih_mldsa_options *options)
{
    uint8_t rnd[GIRIH_MLDSA_RND_BYTES];
    girih_status status;

    if (!girih_fault_below(FAULT_LIMIT))
        return GIRIH_FAULT;
    status = girih_drbg_generate(drbg, rnd, sizeof rnd, NULL, 0);
    if (status == GIRIH_OK)
        status = key_sign(key, sig, (const uint8_t *)r, sizeof *r, context, sizeof context - 1, rnd, options);
    girih_wipe(rnd, sizeof rnd);
    return girih_fault_noted(status);
}

static int argument(const char *word)
{
    char text[64];
    const char *p = text;

    board_arguments(text, sizeof text);
    while (*p != 0 && *p != ' ')
        p++;
    if (*p == ' ')
        p++;
    while (*word != 0 && *word == *p)
        word++, p++;
    return *word == 0 && *p == 0;
}

static void describe_image(report *r, uint32_t challenge, girih_backend backend)
{
    uint32_t faults = 0;

    stream_bytes(r->nonce, 'n', challenge, backend);
    if (girih_sha3_hash(r->image, sizeof r->image, GIRIH_SHA3_256, backend, __flash_begin, (size_t)(__flash_end - __flash_begin)) !=
            GIRIH_OK ||
        girih_fault_read(&faults) != GIRIH_OK)
        log_exit("report: failed");
    for (unsigned i = 0; i < 4; i++)
        r->faults[i] = (uint8_t)(faults >> 8 * i);
}

/* The device's key from its seed. A mode without a load keeps the seed, or has the encoded pair made of it and then checks with the
 * public key. */
static girih_status start_key(app_key *key, const uint8_t *seed, uint8_t *pk, uint8_t *sk, girih_mldsa_options *options)
{
    girih_status status = key_use_seed(key, seed);

    if (status != GIRIH_BAD_ARGUMENT)
        return status;
    status = key_keygen(key, pk, sk, seed);
    options->pk = pk;
    options->pk_len = girih_mldsa_public_key_bytes(KEY_SET);
    return status == GIRIH_OK ? key_use_sk(key, sk) : status;
}

int main(void)
{
    app_key key = {.backend = girih_backend_detect()};
    girih_mldsa_options options = {.checked = 1};
    girih_drbg drbg;
    report r;
    uint8_t seed[STREAM_BYTES];
    uint8_t *sig = ram_take(girih_mldsa_signature_bytes(KEY_SET));
    uint8_t *pk = ram_take(girih_mldsa_public_key_bytes(KEY_SET)), *sk = ram_take(girih_mldsa_secret_key_bytes(KEY_SET));
    const uint8_t *here;
    uint32_t calls = argument("many") ? 32 : 1, faults = 0, stack;
    girih_status status;

    ram_take_key(&key);
    stack_take();
    stream_bytes(seed, 's', 0, key.backend);
    if (start_key(&key, seed, pk, sk, &options) != GIRIH_OK || girih_drbg_instantiate(&drbg, NULL, 0) != GIRIH_OK)
        log_exit("start: failed");
    if (argument("fault"))
        *(key_table_bytes(key.backend) != 0 ? key.tables + 4096 : sk) ^= 1; /* a coefficient of A_hat, or rho */
    if (argument("budget"))
        options.max_attempts = 1;

    log_begin();
    log_text("app", "attest");
    log_text("scheme", APP_SET_NAME(APP_SET));
    log_text("mode", APP_MODE);
    log_text("target", APP_BOARD);
    log_text("kernel", girih_backend_name(key.backend));
    log_text("compiler", APP_COMPILER);
    log_text("flags", APP_FLAGS);
    log_number("hardening", APP_HARDENING);
    log_number("tables", (uint32_t)key_table_bytes(key.backend));
    log_number("attest", (uint32_t)key_workspace_bytes(KEY_SIGN, key.backend));
    log_number("stack_here", (uint32_t)(uintptr_t)stack_here());
    log_number("stack_bottom", (uint32_t)(uintptr_t)stack_bottom());
    log_end();
    for (uint32_t i = 0; i < calls; i++) {
        uint32_t tries = 0;

        describe_image(&r, i, key.backend);
        do {
            here = stack_here();
            stack_paint(here);
            girih_begin_attest();
            status = attest(sig, &key, &drbg, &r, &options);
            girih_end();
            stack = stack_used(here);
            tries++;
        } while (status == GIRIH_ATTEMPTS);

        log_begin();
        log_text("op", "attest");
        log_number("i", i);
        log_number("tries", tries);
        log_number("stack", stack);
        log_bytes("report", (const uint8_t *)&r, sizeof r);
        log_bytes("signature", sig, girih_mldsa_signature_bytes(KEY_SET));
        log_number("released", status == GIRIH_OK);
        log_number("locked", !girih_fault_below(FAULT_LIMIT));
        if (girih_fault_read(&faults) == GIRIH_OK)
            log_number("faults", faults);
        log_end();
    }
    log_exit("ok");
}
