# Cortex-M7 with double precision: mps2-an500 under qemu.
set(GIRIH_ARCH arm)
set(GIRIH_CPU_FLAGS "-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16")
set(GIRIH_UART_ADDRESS 0x40004000u)
