"""The ports of a device, with simulated hardware behind them: the random generator against SP 800-90A, the fault
counter."""

from __future__ import annotations

import ctypes
import hashlib
import hmac
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OK, BAD_LENGTH, FAULT, ATTEMPTS, RANDOMNESS = 0, -2, -8, -7, -9
RESEED_INTERVAL = 4096

# Simulated hardware: an entropy source that hands out what the test put in, and a counter that can break.
HARDWARE = r"""
#include <string.h>
#include "girih/drbg.h"
#include "girih/fault.h"

unsigned char entropy[4096];
unsigned entropy_used, entropy_reads, faults;
int entropy_broken, counter_broken;

girih_status girih_entropy_bytes(uint8_t *out, size_t len)
{
    if (entropy_broken)
        return GIRIH_RANDOMNESS;
    memcpy(out, entropy + entropy_used, len);
    entropy_used += (unsigned)len;
    entropy_reads++;
    return GIRIH_OK;
}

girih_status girih_fault_read(uint32_t *count)
{
    *count = faults;
    return counter_broken ? GIRIH_FAULT : GIRIH_OK;
}

girih_status girih_fault_write(uint32_t count)
{
    if (counter_broken)
        return GIRIH_FAULT;
    faults = count;
    return GIRIH_OK;
}
"""


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ports")
    (folder / "hardware.c").write_text(HARDWARE)
    core = ROOT / "core"
    sources = [*(core / "src/keccak").glob("*.c"), *(core / "src/backend/c").glob("keccak*.c"),
               core / "src/common/common.c", core / "ports/drbg.c", core / "ports/fault.c"]  # fmt: skip
    library = folder / "ports.so"
    detect = folder / "detect.c"
    detect.write_text(
        '#include "girih/girih.h"\n'
        "girih_backend girih_backend_detect(void) { return GIRIH_BACKEND_C; }\n"
        "int girih_backend_available(girih_backend b) { return b == GIRIH_BACKEND_C; }\n"
    )
    subprocess.run(
        ["cc", "-std=c11", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-DGIRIH_BIND=1", f"-I{core}/include", f"-I{core}/src",
         *map(str, sources), str(folder / "hardware.c"), str(detect), "-o", str(library)],
        check=True,
    )  # fmt: skip
    return library


class Device:
    """A generator on the simulated hardware."""

    def __init__(self, library: Path) -> None:
        self.c = ctypes.CDLL(str(library))
        self.state = ctypes.create_string_buffer(68)
        for name in ("entropy_used", "entropy_reads", "entropy_broken", "faults", "counter_broken"):
            self.set(name, 0)

    def set(self, name: str, value: int) -> None:
        ctypes.c_uint.in_dll(self.c, name).value = value

    def get(self, name: str) -> int:
        return ctypes.c_uint.in_dll(self.c, name).value

    def feed(self, entropy: bytes) -> None:
        ctypes.memmove((ctypes.c_char * 4096).in_dll(self.c, "entropy"), entropy, len(entropy))

    def instantiate(self, personalization: bytes = b"") -> int:
        return int(self.c.girih_drbg_instantiate(self.state, personalization, ctypes.c_size_t(len(personalization))))

    def reseed(self, additional: bytes = b"") -> int:
        return int(self.c.girih_drbg_reseed(self.state, additional, ctypes.c_size_t(len(additional))))

    def generate(self, size: int, additional: bytes = b"") -> tuple[int, bytes]:
        out = ctypes.create_string_buffer(b"\xee" * size, size)
        size_t = ctypes.c_size_t
        status = self.c.girih_drbg_generate(self.state, out, size_t(size), additional, size_t(len(additional)))
        return int(status), out.raw


class Reference:
    """HMAC_DRBG as SP 800-90A, 10.1.2 writes it, for any hash."""

    def __init__(self, name: str, entropy: bytes, nonce: bytes, personalization: bytes = b"") -> None:
        self.hash: Callable[[], hashlib._Hash] = lambda: hashlib.new(name)
        size = self.hash().digest_size
        self.key, self.v = bytes(size), b"\x01" * size
        self.update(entropy + nonce + personalization)

    def mac(self, *data: bytes) -> bytes:
        return hmac.new(self.key, b"".join(data), lambda: self.hash()).digest()

    def update(self, data: bytes) -> None:
        for byte in (b"\x00", b"\x01") if data else (b"\x00",):
            self.key = self.mac(self.v, byte, data)
            self.v = self.mac(self.v)

    def generate(self, size: int, additional: bytes = b"") -> bytes:
        if additional:
            self.update(additional)
        out = b""
        while len(out) < size:
            self.v = self.mac(self.v)
            out += self.v
        self.update(additional)
        return out[:size]


