"""The types of the package, checked by mypy --strict: what must pass passes, what must not does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

GOOD = """
import girih
from girih import DecapsulationKey, EncapsulationKey, MlDsa, MlDsa44, MlKem, SigningKey, VerificationKey, XWing, testing
from girih import mlkem, xwing
from girih.mldsa import MuHasher, ParameterSet, verify_many

params: ParameterSet = MlDsa
pair: tuple[VerificationKey, SigningKey] = params.key_gen()
vk, sk = MlDsa44.key_gen(bytearray(32), compact=True)
sig: bytes = sk.sign(memoryview(b"m"), None, deterministic=True, checked=False)
sig = sk.sign(b"m", max_attempts=5)
good: bool = vk.verify(sig, bytearray(b"m"), b"c")
vk.require(sig, b"m")
h: MuHasher = vk.mu_hasher()
h.update(b"m")
sig = sk.sign_mu(h.digest())
sig = sk.sign_digest(bytes(64), "SHA2-512", b"c", True)
seed: bytearray | None = sk.seed()
encoded: bytearray = sk.to_bytes()
public: bytes = bytes(sk.verification_key)
results: list[bool] = verify_many([vk], [sig], [b"m"], threads=2)
sigs: list[bytes] = sk.sign_many([b"m"], threads=2)
internal: bytes = testing.ml_dsa_sign_internal(sk, b"m", bytes(32))
name: str = vk.parameter_set.name
size: int = MlDsa.signature_size
locked: int = girih.core_info()["locked_bytes"]
table: dict[VerificationKey, int] = {vk: 1}
pem: bytearray = sk.to_pem()
vk = VerificationKey.from_pem(vk.to_pem())
kem: mlkem.ParameterSet = MlKem
kem_pair: tuple[EncapsulationKey, DecapsulationKey] = kem.key_gen(bytearray(64), caches=mlkem.Caches.A_HAT)
ek, dk = kem_pair
shared: tuple[bytearray, bytes] = ek.encaps()
many: list[tuple[bytearray, bytes]] = ek.encaps_many(3, threads=2)
secrets: list[bytearray] = [dk.decaps(memoryview(shared[1])), *dk.decaps_many(ct for _, ct in many)]
cache: bytes = ek.export_cache(bytes(32))
ek = EncapsulationKey.from_bytes(bytes(ek), cache=cache, mac_key=bytes(32))
caches: mlkem.Caches = ek.caches | mlkem.Caches.T_HAT
dk = MlKem.decapsulation_key(dk.seed() or b"", expected=dk.encapsulation_key)
mlkem.check_encapsulation_key(bytes(ek))
shared = testing.ml_kem_encaps_internal(ek, bytes(32))
hybrid: tuple[xwing.EncapsulationKey, xwing.DecapsulationKey] = XWing.key_gen()
shared = hybrid[0].encaps()
"""

BAD = [
    'MlDsa.key_gen("seed")',
    "MlDsa.key_gen()[1].sign(1)",
    "MlDsa.key_gen()[1].sign(b'', max_attempts=1.5)",
    "MlDsa.key_gen()[0].verify(b'', None)",
    "MlDsa.key_gen()[1].sign_many([b''], max_attempts=5)",
    "MlDsa.key_gen()[1].sign_digest(b'', b'SHA2-512')",
    "hash(MlDsa.key_gen()[1].seed) + MlDsa.name",
    "MlDsa.signature_size = 5",
    "MlDsa.key_gen()[0].parameter_set.nonsense",
    "MlKem.key_gen(caches=7)",
    "MlKem.key_gen()[1].decaps('ct')",
    "MlKem.key_gen()[0].encaps_many('3')",
    "MlKem.key_gen()[1].seed().hex()",
    "MlKem.ciphertext_size = 5",
]


def mypy(code: str, folder: Path) -> list[str]:
    path = folder / "example.py"
    path.write_text(code)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(folder), str(path)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


def test_examples_type_check(tmp_path: Path) -> None:
    assert mypy(GOOD, tmp_path) == []


def test_mistakes_do_not_type_check(tmp_path: Path) -> None:
    errors = mypy("from girih import MlDsa, MlKem\n" + "\n".join(BAD) + "\n", tmp_path)
    assert {int(line.split(":")[1]) for line in errors if ": error: " in line} == set(range(2, 2 + len(BAD)))


def test_the_stub_says_what_the_module_has(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "girih._core", "--ignore-disjoint-bases"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
