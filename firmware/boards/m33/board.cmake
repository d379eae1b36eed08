# Cortex-M33: mps2-an505 under qemu, secure state.
set(GIRIH_ARCH arm)
set(GIRIH_CPU_FLAGS "-mcpu=cortex-m33 -mthumb -mfloat-abi=soft")
set(GIRIH_UART_ADDRESS 0x40200000u)
