/* The memory of a program at reset, and memcpy, memset, memcmp: all that the core asks of a C library. Built without LTO and without
 * the rewriting of loops into calls, which would call these functions from themselves.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "board.h"

extern uint32_t __data_begin[], __data_end[], __data_load[], __bss_begin[], __bss_end[];
extern uint32_t __itcm_begin[], __itcm_end[], __itcm_load[], __dtcm_begin[], __dtcm_end[], __dtcm_load[];

static void copy_words(uint32_t *to, const uint32_t *end, const uint32_t *from)
{
    while (to < end)
        *to++ = *from++;
}

void board_load_memory(void)
{
    copy_words(__data_begin, __data_end, __data_load);
    copy_words(__itcm_begin, __itcm_end, __itcm_load);
    copy_words(__dtcm_begin, __dtcm_end, __dtcm_load);
    for (uint32_t *p = __bss_begin; p < __bss_end; p++)
        *p = 0;
}

/* Words may alias what the caller's types say. */
typedef uint32_t __attribute__((may_alias)) word;

void *memcpy(void *restrict dst, const void *restrict src, size_t n)
{
    uint8_t *to = (uint8_t *)dst;
    const uint8_t *from = (const uint8_t *)src;

    if ((((uintptr_t)to | (uintptr_t)from) & 3) == 0) {
        for (; n >= 16; n -= 16, to += 16, from += 16) {
            word a = ((const word *)from)[0], b = ((const word *)from)[1], c = ((const word *)from)[2], d = ((const word *)from)[3];

            ((word *)to)[0] = a;
            ((word *)to)[1] = b;
            ((word *)to)[2] = c;
            ((word *)to)[3] = d;
        }
        for (; n >= 4; n -= 4, to += 4, from += 4)
            *(word *)to = *(const word *)from;
    }
    while (n-- != 0)
        *to++ = *from++;
    return dst;
}

void *memset(void *dst, int value, size_t n)
{
    uint8_t *to = (uint8_t *)dst;
    uint32_t four = (uint8_t)value * UINT32_C(0x01010101);

    for (; n != 0 && ((uintptr_t)to & 3) != 0; n--)
        *to++ = (uint8_t)value;
    for (; n >= 16; n -= 16, to += 16) {
        ((word *)to)[0] = four;
        ((word *)to)[1] = four;
        ((word *)to)[2] = four;
        ((word *)to)[3] = four;
    }
    while (n-- != 0)
        *to++ = (uint8_t)value;
    return dst;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;

    for (; n != 0; n--, x++, y++)
        if (*x != *y)
            return *x < *y ? -1 : 1;
    return 0;
}

#if defined(__clang__) && defined(__arm__)
/* The names that clang uses for them (Run-time ABI for the Arm Architecture, 4.3.4); memset has its arguments in another order there. */
void __aeabi_memcpy(void *dst, const void *src, size_t n);
void __aeabi_memset(void *dst, size_t n, int value);
void __aeabi_memclr(void *dst, size_t n);

void __aeabi_memcpy(void *dst, const void *src, size_t n)
{
    memcpy(dst, src, n);
}

void __aeabi_memset(void *dst, size_t n, int value)
{
    memset(dst, value, n);
}

void __aeabi_memclr(void *dst, size_t n)
{
    memset(dst, 0, n);
}

void __aeabi_memcpy4(void *, const void *, size_t) __attribute__((alias("__aeabi_memcpy")));
void __aeabi_memcpy8(void *, const void *, size_t) __attribute__((alias("__aeabi_memcpy")));
void __aeabi_memset4(void *, size_t, int) __attribute__((alias("__aeabi_memset")));
void __aeabi_memset8(void *, size_t, int) __attribute__((alias("__aeabi_memset")));
void __aeabi_memclr4(void *, size_t) __attribute__((alias("__aeabi_memclr")));
void __aeabi_memclr8(void *, size_t) __attribute__((alias("__aeabi_memclr")));
#endif
