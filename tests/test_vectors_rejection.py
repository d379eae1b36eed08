"""Rejection paths of signing: NIST's known answers, and paths of our own, each proved to be taken.

The counters of the core's test library say why an attempt was rejected; the oracle's judge says why it had to be. The
core looks at r0 before z and stops at the first failure, so an attempt that fails both counts as r0.
"""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from tests import rejection_paths
from tests.rejection_paths import LONG_SAMPLING, M_PRIME, MANY, SINGLE, Failed
from tests.spec import mldsa as spec
from tests.subjects import Subject, lowram, native
from tests.vectors import Case, failures, load

KATS = "ACVP ML-DSA rejection KATs"
WYCHEPROOF = "Wycheproof mldsa_44_sign_seed"
ORDER = ("r0", "z", "ct0", "hint")

each_native = pytest.mark.parametrize(
    "backend", [*native.subjects(), *lowram.subjects()], ids=lambda backend: backend.name
)
each_single = pytest.mark.parametrize(
    ("parameter_set", "failed", "number"),
    [(name, failed, number) for name, numbers in SINGLE.items() for failed, number in numbers.items()],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else None,
)
each_many = pytest.mark.parametrize(
    ("parameter_set", "rejected", "number"), [(name, *many) for name, many in MANY.items()]
)


def expected_events(log: list[Failed]) -> dict[str, int]:
    """What the core counts for a signature whose rejected attempts fail these tests."""
    counts = Counter(min(failed, key=ORDER.index) for failed in log)
    return {event: counts[event] for event in ORDER} | {"accept": 1}


def counted(backend: Subject, parameter_set: str, seed: bytes, m_prime: bytes) -> dict[str, int]:
    """What the core counts while it signs."""
    pair = backend.key_pair(parameter_set, seed)
    native.events()
    pair.sign_internal(m_prime)
    return native.events()


# ---- NIST's known answers ----


@pytest.mark.corpus(KATS)
def test_the_known_answers_come_out(subject: Subject) -> None:
    def holds(case: Case) -> bool:
        pair = subject.key_pair(case["parameterSet"], case.hex("seed"))
        sig = pair.sign_internal(case.hex("message"))
        keys = hashlib.sha256(pair.public_key + pair.secret_key).digest()
        return (keys, hashlib.sha256(sig).digest()) == (case.hex("keyHash"), case.hex("sigHash"))

    assert failures(load(KATS), holds) == []


@pytest.mark.corpus(KATS)
@each_native
def test_the_known_answers_take_the_paths_that_the_oracle_takes(backend: Subject) -> None:
    def holds(case: Case) -> bool:
        seed, message = case.hex("seed"), case.hex("message")
        log = rejection_paths.log_of(case["parameterSet"], seed, message)[1]
        return counted(backend, case["parameterSet"], seed, message) == expected_events(log)

    assert failures(load(KATS), holds) == []


@pytest.mark.corpus(WYCHEPROOF)
@each_native
def test_wycheproofs_cases_of_ml_dsa_44_take_every_path(backend: Subject) -> None:
    native.events()
    for case in load(WYCHEPROOF):
        if "msg" not in case:  # mu alone: NIST's known answers again
            backend.key_pair("ML-DSA-44", case.hex("privateSeed")).sign_mu(case.hex("mu"))
    assert {event for event, count in native.events().items() if count} == {*ORDER, "accept"}


# ---- our own ----


@each_single
def test_the_oracle_rejects_one_attempt_for_one_cause(parameter_set: str, failed: Failed, number: int) -> None:
    log = rejection_paths.attempts(parameter_set, number)[1]
    assert log == [failed]


@each_single
def test_signatures_on_each_path_are_those_of_the_oracle(
    parameter_set: str, failed: Failed, number: int, subject: Subject
) -> None:
    pair = subject.key_pair(parameter_set, rejection_paths.seed(parameter_set, number))
    sig = pair.sign_internal(M_PRIME)
    assert sig == rejection_paths.attempts(parameter_set, number)[0]
    assert pair.verify_internal(sig, M_PRIME)


@each_single
@each_native
def test_each_path_is_taken(parameter_set: str, failed: Failed, number: int, backend: Subject) -> None:
    log = rejection_paths.attempts(parameter_set, number)[1]
    seed = rejection_paths.seed(parameter_set, number)
    events = counted(backend, parameter_set, seed, M_PRIME)
    assert events == expected_events(log)
    assert events[min(failed, key=ORDER.index)] >= 1


@each_many
def test_many_attempts_end_in_the_oracles_signature(
    parameter_set: str, rejected: int, number: int, subject: Subject
) -> None:
    sig, log = rejection_paths.attempts(parameter_set, number)
    assert len(log) == rejected
    pair = subject.key_pair(parameter_set, rejection_paths.seed(parameter_set, number))
    assert pair.sign_internal(M_PRIME) == sig


@each_many
@each_native
def test_many_attempts_take_the_paths_that_the_oracle_takes(
    parameter_set: str, rejected: int, number: int, backend: Subject
) -> None:
    log = rejection_paths.attempts(parameter_set, number)[1]
    seed = rejection_paths.seed(parameter_set, number)
    assert counted(backend, parameter_set, seed, M_PRIME) == expected_events(log)


def test_the_table_has_every_path_that_every_set_has() -> None:
    usual = {("z",), ("r0",), ("r0", "z"), ("hint",)}
    assert {name: set(numbers) for name, numbers in SINGLE.items()} == dict.fromkeys(spec.PARAMETER_SETS, usual)


def test_c_t0_cannot_reach_its_bound_in_the_larger_sets() -> None:
    reachable = {name: p.tau << (spec.D - 1) for name, p in spec.PARAMETER_SETS.items()}
    possible = {name for name, p in spec.PARAMETER_SETS.items() if reachable[name] >= p.gamma2}
    assert possible == {"ML-DSA-44"}


def test_a_secret_that_needs_a_third_block_of_randomness_is_the_oracles(subject: Subject) -> None:
    seed = rejection_paths.seed("ML-DSA-65", LONG_SAMPLING)
    pair = subject.key_pair("ML-DSA-65", seed)
    assert (pair.public_key, pair.secret_key) == spec.ml_dsa_keygen_internal(spec.ML_DSA_65, seed)
    assert rejection_paths.sampling_blocks("ML-DSA-65", LONG_SAMPLING) == 3
