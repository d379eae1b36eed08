"""NIST's ACVP vectors of ML-DSA, every group, on every subject."""

from __future__ import annotations

import pytest

from tests.subjects import Signer, Subject, Verifier, digest
from tests.vectors import Case, failures, load

KEY_GEN = "ACVP ML-DSA-keyGen-FIPS204"
SIG_GEN = "ACVP ML-DSA-sigGen-FIPS204"
SIG_GEN_TR1 = "ACVP ML-DSA-sigGen-FIPS204-tr1"
SIG_VER = "ACVP ML-DSA-sigVer-FIPS204"


def sign(signer: Signer, case: Case) -> bytes:
    """The signature of a case, through the interface that its group names."""
    rnd = bytes(32) if case["deterministic"] else case.hex("rnd")
    message, ctx = case.hex("message"), case.hex("context")
    if case["signatureInterface"] == "internal":
        return signer.sign_mu(case.hex("mu"), rnd) if case["externalMu"] else signer.sign_internal(message, rnd)
    if case["preHash"] == "preHash":
        return signer.sign_digest(digest(case["hashAlg"], message), case["hashAlg"], ctx, rnd)
    return signer.sign(message, ctx, rnd)


def verify(verifier: Verifier, case: Case) -> bool:
    """The verdict on a case, through the interface that its group names."""
    sig, message, ctx = case.hex("signature"), case.hex("message"), case.hex("context")
    if case["signatureInterface"] == "internal":
        return verifier.verify_mu(sig, case.hex("mu")) if case["externalMu"] else verifier.verify_internal(sig, message)
    if case["preHash"] == "preHash":
        return verifier.verify_digest(sig, digest(case["hashAlg"], message), case["hashAlg"], ctx)
    return verifier.verify(sig, message, ctx)


def signs_as_published(subject: Subject, case: Case) -> bool:
    """Whether the subject's signature is the expected one, and verifies."""
    if "seed" in case:
        signer = subject.key_pair(case["parameterSet"], case.hex("seed"))
    else:
        signer = subject.signer(case["parameterSet"], case.hex("sk"))
    return sign(signer, case) == case.hex("signature") and verify(signer, case)


@pytest.mark.corpus(KEY_GEN)
def test_key_gen_gives_the_published_keys(subject: Subject) -> None:
    def holds(case: Case) -> bool:
        pair = subject.key_pair(case["parameterSet"], case.hex("seed"))
        return (pair.public_key, pair.secret_key) == (case.hex("pk"), case.hex("sk"))

    assert failures(load(KEY_GEN), holds) == []


@pytest.mark.corpus(KEY_GEN)
def test_the_published_secret_keys_load_and_give_their_public_keys(subject: Subject) -> None:
    def holds(case: Case) -> bool:
        pair = subject.signer(case["parameterSet"], case.hex("sk"))
        return (pair.public_key, pair.secret_key) == (case.hex("pk"), case.hex("sk"))

    assert failures(load(KEY_GEN), holds) == []


@pytest.mark.corpus(SIG_GEN)
def test_signing_gives_the_published_signatures(subject: Subject) -> None:
    assert failures(load(SIG_GEN), lambda case: signs_as_published(subject, case)) == []


@pytest.mark.corpus(SIG_GEN_TR1)
def test_signing_gives_the_published_signatures_of_revision_tr1(subject: Subject) -> None:
    assert failures(load(SIG_GEN_TR1), lambda case: signs_as_published(subject, case)) == []


@pytest.mark.corpus(SIG_VER)
def test_verification_gives_the_published_verdicts(subject: Subject) -> None:
    def holds(case: Case) -> bool:
        return verify(subject.verifier(case["parameterSet"], case.hex("pk")), case) is case["testPassed"]

    assert failures(load(SIG_VER), holds) == []


@pytest.mark.corpus(SIG_GEN)
def test_the_published_groups_are_all_there() -> None:
    kinds = {
        (
            case["parameterSet"],
            case["deterministic"],
            case["signatureInterface"],
            case.get("preHash"),
            case.get("externalMu"),
        )
        for case in load(SIG_GEN)
    }
    assert len(kinds) == 3 * 2 * 4
