# RV32IMAC: virt under qemu.
set(GIRIH_ARCH riscv)
set(GIRIH_CPU_FLAGS "-march=rv32imac -mabi=ilp32 -mcmodel=medany -msmall-data-limit=0")
set(GIRIH_UART_ADDRESS 0x10000000u)