ENTROPY = bytes(range(48))
FRESH = bytes(range(100, 132))


@pytest.fixture
def device(library: Path) -> Iterator[Device]:
    yield Device(library)


def test_the_reference_gives_nists_vector() -> None:
    """CAVP, HMAC_DRBG.rsp, SHA-256 with a reseed: the second of two requests."""
    drbg = Reference(
        "sha256",
        bytes.fromhex("06032cd5eed33f39265f49ecb142c511da9aff2af71203bffaf34a9ca5bd9c0d"),
        bytes.fromhex("0e66f71edc43e42a45ad3c6fc6cdc4df"),
    )
    drbg.update(bytes.fromhex("01920a4e669ed3a85ae8a33b35a74ad7fb2a6bb4cf395ce00334a9c9a5a5d552"))
    drbg.generate(128)
    assert drbg.generate(128).hex() == (
        "76fc79fe9b50beccc991a11b5635783a83536add03c157fb30645e611c2898bb2b1bc215000209208cd506cb28da2a51"
        "bdb03826aaf2bd2335d576d519160842e7158ad0949d1a9ec3e66ea1b1a064b005de914eac2e9d4f2d72a8616a802254"
        "22918250ff66a41bd2f864a6a38cc5b6499dc43f7f2bd09e1e0f8f5885935124"
    )


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 64, 1000])
@pytest.mark.parametrize("additional", [b"", b"more"])
def test_the_generator_is_the_standards(device: Device, size: int, additional: bytes) -> None:
    device.feed(ENTROPY + FRESH)
    reference = Reference("sha3_256", ENTROPY[:32], ENTROPY[32:], b"device 7")
    assert device.instantiate(b"device 7") == OK
    for _ in range(3):
        assert device.generate(size, additional) == (OK, reference.generate(size, additional))
    assert device.reseed(b"input") == OK
    reference.update(FRESH + b"input")
    assert device.generate(size) == (OK, reference.generate(size))


def test_a_generator_that_was_not_instantiated_gives_nothing(device: Device) -> None:
    assert device.generate(8) == (RANDOMNESS, bytes(8))
    assert device.reseed() == RANDOMNESS


def test_a_broken_source_stops_the_generator(device: Device) -> None:
    assert device.instantiate() == OK
    device.set("entropy_broken", 1)
    assert device.reseed() == RANDOMNESS
    assert device.generate(16) == (RANDOMNESS, bytes(16))
    assert device.state.raw == bytes(68)


def test_a_generator_reseeds_itself(device: Device) -> None:
    assert device.instantiate() == OK
    for _ in range(RESEED_INTERVAL):
        assert device.generate(0)[0] == OK
    assert device.get("entropy_reads") == 1
    assert device.generate(0)[0] == OK
    assert device.get("entropy_reads") == 2


def test_too_much_is_refused(device: Device) -> None:
    assert device.instantiate() == OK
    assert device.generate(65536)[0] == OK
    assert device.generate(65537) == (BAD_LENGTH, bytes(65537))
    assert device.instantiate(bytes(4097)) == BAD_LENGTH


def test_uninstantiate_wipes(device: Device) -> None:
    assert device.instantiate() == OK
    device.c.girih_drbg_uninstantiate(device.state)
    assert device.state.raw == bytes(68)


def test_a_fault_is_counted_and_passed_on(device: Device) -> None:
    assert device.c.girih_fault_noted(FAULT) == FAULT
    assert device.get("faults") == 1


@pytest.mark.parametrize("status", [OK, -1, -2, -3, -4, -5, -6, ATTEMPTS, RANDOMNESS])
def test_nothing_else_is_counted(device: Device, status: int) -> None:
    assert device.c.girih_fault_noted(status) == status
    assert device.get("faults") == 0


def test_the_key_is_locked_from_the_limit_on(device: Device) -> None:
    allowed = []
    for _ in range(4):
        allowed.append(device.c.girih_fault_below(2))
        device.c.girih_fault_noted(FAULT)
    assert allowed == [1, 1, 0, 0]


def test_the_count_saturates(device: Device) -> None:
    device.set("faults", 2**32 - 1)
    assert device.c.girih_fault_noted(FAULT) == FAULT
    assert device.get("faults") == 2**32 - 1


def test_a_broken_counter_locks_the_key_and_hides_no_fault(device: Device) -> None:
    device.set("counter_broken", 1)
    assert device.c.girih_fault_below(5) == 0
    assert device.c.girih_fault_noted(FAULT) == FAULT
