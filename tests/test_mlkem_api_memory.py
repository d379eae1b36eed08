"""ML-KEM and the machine: secrets in memory, leaks, want of memory and of randomness, threads."""

from __future__ import annotations

import functools
import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import girih
from girih import DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, testing
from girih.mlkem import PARAMETER_SETS, Caches, ParameterSet, check_decapsulation_key, check_encapsulation_key
from tests import preload, test_api_no_memory, test_rng_failure
from tests.test_api_memory import repeat
from tests.test_api_wiping import memory
from tests.test_threads import small_stacks, together

every_set = pytest.mark.parametrize("params", PARAMETER_SETS, ids=lambda p: p.name)
every_name = pytest.mark.parametrize("name", ["MlKem512", "MlKem768", "MlKem1024"])
shims = {"memory": test_api_no_memory.SHIM, "randomness": test_rng_failure.SHIM}
__all__ = ["small_stacks"]  # a fixture

SEED, M, MAC_KEY = bytes(range(64)), bytes(range(32)), bytearray(range(40))

# ---- what is left of secrets

# The child says what the parent must look for, but masked, and wipes its own copies: what is found is the library's.
CHILD = """
import sys
from girih import {name} as params, DecapsulationKey
def tell(secret):
    masked = [byte ^ 0xA5 for byte in secret]
    secret[:] = bytes(len(secret))
    print(*masked)
def wait(step):
    print(step, flush=True)
    sys.stdin.readline()
ek, key = params.key_gen()
encoded = key.to_bytes()
seed = key.seed()
d, z, s = seed[:32], seed[32:], encoded[:64]
seed[:] = bytes(64)
{more}
for _ in range(3):
    ss, ct = ek.encaps()
    other, both = key.decaps(ct), key.decaps_many([ct] * 40)
    assert other == ss and all(one == ss for one in both)
    for secret in (other, *both):
        secret[:] = bytes(32)
try:
    key.decaps_many([ct] * 40 + [b""])  # the first chunk is done when the mistake is met
except ValueError:
    pass
equal = key == params.decapsulation_key(encoded)
encoded[:] = bytes(len(encoded))
for secret in (d, z, s, ss):
    tell(secret)
wait("in use")
del key
wait("freed")
"""
SECRETS = ("d", "z", "s", "ss")
ENCODED = "key = DecapsulationKey.from_bytes(encoded)"


def found(name: str, more: str) -> dict[str, set[str]]:
    """Which secrets are in the memory of a child that holds a key, and of one that has freed it."""
    code = CHILD.format(name=name, more=more)
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    images: dict[str, set[str]] = {}
    with child:
        assert child.stdin is not None and child.stdout is not None
        lines = iter(child.stdout.readline, "")
        secrets = {what: bytes(int(word) ^ 0xA5 for word in next(lines).split()) for what in SECRETS}
        secrets["ss"] = secrets["ss"][8:]  # of an object that is given back, the allocator overwrites the beginning
        for step in ("in use", "freed"):
            assert next(lines).strip() == step
            image = memory(child.pid)
            images[step] = {what for what, secret in secrets.items() if secret in image}
            child.stdin.write("\n")
            child.stdin.flush()
    assert child.returncode == 0
    return images


if sys.platform == "linux":

    @every_name
    @pytest.mark.parametrize(("more", "held"), [("", {"d", "z"}), (ENCODED, {"z"})], ids=["seeded", "encoded"])
    def test_a_key_holds_what_it_needs_and_leaves_nothing(name: str, more: str, held: set[str]) -> None:
        assert found(name, more) == {"in use": held, "freed": set()}  # s lies in the form that products want


# ---- leaks

PARAMS: Any = MlKem512
EK, DK = PARAMS.key_gen(SEED)
SS, CT = EK.encaps()
ENCODED_EK, ENCODED_DK, CACHE = bytes(EK), bytes(DK.to_bytes()), EK.export_cache(MAC_KEY)
BAD_DK, BAD_EK, TEXT = ENCODED_DK[:-64] + bytes(64), b"\xff" * 800, "not bytes" * 2

