"""girih bench: the arithmetic on made-up times, the engine with a made-up clock, the command.

No test asks how fast anything is.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import girih
from girih.bench import cli as bench_cli
from girih.bench import environment, peers, race, report, schemes, stats, tables, workload
from girih.bench.peers.girih_own import Girih, GirihKem
from girih.cli import main

TINY = ["--messages", "3", "--repeats", "3", "--warmup", "0", "--duration", "0.01"]
FACTS = {"version", "commit", "compiler", "flags", "cpu", "system", "python", "backend", "date", "load"}


# ---- statistics


def series(*slices: tuple[int, int, int]) -> stats.Series:
    made = stats.Series()
    for one in slices:
        made.add(*one)
    return made


def test_summary_weighs_operations_in_the_mean_and_rounds_in_the_rest() -> None:
    summary = series((0, 10, 10_000), (1, 10, 30_000), (2, 80, 160_000)).summary()
    assert (summary.n, summary.rounds) == (100, 3)
    assert (summary.min, summary.median, summary.max) == (1.0, 2.0, 3.0)
    assert summary.mean == pytest.approx(2.0)
    assert summary.stdev == pytest.approx(1.0)
    assert summary.ops_per_second == pytest.approx(500_000)


def test_rates_are_operations_a_second() -> None:
    rates = series((0, 10, 10_000), (1, 10, 20_000), (2, 10, 40_000)).rates()
    assert (rates.min, rates.median, rates.max) == pytest.approx((250_000, 500_000, 1_000_000))
    assert rates.stdev == pytest.approx(381_881.3, rel=1e-6)


def test_one_slice_has_no_deviation_and_no_time_is_one_nanosecond() -> None:
    summary = series((0, 1, 0)).summary()
    assert summary.stdev == 0
    assert summary.min == summary.max == 0.001


def test_ratio_is_taken_within_rounds_that_both_ran() -> None:
    slow = series((0, 10, 40_000), (1, 10, 20_000), (3, 10, 90_000))
    fast = series((0, 10, 10_000), (1, 10, 10_000), (2, 10, 1), (3, 10, 10_000))
    found = stats.ratio(slow, fast)
    assert found == stats.Ratio(median=4.0, mean=5.0, rounds=3)
    assert stats.ratio(fast, slow) == stats.Ratio(median=0.25, mean=0.2, rounds=3)


def test_no_common_round_no_ratio() -> None:
    assert stats.ratio(series((0, 1, 1)), series((1, 1, 1))) is None


# ---- the engine


class Fake:
    """A contestant whose operations take a fixed time of a made-up clock."""

    group, op, form = "python", "sign", "prepared"

    def __init__(self, who: str, cost: int, clock: list[int], log: list[tuple[str, int, int]]) -> None:
        self.who, self.cost, self.clock, self.log = who, cost, clock, log

    def run(self, start: int, stop: int) -> str:
        self.clock[0] += self.cost * (stop - start)
        self.log.append((self.who, start, stop))
        return f"{start}-{stop}"

    def check(self, start: int, stop: int, result: Any) -> None:
        assert result == f"{start}-{stop}"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    now = [0]
    monkeypatch.setitem(race.CLOCKS, "wall", lambda: now[0])
    monkeypatch.setattr("girih.bench.race.time", types.SimpleNamespace(perf_counter=lambda: now[0] / 1e9))
    return now


def timed(log: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """What was timed: slices, without the single items before them."""
    return [entry for entry in log if entry[2] - entry[1] > 1]


def test_a_race_takes_turns_over_the_same_slices(clock: list[int]) -> None:
    log: list[tuple[str, int, int]] = []
    a, b = Fake("a", 1000, clock, log), Fake("b", 3000, clock, log)
    result = race.race([a, b], race.Plan(count=12, rounds=4, seconds=1.0, warmup=0, interleaved=True))
    assert timed(log) == [
        *[("a", 0, 3), ("b", 0, 3)],
        *[("b", 3, 6), ("a", 3, 6)],
        *[("b", 6, 9), ("a", 6, 9)],
        *[("a", 9, 12), ("b", 9, 12)],
    ]
    assert [s.summary().mean for s in result] == [1.0, 3.0]
    assert stats.ratio(result[1], result[0]) == stats.Ratio(median=3.0, mean=3.0, rounds=4)


def test_slices_cover_every_message_once_whatever_the_numbers() -> None:
    for count, rounds in ((7, 3), (32, 32), (100, 7), (5, 5)):
        plan = race.Plan(count, rounds, 1.0, 0, interleaved=True)
        covered = [i for r in range(rounds) for i in range(*plan.bounds(r))]
        assert covered == list(range(count))


def test_who_is_too_slow_takes_part_in_every_kth_round(clock: list[int]) -> None:
    log: list[tuple[str, int, int]] = []
    contestants = [Fake("fast", 10, clock, log), Fake("slow", 500_000_000, clock, log)]
    fast, slow = race.race(contestants, race.Plan(count=16, rounds=8, seconds=2.0, warmup=0, interleaved=True))
    assert [s.round for s in fast.slices] == list(range(8))
    assert [s.round for s in slow.slices] == [0, 4]
    assert slow.summary().n == 4


def test_alone_every_round_passes_over_all_messages_as_often_as_time_allows(clock: list[int]) -> None:
    log: list[tuple[str, int, int]] = []
    plan = race.Plan(count=10, rounds=5, seconds=1.0, warmup=0, interleaved=False)
    (alone,) = race.race([Fake("a", 1_000_000, clock, log)], plan)
    assert timed(log) == [("a", 0, 10)] * 5 * 20
    assert [(s.operations, s.us_per_op) for s in alone.slices] == [(200, 1000.0)] * 5


def test_no_round_without_a_message(clock: list[int]) -> None:
    with pytest.raises(ValueError, match="32 rounds needs 32 items, got 31"):
        race.race([], race.Plan(count=31, rounds=32, seconds=1.0, warmup=0, interleaved=True))


def test_a_wrong_result_ends_the_race() -> None:
    liar = race.PythonContestant(
        "liar", "verify", "prepared", lambda _: False, [(1,)] * 4, [True] * 4, lambda a, b: a is b
    )
    with pytest.raises(race.Mismatch, match=r"liar: verify \(prepared\) of item 0 gave a wrong result"):
        race.race([liar], race.Plan(count=4, rounds=2, seconds=1.0, warmup=0, interleaved=True))


# ---- the workload


def test_the_same_workload_everywhere() -> None:
    work = workload.Workload("ML-DSA-44", 59, 3)
    again = workload.Workload("ML-DSA-44", 59, 3)
    assert work.signatures == again.signatures
    assert len(set(work.messages)) == len(set(work.seeds)) == 3
    assert all(
        girih.MlDsa44.verification_key(work.public_key).verify(s, m)
        for s, m in zip(work.signatures, work.messages, strict=True)
    )
    assert work.public_keys[0] == work.public_key
    assert workload.Workload("ML-DSA-65", 59, 1).messages[0] != work.messages[0]


# ---- the command


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "girih.cli", "bench", *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)


def test_json_lines_carry_figures_and_where_they_come_from(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    arguments = [*TINY, "--set", "44", "--message-size", "59", "--message-size", "7", "--json", "--save", str(results)]
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(r["op"], r["message_size"]) for r in rows] == [
        ("keygen", None),
        ("sign", 59),
        ("sign", 7),
        ("verify", 59),
        ("verify", 7),
    ]
    for row in rows:
        assert row.keys() >= FACTS | {
            "who",
            "group",
            "op",
            "set",
            "form",
            "clock",
            "n",
            "rounds",
            "ops_per_second",
            "ratios",
        }
        assert (row["who"], row["set"], row["form"], row["group"]) == ("girih", "ML-DSA-44", "prepared", "python")
        assert 0 < row["min"] <= row["median"] <= row["max"]
        assert row["min"] <= row["mean"] <= row["max"]
        assert row["stdev"] >= 0
        assert row["n"] >= 4
        assert row["backend"] == girih.backend()
        assert row["ops_per_second"]["median"] == pytest.approx(1e6 / row["median"])
        assert all(isinstance(row[name], str) and row[name] for name in FACTS - {"load"})
    assert results.read_text() == done.stdout
    assert run(*arguments).returncode == 0
    lines = results.read_text().splitlines()
    assert len(lines) == 10
    assert lines[:5] == done.stdout.splitlines()


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *TINY, "--set", "ML-DSA-44", "--op", "verify", "--message-size", "59"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"girih {girih.__version__} ({girih.backend()})")
    head, row = lines[-3].split(), lines[-1].split()
    assert head == ["op", "set", "message", "form", "who", "ops/s", "(med)", "us/op", "min", "max", "stdev", "n"]
    assert row[:5] == ["verify", "ML-DSA-44", "59", "prepared", "girih"]
    assert len(row) == len(head) - 1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--set", "66"], "a set is 44, 65 or 87, got '66'"),
        (["--messages", "0"], "a whole number of at least 1 is needed, got '0'"),
        (["--message-size", "x"], "a whole number of at least 0 is needed, got 'x'"),
        (["--duration", "nan"], "seconds are needed, got 'nan'"),
        (["--duration", "-1"], "seconds are needed, got '-1'"),
        (["--op", "encrypt"], "invalid choice: 'encrypt'"),
    ],
)
def test_mistakes_on_the_command_line(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["bench", *arguments])
    assert end.value.code == 2
    assert text in capsys.readouterr().err


def test_results_that_cannot_be_saved_are_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "missing" / "file"
    assert main(["bench", *TINY, "--set", "44", "--op", "keygen", "--save", str(target)]) == 2
    assert "No such file or directory" in capsys.readouterr().err


def test_commit_is_the_checkouts_or_the_builds_or_unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    info = {"commit": "", "compiler": "cc 1", "flags": ""}
    answers: dict[str, str] = {}
    monkeypatch.setattr(girih, "core_info", lambda: info)
    monkeypatch.setattr(environment, "_git", lambda _, command, *rest: answers.get(command))
    describe = environment.describe.__wrapped__
    assert {name: describe()[name] for name in info} == {"commit": "unknown", "compiler": "cc 1", "flags": "unknown"}
    info["commit"] = "built"
    assert describe()["commit"] == "built"
    answers["describe"] = "above+"  # this package lies inside somebody else's checkout
    assert describe()["commit"] == "built"
    answers["ls-files"] = "environment.py"
    assert describe()["commit"] == "above+"


def test_no_repository_no_answer(tmp_path: Path) -> None:
    assert environment._git(tmp_path, "rev-parse", "HEAD") is None


# ---- what is written down twice


def test_the_command_offers_what_there_is() -> None:
    signatures, kem = bench_cli._SCHEMES["mldsa"], bench_cli._SCHEMES["mlkem"]
    assert (signatures.sets, kem.sets) == (tuple(workload.SETS), tuple(workload.KEM_SETS))
    assert (signatures.operations, kem.operations) == (workload.OPERATIONS, workload.KEM_OPERATIONS)
    assert (signatures.peers, kem.peers) == (tuple(peers.PEERS), tuple(peers.KEM_PEERS))
    assert bench_cli._MESSAGE_SIZES == workload.MESSAGE_SIZES
    assert tuple(schemes.SCHEMES) == tuple(bench_cli._SCHEMES)
    for known in (peers.PEERS, peers.KEM_PEERS):
        for name, (module, cls) in known.items():
            assert getattr(importlib.import_module(module), cls).name == name
    assert Girih.name == GirihKem.name == "girih"


def test_rows_compare_with_girih_of_their_own_group() -> None:
    work = workload.Workload("ML-DSA-44", 59, 1)
    log: list[tuple[str, int, int]] = []
    contestants = [Fake(who, 1, [0], log) for who in ("girih", "peer", "girih C core", "lib")]
    for contestant in contestants[2:]:
        contestant.group = "c"
    times = [series((0, 1, ns)) for ns in (1000, 2000, 500, 3000)]
    rows = report.rows(work, "sign", contestants, times, "wall")
    assert [{form: r.median for form, r in row.ratios.items()} for row in rows] == [
        {},
        {"prepared": 2.0},
        {},
        {"prepared": 6.0},
    ]


# ---- tables


def test_tables_show_the_latest_run(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    facts = {"version": "1", "commit": "a" * 40, "compiler": "cc", "flags": "-O3", "backend": "c", "cpu": "abacus"}
    facts |= {"system": "Linux", "python": "CPython 3"}

    def row(date: str, op: str, set_: str, who: str, mean: float, ratio: float | None) -> dict[str, Any]:
        size = None if op == "keygen" else 59
        ratios = {"prepared": {"mean": ratio}} if ratio else {}
        shown = {"op": op, "set": set_, "who": who, "mean": mean, "ratios": ratios, "message_size": size}
        return {**facts, "date": date, "group": "python", "form": "prepared", **shown}

    report.append(path, [row("2026-01-01T00:00:00", "sign", "ML-DSA-44", "girih", 99.0, None)])
    report.append(
        path,
        [
            row("2026-01-02T00:00:00", "keygen", "ML-DSA-44", "girih", 20.0, None),
            row("2026-01-02T00:00:00", "sign", "ML-DSA-44", "girih", 30.0, None),
            row("2026-01-02T00:00:00", "sign", "ML-DSA-65", "girih", 40.0, None),
            row("2026-01-02T00:00:00", "sign", "ML-DSA-65", "peer 1", 80.06, 2.0015),
            row("2026-01-02T00:00:00", "keygen", "ML-DSA-65", "peer 1", 70.0, None),
            {**row("2026-01-02T00:00:00", "sign", "ML-DSA-44", "girih", 50.0, None), "message_size": 1024},
        ],
    )
    assert tables.tables(tables.latest(path)).splitlines() == [
        f"girih 1 at {'a' * 12}, cc -O3, backend c; abacus, Linux, CPython 3; 2026-01-02.",
        "",
        "| us, messages of 59 B | who | key | ML-DSA-44 | ML-DSA-65 |",
        "|---|---|---|---:|---:|",
        "| keygen | girih | prepared | 20.0 |  |",
        "| keygen | peer 1 | prepared |  | 70.0 |",
        "| sign | girih | prepared | 30.0 | 40.0 |",
        "| sign | peer 1 | prepared |  | 80.1 (2.00x) |",
        "",
        "| us, messages of 1024 B | who | key | ML-DSA-44 |",
        "|---|---|---|---:|",
        "| sign | girih | prepared | 50.0 |",
    ]


def test_the_pages_show_the_kept_results() -> None:
    root = Path(__file__).parent.parent
    names = ("avx512", "python", "portable", "c", "threads")
    kept = {name: tables.latest(root / "benchmarks" / "results" / f"{name}.jsonl") for name in names}
    page = (root / "docs" / "performance.md").read_text(encoding="utf-8")
    for name, records in kept.items():
        assert tables.tables(records) in page, f"docs/performance.md: python -m girih.bench.tables {name}.jsonl"
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert tables.short(kept["avx512"], kept["python"], kept["portable"]) in readme, "README.md: tables --short"
    assert f"girih at {kept['python'][0]['commit'][:12]}" in readme
