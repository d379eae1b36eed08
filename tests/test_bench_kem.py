"""girih bench mlkem: the command, the caches, a library with the NIST KEM API made of our core. No test asks how fast anything is."""

from __future__ import annotations

import ctypes
import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

import girih
from girih import _core
from girih.bench import caches, native, native_kem, nist, nist_kem, race, report, tables, workload
from girih.cli import main
from tests.test_bench import FACTS, TINY, series


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """The rows that the command prints for a tiny run of ML-KEM-512."""
    assert main(["bench", "mlkem", *TINY, "--set", "512", *arguments, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


# ---- the workload


def test_the_same_workload_everywhere() -> None:
    work, again = (workload.KemWorkload("ML-KEM-512", 3) for _ in range(2))
    assert work.encapsulations == again.encapsulations
    assert len(set(work.encapsulations)) == len(set(work.eks)) == 3
    assert work.eks[0] == work.ek
    assert all(work.agrees(ss, ct) for ss, ct in work.encapsulations)
    assert not work.agrees(work.encapsulations[0][0], work.encapsulations[1][1])
    assert workload.KemWorkload("ML-KEM-768", 1).ms[0] != work.ms[0]


def test_what_is_a_key_and_what_is_not() -> None:
    work = workload.KemWorkload("ML-KEM-512", 1)
    assert work.is_key(work.ek)
    assert not work.is_key(b"\xff" * len(work.ek))


def test_a_workload_of_either_scheme_by_its_set() -> None:
    assert workload.workload_of("ML-KEM-512", None, 4) == workload.KemWorkload("ML-KEM-512", 4)
    assert workload.workload_of("ML-DSA-44", 59, 4) == workload.Workload("ML-DSA-44", 59, 4)


# ---- the command


def test_our_own_operations(capsys: pytest.CaptureFixture[str]) -> None:
    rows = run(capsys)
    assert [(r["op"], r["form"]) for r in rows] == [
        ("keygen", "prepared, system"),
        ("keygen", "prepared, given"),
        ("encaps", "prepared, system"),
        ("encaps", "from-bytes, system"),
        ("encaps", "prepared, given"),
        ("encaps", "batch, system"),
        ("decaps", "prepared"),
        ("decaps", "from-bytes"),
        ("decaps", "from-seed"),
        ("decaps", "batch"),
    ]
    for row in rows:
        assert row.keys() >= FACTS
        assert (row["who"], row["set"], row["message_size"]) == ("girih", "ML-KEM-512", None)
        assert 0 < row["min"] <= row["median"] <= row["max"]
    by_form = {(r["op"], r["form"]): set(r["ratios"]) for r in rows}
    assert by_form["encaps", "from-bytes, system"] == {"prepared"}
    assert by_form["encaps", "prepared, given"] == set()


def test_the_table_has_no_column_for_messages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "mlkem", *TINY, "--set", "ML-KEM-512", "--op", "decaps"]) == 0
    lines = capsys.readouterr().out.splitlines()
    head, row = lines[-6].split(), lines[-4].split()
    assert head == ["op", "set", "form", "who", "ops/s", "(med)", "us/op", "min", "max", "stdev", "n"]
    assert row[:4] == ["decaps", "ML-KEM-512", "prepared", "girih"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--set", "44"], "a set is 512, 768 or 1024, got '44'"),
        (["--op", "sign"], "invalid choice: 'sign' (choose from keygen, encaps, decaps)"),
        (["--peers", "fast-mldsa"], "invalid choice: 'fast-mldsa' (choose from cryptography, mlkem,"),
        (["--latency"], "--latency is no option of mlkem"),
        (["--message-size", "5"], "--message-size is no option of mlkem"),
    ],
)
def test_mistakes_on_the_command_line(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["bench", "mlkem", *arguments])
    assert end.value.code == 2
    assert text in capsys.readouterr().err


def test_caches_are_no_option_of_signatures(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "--caches"])
    assert "--caches is no option of mldsa" in capsys.readouterr().err


def test_slices_hold_whole_batches() -> None:
    plan = race.Plan(count=40, rounds=3, seconds=1.0, warmup=0, interleaved=True, grain=8)
    assert [plan.bounds(r) for r in range(3)] == [(0, 8), (8, 24), (24, 40)]
    with pytest.raises(ValueError, match="a race of 6 rounds needs 48 items, got 40"):
        race.race([], race.Plan(count=40, rounds=6, seconds=1.0, warmup=0, interleaved=True, grain=8))


