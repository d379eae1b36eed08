# Cortex-M0 (v6-M): microbit under qemu, or mps2-an385 for what needs more than 16 KB of RAM.
set(GIRIH_ARCH arm)
set(GIRIH_CPU_FLAGS "-mcpu=cortex-m0 -mthumb -mfloat-abi=soft")
set(GIRIH_UART_ADDRESS 0x40004000u)
