/* What an app may ask of its board.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BOARD_H
#define GIRIH_BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Set by the linker script: memory to carve, and the stack above it (or in a TCM). */
extern uint8_t __ram_begin[], __ram_end[], __stack_limit[], __stack_top[];

int main(void);

/* Text for the log: the debugger's console (semihosting), or the UART in a GIRIH_UART build. */
void board_write(const char *text);

/* Ends the run with an exit status; on a board without a debugger, waits for ever. */
_Noreturn void board_exit(int status);

/* The words behind the program's name on the emulator's command line; "" without a debugger. */
void board_arguments(char *out, size_t size);

/* Input from the debugger's side. board_open returns a handle, negative when there is none; board_read the bytes that it read. */
int board_open(const char *name);
size_t board_read(int handle, uint8_t *out, size_t len);

/* Processor cycles, modulo 2^32: DWT (v7-M, v8-M main) or mcycle in a GIRIH_CYCLES build; else 0. */
uint32_t board_cycles(void);

/* The stack may grow down to here: enforced where the core can (v8-M main), else only painted and measured. */
void board_stack_limit(const uint8_t *limit);

/* Starts the image at this address, vectors (Arm) or first instruction (RISC-V) first. */
_Noreturn void board_jump(const uint8_t *image);

/* Prepares the core: traps, floating point, cycle counter. Called at reset. */
void board_start(void);

/* Copies the initialised data and the code that a placement moved, and clears the rest. */
void board_load_memory(void);

#endif
