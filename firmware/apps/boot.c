/* A boot loader: verifies the image behind it in flash and jumps to it; refuses one that was tampered with.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * At FLASH + 0x20000: "girihIMG", the length of the image (4 bytes, little endian), 4 zero bytes, the signature of the image with
 * context "girih boot"; at FLASH + 0x22000 the image itself, its vectors first. The public key is part of the loader. */
#include "board.h"
#include "log.h"
#include "mark.h"
#include "ram.h"
#include "stack.h"

MARK_DEFINE(girih_begin_boot)
MARK_DEFINE(girih_end)

#define HEADER_AT    0x20000
#define IMAGE_AT     0x22000
#define LARGEST      0x1E000
#define HEADER_BYTES 16

extern const uint8_t __flash_begin[], boot_key[];

static const uint8_t context[] = "girih boot";
static const uint8_t magic[8] = {'g', 'i', 'r', 'i', 'h', 'I', 'M', 'G'};

static uint32_t image_length(const uint8_t *header)
{
    return (uint32_t)header[8] | (uint32_t)header[9] << 8 | (uint32_t)header[10] << 16 | (uint32_t)header[11] << 24;
}

int main(void)
{
    app_key key = {.backend = girih_backend_detect()};
    const uint8_t *header = __flash_begin + HEADER_AT, *image = __flash_begin + IMAGE_AT;
    const uint8_t *here;
    uint32_t len = image_length(header), stack;
    girih_status status;

    ram_take_key(&key);
    stack_take();
    here = stack_here();
    if (!girih_equal(header, magic, sizeof magic) || len < 8 || len > LARGEST)
        log_exit("no image");

    stack_paint(here);
    girih_begin_boot();
    status = key_use_pk(&key, boot_key);
    if (status == GIRIH_OK)
        status = key_verify(&key, header + HEADER_BYTES, girih_mldsa_signature_bytes(KEY_SET), image, len, context, sizeof context - 1);
    girih_end();
    stack = stack_used(here);

    log_begin();
    log_text("op", "boot");
    log_number("i", 0);
    log_number("image", len);
    log_number("stack", stack);
    log_number("verified", status == GIRIH_OK);
    log_end();
    if (status != GIRIH_OK)
        log_exit("image refused");
    board_jump(image);
}
