"""The independent auditor pq-verify, with its own vectors and verdicts, finds nothing."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import girih

HARNESS = Path(__file__).parent / "auditor" / "harness.py"


def report_of(parameter_set: str, backend: str, accumulated: int, folder: Path) -> dict[str, Any]:
    """The auditor's report. accumulated: how many of its seeded cases it runs, 100 or 10,000."""
    report = folder / "report.json"
    harness = shlex.join([sys.executable, str(HARNESS)])
    command = [sys.executable, "-m", "pq_verify.cli", "--audit-harness", harness, parameter_set]
    options = ["--accumulated", str(accumulated), "--json", str(report)]
    environment = {**os.environ, "GIRIH_BACKEND": backend}
    done = subprocess.run([*command, *options], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    content: dict[str, Any] = json.loads(report.read_text())
    return content


@pytest.mark.parametrize("backend", girih.backends())
@pytest.mark.parametrize("parameter_set", ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"])
def test_the_auditor_finds_nothing(parameter_set: str, backend: str, tmp_path: Path) -> None:
    result = report_of(parameter_set, backend, 100, tmp_path)
    assert (result["status"], result["findings"]) == ("VERIFIED", []), result
    assert result["summary"]["checks_total"] > 400


@pytest.mark.parametrize("backend", girih.backends())
@pytest.mark.parametrize("parameter_set", ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"])
def test_the_auditor_finds_nothing_in_ml_kem(parameter_set: str, backend: str, tmp_path: Path) -> None:
    result = report_of(parameter_set, backend, 100, tmp_path)
    assert (result["status"], result["findings"]) == ("VERIFIED", []), result
    assert result["summary"]["checks_total"] > 400


@pytest.mark.slow
@pytest.mark.parametrize("parameter_set", ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"])
def test_the_auditor_finds_nothing_in_10000_accumulated_cases(parameter_set: str, tmp_path: Path) -> None:
    result = report_of(parameter_set, girih.backend(), 10_000, tmp_path)
    assert (result["status"], result["findings"]) == ("VERIFIED", []), result
