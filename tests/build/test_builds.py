"""The core alone: by CMake with every compiler, freestanding, on 32 bits, from C++, and for microcontrollers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.toolchain import BINDS, FIRMWARE, HOSTS, M32, TESTS, Target, disassembly, run
from tests.core import cases, kem_cases
from tests.core.build import CORE

API_TEST = TESTS / "core" / "api_test.c"
CASE_RUNNER = TESTS / "core" / "case_runner.c"
KEM_TEST = TESTS / "core" / "kem_test.c"
KEM_RUNNER = TESTS / "core" / "kem_runner.c"
PLATFORM = {"memcpy", "memset", "memcmp"}

hosts = pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.needs(name)) for name in HOSTS])
firmware = pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.needs(name)) for name in FIRMWARE])
bound = pytest.mark.parametrize("bind", BINDS)


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every tenth test case."""
    path = tmp_path_factory.mktemp("cases") / "sample.txt"
    cases.write(path, 10)
    return path


@hosts
def test_the_core_is_a_subdirectory_of_a_plain_project(name: str, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\n"
        "project(consumer LANGUAGES C)\n"
        f"add_subdirectory({CORE} core)\n"
        f"add_executable(consumer {API_TEST})\n"
        "target_link_libraries(consumer girih_core)\n"
    )
    run("cmake", "-S", str(tmp_path), "-B", str(tmp_path / "b"), f"-DCMAKE_C_COMPILER={name}", "-DGIRIH_WERROR=ON")
    run("cmake", "--build", str(tmp_path / "b"))
    run(str(tmp_path / "b" / "consumer"), "c")


@pytest.mark.needs("m32")
@pytest.mark.parametrize("backend", ["c", "c32"])
def test_32_bit_code_gives_the_same_bytes(backend: str, sample: Path, tmp_path: Path) -> None:
    kem_cases.write(tmp_path / "kem.txt", 4)
    run(str(M32.program(API_TEST, "-O2")), backend)
    run(str(M32.program(CASE_RUNNER, "-O2")), backend, str(sample))
    run(str(M32.program(KEM_TEST, "-O2")), backend)
    run(str(M32.program(KEM_RUNNER, "-O2")), backend, str(tmp_path / "kem.txt"))


