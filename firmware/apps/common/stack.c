/* The stack of one call: painted before it, read after it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "stack.h"

#define PAINT UINT32_C(0xC3A55A3C)
#define LARGEST 32768u

static uint32_t *bottom;

void stack_floor(uint8_t *floor)
{
    if ((size_t)(__stack_top - floor) > LARGEST)
        floor = __stack_top - LARGEST;
    bottom = (uint32_t *)(((uintptr_t)floor + 7) & ~(uintptr_t)7);
    board_stack_limit((uint8_t *)bottom);
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
