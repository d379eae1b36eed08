"""The C programs of this folder, on an optimised build and on every backend of this CPU: all vectors, and every error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.toolchain import BACKENDS, TESTS, host, host_backends, run
from tests.core import cases, kem_cases
from tests.core.build import CORE
from tests.subjects import native


@pytest.fixture(scope="session")
def all_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every case that the present source of vectors holds."""
    path = tmp_path_factory.mktemp("cases") / "all.txt"
    cases.write(path)
    return path


@pytest.mark.parametrize("backend", host_backends())
def test_every_vector(backend: str, all_cases: Path) -> None:
    output = run(str(host().program(TESTS / "core" / "case_runner.c", "-O2")), backend, str(all_cases))
    assert output == f"{len(all_cases.read_text().splitlines())} cases on {backend}\n"


@pytest.fixture(scope="session")
def all_kem_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of ML-KEM."""
    path = tmp_path_factory.mktemp("cases") / "all-kem.txt"
    kem_cases.write(path)
    return path


@pytest.mark.parametrize("backend", host_backends())
def test_every_vector_of_ml_kem(backend: str, all_kem_cases: Path) -> None:
    output = run(str(host().program(TESTS / "core" / "kem_runner.c", "-O2")), backend, str(all_kem_cases))
    assert output == f"{len(all_kem_cases.read_text().splitlines())} cases on {backend}\n"


@pytest.mark.parametrize("program", ["api_test.c", "kem_test.c"])
@pytest.mark.parametrize("backend", host_backends())
def test_every_error(backend: str, program: str) -> None:
    run(str(host().program(TESTS / "core" / program, "-O2")), backend)


@pytest.mark.parametrize("backend", host_backends())
def test_what_ml_kem_would_forgive(backend: str) -> None:
    program = host().program(TESTS / "core" / "kem_parts_test.c", f"-O2 -I {CORE}/src")
    run(str(program), str(native.BACKENDS[backend]))


@pytest.mark.parametrize("backend", host_backends())
def test_hints_that_no_signer_writes(backend: str) -> None:
    run(str(host().program(TESTS / "core" / "hints_test.c", "-O2")), backend)


def test_a_wrong_expectation_is_noticed(tmp_path: Path) -> None:
    """The runner itself: one digit of each kind of expectation changed makes it fail."""
    of_dsa, of_kem = (
        ("keygen", "load", "sign-pure", "verify-pure", "sha3"),
        ("keygen", "encaps", "decaps", "check-ek", "check-dk", "export"),
    )
    for runner, ops, lines in (("case_runner.c", of_dsa, cases.lines()), ("kem_runner.c", of_kem, kem_cases.own())):
        program, every = str(host().program(TESTS / "core" / runner, "-O2")), list(lines)
        for op in ops:
            *fields, expected = next(line for line in every if line.startswith(op)).split(" ")
            changed = {"OK": "BAD_SIGNATURE", "BAD_SIGNATURE": "OK", "BAD_KEY": "OK", "BAD_LENGTH": "OK"}.get(expected)
            path = tmp_path / op
            path.write_text(" ".join([*fields, changed or f"{int(expected[0], 16) ^ 1:x}{expected[1:]}"]) + "\n")
            with pytest.raises(AssertionError, match="not the expected"):
                run(program, "c", str(path))


def test_the_portable_backends_are_among_those_that_run() -> None:
    assert set(BACKENDS) >= set(host_backends()) >= {"c", "c32"}
