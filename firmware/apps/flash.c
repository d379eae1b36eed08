/* A device that keeps the tables of its key in flash: checks them where they lie, verifies, and signs where there is a secret table.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * At FLASH + 0x20000: the image that `girih lab flash` writes. At FLASH + 0x60000: a signature of message 0 of the stream, context
 * "girih flash". The argument "secret" says that there is a secret table. */
#include "board.h"
#include "log.h"
#include "ram.h"
#include "stack.h"
#include "stream.h"

#define TABLES_AT    0x20000
#define SIGNATURE_AT 0x60000
#define ROOM         (SIGNATURE_AT - TABLES_AT)

extern const uint8_t __flash_begin[];

static const uint8_t context[] = "girih flash";

static int has_secret(void)
{
    char text[64];
    const char *p = text;

    board_arguments(text, sizeof text);
    while (*p != 0 && *p != ' ')
        p++;
    return *p == ' ' && p[1] == 's';
}

int main(void)
{
    const girih_backend backend = girih_backend_detect();
    const girih_mldsa_vk *vk = (const girih_mldsa_vk *)(const void *)(__flash_begin + TABLES_AT);
    const size_t vk_room = (girih_mldsa_vk_bytes(KEY_SET, backend) + GIRIH_TABLE_ALIGN - 1) & ~(size_t)(GIRIH_TABLE_ALIGN - 1);
    const girih_mldsa_sk *sk = (const girih_mldsa_sk *)(const void *)(__flash_begin + TABLES_AT + vk_room);
    const size_t sig_len = girih_mldsa_signature_bytes(KEY_SET), ws_len = girih_mldsa_workspace_bytes(KEY_SET, GIRIH_MLDSA_SIGN, backend);
    const uint8_t deterministic[GIRIH_MLDSA_RND_BYTES] = {0};
    uint8_t *sig = ram_take(sig_len), *ws = ram_take(ws_len), message[STREAM_BYTES];
    girih_status status;

    stack_take();
    stream_bytes(message, 'm', 0, backend);
    if (girih_mldsa_vk_check(vk, ROOM, KEY_SET, backend, NULL) != GIRIH_OK)
        log_exit("public table refused");
    status =
        girih_mldsa_verify(vk, __flash_begin + SIGNATURE_AT, sig_len, message, sizeof message, context, sizeof context - 1, ws, ws_len);
    log_begin();
    log_text("app", "flash");
    log_number("verified", status == GIRIH_OK);
    log_end();
    if (has_secret()) {
        if (girih_mldsa_sk_check(sk, ROOM - vk_room, vk) != GIRIH_OK)
            log_exit("secret table refused");
        status =
            girih_mldsa_sign(sig, sig_len, sk, vk, message, sizeof message, context, sizeof context - 1, deterministic, NULL, ws, ws_len);
        log_begin();
        log_number("signed", status == GIRIH_OK);
        log_bytes("signature", sig, sig_len);
        log_end();
    }
    log_exit("ok");
}
