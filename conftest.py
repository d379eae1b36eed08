"""`@pytest.mark.needs(tool, …)`: the test wants tools (tests/build/toolchain.py) that not every machine has.

Where one is missing its tests are left out and the tool is named at the end of the run, with the line that installs it; CI=true makes
that an error.
"""

from __future__ import annotations

import os

import pytest

from tests.build import toolchain

MISSING = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*tools): the test runs where these tools of tests/build/toolchain.py are")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    selected: list[pytest.Item] = []
    deselected: list[pytest.Item] = []
    missing: set[str] = set()
    for item in items:
        lacking = {name for mark in item.iter_markers("needs") for name in mark.args if not toolchain.has(name)}
        missing |= lacking
        (deselected if lacking else selected).append(item)
    if missing and os.environ.get("CI") == "true":
        raise pytest.UsageError(f"CI=true, and missing is {toolchain.describe(missing)}")
    config.stash[MISSING] = sorted(missing)
    if deselected:
        config.hook.pytest_deselected(items=deselected)
        items[:] = selected


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    missing = config.stash.get(MISSING, [])
    if missing:
        terminalreporter.section("tools")
        terminalreporter.line(f"not run for want of {toolchain.describe(missing)}")
