"""What pytest needs to know about the suite: which tests want which vectors, and what was not run.

`@pytest.mark.corpus(name, …)` names the corpora (tests/vectors/corpora.py) that a test reads. A test whose corpus only
$GIRIH_VECTORS holds is left out where that is not set, and the corpus is named at the end of the run; CI=true makes
that an error.
`@pytest.mark.slow` marks what takes minutes or hours; `--slow` runs it. An argument named `subject` runs a test on every mode of
tests/subjects/modes.py, `thorough_subject` and `fastest_subject` on the few for what takes seconds or hours.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests import vectors
from tests.vectors.corpora import CORPORA

if TYPE_CHECKING:
    from tests.subjects import Subject

SUBJECTS = {"subject": "every", "thorough_subject": "thorough", "fastest_subject": "fastest"}
NOT_RUN = pytest.StashKey[list[str]]()
SLOW = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes or hours")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "corpus(*names): the test reads these corpora of tests/vectors/corpora.py")
    config.addinivalue_line("markers", "slow: takes minutes or hours; run with --slow")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for argument, function in SUBJECTS.items():
        if argument in metafunc.fixturenames:
            from tests.subjects import modes  # builds the core's test library: only where a test asks for it

            subjects = getattr(modes, function)()
            metafunc.parametrize(argument, subjects, ids=[subject.name for subject in subjects], indirect=True)


@pytest.fixture
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    """A mode of the implementation, active."""
    with request.param.active():
        yield request.param


thorough_subject = fastest_subject = subject


def corpora_of(item: pytest.Item) -> Iterator[str]:
    """The names in an item's corpus marks."""
    for mark in item.iter_markers("corpus"):
        yield from mark.args


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    not_run: set[str] = set()
    slow = 0
    selected: list[pytest.Item] = []
    deselected: list[pytest.Item] = []
    for item in items:
        lacking = {name for name in corpora_of(item) if not vectors.available(CORPORA[name])}
        not_run |= lacking
        is_slow = item.get_closest_marker("slow") is not None and not config.getoption("slow")
        slow += is_slow
        (deselected if lacking or is_slow else selected).append(item)
    config.stash[NOT_RUN] = sorted(not_run)
    config.stash[SLOW] = slow
    if not_run and os.environ.get("CI") == "true":
        raise pytest.UsageError(f"CI=true, and GIRIH_VECTORS is not set: not run would be {', '.join(sorted(not_run))}")
    if deselected:
        config.hook.pytest_deselected(items=deselected)
        items[:] = selected


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.section("vectors")
    terminalreporter.line(vectors.describe_source())
    for name in config.stash.get(NOT_RUN, []):
        terminalreporter.line(f"not run, only $GIRIH_VECTORS holds it: {name}")
    if config.stash.get(SLOW, 0):
        terminalreporter.line(f"not run without --slow: {config.stash[SLOW]} tests that take minutes or hours")
