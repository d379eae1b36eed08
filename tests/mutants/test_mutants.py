"""A sample of the mutants, another one each day, and the list of those that nothing can notice."""

from __future__ import annotations

import datetime
import random

import pytest

from tests.build.toolchain import host_backends
from tests.core.build import CORE
from tests.mutants.argued import argued
from tests.mutants.mutate import Mutant, faults
from tests.mutants.suite import FILES, JUDGED, Suite, all_mutants

SAMPLE = 12


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """The unchanged core, built once."""
    return Suite(tmp_path_factory.mktemp("mutants"))


def of_the_day() -> list[Mutant]:
    """The day's sample, in the order in which it is tried, with spares for those that do not compile or are argued."""
    lanes = "avx2" in host_backends()  # without them half of what ML-KEM does is not run
    judged = [m for m in all_mutants() if m.file in JUDGED and (lanes or not m.file.startswith("mlkem"))]
    return random.Random(datetime.date.today().toordinal()).sample(judged, 3 * SAMPLE)


def test_the_sample_of_the_day_is_noticed(suite: Suite) -> None:
    known = argued()
    judged: dict[Mutant, str | None] = {}
    for mutant in of_the_day():
        if str(mutant) not in known:
            verdict = suite.judge(mutant)
            if verdict != "stillborn":
                judged[mutant] = verdict
        if len(judged) == SAMPLE:
            break
    assert len(judged) == SAMPLE
    assert [str(mutant) for mutant, verdict in judged.items() if verdict is None] == []


def test_every_argued_mutant_is_there() -> None:
    assert argued().keys() - {str(mutant) for mutant in all_mutants()} == set()


def test_every_file_has_mutants() -> None:
    assert {mutant.file for mutant in all_mutants()} == set(FILES)


def test_mutants_are_told_apart() -> None:
    names = [str(mutant) for mutant in all_mutants()]
    assert len(names) == len(set(names))


def test_a_mutant_changes_its_token_only() -> None:
    for mutant in all_mutants()[::97]:
        text = (CORE / "src" / mutant.file).read_text()
        changed = mutant.apply(text)
        assert changed != text
        assert changed[: mutant.offset] == text[: mutant.offset]
        assert changed.endswith(text[mutant.offset + len(mutant.before) :])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (a < b)\nreturn 0;\nreturn 1;", {("<", "<="), ("<", "+ 1 <"), ("return 0;", ";"), ("0", "(0 + 1)"), ("0", "(0 - 1)")}),
        ("x = a & ~b;", {("&", "|"), ("~", " ")}),
        ("x = -y - z;", {("-", " "), ("-", "+")}),
        ("if (ok && !done)\ncontinue;\nx = 0;", {("&&", "||"), ("!", " "), ("continue", "")}),
        ("if (bad(x))\nx = y;", {("bad(x)", "!(bad(x))")}),
        ("if (n > p->omega)\nn = 0;", {(">", ">="), ("p->omega", "(p->omega - 1)")}),
        ("if (n)\nreturn GIRIH_BAD_KEY;\nn = 0;", {("n", "!(n)"), ("return GIRIH_BAD_KEY;", "return GIRIH_OK;")}),
        ("x <<= 1;\nx = y >> 2;", {("<<=", ">>="), (">>", "<<")}),
        ("_Static_assert(1 < 2, \"\");\nuint8_t b[4];", set()),
    ],
)  # fmt: skip
def test_the_faults_of_a_body(body: str, expected: set[tuple[str, str]]) -> None:
    found = {(before, after) for _, before, after in faults(body)}
    assert expected <= found if expected else found == expected
