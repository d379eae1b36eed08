/* Marks around what is measured: the lab's plugin knows these functions by their names and counts from girih_begin_<op> to girih_end.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef APP_MARK_H
#define APP_MARK_H

/* The comment makes each body different, so that no optimisation merges two marks. */
#define MARK_DEFINE(name)                                                                                                                  \
    __attribute__((noinline, used)) void name(void);                                                                                       \
    void name(void)                                                                                                                        \
    {                                                                                                                                      \
        __asm__ volatile("/* " #name " */" : : : "memory");                                                                                \
    }

#endif
