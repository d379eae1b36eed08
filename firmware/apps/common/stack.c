/* The stack of one call: painted before it, read after it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "stack.h"

#include "ram.h"

#define PAINT   UINT32_C(0xC3A55A3C)
#define LARGEST 32768u

static uint32_t *bottom;

void stack_take(void)
{
    uint8_t *floor = &__stack_limit[0] == &__ram_begin[0] ? ram_take(0) : __stack_limit;

    if ((size_t)(__stack_top - floor) > LARGEST)
        floor = __stack_top - LARGEST;
    bottom = (uint32_t *)(void *)floor;
    board_stack_limit(floor);
}

__attribute__((noinline)) void stack_paint(const uint8_t *here)
{
    volatile uint32_t *p = bottom;

    while ((const uint8_t *)(uintptr_t)p < here - 64) /* this function's own frame stays clear of the brush */
        *p++ = PAINT;
}

__attribute__((noinline)) uint32_t stack_used(const uint8_t *here)
{
    const volatile uint32_t *p = bottom;

    while ((const uint8_t *)(uintptr_t)p < here && *p == PAINT)
        p++;
    return (uint32_t)(here - (const uint8_t *)(uintptr_t)p);
}

uint8_t *stack_bottom(void)
{
    return (uint8_t *)bottom;
}