OPERATIONS: dict[str, Callable[[], Any]] = {
    "key_gen": lambda: PARAMS.key_gen(),
    "key_gen seed": lambda: PARAMS.key_gen(SEED, caches=Caches.NONE),
    "key_gen short seed": lambda: PARAMS.key_gen(M),
    "key_gen str": lambda: PARAMS.key_gen(TEXT),
    "key_gen bad caches": lambda: PARAMS.key_gen(caches=99),
    "encapsulation_key": lambda: PARAMS.encapsulation_key(ENCODED_EK),
    "encapsulation_key view": lambda: PARAMS.encapsulation_key(memoryview(bytearray(ENCODED_EK))),
    "encapsulation_key cache": lambda: PARAMS.encapsulation_key(ENCODED_EK, cache=CACHE, mac_key=MAC_KEY),
    "encapsulation_key trusted": lambda: PARAMS.encapsulation_key(ENCODED_EK, trusted_cache=CACHE),
    "encapsulation_key bad cache": lambda: PARAMS.encapsulation_key(ENCODED_EK, cache=CACHE, mac_key=SEED),
    "encapsulation_key cache str": lambda: PARAMS.encapsulation_key(ENCODED_EK, cache=TEXT, mac_key=MAC_KEY),
    "encapsulation_key short mac": lambda: PARAMS.encapsulation_key(ENCODED_EK, cache=CACHE, mac_key=M[:-1]),
    "encapsulation_key both": lambda: PARAMS.encapsulation_key(ENCODED_EK, cache=CACHE, trusted_cache=CACHE),
    "encapsulation_key key str": lambda: PARAMS.encapsulation_key(TEXT, cache=CACHE, mac_key=MAC_KEY),
    "encapsulation_key bad": lambda: PARAMS.encapsulation_key(BAD_EK),
    "encapsulation_key short": lambda: PARAMS.encapsulation_key(SEED),
    "from_bytes": lambda: (EncapsulationKey.from_bytes(ENCODED_EK), DecapsulationKey.from_bytes(ENCODED_DK)),
    "from_bytes short": lambda: DecapsulationKey.from_bytes(SEED),
    "decapsulation_key": lambda: PARAMS.decapsulation_key(bytearray(ENCODED_DK)),
    "decapsulation_key expected": lambda: PARAMS.decapsulation_key(SEED, expected=EK),
    "decapsulation_key of another": lambda: PARAMS.decapsulation_key(bytes(64), expected=EK),
    "decapsulation_key expected str": lambda: PARAMS.decapsulation_key(SEED, expected=TEXT),
    "decapsulation_key bad": lambda: PARAMS.decapsulation_key(BAD_DK),
    "decapsulation_key short": lambda: PARAMS.decapsulation_key(M),
    "its encapsulation key": lambda: PARAMS.decapsulation_key(SEED).encapsulation_key,
    "check": lambda: (
        PARAMS.check_encapsulation_key(ENCODED_EK),
        PARAMS.check_decapsulation_key(bytearray(ENCODED_DK)),
    ),
    "check bad ek": lambda: check_encapsulation_key(bytearray(BAD_EK)),
    "check bad dk": lambda: check_decapsulation_key(BAD_DK),
    "encaps": lambda: EK.encaps(),
    "encaps_many": lambda: EK.encaps_many(40, threads=2),
    "encaps_many str": lambda: EK.encaps_many(TEXT),
    "decaps": lambda: DK.decaps(CT),
    "decaps a view": lambda: DK.decaps(memoryview(bytearray(CT))),
    "decaps short": lambda: DK.decaps(bytearray(SEED)),
    "decaps str": lambda: DK.decaps(TEXT),
    "decaps_many": lambda: DK.decaps_many([CT, bytearray(CT)] * 20),
    "decaps_many short": lambda: DK.decaps_many([*[CT] * 40, SEED]),
    "decaps_many str": lambda: DK.decaps_many([*[CT] * 40, TEXT]),
    "encaps_internal": lambda: testing.ml_kem_encaps_internal(EK, M),
    "encaps_internal short": lambda: testing.ml_kem_encaps_internal(EK, SEED),
    "encaps_internal no key": lambda: testing.ml_kem_encaps_internal(DK, M),
    "export_cache": lambda: EK.export_cache(MAC_KEY),
    "export_cache short": lambda: EK.export_cache(bytearray(31)),
    "bytes": lambda: (DK.to_bytes(), DK.seed(), bytes(EK), hash(EK)),
    "equal": lambda: (PARAMS.decapsulation_key(ENCODED_DK) == DK, EK == DK, DK != None),  # noqa: E711
    "order": lambda: EK < EK,
    "attributes": lambda: (DK.encapsulation_key, DK.parameter_set, EK.parameter_set.name, EK.caches, DK.caches),
    "repr": lambda: (repr(EK), repr(DK), repr(PARAMS)),
    "pem": lambda: (DecapsulationKey.from_pem(DK.to_pem()), EncapsulationKey.from_pem(EK.to_pem())),
}
WATCHED: tuple[object, ...] = (SEED, M, MAC_KEY, EK, DK, CT, ENCODED_EK, ENCODED_DK, CACHE, BAD_DK, BAD_EK, TEXT)
WATCHED += (PARAMS, EncapsulationKey, DecapsulationKey, ParameterSet)


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_leaks_nothing(name: str) -> None:
    operation = OPERATIONS[name]
    repeat(operation, 20)
    gc.collect()
    secrets = girih.core_info()["secret_bytes"]
    counts = [sys.getrefcount(thing) for thing in WATCHED]
    growth = []
    for _ in range(3):  # caches of the interpreter grow once
        blocks = sys.getallocatedblocks()
        repeat(operation, 100)
        gc.collect()
        growth.append(sys.getallocatedblocks() - blocks)
    assert [sys.getrefcount(thing) for thing in WATCHED] == counts
    assert min(growth) < 50, growth  # objects in 100 calls
    assert girih.core_info()["secret_bytes"] == secrets