def test_threads_and_processes(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--op", "decaps", "--threads", "2", "--repeats", "2", "--duration", "0.04"]
    assert main(["bench", "mlkem", "--set", "512", "--messages", "3", *arguments, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["op"], row["form"], row["workers"]) for row in rows] == [
        ("decaps", "prepared", 2),
        ("decaps", "batch", 2),
    ]
    assert all(row["threads_over_processes"]["median"] > 0 for row in rows)


# ---- caches


def test_uses_after_which_a_cache_has_paid() -> None:
    assert caches.pays_after(added=10.0, saved=4.0) == 3
    assert caches.pays_after(added=8.0, saved=4.0) == 2
    assert caches.pays_after(added=0.0, saved=-1.0) == 0
    assert caches.pays_after(added=1.0, saved=0.0) is None


def test_an_effect_is_what_is_saved() -> None:
    effect = caches._effect(series((0, 1, 3000), (1, 1, 6000)), series((0, 1, 4000), (1, 1, 8000)), 6.0)
    assert (effect.us, effect.saved, effect.percent, effect.min) == (4.5, 1.5, 25.0, 3.0)
    assert effect.surely_saved == 1.5
    assert [caches.Effect(us, 10.0, us).surely_saved for us in (9.91, 10.09)] == [0.0, 0.0]
    assert caches.Effect(10.2, 10.0, 10.2).surely_saved == pytest.approx(-0.2)


def test_each_cache_alone_and_combined(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    saved = tmp_path / "caches.jsonl"
    rows = run(capsys, "--caches", "--save", str(saved))
    combinations = ["none", "A", "H", "T", "A+H", "A+T", "H+T", "A+H+T"]
    assert [r["caches"] for r in rows if r["op"] == "caches"] == combinations
    assert [r["way"] for r in rows if r["op"] == "import"] == ["derived", "imported, MAC", "imported, trusted"]
    state = {r["caches"]: r["state_bytes"] for r in rows if r["op"] == "caches"}
    assert (state["none"], state["A"], state["H"], state["T"]) == (0, 4 * 512, 32, 2 * 512)
    assert state["A+H+T"] == state["A"] + state["H"] + state["T"]
    for row in rows:
        assert row.keys() >= FACTS
        assert row["n"] == 24
    for row in rows[:8]:
        assert set(row["us"]) == {"encaps", "decaps", "keygen", "load"}
        assert set(row["pays_after"]) == {"keygen, encaps", "keygen, decaps", "load, encaps"}
    assert rows[0]["saved_percent"] == {"encaps": 0.0, "decaps": 0.0}
    page = tables.tables(tables.latest(saved))
    assert page.count("| ML-KEM-512 |") == 11
    assert "| ML-KEM-512 | A+H | 2,080 |" in page


def test_the_caches_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "mlkem", *TINY, "--set", "512", "--caches"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["ML-KEM-512", "A+H+T", "3,104"] in [line[:3] for line in lines]
    assert ["ML-KEM-512", "imported,", "MAC"] in [line[:3] for line in lines]


def test_flags_of_a_combination() -> None:
    assert [native_kem.cache_flags(name) for name in native_kem.COMBINATIONS] == [0, 1, 2, 4, 3, 5, 6, 7]


# ---- libraries


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """tests/nist_kem_peer.c, compiled and connected to the core."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    path = tmp_path_factory.mktemp("peer") / "libkem.so"
    source = Path(__file__).with_name("nist_kem_peer.c")
    subprocess.run([*compiler, "-std=c11", "-O1", "-fPIC", "-shared", "-o", str(path), str(source)], check=True)
    functions = _core.c_functions()
    names = ("keygen", "encaps", "decaps")
    addresses = (ctypes.c_void_p * len(names))(*(functions[f"girih_mlkem_{name}"] for name in names))
    ctypes.CDLL(str(path)).connect_core(addresses)  # it stays loaded: a second load gives the same library
    return path


def test_a_library_races_against_the_core(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = run(capsys, "--lib", f"{library}:peer_*")
    own, peer = f"girih C core, {girih.backend()}", "libkem:peer"
    assert [(r["op"], r["form"], r["who"]) for r in rows] == [
        ("keygen", "prepared, given", own),
        ("keygen", "to-bytes, given", own),
        ("keygen", "to-bytes, system", own),
        ("keygen", "to-bytes, given", peer),
        ("keygen", "to-bytes, system", peer),
        ("encaps", "prepared, given", own),
        ("encaps", "prepared, system", own),
        ("encaps", "from-bytes, given", own),
        ("encaps", "from-bytes, system", own),
        ("encaps", "batch, given", own),
        ("encaps", "from-bytes, given", peer),
        ("encaps", "from-bytes, system", peer),
        ("decaps", "prepared", own),
        ("decaps", "from-bytes", own),
        ("decaps", "from-seed", own),
        ("decaps", "batch", own),
        ("decaps", "from-bytes", peer),
    ]
    assert all(r["group"] == "c" for r in rows)
    for row in rows:
        if row["who"] == peer and row["form"] != "to-bytes, system":
            assert set(row["ratios"]) == {"prepared", row["form"]}


def test_a_library_without_given_randomness(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = run(capsys, "--lib", f"{library}:plain_*_512")
    forms = [(r["op"], r["form"]) for r in rows if r["who"] == "libkem:plain_512"]
    assert forms == [("keygen", "to-bytes, system"), ("encaps", "from-bytes, system"), ("decaps", "from-bytes")]


def test_a_library_of_another_set_is_said_to_be_left_out(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--set", "768", "--op", "decaps", "--lib", f"{library}:peer_*", "--json"]
    assert main(["bench", "mlkem", *TINY, *arguments]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("", "girih: bench: libkem:peer is left out: it is ML-KEM-512\n")


def test_families_of_names_are_found(library: Path) -> None:
    assert nist.families(library, "keypair", "enc", "dec") == ["peer_*", "plain_*_512", "wrong_*"]
    (peer,) = nist_kem.load(f"{library}:peer_")
    assert peer.keypair_derand
    assert peer.enc_derand
    (plain,) = nist_kem.load(f"{library}:plain_*_512")
    assert (plain.parameter_set, plain.keypair_derand, plain.enc_derand) == ("ML-KEM-512", None, None)


@pytest.mark.parametrize(
    ("op", "form"), [("keygen", "to-bytes, system"), ("encaps", "from-bytes, system"), ("decaps", "from-bytes")]
)
def test_a_library_that_is_wrong_ends_the_run(
    op: str, form: str, library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "mlkem", *TINY, "--set", "512", "--op", op, "--lib", f"{library}:wrong_*"]) == 2
    assert f"libkem:wrong: {op} ({form}) of item 0 gave a wrong result" in capsys.readouterr().err


def test_libraries_that_cannot_be_raced_say_why(library: Path, tmp_path: Path) -> None:
    for argument, message in (
        (str(tmp_path / "none.so"), "no such file"),
        (f"{library}:other_*", "does not export all of other_keypair, other_enc, other_dec"),
        (f"{library}:peer_*:ctx", "--lib takes PATH, PATH:NAMES; got"),
        (_core.__file__, "no names"),
    ):
        with pytest.raises(nist.Unusable, match=message):
            nist_kem.load(argument)


def test_a_batch_that_fails_names_an_item_of_it() -> None:
    work = workload.KemWorkload("ML-KEM-512", 16)
    *_, batch = native_kem.own_contestants(work, "decaps")
    assert isinstance(batch, native.NativeContestant)
    assert batch.run(0, 16) == 2
    batch.check(0, 16, 2)
    with pytest.raises(race.Mismatch, match="of item 8 reported an error"):
        batch.check(0, 16, 1)
    batch.accept = lambda i, got: i != 9
    with pytest.raises(race.Mismatch, match="of item 9 gave a wrong result"):
        batch.check(0, 16, 2)


def test_where_there_is_no_loop_in_c(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delattr(_core, "run_calls")
    assert main(["bench", "mlkem", "--caches"]) == 2
    assert "girih: bench: --caches need a build with pointers of 64 bits" in capsys.readouterr().err


# ---- rows


def test_rows_compare_with_girih_on_the_same_randomness() -> None:
    work = workload.KemWorkload("ML-KEM-512", 1)

    class Fake:
        group, op = "python", "encaps"

        def __init__(self, who: str, form: str) -> None:
            self.who, self.form = who, form

        def run(self, start: int, stop: int) -> None:
            """Never called."""

        def check(self, start: int, stop: int, result: Any) -> None:
            """Never called."""

    contestants = [
        Fake("girih", "prepared, given"),
        Fake("girih", "prepared, system"),
        Fake("peer", "from-bytes, system"),
        Fake("peer", "prepared, given"),
    ]
    times = [series((0, 1, ns)) for ns in (1000, 2000, 8000, 3000)]
    rows = report.rows(work, "encaps", contestants, times, "wall")
    assert [{form: r.median for form, r in row.ratios.items()} for row in rows] == [
        {},
        {},
        {"prepared": 4.0},
        {"prepared": 3.0, "prepared, given": 3.0},
    ]


# ---- the page


def test_the_page_shows_the_kept_results() -> None:
    root = Path(__file__).parent.parent
    page = (root / "docs" / "performance-mlkem.md").read_text(encoding="utf-8")
    for name in ("python", "c", "caches", "caches-portable", "threads", "avx512"):
        kept = tables.latest(root / "benchmarks" / "results" / f"mlkem-{name}.jsonl")
        assert tables.tables(kept) in page, (
            f"docs/performance-mlkem.md: python -m girih.bench.tables mlkem-{name}.jsonl"
        )
