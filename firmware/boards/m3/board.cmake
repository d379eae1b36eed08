# Cortex-M3: mps2-an385 under qemu.
set(GIRIH_ARCH arm)
set(GIRIH_CPU_FLAGS "-mcpu=cortex-m3 -mthumb -mfloat-abi=soft")
set(GIRIH_UART_ADDRESS 0x40004000u)
# The apps sign what they verify; under emulation nobody measures how long that takes. Firmware for the core verifies only: girih_config.h.
set(GIRIH_BOARD_DEFINITIONS GIRIH_UNOBSERVED)
