/* RV32: reset and traps.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "board.h"

void reset(void);
_Noreturn void start(void);
_Noreturn void fault(void);

/* Runs without a stack. */
__attribute__((naked, section(".vectors"), used)) void reset(void)
{
    __asm__ volatile("la sp, __stack_top\nj start");
}

__attribute__((used)) void start(void)
{
    board_start();
    board_load_memory();
    board_exit(main());
}

__attribute__((aligned(4))) void fault(void)
{
    __asm__ volatile("mv sp, %0" : : "r"(__stack_top));
    board_write("fault: trap\n");
    board_exit(70);
}

/* csr instructions by number: -march=rv32imc has no name for them. */
void board_start(void)
{
    __asm__ volatile(".insn i 0x73, 1, x0, %0, 0x305" : : "r"(fault)); /* csrrw x0, mtvec, fault */
}

uint32_t board_cycles(void)
{
#if defined(GIRIH_CYCLES)
    uint32_t cycles;

    __asm__ volatile(".insn i 0x73, 2, %0, x0, -1280" : "=r"(cycles)); /* csrrs cycles, mcycle (0xB00), x0 */
    return cycles;
#else
    return 0;
#endif
}

/* These cores have no stack limit register. */
void board_stack_limit(const uint8_t *limit)
{
    (void)limit;
}

void board_jump(const uint8_t *image)
{
    __asm__ volatile("jr %0" : : "r"(image));
    __builtin_unreachable();
}
