/* Console, input and exit: through the debugger (Arm semihosting, which RISC-V adopted), or in a GIRIH_UART build a UART that is only
 * written to.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "board.h"

#if defined(GIRIH_UART)

#if defined(__riscv)
/* 16550, of which only the transmit register is used. */
static void uart_put(uint8_t c)
{
    *(volatile uint8_t *)GIRIH_UART = c;
}
#else
/* CMSDK UART. */
static void uart_put(uint8_t c)
{
    volatile uint32_t *uart = (volatile uint32_t *)GIRIH_UART;

    uart[2] = 1;  /* CTRL: transmit enable */
    uart[4] = 16; /* BAUDDIV: the smallest that the device accepts */
    while (uart[1] & 1)
        ; /* STATE: transmit buffer full */
    uart[0] = c;
}
#endif

void board_write(const char *text)
{
    while (*text != 0)
        uart_put((uint8_t)*text++);
}

void board_exit(int status)
{
    (void)status;
    for (;;)
        ;
}

void board_arguments(char *out, size_t size)
{
    (void)size;
    out[0] = 0;
}

int board_open(const char *name)
{
    (void)name;
    return -1;
}

size_t board_read(int handle, uint8_t *out, size_t len)
{
    (void)handle, (void)out, (void)len;
    return 0;
}

#else

enum { SYS_OPEN = 0x01, SYS_WRITE0 = 0x04, SYS_READ = 0x06, SYS_GET_CMDLINE = 0x15, SYS_EXIT_EXTENDED = 0x20 };
#define APPLICATION_EXIT 0x20026u

static intptr_t semihosting(uintptr_t operation, const void *block)
{
#if defined(__riscv)
    register uintptr_t a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = block;

    /* the three uncompressed instructions lie in one page */
    __asm__ volatile(".balign 16\n.option push\n.option norvc\nslli zero, zero, 0x1f\nebreak\nsrai zero, zero, 7\n.option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return (intptr_t)a0;
#else
    register uintptr_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = block;

    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return (intptr_t)r0;
#endif
}

void board_write(const char *text)
{
    semihosting(SYS_WRITE0, text);
}

void board_exit(int status)
{
    const uintptr_t block[2] = {APPLICATION_EXIT, (uintptr_t)status};

    semihosting(SYS_EXIT_EXTENDED, block);
    for (;;)
        ;
}

void board_arguments(char *out, size_t size)
{
    struct {
        char *text;
        uintptr_t size;
    } block = {out, size};

    out[0] = 0;
    if (semihosting(SYS_GET_CMDLINE, &block) != 0)
        out[0] = 0;
}

int board_open(const char *name)
{
    uintptr_t block[3] = {(uintptr_t)name, 1 /* "rb" */, 0};

    while (name[block[2]] != 0)
        block[2]++;
    return (int)semihosting(SYS_OPEN, block);
}

size_t board_read(int handle, uint8_t *out, size_t len)
{
    const uintptr_t block[3] = {(uintptr_t)handle, (uintptr_t)out, len};

    return len - (size_t)semihosting(SYS_READ, block);
}

#endif
