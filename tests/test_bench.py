"""girih bench: the arithmetic on made-up times, the engine with a made-up clock, and small real races. No test asks how fast anything is."""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import types
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import girih
from girih import _core
from girih.bench import cli as bench_cli
from girih.bench import environment, native, nist, peers, race, report, stats, threads, workload
from girih.bench.peers.girih_own import Girih
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
    with pytest.raises(ValueError, match="32 rounds needs as many messages, got 31"):
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
    monkeypatch.setattr(girih, "core_info", lambda: info)
    copy = tmp_path / "environment.py"
    copy.touch()
    monkeypatch.setattr(environment, "__file__", str(copy))
    describe = environment.describe.__wrapped__
    assert describe()["commit"] == "unknown"
    assert describe()["flags"] == "unknown"
    assert describe()["compiler"] == "cc 1"
    info["commit"] = "abc"
    assert describe()["commit"] == "abc"
    git = shutil.which("git")
    assert git, "git is needed (apt-get install git)"
    settings = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", copy.name], [*settings, "commit", "-q", "-m", "x"]):
        subprocess.run([git, *command], cwd=tmp_path, check=True)
    commit = subprocess.run(
        [git, "rev-parse", "HEAD"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.strip()
    assert describe()["commit"] == commit
    copy.write_text("changed")
    assert describe()["commit"] == commit + "+"


# ---- peers


def test_absent_packages_are_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("girih.bench.peers.metadata.version", absent)
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: "liboqs.so")
    assert main(["bench", *TINY, "--set", "44", "--op", "keygen", "--peers", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["who"] for line in out.splitlines()] == ["girih"]
    for name in peers.PEERS:
        assert f"{name} is left out: not installed (pip install {name})" in err


def test_a_package_that_is_too_old_or_broken_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "46.0.1")
    with pytest.raises(peers.Absent, match="version 46.0.1 has no ML-DSA; 47 or later has"):
        peers.load("cryptography")
    monkeypatch.setitem(sys.modules, "fast_mldsa", None)
    with pytest.raises(peers.Absent, match="installed, but cannot be imported"):
        peers.load("fast-mldsa")


def test_liboqs_is_not_imported_without_its_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: None)
    monkeypatch.setenv("OQS_INSTALL_PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "oqs", None)  # an import would say so
    with pytest.raises(peers.Absent, match="no liboqs library found"):
        peers.load("liboqs-python")
    folder = tmp_path / "lib"
    folder.mkdir()
    (folder / f"liboqs{ {'darwin': '.dylib', 'win32': '.dll'}.get(sys.platform, '.so') }").touch()
    monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "1.0")
    with pytest.raises(peers.Absent, match="installed, but cannot be imported"):
        peers.load("liboqs-python")


class Signature:
    """liboqs-python's class, on girih: keys are bytes, signing is hedged."""

    def __init__(self, name: str, secret_key: bytes | None = None) -> None:
        self._set = workload.SETS[name]
        self._key = secret_key

    def generate_keypair(self) -> bytes:
        return bytes(self._set.key_gen()[0])

    def sign(self, message: bytes) -> bytes:
        assert self._key
        return self._set.signing_key(self._key).sign(message)

    def verify(self, message: bytes, signature: bytes, public_key: bytes) -> bool:
        return self._set.verification_key(public_key).verify(signature, message)


def _pqcrypto_44() -> types.SimpleNamespace:
    def keygen() -> tuple[bytes, bytes]:
        vk, sk = girih.MlDsa44.key_gen()
        return bytes(vk), bytes(sk.to_bytes())

    def verify(public_key: bytes, message: bytes, signature: bytes) -> None:
        girih.MlDsa44.verification_key(public_key).require(signature, message)

    return types.SimpleNamespace(
        keygen=keygen, verify=verify, sign=lambda key, msg: girih.MlDsa44.signing_key(key).sign(msg)
    )


class _Private44:
    """cryptography's private key, on girih."""

    def __init__(self, seed: bytes) -> None:
        self._vk, self._sk = girih.MlDsa44.key_gen(seed)

    def sign(self, data: bytes) -> bytes:
        return self._sk.sign(data)

    def public_key(self) -> types.SimpleNamespace:
        return types.SimpleNamespace(public_bytes_raw=self._vk.to_bytes)


def _dilithium_py_44() -> types.SimpleNamespace:
    def key_derive(seed: bytes) -> tuple[bytes, bytes]:
        vk, sk = girih.MlDsa44.key_gen(seed)
        return bytes(vk), bytes(sk.to_bytes())

    return types.SimpleNamespace(
        key_derive=key_derive,
        sign=lambda key, msg, deterministic: girih.MlDsa44.signing_key(key).sign(msg, deterministic=deterministic),
        verify=lambda pk, msg, sig: girih.MlDsa44.verification_key(pk).verify(sig, msg),
    )