# ---- want of memory and of randomness

PRELUDE = """
import ctypes, gc, girih
from girih import {name} as params
from girih.errors import RandomnessError
shim = ctypes.CDLL({shim!r})
def raises(error, call):
    try:
        call()
    except error:
        return True
    return False
def secrets():
    gc.collect()
    return girih.core_info()["secret_bytes"]
def works(ek, dk):
    pairs = [ek.encaps(), *ek.encaps_many(3)]
    return dk.decaps_many([ct for _, ct in pairs]) == [ss for ss, _ in pairs] and dk.decaps(pairs[0][1]) == pairs[0][0]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, str], None]:
    """Runs code about a set in a process whose memory, or randomness, fails as the code tells it."""
    libraries: dict[str, Path] = {}

    def run(what: str, name: str, code: str) -> None:
        if what not in libraries:
            libraries[what] = preload.build(shims[what], tmp_path_factory.mktemp(what))
        preload.run(libraries[what], PRELUDE.format(name=name, shim=str(libraries[what])) + code)

    return run


Run = Callable[[str, str, str], None]

if sys.platform == "linux":  # where a library's calls of the C library can be answered by another

    @every_name
    def test_no_key_without_memory(run: Run, name: str) -> None:
        run(
            "memory",
            name,
            """
ek, dk = params.key_gen()
encoded, loaded, before = bytes(ek), params.decapsulation_key(dk.seed()), secrets()
shim.shim_arm(1, 0)
assert raises(MemoryError, params.key_gen) and raises(MemoryError, lambda: params.encapsulation_key(encoded))
assert raises(MemoryError, lambda: loaded.encapsulation_key)
assert shim.shim_refused() == 3 and works(ek, dk) and works(ek, loaded)
shim.shim_arm(0, 0)
assert secrets() == before and works(loaded.encapsulation_key, dk)
shim.shim_arm(0, 1)
keys = []
assert raises(MemoryError, lambda: [keys.append(params.key_gen()) for _ in range(100_000)])
shim.shim_arm(0, 0)
assert all(works(*pair) for pair in keys[::len(keys) // 20 + 1]) and works(*params.key_gen())
""",
        )

    @every_name
    def test_nothing_without_a_workspace(run: Run, name: str) -> None:
        run(
            "memory",
            name,
            """
shim.shim_arm(0, 1)
assert raises(MemoryError, params.key_gen) and secrets() == 0
assert raises(MemoryError, lambda: params.encapsulation_key(bytes(params.encapsulation_key_size)))
shim.shim_arm(0, 0)
assert works(*params.key_gen())
""",
        )


@every_name
def test_no_key_and_no_secret_without_randomness(run: Run, name: str) -> None:
    run(
        "randomness",
        name,
        """
before = secrets()
shim.shim_arm(1, 0, 0)
assert raises(RandomnessError, params.key_gen) and shim.shim_calls() == 1 and secrets() == before
ek, dk = params.key_gen(bytes(64))
for call in (ek.encaps, lambda: ek.encaps_many(1), lambda: ek.encaps_many(2, threads=2)):
    shim.shim_arm(1, 0, 0)
    assert raises(RandomnessError, call) and shim.shim_calls() >= 1
shim.shim_arm(3, 0, 0)
assert raises(RandomnessError, lambda: ek.encaps_many(1000)) and shim.shim_calls() == 3
assert works(ek, dk)
""",
    )


@every_name
def test_each_call_draws_its_own_randomness_and_all_of_it(run: Run, name: str) -> None:
    run(
        "randomness",
        name,
        """
from girih.testing import ml_kem_encaps_internal as internal
shim.shim_arm(0, 0, 0)
ek, dk = params.key_gen()
assert dk.seed() == b"\\1" * 64
assert [ek.encaps(), ek.encaps()] == [internal(ek, b"\\2" * 32), internal(ek, b"\\3" * 32)]
assert ek.encaps_many(2) == [internal(ek, b"\\4" * 32)] * 2  # one call for a chunk
assert dk.decaps_many([ct for _, ct in [internal(ek, bytes(32))]]) and shim.shim_calls() == 4
""",
    )


# ---- threads


@every_set
def test_threads_share_keys(params: ParameterSet) -> None:
    ek, dk = params.key_gen()
    loaded = params.decapsulation_key(dk.to_bytes())  # makes its public half when it is asked for

    def work(number: int) -> bool:
        public = loaded.encapsulation_key
        pairs = [public.encaps() for _ in range(20)] + ek.encaps_many(20)
        wrong = bytes([pairs[0][1][0] ^ 1]) + pairs[0][1][1:]
        expected = dk.decaps(wrong)
        return all(loaded.decaps(ct) == ss for ss, ct in pairs) and loaded.decaps(wrong) == expected

    for _ in range(5):
        assert together(6, work) == [True] * 6


def public_half(dk: DecapsulationKey, _: int) -> EncapsulationKey:
    return dk.encapsulation_key


def test_threads_have_one_public_half() -> None:
    _, dk = MlKem768.key_gen(SEED)
    for _ in range(20):
        loaded = MlKem768.decapsulation_key(SEED)
        assert len(set(map(id, together(4, functools.partial(public_half, loaded))))) == 1
        assert loaded.encapsulation_key == dk.encapsulation_key


def test_threads_make_and_free_keys() -> None:
    gc.collect()
    before = girih.core_info()["secret_bytes"]

    def work(number: int) -> bool:
        for i in range(24):
            ek, dk = PARAMETER_SETS[(number + i) % 3].key_gen(caches=Caches(i % 8))
            ss, ct = ek.encaps()
            if dk.decaps(ct) != ss:
                return False
        return True

    assert together(6, work) == [True] * 6
    assert girih.core_info()["secret_bytes"] == before


@every_set
@pytest.mark.parametrize("backend", girih.backends())
@pytest.mark.usefixtures("small_stacks")
def test_small_stacks_are_enough(params: ParameterSet, backend: str) -> None:
    def everything(_: int) -> bool:
        for caches in (Caches.ALL, Caches.NONE):
            ek, dk = params.key_gen(caches=caches)
            loaded = DecapsulationKey.from_bytes(dk.to_bytes(), caches=caches)
            imported = EncapsulationKey.from_bytes(bytes(ek), cache=ek.export_cache(MAC_KEY), mac_key=MAC_KEY)
            pairs = [ek.encaps(), imported.encaps(), *ek.encaps_many(40)]
            if loaded.decaps_many([ct for _, ct in pairs]) != [dk.decaps(ct) for _, ct in pairs] or loaded != dk:
                return False
        return DecapsulationKey.from_pem(dk.to_pem()) == dk

    with testing.use_backend(backend):
        assert together(2, everything) == [True, True]


def test_a_ciphertext_that_changes_meanwhile_is_read_once() -> None:
    """Each answer is that of one whole state of the buffer: the right secret, or the rejection of the other state."""
    ek, dk = MlKem768.key_gen(SEED)
    ss, ct = ek.encaps()
    shared, other = bytearray(ct), bytes(1088)
    answers = {bytes(ss), bytes(dk.decaps(other))}

    def work(number: int) -> set[bytes]:
        if number == 0:
            for i in range(2000):
                shared[:] = other if i % 2 else ct
            return set()
        return {bytes(dk.decaps(shared)) for _ in range(500)}

    assert set().union(*together(3, work)) <= answers
