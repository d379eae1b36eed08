"""What the laboratory makes of its samples: statistics, fits, latency, placements, logs of boards."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from girih.bench.attempts import Geometric, distance, percentile
from girih.lab import rows
from girih.lab.build import Build
from girih.lab.emulate import read_log, run_uart
from girih.lab.errors import LabError
from girih.lab.ingest import ingest, log_lines
from girih.lab.profile import Hot, Profile, place, snippet
from girih.lab.sweep import pays_from


def test_a_summary_describes_its_sample() -> None:
    assert rows.summary([4, 1, 3, 2]) == {"n": 4, "min": 1, "mean": 2.5, "median": 2.5, "max": 4, "stdev": 1.3}


def test_a_sample_of_one_has_no_deviation() -> None:
    assert rows.summary([7])["stdev"] == 0.0


def test_the_fit_finds_a_line() -> None:
    attempts = [1, 2, 5, 9, 30]
    assert rows.attempts_fit(attempts, [1000 + 70 * a for a in attempts]) == {"a": 1000.0, "b": 70.0}


def test_equal_attempts_fit_no_line() -> None:
    assert rows.attempts_fit([3, 3], [1, 2]) is None


def test_rows_are_appended_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "results" / "lab.jsonl"
    rows.append(path, [{"a": 1}])
    rows.append(path, [{"a": 2}, {"a": 3}])
    assert rows.read(path) == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_percentiles_are_members_of_the_sample() -> None:
    values = list(range(1, 101))
    assert [percentile(values, share) for share in (0.5, 0.99, 1.0)] == [50, 99, 100]


def test_the_geometric_model_has_its_mean_and_its_tail() -> None:
    model = Geometric(5.1)
    assert sum(k * (model.exceeds(k - 1) - model.exceeds(k)) for k in range(1, 2000)) == pytest.approx(5.1)
    assert model.exceeds(model.quantile(0.99)) <= 0.01 < model.exceeds(model.quantile(0.99) - 1)
    assert model.quantile(1 - 1e-6) == 64  # "one signature in a million needs more than about 64 attempts"


def test_a_geometric_sample_is_near_its_model_and_another_is_not() -> None:
    model = Geometric(4.0)
    sample = [model.quantile((i + 0.5) / 400) for i in range(400)]
    near, bound = distance(sample, model)
    far, _ = distance(sample, Geometric(8.0))
    assert near < bound < far


def test_a_table_pays_from_the_first_use_that_is_cheaper() -> None:
    assert pays_from(without=17, with_table=4.4, load=3.3) == 1
    assert pays_from(without=5.26, with_table=0.60, load=4.49) == 1
    assert pays_from(without=5.0, with_table=0.5, load=4.6) == 2
    assert pays_from(without=1, with_table=1, load=1) is None


def profile() -> Profile:
    functions = [Hot("hot", 100, 10_000), Hot("big", 5000, 20_000), Hot("cool", 50, 10)]
    return Profile("sign", functions, [Hot("table", 400, 8000), Hot("spare", 64, 1)], 700, 4000.0, 1000.0, 30_010.0)


def test_a_placement_takes_the_densest_that_fit() -> None:
    placement = place(profile(), itcm=200, dtcm=500)
    assert [h.name for h in placement.itcm] == ["hot", "cool"]
    assert [h.name for h in placement.dtcm] == ["table", "spare"]
    assert placement.stack == 0
    assert placement.instruction_share == pytest.approx(10_010 / 30_010)


def test_the_stack_moves_when_it_fits() -> None:
    placement = place(profile(), itcm=0, dtcm=2000)
    assert placement.stack >= 700
    assert "__placed_stack_top" in snippet(placement, 0, 2000)
    assert ".itcm" not in snippet(placement, 0, 2000)


def test_a_placed_image_runs_and_gives_the_same_answers(tmp_path: Path) -> None:
    from girih.lab.emulate import run_image
    from girih.lab.image import Image
    from girih.lab.profile import profile as measured
    from girih.lab.profile import write

    build = Build("m7", mode="expanded-packed")
    placement = place(measured(build, "sign", 1), itcm=8192, dtcm=8192)
    write(placement, 8192, 8192, tmp_path)
    placed = build.with_(placement=tmp_path)
    (path,) = placed.images("speed")
    run_image(path, placed.of, ["2"])
    image = Image(path, placed.of)
    hottest = image.address_of(placement.itcm[0].name)
    begin, end = image.address_of("__itcm_begin"), image.address_of("__itcm_end")
    assert hottest is not None and begin is not None and end is not None
    assert begin <= hottest < end


HEAD = {"app": "speed", "scheme": "ml-dsa-65", "mode": "expanded", "target": "m33", "kernel": "c32", "compiler": "GNU 12.2.1",
        "flags": "-Os", "hardening": 1, "messages": 2, "tables": 54528, "keygen": 1, "load": 2, "sign": 3, "verify": 4}  # fmt: skip


def board_log(*changes: dict[str, Any], end: str = "ok") -> str:
    calls = [
        {"op": "sign", "i": 0, "attempts": 2, "stack": 800, "cycles": 3000},
        {"op": "sign", "i": 1, "attempts": 4, "stack": 820, "cycles": 5000},
    ]
    for call, change in zip(calls, changes, strict=False):
        call.update(change)
    lines = [json.dumps(line) for line in (HEAD, *calls, {"end": end})]
    return "boot 1.0\r\n\x00noise\r\n" + "\r\n".join(lines) + "\r\n"


def test_a_boards_log_becomes_measured_rows() -> None:
    (row,) = ingest(board_log(), "NUCLEO", clock_hz=1_000_000)
    assert row["kind"] == "measured"
    assert row["machine"] == "NUCLEO"
    assert row["cycles"]["mean"] == 4000.0
    assert row["attempts_fit"] == {"a": 1000.0, "b": 1000.0}
    assert row["milliseconds"] == 4.0
    assert row["stack_bytes"] == 820
    assert row["caller_bytes"] == 32 + 3309


def test_a_broken_line_is_refused() -> None:
    with pytest.raises(LabError, match="line 4 of the log is broken"):
        log_lines(board_log().replace('"attempts": 2,', '"attempts": ,'))


def test_a_run_that_failed_is_refused() -> None:
    with pytest.raises(LabError, match="ended with: sign: wrong answer"):
        ingest(board_log(end="sign: wrong answer"), "NUCLEO")


def test_a_run_without_an_end_is_refused() -> None:
    with pytest.raises(LabError, match="no end"):
        ingest(board_log().replace('{"end": "ok"}', ""), "NUCLEO")


def test_calls_without_cycles_are_refused() -> None:
    log = board_log().replace(', "cycles": 5000', "")
    with pytest.raises(LabError, match="1 of 2 calls of sign have no cycles"):
        ingest(log, "NUCLEO")


def test_the_log_of_an_emulated_uart_is_ingested() -> None:
    """RISC-V has a cycle counter under emulation; what it counts is host time, but the path is that of a board."""
    build = Build("rv32imc", mode="expanded-packed", messages=2, uart=True, cycles=True)
    (path,) = build.images("speed")
    found = {row["op"]: row for row in ingest(run_uart(path, build.of), "qemu virt")}
    assert set(found) == {"keygen", "load", "sign", "verify"}
    assert found["sign"]["cycles"]["n"] == 2


@pytest.mark.parametrize("target", ["m0", "m4", "m33", "m55"])
def test_every_family_of_boards_writes_to_its_uart(target: str) -> None:
    build = Build(target, mode="expanded-packed", messages=1, uart=True)
    (path,) = build.images("speed")
    log = read_log(run_uart(path, build.of))
    assert [line["op"] for line in log if "op" in line][-1] == "verify"


ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def answers_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """firmware/apps/answers.c on this host, with the portable core."""
    program = tmp_path_factory.mktemp("answers") / "answers"
    core, apps = ROOT / "core", ROOT / "firmware" / "apps"
    sources = [
        *(core / "src").glob("[!b]*/*.c"),
        *(core / "src/backend").glob("*.c"),
        *(core / "src/backend/c").glob("*.c"),
    ]
    command = ["cc", "-std=c11", "-O2", "-DGIRIH_BIND=1", f"-I{core}/include", f"-I{core}/src", f"-I{apps}/common"]
    subprocess.run(
        [*command, *map(str, sources), str(apps / "answers.c"), str(apps / "common/stream.c"), "-o", str(program)],
        check=True,
    )
    return program


@pytest.mark.parametrize("number", [44, 65, 87])
def test_the_known_answers_are_those_of_the_host(answers_program: Path, number: int) -> None:
    printed = subprocess.run([answers_program, str(number)], capture_output=True, text=True, check=True).stdout
    kept = (ROOT / "firmware" / "apps" / "answers" / f"{number}.h").read_text()
    assert "".join(kept.split()) == "".join(printed.split())


def test_the_readme_has_the_table_of_the_results() -> None:
    from girih.lab.report import BEGIN, END, main_table
    from girih.lab.results import Results

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert BEGIN + main_table(Results.read(ROOT / "benchmarks" / "results")) + END in readme


def test_the_page_is_what_the_report_writes() -> None:
    from girih.lab.report import render
    from girih.lab.results import Results

    page = (ROOT / "docs" / "embedded.md").read_text(encoding="utf-8")
    assert page == render(Results.read(ROOT / "benchmarks" / "results"))
