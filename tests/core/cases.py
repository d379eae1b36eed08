"""Writes the vectors, and cases of our own, as the text file that case_runner.c reads.

`write(path)` takes every case; `write(path, sample=n)` every n-th of each corpus, for builds that are slow. Seeds and messages of our own
cases come from a counter through SHAKE, and their expected bytes from hashlib or from tests/spec: nothing here is computed by the core.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from tests import vectors
from tests.spec import mldsa as spec
from tests.vectors.corpora import CORPORA as ALL

SETS = {"ML-DSA-44": 44, "ML-DSA-65": 65, "ML-DSA-87": 87}
SHA3: dict[int, Callable[[bytes, int], bytes]] = {
    1: lambda m, n: hashlib.sha3_224(m).digest(),
    2: lambda m, n: hashlib.sha3_256(m).digest(),
    3: lambda m, n: hashlib.sha3_384(m).digest(),
    4: lambda m, n: hashlib.sha3_512(m).digest(),
    5: lambda m, n: hashlib.shake_128(m).digest(n),
    6: lambda m, n: hashlib.shake_256(m).digest(n),
}
ZERO_RND = bytes(32)


def line(
    op: str,
    kind: int,
    expected: str,
    *,
    key: bytes = b"",
    pre_hash: int = 0,
    msg: bytes = b"",
    ctx: bytes = b"",
    rnd: bytes = b"",
    sig: bytes = b"",
) -> str:
    """One case; case_runner.c says what the fields mean."""
    fields = (key.hex(), str(pre_hash), msg.hex(), ctx.hex(), rnd.hex(), sig.hex())
    return " ".join((op, str(kind), *(field or "-" for field in fields), expected))


def sha256(data: bytes) -> str:
    """The expected bytes of a long output."""
    return hashlib.sha256(data).hexdigest()


def layer(case: vectors.Case) -> tuple[str, int, bytes]:
    """(interface, hash, what it takes as message) of an ACVP case."""
    if case["signatureInterface"] == "internal":
        return ("mu", 0, case.hex("mu")) if case["externalMu"] else ("internal", 0, case.hex("message"))
    if case["preHash"] == "pure":
        return "pure", 0, case.hex("message")
    arc, digest = spec.PRE_HASHES[case["hashAlg"]]
    return "digest", arc, digest(case.hex("message"))


def acvp_key_generation(corpus: str) -> Iterator[str]:
    """ACVP keyGen."""
    for case in vectors.load(corpus):
        yield line("keygen", SETS[case["parameterSet"]], sha256(case.hex("pk") + case.hex("sk")), key=case.hex("seed"))


def acvp_signing(corpus: str) -> Iterator[str]:
    """ACVP sigGen, both revisions."""
    for case in vectors.load(corpus):
        interface, pre_hash, msg = layer(case)
        key = case.hex("seed") if case.get("keyFormat") == "seed" else case.hex("sk")
        yield line(
            f"sign-{interface}",
            SETS[case["parameterSet"]],
            sha256(case.hex("signature")),
            key=key,
            pre_hash=pre_hash,
            msg=msg,
            ctx=case.hex("context"),
            rnd=ZERO_RND if case["deterministic"] else case.hex("rnd"),
        )


def acvp_verification(corpus: str) -> Iterator[str]:
    """ACVP sigVer."""
    for case in vectors.load(corpus):
        interface, pre_hash, msg = layer(case)
        yield line(
            f"verify-{interface}",
            SETS[case["parameterSet"]],
            "OK" if case["testPassed"] else "BAD_SIGNATURE",
            key=case.hex("pk"),
            pre_hash=pre_hash,
            msg=msg,
            ctx=case.hex("context"),
            sig=case.hex("signature"),
        )


def rejection_paths(corpus: str) -> Iterator[str]:
    """The known answers that hit every rejection, some of them very often."""
    for case in vectors.load(corpus):
        number = SETS[case["parameterSet"]]
        yield line("keygen", number, case["keyHash"], key=case.hex("seed"))
        yield line(
            "sign-internal", number, case["sigHash"], key=case.hex("seed"), msg=case.hex("message"), rnd=ZERO_RND
        )


def wycheproof_signing(corpus: str) -> Iterator[str]:
    """Wycheproof sign; a seed has one length in C, so that the cases of a wrong one are the Python door's alone."""
    for case in vectors.load(corpus):
        number = SETS[case["parameterSet"]]
        key = case.hex("privateKey") if "privateKey" in case else case.hex("privateSeed")
        expected = sha256(case.hex("sig"))
        msg, ctx = case.hex("msg"), case.hex("ctx")
        flags = case.get("flags") or []
        if "IncorrectPrivateKeyLength" in flags:
            if "privateKey" in case:
                yield line("load", number, "BAD_LENGTH", key=key)
        elif "InvalidPrivateKey" in flags:
            yield line("load", number, "BAD_KEY", key=key)
        elif case["result"] == "invalid":
            yield line("sign-pure", number, "BAD_CONTEXT", key=key, msg=msg, ctx=ctx, rnd=ZERO_RND)
        elif "msg" in case:
            yield line("sign-pure", number, expected, key=key, msg=msg, ctx=ctx, rnd=case.hex("rnd") or ZERO_RND)
        else:
            yield line("sign-mu", number, expected, key=key, msg=case.hex("mu"), rnd=case.hex("rnd") or ZERO_RND)


