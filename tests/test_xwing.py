"""X-Wing from Python, against draft-connolly-cfrg-xwing-kem written out once more on the oracle of ML-KEM."""

from __future__ import annotations

import copy
import hashlib
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import girih
from girih import MlKem768, XWing, testing, xwing
from girih.errors import InvalidKey, RandomnessError
from girih.mlkem import Caches
from tests.spec import mlkem as spec

SEED, ESEED = bytes(range(32)), bytes(range(64, 128))
ML_KEM_768 = spec.PARAMETER_SETS["ML-KEM-768"]
LABEL = bytes.fromhex("5c2e2f2f5e5c")
# Points of order 1, 2, 4 and 8 (RFC 7748, section 6.1, calls their product zero).
SMALL_ORDER = [
    bytes(32),
    (1).to_bytes(32, "little"),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    ((1 << 255) - 20).to_bytes(32, "little"),
]


def x25519(scalar: bytes, point: bytes) -> bytes:
    """RFC 7748, section 5, as its pseudocode has it."""
    p = 2**255 - 19
    k = int.from_bytes(scalar, "little") & ~7 & ~(1 << 255) | 1 << 254
    x1 = int.from_bytes(point, "little") & ~(1 << 255)
    x2, z2, x3, z3, swap = 1, 0, x1, 1, 0
    for t in range(254, -1, -1):
        swap ^= k >> t & 1
        if swap:
            x2, z2, x3, z3 = x3, z3, x2, z2
        swap = k >> t & 1
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a % p, c * b % p, a * a % p, b * b % p
        x3, z3 = (da + cb) ** 2 % p, x1 * (da - cb) ** 2 % p
        x2, z2 = aa * bb % p, (aa - bb) * (aa + 121665 * (aa - bb)) % p
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, p - 2, p) % p).to_bytes(32, "little")


BASE = (9).to_bytes(32, "little")


def key_gen(seed: bytes) -> tuple[bytes, bytes, bytes]:
    """pk, sk_M, sk_X."""
    expanded = hashlib.shake_256(seed).digest(96)
    pk_m, sk_m = spec.ml_kem_key_gen_internal(expanded[:32], expanded[32:64], ML_KEM_768)
    return pk_m + x25519(expanded[64:], BASE), sk_m, expanded[64:]


def encaps(pk: bytes, eseed: bytes) -> tuple[bytes, bytes]:
    ss_m, ct_m = spec.ml_kem_encaps_internal(pk[:1184], eseed[:32], ML_KEM_768)
    ct_x, ss_x = x25519(eseed[32:], BASE), x25519(eseed[32:], pk[1184:])
    return hashlib.sha3_256(ss_m + ss_x + ct_x + pk[1184:] + LABEL).digest(), ct_m + ct_x


def decaps(ct: bytes, seed: bytes) -> bytes:
    pk, sk_m, sk_x = key_gen(seed)
    ss_m = spec.ml_kem_decaps_internal(sk_m, ct[:1088], ML_KEM_768)
    return hashlib.sha3_256(ss_m + x25519(sk_x, ct[1088:]) + ct[1088:] + pk[1184:] + LABEL).digest()


def test_the_x25519_of_this_file_is_that_of_rfc_7748() -> None:
    scalar = bytes.fromhex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
    point = bytes.fromhex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
    assert x25519(scalar, point).hex() == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    assert {x25519(scalar, point) for point in SMALL_ORDER} == {bytes(32)}


def test_sizes_and_names() -> None:
    sizes = (XWing.encapsulation_key_size, XWing.decapsulation_key_size, XWing.ciphertext_size)
    assert (*sizes, XWing.shared_secret_size, XWing.seed_size, XWing.name) == (1216, 32, 1120, 32, 32, "X-Wing")
    assert girih.XWing is xwing.XWing is copy.deepcopy(XWing) is pickle.loads(pickle.dumps(XWing))
    assert repr(XWing) == "girih.XWing"


@pytest.mark.parametrize("seed", [SEED, bytes(32), b"\xff" * 32])
def test_keys_and_secrets_are_those_of_the_draft(seed: bytes) -> None:
    ek, dk = XWing.key_gen(seed)
    assert bytes(ek) == key_gen(seed)[0]
    ss, ct = testing.x_wing_encaps_internal(ek, ESEED)
    assert (bytes(ss), ct) == encaps(bytes(ek), ESEED)
    assert dk.decaps(ct) == ss == decaps(ct, seed)
    assert (type(ss), len(ss), type(ct), len(ct)) == (bytearray, 32, bytes, 1120)


@pytest.mark.parametrize("at", [0, 1087, 1088, 1118])
def test_a_wrong_ciphertext_gives_another_secret(at: int) -> None:
    ek, dk = XWing.key_gen(SEED)
    ss, ct = ek.encaps()
    wrong = ct[:at] + bytes([ct[at] ^ 1]) + ct[at + 1 :]
    assert dk.decaps(wrong) == decaps(wrong, SEED) != ss


@pytest.mark.parametrize("point", SMALL_ORDER, ids=bytes.hex)
def test_points_of_small_order_are_no_special_case(point: bytes) -> None:
    ek, dk = XWing.key_gen(SEED)
    ct = ek.encaps()[1][:1088] + point
    assert dk.decaps(ct) == decaps(ct, SEED)
    weak = XWing.encapsulation_key(bytes(ek)[:1184] + point)
    ss, ct = testing.x_wing_encaps_internal(weak, ESEED)
    assert (bytes(ss), ct) == encaps(bytes(weak), ESEED)


