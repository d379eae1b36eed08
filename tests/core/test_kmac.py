"""KMAC256, which caches of ML-KEM carry: the sample values that NIST published for SP 800-185, and edges against another implementation."""

from __future__ import annotations

import ctypes

import pytest
from Crypto.Hash import KMAC256

from tests.core.doors import BACKENDS, backends, library

KEY = bytes(range(0x40, 0x60))
TAGGED = b"My Tagged Application"
SAMPLES = {  # KMAC_samples.pdf, numbers 4 to 6: data, S, MAC
    4: (
        bytes(range(4)), TAGGED,
        "20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7"
        "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd",
    ),
    5: (
        bytes(range(200)), b"",
        "75358cf39e41494e949707927cee0af20a3ff553904c86b08f21cc414bcfd691"
        "589d27cf5e15369cbbff8b9a4c2eb17800855d0235ff635da82533ec6b759b69",
    ),
    6: (
        bytes(range(200)), TAGGED,
        "b58618f71f92e1d56c1b8c55ddd7cd188b97b4ca4d99831eb2699a837da2e4d9"
        "70fbacfde50033aea585f1a2708510c32d07880801bd182898fe476876fc8965",
    ),
}  # fmt: skip

each = pytest.mark.parametrize("backend", backends())


def kmac256(backend: str, key: bytes, data: bytes, length: int, customization: bytes) -> bytes:
    """The core's."""
    lib, state, mac = library(), ctypes.create_string_buffer(512), ctypes.create_string_buffer(length + 1)
    memory = ctypes.addressof(state) + -ctypes.addressof(state) % 64
    at = ctypes.c_void_p(memory)
    lib.kmac256_init(at, key, ctypes.c_size_t(len(key)), customization, BACKENDS[backend])
    lib.keccak_absorb(at, data, ctypes.c_size_t(len(data)))
    lib.kmac256_final(mac, ctypes.c_size_t(length), at)
    assert state.raw == bytes(512)  # the key was in it
    assert mac.raw[length:] == b"\0"
    return mac.raw[:length]


@each
@pytest.mark.parametrize("number", SAMPLES)
def test_the_samples_of_sp_800_185(number: int, backend: str) -> None:
    data, customization, mac = SAMPLES[number]
    assert kmac256(backend, KEY, data, 64, customization).hex() == mac


@each
def test_every_length_around_a_block(backend: str) -> None:
    """The key's and the customization's pads end before, at and behind a block; a length takes one, two and three bytes."""
    for size in (*range(32, 37), *range(130, 138), *range(264, 274), 8191, 8192, 8193):
        for length, customization in ((32, b""), (8, b"s" * 31), (33, b"s" * 23)):
            mac = KMAC256.new(key=b"k" * size, mac_len=length, custom=customization, data=b"d" * (size - 1))
            assert kmac256(backend, b"k" * size, b"d" * (size - 1), length, customization) == mac.digest()
