"""Writes the vectors of ML-KEM, and cases of our own, as the text file that kem_runner.c reads.

`write(path)` takes every case; `write(path, sample=n)` every n-th of each corpus. The expected bytes of our own cases come from tests/spec.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from Crypto.Hash import KMAC256

from tests import vectors
from tests.core.cases import sha256
from tests.spec import mlkem as spec
from tests.vectors.corpora import CORPORA as ALL

SETS = {name: int(name.removeprefix("ML-KEM-")) for name in spec.PARAMETER_SETS}
OWN = 2  # keys of our own for each set


def line(op: str, parameter_set: str, key: bytes, expected: str, data: bytes = b"") -> str:
    """One case; kem_runner.c says what the fields mean."""
    return " ".join((op, str(SETS[parameter_set]), key.hex() or "-", data.hex() or "-", expected))


def acvp_key_generation(corpus: str) -> Iterator[str]:
    """ACVP keyGen."""
    for case in vectors.load(corpus):
        expected = sha256(case.hex("ek") + case.hex("dk"))
        yield line("keygen", case["parameterSet"], case.hex("d") + case.hex("z"), expected)


def acvp_encaps_decaps(corpus: str) -> Iterator[str]:
    """ACVP encapDecap, both revisions; a refused key is refused by the operation too."""
    for case in vectors.load(corpus):
        name = case["parameterSet"]
        match case["function"]:
            case "encapsulation":
                yield line("encaps", name, case.hex("ek"), sha256(case.hex("c") + case.hex("k")), case.hex("m"))
            case "decapsulation":
                key = case.hex("dk") if "dk" in case else case.hex("d") + case.hex("z")
                yield line("decaps", name, key, case.hex("k").hex(), case.hex("c"))
            case "encapsulationKeyCheck":
                yield line("check-ek", name, case.hex("ek"), "OK" if case["testPassed"] else "BAD_KEY")
                if not case["testPassed"]:
                    yield line("encaps", name, case.hex("ek"), "BAD_KEY", bytes(32))
            case "decapsulationKeyCheck":
                yield line("check-dk", name, case.hex("dk"), "OK" if case["testPassed"] else "BAD_KEY")
                if not case["testPassed"]:
                    ct = bytes(spec.PARAMETER_SETS[name].ct_size)
                    yield line("decaps", name, case.hex("dk"), "BAD_KEY", ct)


def wycheproof_encaps(corpus: str) -> Iterator[str]:
    """Wycheproof encaps."""
    for case in vectors.load(corpus):
        name, ek = case["parameterSet"], case.hex("ek")
        if case["result"] == "valid":
            expected = sha256(case.hex("c") + case.hex("K"))
        else:
            expected = "BAD_KEY" if len(ek) == spec.PARAMETER_SETS[name].ek_size else "BAD_LENGTH"
        yield line("encaps", name, ek, expected, case.hex("m"))


def wycheproof_decaps(corpus: str) -> Iterator[str]:
    """Wycheproof decaps, from seeds and from encoded keys; a seed has one length in C."""
    for case in vectors.load(corpus):
        name, ct = case["parameterSet"], case.hex("c")
        p = spec.PARAMETER_SETS[name]
        key = case.hex("dk") if "dk" in case else case.hex("seed")
        if case["result"] == "valid":
            yield line("decaps", name, key, case.hex("K").hex(), ct)
        elif "dk" in case or len(key) == 64:
            fits = len(ct) == p.ct_size and len(key) in (64, p.dk_size)
            yield line("decaps", name, key, "BAD_KEY" if fits else "BAD_LENGTH", ct)


def moduli(corpus: str) -> Iterator[str]:
    """CCTV: encapsulation keys with one coefficient of q to 4095."""
    for case in vectors.load(corpus):
        yield line("check-ek", case["parameterSet"], case.hex("value"), "BAD_KEY")
    for case in vectors.load(corpus)[::9]:
        yield line("encaps", case["parameterSet"], case.hex("value"), "BAD_KEY", bytes(32))


def published_decaps(corpus: str) -> Iterator[str]:
    """CCTV: a comparison that must not end at a zero; an entry of A_hat that wants many bytes."""
    for case in vectors.load(corpus):
        yield line("decaps", case["parameterSet"], case.hex("dk"), case.hex("K").hex(), case.hex("c"))


def exported(ek: bytes, caches: int, mac_key: bytes, p: spec.ParameterSet) -> bytes:
    """A cache as core/src/mlkem/cache.c describes it."""
    a_hat = spec.expand_matrix(ek[-32:], p) if caches & 1 else []
    entries = b"".join(spec.byte_encode(12, a_hat[j][i]) for i in range(len(a_hat)) for j in range(p.k))
    cache = b"gKC\x01" + SETS[p.name].to_bytes(2, "little") + bytes((caches, 0)) + spec.h(ek) + entries
    mac = KMAC256.new(key=mac_key, mac_len=32, custom=b"girih ML-KEM cache", data=cache + ek[:-32])
    return cache + mac.digest()


def own() -> Iterator[str]:
    """Keys, ciphertexts, changed ciphertexts and changed keys, with what the specification makes of them."""
    for name, p in spec.PARAMETER_SETS.items():
        for n in range(OWN):
            seed, m = (
                hashlib.shake_128(f"{name} {n} {what}".encode()).digest(size)
                for what, size in (("seed", 64), ("m", 32))
            )
            ek, dk = spec.ml_kem_key_gen_internal(seed[:32], seed[32:], p)
            key, ct = spec.ml_kem_encaps_internal(ek, m, p)
            yield line("keygen", name, seed, sha256(ek + dk))
            yield line("encaps", name, ek, sha256(ct + key), m)
            for caches in (1, 6) if n == 0 else ():
                yield line("export", name, ek, sha256(exported(ek, caches, seed, p)), bytes([caches]) + seed)
            yield line("decaps", name, seed, key.hex(), ct)
            for at in (0, 32 * p.du * p.k - 1, 32 * p.du * p.k, p.ct_size - 1):
                changed = ct[:at] + bytes([ct[at] ^ 1 << at % 8]) + ct[at + 1 :]
                yield line("decaps", name, dk, spec.ml_kem_decaps_internal(dk, changed, p).hex(), changed)
            for at in (384 * p.k, 384 * p.k + p.ek_size - 1, 384 * p.k + p.ek_size, p.dk_size - 33):
                changed = dk[:at] + bytes([dk[at] ^ 0x80]) + dk[at + 1 :]
                yield line("check-dk", name, changed, "BAD_KEY")
                yield line("decaps", name, changed, "BAD_KEY", ct)
            for position in (0, 1, 254, 255, 256 * p.k - 2, 256 * p.k - 1):
                for value, expected in ((spec.Q - 1, "OK"), (spec.Q, "BAD_KEY"), (4095, "BAD_KEY")):
                    numbers = [c for i in range(p.k) for c in spec.byte_decode(12, ek[384 * i : 384 * i + 384])]
                    numbers[position] = value
                    bits = sum(c << 12 * i for i, c in enumerate(numbers)).to_bytes(384 * p.k, "little")
                    yield line("check-ek", name, bits + ek[-32:], expected)
                    if expected != "OK":
                        yield line("encaps", name, bits + ek[-32:], expected, m)
            # s_hat out of range is reduced where it is used, and comes out reduced
            s_hat = spec.byte_decode(12, dk[:384])
            at = next(i for i, c in enumerate(s_hat) if c < 4096 - spec.Q)
            s_hat[at] += spec.Q
            bits = sum(c << 12 * i for i, c in enumerate(s_hat)).to_bytes(384, "little")
            yield line("decaps", name, bits + dk[384:], key.hex(), ct)


CORPORA: tuple[tuple[str, Callable[[str], Iterator[str]]], ...] = (
    ("ACVP ML-KEM-keyGen-FIPS203", acvp_key_generation),
    ("ACVP ML-KEM-encapDecap-FIPS203", acvp_encaps_decaps),
    ("ACVP ML-KEM-encapDecap-FIPS203-tr1", acvp_encaps_decaps),
    *(
        (f"Wycheproof mlkem_{n}{end}", wycheproof_decaps)
        for n in SETS.values()
        for end in ("", "_semi_expanded_decaps")
    ),
    *((f"Wycheproof mlkem_{n}_encaps", wycheproof_encaps) for n in SETS.values()),
    ("CCTV ML-KEM moduli", moduli),
    ("CCTV ML-KEM strcmp", published_decaps),
    ("CCTV ML-KEM unluckysample", published_decaps),
)


def lines(sample: int = 1) -> Iterator[str]:
    """Every sample-th case of each corpus that the present source of vectors holds, then our own."""
    for name, translate in CORPORA:
        if vectors.available(ALL[name]):
            yield from list(translate(name))[::sample]
    yield from list(own())[::sample]


def write(path: Path, sample: int = 1) -> int:
    """Write the file and return the number of its cases."""
    text = list(lines(sample))
    path.write_text("\n".join(text) + "\n")
    return len(text)
