"""girih bench --lib and --threads: a library with the NIST signature API made of our core; threads and processes."""

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
from girih.bench import native, nist, race, stats, threads, workload
from girih.cli import main
from tests.test_bench import FACTS, TINY


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """tests/nist_peer.c, compiled and connected to the core."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    path = tmp_path_factory.mktemp("peer") / "libpeer.so"
    source = Path(__file__).with_name("nist_peer.c")
    subprocess.run([*compiler, "-std=c11", "-O1", "-fPIC", "-shared", "-o", str(path), str(source)], check=True)
    functions = _core.c_functions()
    names = ("keygen", "sk_load", "vk_load", "sign", "verify")
    addresses = (ctypes.c_void_p * len(names))(*(functions[f"girih_mldsa_{name}"] for name in names))
    ctypes.CDLL(str(path)).connect_core(addresses)  # it stays loaded: a second load gives the same library
    return path


def rows_of(argument: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    assert main(["bench", *TINY, "--set", "44", "--message-size", "59", "--lib", argument, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_library_races_against_the_core(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(f"{library}:peer_*", capsys)
    own = f"girih C core, {girih.backend()}"
    assert [(r["op"], r["form"], r["who"]) for r in rows] == [
        ("keygen", "prepared", own),
        ("keygen", "to-bytes", own),
        ("keygen", "to-bytes", "libpeer:peer"),
        ("sign", "prepared", own),
        ("sign", "from-bytes", own),
        ("sign", "from-seed", own),
        ("sign", "from-bytes", "libpeer:peer"),
        ("verify", "prepared", own),
        ("verify", "from-bytes", own),
        ("verify", "from-bytes", "libpeer:peer"),
    ]
    assert all(r["group"] == "c" for r in rows)
    assert all(set(r["ratios"]) == {"prepared", r["form"]} for r in rows if r["who"] == "libpeer:peer")


def test_a_library_without_contexts_and_with_a_suffix(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(f"{library}:plain_*_44:plain", capsys)
    assert [r["op"] for r in rows if r["who"] == "libpeer:plain_44"] == ["keygen", "sign", "verify"]


def test_families_of_names_are_found(library: Path) -> None:
    assert nist.families(library, "signature", "keypair", "verify") == ["peer_*", "plain_*_44", "wrong_*"]
    assert [(f.name, f.parameter_set) for f in nist.load(str(library))] == [
        ("libpeer:peer", "ML-DSA-44"),
        ("libpeer:plain_44", "ML-DSA-44"),
        ("libpeer:wrong", "ML-DSA-44"),
    ]
    (peer,) = nist.load(f"{library}:peer_")
    assert peer.keypair_internal
    assert peer.signature_internal
    (wrong,) = nist.load(f"{library}:wrong_*")
    assert wrong.keypair_internal is wrong.signature_internal is None


@pytest.mark.parametrize(("op", "text"), [("sign", "gave a wrong result"), ("verify", "reported an error")])
def test_a_library_that_is_wrong_ends_the_run(
    op: str, text: str, library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *TINY, "--set", "44", "--op", op, "--lib", f"{library}:wrong_*"]) == 2
    assert f"libpeer:wrong: {op} (from-bytes) of item 0 {text}" in capsys.readouterr().err


def test_libraries_that_cannot_be_raced_say_why(library: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("not a library")
    for argument, message in (
        (str(tmp_path / "none.so"), "no such file"),
        (str(text), "cannot be loaded"),
        (f"{library}:other_*", r"does not export all of other_keypair, other_signature, other_verify"),
        (f"{library}:a*b*", r"a pattern of names holds one \*"),
        (f"{library}:peer_*:round", "with SHAPE one of ctx, ctx-mu, plain"),
    ):
        with pytest.raises(nist.Unusable, match=message):
            nist.load(argument)


def test_our_core_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "bench",
                *TINY,
                "--set",
                "44",
                "--op",
                "verify",
                "--message-size",
                "59",
                "--native",
                "--clock",
                "cpu",
                "--json",
            ]
        )
        == 0
    )
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {r["clock"] for r in rows} == {"cpu"}
    assert [(r["group"], r["form"]) for r in rows] == [("c", "prepared"), ("c", "from-bytes")]


def test_where_there_is_no_loop_in_c(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delattr(_core, "run_calls")
    assert main(["bench", "--native"]) == 2
    assert "girih: bench: --lib and --native need a build with pointers of 64 bits" in capsys.readouterr().err


def test_run_calls_stops_at_the_first_failure_and_refuses_odd_calls() -> None:
    work = workload.Workload("ML-DSA-44", 59, 4)
    (verifier, _) = native.own_contestants(work, "verify")
    assert isinstance(verifier, native.NativeContestant)
    assert verifier.run(0, 4) == 4
    ctypes.memset(verifier.calls[2][0][1][1], 0, 40)  # the third signature
    assert verifier.run(0, 4) == 2
    with pytest.raises(race.Mismatch, match="of item 2 reported an error"):
        verifier.check(0, 4, 2)
    with pytest.raises(ValueError, match="arguments"):
        native.run(1, 1)


# ---- threads


def test_threads_and_processes_take_turns(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "--set",
        "44",
        "--op",
        "verify",
        "--message-size",
        "59",
        "--messages",
        "3",
        "--repeats",
        "2",
        "--duration",
        "0.04",
    ]
    assert main(["bench", *arguments, "--threads", "2", "--json"]) == 0
    (row,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert row.keys() >= FACTS
    assert row["workers"] == 2
    assert row["threads_over_processes"]["rounds"] == 2
    assert row["threads_over_processes"]["median"] > 0
    assert main(["bench", *arguments, "--threads", "1"]) == 0
    assert "1 processes" in capsys.readouterr().out


def test_rates_of_workers_add_up() -> None:
    made = stats.Series()
    threads._add(made, 0, [(100, 1_000_000), (300, 2_000_000)])
    assert made.rates().median == pytest.approx(250_000)
    assert made.slices[0].operations == 400


def test_a_worker_that_ends_early_is_an_error() -> None:
    work = workload.Workload("ML-DSA-44", 59, 1)
    with (
        threads._Processes("no-such-peer", work, "sign", 1) as processes,
        pytest.raises(RuntimeError, match="ended early"),
    ):
        processes.run(0.01)
