/* What random bytes cost: those of a key pair (64) and of an encapsulation (32), from the fixed stream of the apps and from the DRBG over
 * the entropy port.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "girih/drbg.h"
#include "measured.h"
#include "stream.h"

MARK_DEFINE(girih_begin_stream_64)
MARK_DEFINE(girih_begin_stream_32)
MARK_DEFINE(girih_begin_drbg_64)
MARK_DEFINE(girih_begin_drbg_32)
MARK_DEFINE(girih_end)

int main(void)
{
    const girih_backend backend = girih_backend_detect();
    uint8_t bytes[2 * STREAM_BYTES];
    girih_drbg drbg;
    call_cost cost = {0, 0};
    girih_status status;

    stack_take();
    log_begin();
    log_image("mlkem_draw", "none", backend);
    log_end();
    MEASURE(&cost, girih_begin_stream_64, (stream_bytes(bytes, 's', 0, backend), stream_bytes(bytes + STREAM_BYTES, 's', 1, backend)));
    log_call("stream_64", 0, 0, &cost);
    MEASURE(&cost, girih_begin_stream_32, stream_bytes(bytes, 'm', 0, backend));
    log_call("stream_32", 0, 0, &cost);
    if (girih_drbg_instantiate(&drbg, NULL, 0) != GIRIH_OK)
        log_exit("drbg: not instantiated");
    MEASURE(&cost, girih_begin_drbg_64, status = girih_drbg_generate(&drbg, bytes, 64, NULL, 0));
    log_call("drbg_64", 0, 0, &cost);
    MEASURE(&cost, girih_begin_drbg_32, status |= girih_drbg_generate(&drbg, bytes, 32, NULL, 0));
    log_call("drbg_32", 0, 0, &cost);
    log_exit(status == GIRIH_OK ? "ok" : "drbg: failed");
}
