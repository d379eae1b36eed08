# Cortex-M3: mps2-an385 under qemu.
set(GIRIH_ARCH arm)
set(GIRIH_CPU_FLAGS "-mcpu=cortex-m3 -mthumb -mfloat-abi=soft")
set(GIRIH_UART_ADDRESS 0x40004000u)
