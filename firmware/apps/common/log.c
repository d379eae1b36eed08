/* Log lines of the apps.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "log.h"

#include "board.h"

static int first;

static void name_of(const char *name)
{
    board_write(first ? "{\"" : ", \"");
    first = 0;
    board_write(name);
    board_write("\": ");
}

void log_begin(void)
{
    first = 1;
}

void log_text(const char *name, const char *text)
{
    name_of(name);
    board_write("\"");
    board_write(text);
    board_write("\"");
}

void log_number(const char *name, uint32_t value)
{
    char digits[11];
    char *p = digits + sizeof digits - 1;

    *p = 0;
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    name_of(name);
    board_write(p);
}

void log_bytes(const char *name, const uint8_t *data, size_t len)
{
    static const char digit[16] = "0123456789abcdef";

    name_of(name);
    board_write("\"");
    for (size_t i = 0; i < len; i++) {
        const char text[3] = {digit[data[i] >> 4], digit[data[i] & 15], 0};

        board_write(text);
    }
    board_write("\"");
}

void log_end(void)
{
    board_write("}\n");
}

void log_exit(const char *reason)
{
    log_begin();
    log_text("end", reason);
    log_end();
    board_exit(reason[0] == 'o' && reason[1] == 'k' && reason[2] == 0 ? 0 : 1);
}