STAND_INS: dict[str, tuple[str, Any, dict[str, list[str]]]] = {
    "fast-mldsa": (
        "fast_mldsa",
        girih,
        {"keygen": ["prepared"], "sign": ["prepared", "from-bytes"], "verify": ["prepared", "from-bytes"]},
    ),
    "cryptography": (
        "cryptography.hazmat.primitives.asymmetric.mldsa",
        types.SimpleNamespace(
            MLDSA65PrivateKey=types.SimpleNamespace(generate=lambda: None),
            MLDSA44PrivateKey=types.SimpleNamespace(from_seed_bytes=_Private44),
            MLDSA44PublicKey=types.SimpleNamespace(
                from_public_bytes=lambda b: types.SimpleNamespace(verify=girih.MlDsa44.verification_key(b).require)
            ),
        ),
        {"keygen": ["prepared"], "sign": ["prepared", "from-seed"], "verify": ["prepared", "from-bytes"]},
    ),
    "pqcrypto": (
        "pqcrypto.sign",
        types.SimpleNamespace(ml_dsa_44=_pqcrypto_44()),
        {"keygen": ["to-bytes"], "sign": ["from-bytes"], "verify": ["from-bytes"]},
    ),
    "liboqs-python": (
        "oqs",
        types.SimpleNamespace(Signature=Signature),
        {"keygen": ["to-bytes"], "sign": ["from-bytes"], "verify": ["from-bytes"]},
    ),
    "dilithium-py": (
        "dilithium_py.ml_dsa",
        types.SimpleNamespace(ML_DSA_44=_dilithium_py_44()),
        {"keygen": ["to-bytes"], "sign": ["from-bytes"], "verify": ["from-bytes"]},
    ),
}


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Puts a module with the shape of a package, made of girih, in that package's place."""

    def place(name: str, module: Any) -> None:
        monkeypatch.setitem(sys.modules, STAND_INS[name][0], module)
        monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "99.0")
        monkeypatch.setattr(ctypes.util, "find_library", lambda _: "liboqs.so")

    yield place


@pytest.mark.parametrize("name", peers.PEERS)
def test_adapters_call_each_package_as_it_wants(name: str, stand_in: Any, capsys: pytest.CaptureFixture[str]) -> None:
    _, module, forms = STAND_INS[name]
    stand_in(name, module)
    assert main(["bench", *TINY, "--set", "44", "--message-size", "5", "--peers", name, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    theirs = [row for row in rows if row["who"] == f"{name} 99.0"]
    assert [(r["op"], r["form"]) for r in theirs] == [(op, form) for op, fs in forms.items() for form in fs]
    for row in theirs:
        assert row["ratios"]["prepared"]["median"] > 0
        assert (row["form"] in row["ratios"]) == (row["op"] != "keygen" or row["form"] == "prepared")


def test_a_peer_that_signs_wrongly_ends_the_run(stand_in: Any, capsys: pytest.CaptureFixture[str]) -> None:
    class Key:
        def sign(self, msg: bytes, deterministic: bool) -> bytes:
            return girih.MlDsa44.key_gen(bytes(32))[1].sign(msg, deterministic=deterministic)

    module = types.SimpleNamespace(MlDsa44=girih.MlDsa44, SigningKey=types.SimpleNamespace(from_bytes=lambda _: Key()))
    stand_in("fast-mldsa", module)
    assert main(["bench", *TINY, "--set", "44", "--op", "sign", "--message-size", "5", "--peers", "fast-mldsa"]) == 2
    assert "fast-mldsa 99.0: sign (prepared) of item 0 gave a wrong result" in capsys.readouterr().err


def test_installed_packages_race(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *TINY, "--set", "44", "--message-size", "5", "--peers", "--json"]) == 0
    out, err = capsys.readouterr()
    names = {json.loads(line)["who"].split()[0] for line in out.splitlines()}
    assert names == {"girih"} | {name for name in peers.PEERS if f"{name} is left out" not in err}


# ---- C against C


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
    assert nist._families(library) == ["peer_*", "plain_*_44", "wrong_*"]
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
    assert main(["bench", *TINY, "--set", "44", "--op", "verify", "--message-size", "59", "--native", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(r["group"], r["form"]) for r in rows] == [("c", "prepared"), ("c", "from-bytes")]


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
        native.run(1, 1, 2, 3, 4)


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


# ---- what is written down twice


def test_the_command_offers_what_there_is() -> None:
    assert bench_cli._SETS == tuple(workload.SETS)
    assert bench_cli._OPERATIONS == workload.OPERATIONS
    assert bench_cli._MESSAGE_SIZES == workload.MESSAGE_SIZES
    assert bench_cli._PEERS == tuple(peers.PEERS)
    for module, cls in peers.PEERS.values():
        assert getattr(importlib.import_module(module), cls).name in peers.PEERS
    assert Girih.name == "girih"


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
