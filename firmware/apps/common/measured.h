/* One call between marks, and what it cost beside instructions.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_MEASURED_H
#define APP_MEASURED_H

#include "board.h"
#include "log.h"
#include "mark.h"
#include "stack.h"

typedef struct {
    uint32_t stack, cycles;
} call_cost;

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

/* The number on the command line, where it is in 1..most. */
static inline uint32_t number_argument(uint32_t most, uint32_t otherwise)
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
    return value == 0 || value > most ? otherwise : value;
}

/* A call's line. attempts: 0 where there are none. */
static inline void log_call(const char *op, uint32_t i, uint32_t attempts, const call_cost *cost)
{
    log_begin();
    log_text("op", op);
    log_number("i", i);
    if (attempts != 0)
        log_number("attempts", attempts);
    log_number("stack", cost->stack);
    if (cost->cycles != 0)
        log_number("cycles", cost->cycles);
    log_end();
}

/* What every image says of itself, then where its stack is; in a line that the app has begun. */
static inline void log_image(const char *app, const char *scheme, girih_backend backend)
{
    log_text("app", app);
    log_text("scheme", scheme);
    log_text("target", APP_BOARD);
    log_text("kernel", girih_backend_name(backend));
    log_text("compiler", APP_COMPILER);
    log_text("flags", APP_FLAGS);
    log_number("hardening", APP_HARDENING);
    log_number("stack_here", (uint32_t)(uintptr_t)stack_here());
    log_number("stack_bottom", (uint32_t)(uintptr_t)stack_bottom());
    log_number("ram_begin", (uint32_t)(uintptr_t)__ram_begin);
}

#endif