def wycheproof_verification(corpus: str) -> Iterator[str]:
    """Wycheproof verify."""
    for case in vectors.load(corpus):
        number, key, ctx = SETS[case["parameterSet"]], case.hex("publicKey"), case.hex("ctx")
        if len(key) != spec.PARAMETER_SETS[case["parameterSet"]].pk_size:
            expected = "BAD_LENGTH"
        elif len(ctx) > 255:
            expected = "BAD_CONTEXT"
        else:
            expected = "OK" if case["result"] == "valid" else "BAD_SIGNATURE"
        yield line("verify-pure", number, expected, key=key, msg=case.hex("msg"), ctx=ctx, sig=case.hex("sig"))


def hashing() -> Iterator[str]:
    """SHA-3 and SHAKE around every block edge, the output too."""
    for kind, function in SHA3.items():
        rate = {1: 144, 2: 136, 3: 104, 4: 72, 5: 168, 6: 136}[kind]
        for length in (0, 1, 7, 8, rate - 1, rate, rate + 1, 2 * rate, 3 * rate - 1):
            msg = hashlib.shake_128(b"%d %d" % (kind, length)).digest(length)
            yield line("sha3", kind, function(msg, length + rate).hex(), msg=msg)


CORPORA: tuple[tuple[str, Callable[[str], Iterator[str]]], ...] = (
    ("ACVP ML-DSA rejection KATs", rejection_paths),
    ("ACVP ML-DSA-keyGen-FIPS204", acvp_key_generation),
    ("ACVP ML-DSA-sigVer-FIPS204", acvp_verification),
    *((f"Wycheproof mldsa_{n}_verify", wycheproof_verification) for n in (44, 65, 87)),
    *((f"Wycheproof mldsa_{n}_sign_seed", wycheproof_signing) for n in (44, 65, 87)),
    *((f"Wycheproof mldsa_{n}_sign_noseed", wycheproof_signing) for n in (44, 65, 87)),
    ("ACVP ML-DSA-sigGen-FIPS204", acvp_signing),
    ("ACVP ML-DSA-sigGen-FIPS204-tr1", acvp_signing),
)


def lines(sample: int = 1) -> Iterator[str]:
    """Every sample-th case of each corpus that the present source of vectors holds, then our own."""
    for name, translate in CORPORA:
        if vectors.available(ALL[name]):
            yield from list(translate(name))[::sample]
    yield from list(hashing())[::sample]


def write(path: Path, sample: int = 1) -> int:
    """Write the file and return the number of its cases."""
    text = list(lines(sample))
    path.write_text("\n".join(text) + "\n")
    return len(text)
