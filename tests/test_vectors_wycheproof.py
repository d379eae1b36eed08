"""The ML-DSA files of Wycheproof on every subject."""

from __future__ import annotations

import pytest

from tests.subjects import Refused, Signer, Subject, mu
from tests.vectors import Case, failures, load

NUMBERS = (44, 65, 87)
# Flags of verification cases that are errors of the caller: they must be refused before any signature is looked at.
MISTAKES = {"InvalidContext", "IncorrectPublicKeyLength"}


def files(what: str) -> pytest.MarkDecorator:
    """Parametrises a test over the three files of one kind, and marks it with the corpus of each."""
    names = [f"Wycheproof mldsa_{number}_{what}" for number in NUMBERS]
    return pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.corpus(name)) for name in names])


@files("verify")
def test_verification_gives_the_published_verdicts(name: str, subject: Subject) -> None:
    def holds(case: Case) -> bool:
        mistake = not MISTAKES.isdisjoint(case.get("flags") or ())
        try:
            verifier = subject.verifier(case["parameterSet"], case.hex("publicKey"))
            verdict = verifier.verify(case.hex("sig"), case.hex("msg"), case.hex("ctx"))
        except Refused:
            return mistake
        return not mistake and verdict is is_valid(case)

    assert failures(load(name), holds) == []


def is_valid(case: Case) -> bool:
    """Whether the file says that the case is valid."""
    return str(case["result"]) == "valid"


def signs_as_published(signer: Signer, case: Case) -> bool:
    """Whether public key, mu and signature are the expected ones; some cases give only mu."""
    if signer.public_key != case.hex("publicKey"):
        return False
    rnd = case.hex("rnd") or bytes(32)
    message, ctx = case.hex("msg"), case.hex("ctx")
    if "msg" not in case:
        return signer.sign_mu(case.hex("mu"), rnd) == case.hex("sig")
    if "mu" in case and case.hex("mu") != mu(signer.public_key, message, ctx):
        return False
    return signer.sign(message, ctx, rnd) == case.hex("sig")


@files("sign_seed")
def test_signing_from_a_seed_gives_the_published_signatures(name: str, subject: Subject) -> None:
    def holds(case: Case) -> bool:
        try:
            signer = subject.key_pair(case["parameterSet"], case.hex("privateSeed"))
            return signs_as_published(signer, case) and is_valid(case)
        except Refused:
            return not is_valid(case)

    assert failures(load(name), holds) == []


@files("sign_noseed")
def test_signing_from_an_expanded_key_gives_the_published_signatures(name: str, subject: Subject) -> None:
    def holds(case: Case) -> bool:
        try:
            signer = subject.signer(case["parameterSet"], case.hex("privateKey"))
            return signs_as_published(signer, case) and is_valid(case)
        except Refused:
            return not is_valid(case)

    assert failures(load(name), holds) == []
