# Cortex-M55 with MVE: mps3-an547 under qemu.
set(GIRIH_ARCH arm)
set(GIRIH_CPU_FLAGS "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard")
set(GIRIH_UART_ADDRESS 0x49303000u)
