/* The image that the boot loader starts: says that it runs.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "log.h"

int main(void)
{
    log_begin();
    log_text("app", "payload");
    log_end();
    log_exit("ok");
}
