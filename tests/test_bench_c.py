"""The benchmark in C (benchmarks/c) builds, and times what it is asked for."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.core.build import ROOT, build


@pytest.fixture(scope="module")
def program() -> Path:
    return build("girih_bench", "CMAKE_BUILD_TYPE=Release", source=ROOT / "benchmarks" / "c") / "girih_bench"


def test_every_case_takes_some_time(program: Path) -> None:
    output = subprocess.run(
        [program, "--json", "--rounds", "1", "c verify"], check=True, capture_output=True, text=True
    )
    rows = [json.loads(line) for line in output.stdout.splitlines()]
    assert [row["name"] for row in rows] == ["c verify 44", "c verify 65", "c verify 87"]
    assert all(0 < row["min_ns"] == row["median_ns"] < 1e9 for row in rows)


def test_the_table_has_a_line_for_each_case(program: Path) -> None:
    output = subprocess.run([program, "--rounds", "3", "c ntt"], check=True, capture_output=True, text=True)
    head, row = output.stdout.splitlines()
    assert head.split() == ["ns", "minimum", "median"]
    assert row.startswith("c ntt and a copy")
    minimum, median = map(float, row.split()[-2:])
    assert 0 < minimum <= median


@pytest.mark.parametrize("arguments", (["--rounds", "0"], ["--rounds"], ["--faster"]))
def test_mistakes_are_told(program: Path, arguments: list[str]) -> None:
    done = subprocess.run([program, *arguments], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("usage:")