def test_encapsulation_is_fresh() -> None:
    ek, dk = XWing.key_gen()
    pairs = [ek.encaps() for _ in range(20)]
    assert len({ct[:1088] for _, ct in pairs}) == len({ct[1088:] for _, ct in pairs}) == 20
    assert all(dk.decaps(ct) == ss for ss, ct in pairs)
    assert len({bytes(XWing.key_gen()[0]) for _ in range(5)}) == 5


@pytest.mark.parametrize("caches", [Caches.NONE, Caches.A_HAT, Caches.ALL])
def test_caches_change_no_byte(caches: Caches) -> None:
    ek, dk = XWing.key_gen(SEED, caches=caches)
    loaded = XWing.encapsulation_key(bytes(ek), caches=caches)
    ss, ct = testing.x_wing_encaps_internal(loaded, ESEED)
    assert (bytes(ss), ct) == encaps(bytes(ek), ESEED)
    assert XWing.decapsulation_key(SEED, caches=caches).decaps(ct) == ss
    assert loaded._pk_m.caches == ek._pk_m.caches == dk._sk_m.caches == caches


def test_keys_are_stored_loaded_and_compared() -> None:
    ek, dk = XWing.key_gen(SEED)
    assert dk.seed() == dk.to_bytes() == SEED and type(dk.seed()) is bytearray
    dk.seed()[:] = bytes(32)
    assert XWing.decapsulation_key(dk.seed()) == xwing.DecapsulationKey.from_bytes(dk.to_bytes()) == dk
    assert xwing.EncapsulationKey.from_bytes(bytes(ek)) == dk.encapsulation_key == ek
    assert hash(dk.encapsulation_key) == hash(ek) and pickle.loads(pickle.dumps(ek)) == ek
    other_ek, other_dk = XWing.key_gen()
    assert ek != other_ek and dk != other_dk and ek != bytes(ek) and dk != ek
    assert ek.parameter_set is dk.parameter_set is XWing


def test_decapsulation_keys_stay_where_they_are() -> None:
    dk: Any = XWing.key_gen(SEED)[1]
    for refused in (lambda: pickle.dumps(dk), lambda: copy.copy(dk), lambda: copy.deepcopy(dk), lambda: hash(dk)):
        with pytest.raises(TypeError):
            refused()
    assert repr(dk) == f"<X-Wing DecapsulationKey of {dk.encapsulation_key!r}>" and SEED.hex()[:16] not in repr(dk)


def test_secrets_are_wiped_with_the_key() -> None:
    dk = XWing.key_gen(SEED)[1]
    seed, sk_x = dk._seed, dk._sk_x
    assert any(sk_x) and seed == SEED
    del dk
    assert not any(seed) and not any(sk_x)


def test_any_bytes_like_object_goes_in() -> None:
    ek, dk = XWing.key_gen(memoryview(bytes(byte for one in SEED for byte in (one, 0)))[::2])
    assert dk.seed() == SEED
    ss, ct = ek.encaps()
    assert dk.decaps(bytearray(ct)) == dk.decaps(memoryview(ct)) == ss
    assert XWing.encapsulation_key(bytearray(bytes(ek))) == ek


LENGTHS: dict[str, tuple[str, int, type[Exception], Callable[[bytes], object]]] = {
    "seed": ("an X-Wing seed is 32", 32, ValueError, XWing.key_gen),
    "ek": ("an X-Wing encapsulation key is 1216", 1216, InvalidKey, XWing.encapsulation_key),
    "dk": ("an X-Wing decapsulation key is 32", 32, InvalidKey, XWing.decapsulation_key),
    "ct": ("an X-Wing ciphertext is 1120", 1120, ValueError, lambda ct: XWing.key_gen(SEED)[1].decaps(ct)),
    "eseed": (
        "an X-Wing eseed is 64",
        64,
        ValueError,
        lambda eseed: testing.x_wing_encaps_internal(XWing.key_gen(SEED)[0], eseed),
    ),
}


@pytest.mark.parametrize("what", LENGTHS)
@pytest.mark.parametrize("change", [-1, 1])
def test_another_length_is_refused_with_both_named(what: str, change: int) -> None:
    message, size, error, call = LENGTHS[what]
    with pytest.raises(error, match=f"^{message} bytes, got {size + change}$") as caught:
        call(bytes(size + change))
    assert type(caught.value) is error


def test_the_ml_kem_key_inside_is_checked() -> None:
    with pytest.raises(InvalidKey, match=r"^not an ML-KEM-768 encapsulation key"):
        XWing.encapsulation_key(b"\xff" * 1216)


def test_its_ml_kem_half_is_ml_kem() -> None:
    expanded = hashlib.shake_256(SEED).digest(96)
    assert bytes(XWing.key_gen(SEED)[0])[:1184] == bytes(MlKem768.key_gen(expanded[:64])[0])


def test_no_key_without_randomness(monkeypatch: pytest.MonkeyPatch) -> None:
    ek, _ = XWing.key_gen(SEED)

    def fail(count: int) -> bytes:
        raise OSError("no entropy")

    monkeypatch.setattr("os.urandom", fail)
    for call in (XWing.key_gen, ek.encaps):
        with pytest.raises(RandomnessError):
            call()


def test_without_cryptography_the_line_that_installs_it_is_named() -> None:
    program = """
import sys
sys.modules["cryptography"] = None
import girih
try:
    girih.XWing.key_gen()
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "X-Wing takes its X25519 from `cryptography`: pip install girih[xwing]\n"


def test_girih_alone_imports_no_other_library() -> None:
    program = "import sys, girih; print([name for name in ('cryptography', 'girih.xwing') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    with pytest.raises(AttributeError, match=r"^module 'girih' has no attribute 'YWing'$"):
        girih.YWing  # noqa: B018
