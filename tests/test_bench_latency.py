"""girih bench --latency: what is made of a sample, the command, the picture. No test asks how fast anything is."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest

import girih
from girih.bench import latency, report, tables
from girih.bench.attempts import Geometric, distribution, exceed
from girih.cli import main
from girih.testing import ml_dsa_sign_mu_attempts


def geometric_sample(mean: float, count: int) -> list[int]:
    """Attempts as the model gives them, in a random order."""
    attempts = [Geometric(mean).quantile((i + 0.5) / count) for i in range(count)]
    random.Random(1).shuffle(attempts)
    return attempts


def sample(count: int = 4000) -> latency.Sample:
    """A signature costs 6 us and 7 us more an attempt; each hundredth call is interrupted for 5 ms."""
    attempts = geometric_sample(5.1, count)
    times = [6000 + 7000 * a + (5_000_000 if i % 100 == 0 else 0) for i, a in enumerate(attempts)]
    return latency.Sample("ML-DSA-65", "wall", attempts, times)


def test_the_shares_that_need_more() -> None:
    assert exceed([1, 1, 2, 4]) == [1.0, 0.5, 0.25, 0.25, 0.0]


def test_interruptions_do_not_move_the_line() -> None:
    fields = sample().fields()
    assert fields["attempts_fit"]["a"] == pytest.approx(6000, abs=1)
    assert fields["attempts_fit"]["b"] == pytest.approx(7000, abs=1)
    assert fields["ns"]["mean"] > 50_000
    assert fields["ns"]["max"] > 5_000_000


def test_a_sample_of_the_model_is_near_the_model_and_another_is_not() -> None:
    near = distribution("ml-dsa-65", geometric_sample(5.1, 4000), [1.0] * 4000, "ns")["geometric"]
    far = distribution("ml-dsa-65", geometric_sample(4.0, 4000), [1.0] * 4000, "ns")["geometric"]
    assert near["distance"] < near["distance_bound"] < far["distance"]
    assert near["one_in_a_million"] == 64


def test_budgets_bound_the_time_and_count_what_they_cut_off() -> None:
    fields = sample().fields()
    for budget in fields["budgets"]:
        assert budget["ns"] == pytest.approx(6000 + 7000 * budget["attempts"], abs=100)
        assert budget["exhausted"] == pytest.approx(budget["exhausted_model"], abs=0.001)


def test_the_text_names_the_quantiles_and_the_signature_in_a_million() -> None:
    text = "\n".join(latency.lines(sample().fields()))
    assert "us = 6.00 + 7.00 x attempts" in text
    assert "one signature in a million needs more than 64 attempts, 454 us" in text
    for word in ("median", "p99", "worst", "budget"):
        assert word in text


def test_documents_show_a_row_for_each_set(tmp_path: Path) -> None:
    saved = tmp_path / "latency.jsonl"
    report.append(saved, [sample().fields()])
    shown = tables.tables(tables.latest(saved)).splitlines()[-1]
    assert shown.startswith("| ML-DSA-65 | 4,000 | 5.1, 4, 22, ")
    assert shown.endswith("| 6.0 + 7.00 x | 64 attempts, 454 us |")


def test_measuring_counts_the_attempts_that_signing_takes() -> None:
    found = latency.measure("ML-DSA-44", 40)
    again = latency.measure("ML-DSA-44", 40, "cpu")
    assert found.attempts == again.attempts
    assert len(set(found.attempts)) > 3
    assert len(found.nanoseconds) == 40
    key = girih.MlDsa44.key_gen(latency._derive("ML-DSA-44", "seed", 0, 32))[1]
    mu = latency._derive("ML-DSA-44", "mu", 39, 64)
    assert ml_dsa_sign_mu_attempts(key, mu, bytes(32))[1] == found.attempts[39]


def test_the_command_prints_saves_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, picture = tmp_path / "latency.jsonl", tmp_path / "latency.png"
    arguments = [
        "bench",
        "--latency",
        "--set",
        "44",
        "--signatures",
        "50",
        "--save",
        str(saved),
        "--plot",
        str(picture),
    ]
    assert main(arguments) == 0
    assert "ML-DSA-44: 50 signatures" in capsys.readouterr().out
    (row,) = [json.loads(line) for line in saved.read_text(encoding="utf-8").splitlines()]
    assert (row["op"], row["set"], row["attempts"]["n"]) == ("latency", "ML-DSA-44", 50)
    assert sum(row["counts"].values()) == 50
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert main([*arguments[:-4], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == row["counts"]


def test_a_drawing_has_a_panel_for_the_times_and_one_for_the_tail(tmp_path: Path) -> None:
    path = tmp_path / "both.svg"
    latency.plot([sample(500), sample(500)], path)
    drawn = path.read_text(encoding="utf-8")
    assert drawn.lstrip().startswith("<?xml")
    assert [drawn.count(f'id="axes_{n}"') for n in (1, 2, 3, 4, 5)] == [1, 1, 1, 1, 0]


def test_without_matplotlib_it_says_so_before_it_measures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["bench", "--latency", "--signatures", "9", "--plot", str(tmp_path / "a.svg")]) == 2
    said = capsys.readouterr()
    assert "pip install 'girih[bench]'" in said.err
    assert said.out == ""


def test_a_picture_is_png_or_svg(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["bench", "--latency", "--plot", "tail.gif"])
    assert stopped.value.code == 2
    assert ".png or .svg" in capsys.readouterr().err
