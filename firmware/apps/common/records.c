/* Records of vectors, and the tally of their answers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "records.h"

#include "board.h"
#include "girih/girih.h"
#include "log.h"

static int file;
static uint32_t done, failed;

void records_open(void)
{
    file = board_open("vectors.bin");
    if (file < 0)
        log_exit("no vectors.bin");
}

uint8_t record_kind(void)
{
    uint8_t kind;

    record_get(&kind, 1);
    return kind;
}

void record_get(uint8_t *out, size_t len)
{
    if (board_read(file, out, len) != len)
        log_exit("vectors.bin: too short");
}

int record_matches(const uint8_t *have, size_t len)
{
    uint8_t want[64];
    int same = 1;

    while (len != 0) {
        size_t n = len < sizeof want ? len : sizeof want;

        record_get(want, n);
        same &= girih_equal(have, want, n);
        have += n;
        len -= n;
    }
    return same;
}

void record_judge(int good)
{
    if (!good) {
        log_begin();
        log_number("wrong", done);
        log_end();
    }
    done++;
    failed += !good;
}

void records_end(void)
{
    log_begin();
    log_text("app", "vectors");
    log_number("vectors", done);
    log_number("failed", failed);
    log_end();
    log_exit(failed == 0 ? "ok" : "wrong answers");
}
