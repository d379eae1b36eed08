/* Cortex-M: vectors, reset, traps.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CCR               REGISTER(0xE000ED14u)
#define VTOR              REGISTER(0xE000ED08u)
#define CPACR             REGISTER(0xE000ED88u)
#define DEMCR             REGISTER(0xE000EDFCu)
#define DWT_CTRL          REGISTER(0xE0001000u)
#define DWT_CYCCNT        REGISTER(0xE0001004u)

_Noreturn void reset(void);
_Noreturn void fault(void);

__attribute__((section(".vectors"), used)) const uintptr_t vectors[16] = {
    (uintptr_t)__stack_top, (uintptr_t)reset, (uintptr_t)fault, (uintptr_t)fault, (uintptr_t)fault, (uintptr_t)fault,
    (uintptr_t)fault,       (uintptr_t)fault, (uintptr_t)fault, (uintptr_t)fault, (uintptr_t)fault, (uintptr_t)fault,
    (uintptr_t)fault,       (uintptr_t)fault, (uintptr_t)fault, (uintptr_t)fault,
};

void reset(void)
{
    board_start();
    board_load_memory();
    board_stack_limit(__stack_limit);
    board_exit(main());
}

/* Also the end of a stack that ran into its limit: the report needs room. */
void fault(void)
{
    board_stack_limit(NULL);
    __asm__ volatile("mov sp, %0" : : "r"(__stack_top));
    board_write("fault: trap\n");
    board_exit(70);
}

void board_start(void)
{
#if __ARM_ARCH >= 7 || defined(__ARM_ARCH_8M_MAIN__)
    CCR |= 1u << 3 | 1u << 4; /* trap unaligned words and division by zero (v6-M always traps the first and has no division) */
#endif
#if defined(__ARM_FP)
    CPACR |= 0xFu << 20; /* floating point, and MVE where there is one */
    __asm__ volatile("dsb\nisb");
#endif
#if defined(GIRIH_CYCLES) && __ARM_ARCH >= 7
    DEMCR |= 1u << 24;
    DWT_CYCCNT = 0;
    DWT_CTRL |= 1;
#endif
}

uint32_t board_cycles(void)
{
#if defined(GIRIH_CYCLES) && __ARM_ARCH >= 7
    return DWT_CYCCNT;
#else
    return 0;
#endif
}

void board_stack_limit(const uint8_t *limit)
{
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
    __asm__ volatile("msr msplim, %0" : : "r"(limit));
#else
    (void)limit;
#endif
}

/* The image sets its own stack limit; v6-M has no vector table register and keeps the loader's table. */
void board_jump(const uint8_t *image)
{
    const uint32_t *table = (const uint32_t *)(const void *)image;

    board_stack_limit(NULL);
#if __ARM_ARCH >= 7 || defined(__ARM_ARCH_8M_MAIN__)
    VTOR = (uint32_t)(uintptr_t)image;
#endif
    __asm__ volatile("msr msp, %0\n\tbx %1" : : "r"(table[0]), "r"(table[1]));
    __builtin_unreachable();
}
