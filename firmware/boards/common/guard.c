/* The stack protector's guard. A product fills it from its entropy source before any protected function runs; here it is fixed, so that
 * two runs are the same run.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "board.h"

uintptr_t __stack_chk_guard = 0xA5C35A3Cu;

_Noreturn void __stack_chk_fail(void);

_Noreturn void __stack_chk_fail(void)
{
    board_write("fault: stack overwritten\n");
    board_exit(71);
}
