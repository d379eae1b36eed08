/* The stack of one call: painted before it, read after it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_STACK_H
#define APP_STACK_H

#include "board.h"

/* Gives the stack what ram_take left (at most 32 KB, so that painting stays cheap); the limit register enforces it. */
void stack_take(void);

/* The stack pointer of the caller. */
static inline uint8_t *stack_here(void)
{
    uint8_t *sp;

#if defined(__riscv)
    __asm__ volatile("mv %0, sp" : "=r"(sp));
#else
    __asm__ volatile("mov %0, sp" : "=r"(sp));
#endif
    return sp;
}

/* Paints from the floor up to a little below here. */
void stack_paint(const uint8_t *here);

/* Bytes below here that lost their paint since. */
uint32_t stack_used(const uint8_t *here);

/* Lowest address that the stack may have. */
uint8_t *stack_bottom(void);

#endif
