/* The public key that the boot loader trusts: the bytes of the file BOOT_KEY.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
__asm__(".section .rodata.boot_key, \"a\"\n"
        ".balign 4\n"
        ".global boot_key\n"
        "boot_key:\n"
        ".incbin \"" BOOT_KEY "\"\n");
