/* What an image weighs. One of SIZE_KEYGEN, SIZE_LOAD, SIZE_SIGN, SIZE_VERIFY (SIZE_ALL: all of them) calls the mode's operation;
 * SIZE_HASH calls the scheme's hash and nothing else; none of them is the harness alone. Sizes are read from the linked image; the
 * image also runs.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "board.h"

#if defined(SIZE_KEYGEN) || defined(SIZE_LOAD) || defined(SIZE_SIGN) || defined(SIZE_VERIFY) || defined(SIZE_ALL)
#define SIZE_OPERATION
#endif

#if defined(SIZE_OPERATION)
#include "key.h"

/* Everything comes from the RAM, through volatile words, so that nothing folds. */
static int use(uint8_t *ram)
{
    volatile uint32_t *in = (volatile uint32_t *)(uintptr_t)ram;
    app_key key = {.backend = girih_backend_detect()};
    girih_status status = GIRIH_OK;

    key.tables = ram + in[0];
    key.ws = ram + in[1];
    key.ws_len = in[2];
    key.pk = ram + in[3];
    key.sk = ram + in[4];
    key.seed = ram + in[5];
#if defined(SIZE_KEYGEN) || defined(SIZE_ALL)
    status |= key_keygen(&key, ram + in[3], ram + in[4], ram + in[5]);
#endif
#if defined(SIZE_LOAD) || defined(SIZE_ALL)
    status |= key_use_seed(&key, ram + in[5]);
#endif
#if defined(SIZE_SIGN) || defined(SIZE_ALL)
    status |= key_sign(&key, ram + in[6], ram + in[7], in[8], NULL, 0, ram + in[9], NULL);
#endif
#if defined(SIZE_VERIFY)
    status |= key_use_pk(&key, ram + in[3]);
#endif
#if defined(SIZE_VERIFY) || defined(SIZE_ALL)
    status |= key_verify(&key, ram + in[6], in[10], ram + in[7], in[8], NULL, 0);
#endif
    return status == GIRIH_OK;
}
#elif defined(SIZE_HASH)
#include "girih/sha3.h"

static int use(uint8_t *ram)
{
    volatile uint32_t *in = (volatile uint32_t *)(uintptr_t)ram;
    girih_sha3 h;

    return girih_sha3_init(&h, (girih_sha3_kind)in[0], girih_backend_detect()) == GIRIH_OK &&
           girih_sha3_update(&h, ram + in[1], in[2]) == GIRIH_OK && girih_shake_squeeze(ram, in[3], &h) == GIRIH_OK;
}
#else
static int use(uint8_t *ram)
{
    return *(volatile uint8_t *)ram == 0;
}
#endif

int main(void)
{
    board_write(use(__ram_begin) ? "ok\n" : "refused\n");
    return 0;
}
