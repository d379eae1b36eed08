# RV32IMC: virt under qemu. (rv32imc_zicsr would choose the wrong libgcc.)
set(GIRIH_ARCH riscv)
set(GIRIH_CPU_FLAGS "-march=rv32imc -mabi=ilp32 -mcmodel=medany -msmall-data-limit=0")
set(GIRIH_UART_ADDRESS 0x10000000u)
