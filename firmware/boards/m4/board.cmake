# Cortex-M4F: mps2-an386 under qemu.
set(GIRIH_ARCH arm)
set(GIRIH_CPU_FLAGS "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16")
set(GIRIH_UART_ADDRESS 0x40004000u)
