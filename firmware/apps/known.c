/* Loops whose counts are known by reading them: what the plugin and the cycle models are tested with.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "board.h"
#include "log.h"
#include "mark.h"
#include "stack.h"

MARK_DEFINE(girih_begin_countdown)
MARK_DEFINE(girih_begin_memory)
MARK_DEFINE(girih_begin_stack)
MARK_DEFINE(girih_end)

/* 1 + 2 * 1000 instructions, 999 taken branches. */
__attribute__((noinline)) static void countdown(void)
{
#if defined(__riscv)
    __asm__ volatile("li a0, 1000\n1: addi a0, a0, -1\nbnez a0, 1b" : : : "a0");
#else
    __asm__ volatile("movs r0, #250\nlsls r0, r0, #2\n1: subs r0, #1\nbne 1b" : : : "r0", "cc");
#endif
}

/* 100 times: a load behind which stands a load, a load behind which stands an addition, a store; then the loop's two instructions. */
__attribute__((noinline)) static void memory(uint32_t *p)
{
#if defined(__riscv)
    __asm__ volatile("li a0, 100\n1: lw a1, 0(%0)\nlw a2, 4(%0)\nadd a1, a1, a2\nsw a1, 8(%0)\naddi a0, a0, -1\nbnez a0, 1b"
                     :
                     : "r"(p)
                     : "a0", "a1", "a2", "memory");
#else
    __asm__ volatile("movs r0, #100\n1: ldr r1, [%0]\nldr r2, [%0, #4]\nadds r1, r1, r2\nstr r1, [%0, #8]\nsubs r0, #1\nbne 1b"
                     :
                     : "l"(p)
                     : "r0", "r1", "r2", "cc", "memory");
#endif
}

/* Stores to the stack, 512 bytes below where it was called. */
__attribute__((noinline)) static void deep(void)
{
#if defined(__riscv)
    __asm__ volatile("addi sp, sp, -512\nsw a0, 0(sp)\naddi sp, sp, 512" : : : "memory");
#else
    __asm__ volatile("sub sp, #256\nsub sp, #256\nstr r0, [sp]\nadd sp, #256\nadd sp, #256" : : : "memory");
#endif
}

int main(void)
{
    static uint32_t words[3];
    const uint8_t *here = stack_here();

    stack_take();
    log_begin();
    log_text("app", "known");
    log_number("stack_here", (uint32_t)(uintptr_t)here);
    log_number("stack_bottom", (uint32_t)(uintptr_t)stack_bottom());
    log_end();
    girih_begin_countdown();
    countdown();
    girih_end();
    girih_begin_memory();
    memory(words);
    girih_end();
    stack_paint(here);
    girih_begin_stack();
    deep();
    girih_end();
    log_begin();
    log_text("op", "stack");
    log_number("stack", stack_used(here));
    log_end();
    log_exit("ok");
}