@pytest.mark.parametrize(
    ("compiler", "host"),
    [
        pytest.param("g++", "gcc", marks=pytest.mark.needs("g++", "gcc")),
        pytest.param("clang++", "clang", marks=pytest.mark.needs("clang++", "clang")),
    ],
)
@pytest.mark.parametrize("standard", ["c++11", "c++20"])
def test_cplusplus_includes_the_headers(compiler: str, host: str, standard: str, tmp_path: Path) -> None:
    source = tmp_path / "a.cc"
    headers = sorted((CORE / "include" / "girih").glob("*.h"))
    includes = "".join(f'#include "girih/{header.name}"\n' for header in headers)
    source.write_text(includes + "int main() { return girih_mldsa_signature_bytes(GIRIH_MLDSA_65) == 3309 ? 0 : 1; }\n")
    flags = (f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{CORE / 'include'}")
    run(compiler, *flags, str(source), str(HOSTS[host].core("-O1")), "-o", str(tmp_path / "a"))
    run(str(tmp_path / "a"))


def undefined_symbols(target: Target, library: Path, tmp_path: Path) -> set[str]:
    """What a whole core still asks for once it is one object, beyond what libgcc gives."""
    whole = tmp_path / "whole.o"
    run(
        target.compiler, *target.flags.split(), "-nostdlib", "-r", "-Wl,--whole-archive", str(library), "-o", str(whole)
    )
    asked = {row.split()[-1] for row in run(f"{target.tools}nm", "-u", str(whole)).splitlines()}
    gcc = "gcc" if target.compiler == "clang" else target.compiler
    libgcc = run(gcc, *target.flags.split(), "-print-libgcc-file-name").strip()
    given = {row.split()[-1] for row in run(f"{target.tools}nm", "--defined-only", libgcc).splitlines() if " " in row}
    return asked - given - {"_GLOBAL_OFFSET_TABLE_"}


@pytest.mark.needs("binutils", "gcc")
@hosts
def test_a_freestanding_core_asks_for_three_functions(name: str, tmp_path: Path) -> None:
    library = HOSTS[name].core("-O2 -ffreestanding -nostdlib", "CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
    assert undefined_symbols(HOSTS[name], library, tmp_path) == PLATFORM


@pytest.mark.needs("binutils")
@firmware
@bound
def test_a_firmware_core_asks_for_three_functions(bind: int, name: str, tmp_path: Path) -> None:
    library = FIRMWARE[name].core("-Os -ffreestanding", f"GIRIH_BIND={bind}")
    assert undefined_symbols(FIRMWARE[name], library, tmp_path) == PLATFORM


def writable_sections(target: Target, library: Path) -> list[str]:
    """Sections of the archive's members that a program could write to, and that hold something."""
    found = []
    for row in run(f"{target.tools}objdump", "-h", str(library)).splitlines():
        fields = row.split()
        if len(fields) > 2 and fields[0].isdigit() and int(fields[2], 16) != 0:
            section = fields[1]
            kinds = (".data", ".bss", ".sdata", ".sbss", ".tdata", ".tbss")
            if section.startswith(kinds) and not section.startswith(".data.rel.ro"):
                found.append(section)
    common = [row for row in run(f"{target.tools}nm", str(library)).splitlines() if " C " in row]
    return found + common


@pytest.mark.needs("binutils")
@hosts
def test_no_host_build_holds_a_writable_global(name: str) -> None:
    assert [writable_sections(HOSTS[name], HOSTS[name].core(flags)) for flags in ("-O0", "-O2")] == [[], []]


@pytest.mark.needs("binutils")
@firmware
@bound
def test_no_firmware_build_holds_a_writable_global(bind: int, name: str) -> None:
    assert writable_sections(FIRMWARE[name], FIRMWARE[name].core("-Os -ffreestanding", f"GIRIH_BIND={bind}")) == []


# A firmware that signs and verifies, encapsulates and decapsulates, and the three functions where the compiler comes without a C library.
MAIN = """
#include "girih/mldsa.h"
#include "girih/mlkem.h"
extern uint8_t seed[64], mu[64], rnd[32], sig[3309], ws[], vk[], sk[];
int firmware_main(void)
{
    girih_mldsa_vk *v = (girih_mldsa_vk *)(void *)vk;
    girih_mldsa_sk *s = (girih_mldsa_sk *)(void *)sk;
    const size_t all = 1 << 20;
    if (girih_mldsa_seed_load(v, all, s, all, NULL, 0, GIRIH_MLDSA_65, (girih_backend)GIRIH_BIND, seed, ws, all) != GIRIH_OK)
        return 1;
    if (girih_mldsa_sign_mu(sig, sizeof sig, s, v, mu, rnd, NULL, ws, all) != GIRIH_OK)
        return 2;
    if (girih_mldsa_verify_mu(v, sig, sizeof sig, mu, ws, all) != GIRIH_OK)
        return 3;
    girih_mlkem_dk *d = (girih_mlkem_dk *)(void *)sk;
    if (girih_mlkem_seed_load(d, all, GIRIH_MLKEM_768, GIRIH_MLKEM_CACHE_A, (girih_backend)GIRIH_BIND, seed, ws, all) != GIRIH_OK)
        return 4;
    if (girih_mlkem_ek_encaps(sig, GIRIH_MLKEM_768_CT_BYTES, rnd, girih_mlkem_dk_public(d), mu, ws, all) != GIRIH_OK)
        return 5;
    return girih_mlkem_dk_decaps(rnd, d, sig, GIRIH_MLKEM_768_CT_BYTES, ws, all) != GIRIH_OK;
}
"""
HARNESS = """
#include <stddef.h>
#include <stdint.h>
_Alignas(64) uint8_t seed[64], mu[64], rnd[32], sig[3309], ws[1 << 18], vk[1 << 17], sk[1 << 17];
int firmware_main(void);
int _start(void);
int _start(void) { return firmware_main(); }
void *memcpy(void *restrict d, const void *restrict s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile uint8_t *)d)[i] = ((const uint8_t *)s)[i];
    return d;
}
void *memset(void *d, int v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile uint8_t *)d)[i] = (uint8_t)v;
    return d;
}
int memcmp(const void *a, const void *b, size_t n)
{
    const uint8_t *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}
"""


def firmware_image(target: Target, bind: int, directory: Path) -> Path:
    """A linked image that loads seeds, signs and verifies, encapsulates and decapsulates, without what it does not call."""
    main, harness, image = directory / "main.c", directory / "harness.c", directory / "image.elf"
    main.write_text(MAIN)
    harness.write_text(HARNESS)
    library = target.core(
        "-Os -ffreestanding -ffunction-sections -fdata-sections -fno-jump-tables", f"GIRIH_BIND={bind}"
    )
    run(
        target.compiler, *target.flags.split(), "-std=c11", "-Os", "-ffreestanding", "-nostdlib",
        f"-DGIRIH_BIND={bind}", "-I", str(CORE / "include"),
        str(main), str(harness), str(library), "-lgcc", "-Wl,--gc-sections", "-Wl,-Ttext=0x10000", "-o", str(image),
    )  # fmt: skip
    return image


def is_indirect_call(mnemonic: str, operands: str) -> bool:
    """Whether an ARM or RISC-V instruction jumps to an address that a register or memory holds, and is no return.

    The image is built without jump tables, so that what is left of such jumps are calls, tail calls among them.
    """
    if mnemonic in ("blx", "bx"):
        return operands.strip() != "lr"
    if mnemonic.startswith(("jalr", "jr", "c.jalr", "c.jr")):
        return operands.strip() not in ("ra", "zero,0(ra)")
    return mnemonic.startswith(("ldr", "mov", "add")) and operands.startswith("pc,") and "[sp]" not in operands


@pytest.mark.needs("binutils")
@firmware
@bound
def test_a_firmware_image_holds_no_indirect_call(bind: int, name: str, tmp_path: Path) -> None:
    target = FIRMWARE[name]
    image = firmware_image(target, bind, tmp_path)
    code = disassembly(image, target.tools)
    called = {function for function, _, _ in code}
    assert {"girih_mldsa_seed_load", "girih_mldsa_sign_mu", "girih_mldsa_verify_mu"} <= called
    assert {"girih_mlkem_seed_load", "girih_mlkem_ek_encaps", "girih_mlkem_dk_decaps"} <= called
    assert [row for row in code if is_indirect_call(row[1], row[2])] == []
