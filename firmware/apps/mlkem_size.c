/* What an image with ML-KEM weighs. SIZE_KEYGEN, SIZE_LOAD, SIZE_ENCAPS, SIZE_DECAPS (SIZE_ALL: all of them) calls the mode's operation;
 * the harness alone and the hash alone are those of size.c. Sizes are read from the linked image; the image also runs.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "board.h"
#include "kem.h"

/* Everything comes from the RAM, through volatile words, so that nothing folds. */
static int use(uint8_t *ram)
{
    volatile uint32_t *in = (volatile uint32_t *)(uintptr_t)ram;
    app_kem kem = {.backend = girih_backend_detect()};
    girih_status status = GIRIH_OK;

    kem.ek = ram + in[0];
    kem.dk = ram + in[1];
    kem.ws = ram + in[2];
    kem.ws_len = in[3];
#if defined(SIZE_KEYGEN) || defined(SIZE_ALL)
    status |= kem_keygen(&kem, ram + in[4]);
#endif
#if defined(SIZE_LOAD) || defined(SIZE_ALL)
    status |= kem_use_ek(&kem, ram + in[5]);
#endif
#if defined(SIZE_ENCAPS) || defined(SIZE_ALL)
    status |= kem_encaps(&kem, ram + in[6], ram + in[7], ram + in[8]);
#endif
#if defined(SIZE_DECAPS) || defined(SIZE_ALL)
    status |= kem_decaps(&kem, ram + in[9], ram + in[10]);
#endif
    return status == GIRIH_OK;
}

int main(void)
{
    board_write(use(__ram_begin) ? "ok\n" : "refused\n");
    return 0;
}
