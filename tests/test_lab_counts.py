"""The plugin and the cycle models, on loops whose counts are known by reading them (firmware/apps/known.c)."""

from __future__ import annotations

from pathlib import Path

import pytest

from girih.lab import rows
from girih.lab.build import Build
from girih.lab.emulate import Run, count
from girih.lab.image import Image, classify
from girih.lab.model import MODELS, Counts, count_kinds, flash_cycles
from girih.lab.stack import static_stack

TARGETS = ("m4", "m33", "rv32imc")
SETUP = 12  # the instructions around a loop: calls, returns, a register that is set


@pytest.fixture(scope="module", params=TARGETS)
def known(request: pytest.FixtureRequest) -> tuple[Image, Run]:
    build = Build(request.param)
    (path,) = build.images("known")
    image = Image(path, build.of)
    head = count(image, []).head
    return image, count(image, [], stack=head["stack_bottom"])


def kinds(known: tuple[Image, Run], op: str) -> Counts:
    image, run = known
    return count_kinds(image.instructions, run.trace.counts[op], run.trace.taken[op])


def test_the_plugin_counts_every_instruction(known: tuple[Image, Run]) -> None:
    (interval,) = known[1].trace.of("countdown")
    assert 2001 <= interval.instructions <= 2001 + SETUP


def test_the_plugin_counts_the_taken_branches(known: tuple[Image, Run]) -> None:
    (interval,) = known[1].trace.of("countdown")
    assert 999 <= interval.taken <= 999 + 6  # calls and returns are branches too


def test_a_run_without_branches_counts_the_same_instructions(known: tuple[Image, Run]) -> None:
    image, run = known
    plain = count(image, [])
    assert [i.instructions for i in plain.trace.intervals] == [i.instructions for i in run.trace.intervals]


def test_the_plugin_counts_each_access_to_data(known: tuple[Image, Run]) -> None:
    image, run = known
    words = next(symbol for symbol in image.objects if symbol.name.startswith("words"))
    touched = [
        accesses
        for granule, accesses in run.trace.data["memory"].items()
        if words.address - 16 < granule < words.address + 12
    ]
    assert (sum(loads for loads, _ in touched), sum(stores for _, stores in touched)) == (200, 100)


def test_a_load_is_lone_when_no_load_or_store_follows(known: tuple[Image, Run]) -> None:
    assert 100 <= kinds(known, "memory").lone_loads <= 102


def test_the_lowest_store_is_the_depth_of_the_stack(known: tuple[Image, Run]) -> None:
    _, run = known
    (interval,) = run.trace.of("stack")
    traced = run.head["stack_here"] - interval.lowest_store
    assert traced == run.calls("stack")[0]["stack"]
    assert 512 <= traced <= 512 + 32


def test_the_static_stack_is_the_frame_of_the_deepest_chain(known: tuple[Image, Run]) -> None:
    assert 512 <= static_stack(known[0], {"deep"}) <= 512 + 16


def test_the_model_adds_what_it_says() -> None:
    counts = Counts(instructions=1000, lone_loads=10, pairs=3, multiple_registers=20, divides=2, taken=50)
    model = MODELS["m4"]
    expected = (
        1000
        + 10 * model.lone_load
        + 3 * model.pair
        + 20 * model.multiple_register
        + 2 * model.divide
        + 50 * model.taken
    )
    assert model.cycles(counts) == pytest.approx(model.scale * expected)


def test_a_turn_of_the_countdown_is_two_instructions_and_a_taken_branch(known: tuple[Image, Run]) -> None:
    model = MODELS["m33"]
    expected = model.scale * (2 * 1000 + model.taken * 999)
    assert expected <= model.cycles(kinds(known, "countdown")) <= expected + 60


PUBLISHED = rows.read(Path(__file__).resolve().parents[1] / "benchmarks" / "results" / "lab-model.jsonl")


def test_the_published_figures_are_there() -> None:
    """Two were chosen before the model was run, and not used for fitting it."""
    assert [row["use"] for row in PUBLISHED].count("check") == 2
    assert [row["use"] for row in PUBLISHED].count("fit") == 10


@pytest.mark.parametrize(
    "row", PUBLISHED, ids=lambda row: f"{row['implementation']}-{row['scheme']}-{row['published_op']}"
)
def test_published_hardware_lies_within_the_stated_error(row: rows.Row) -> None:
    model = MODELS[row["target"]]
    assert model.cycles(Counts(**row["counts"])) == pytest.approx(row["published_cycles"], rel=model.error)


def test_wait_states_cost_only_what_they_delay() -> None:
    counts = Counts(instructions=1000, taken=100)
    model = MODELS["m33"]
    assert flash_cycles(counts, model, 0) == model.cycles(counts)
    assert flash_cycles(counts, model, 4) == model.cycles(counts) + 400
    assert flash_cycles(counts, model, 8) > model.cycles(counts) + 800


@pytest.mark.parametrize(
    ("mnemonic", "operands", "expected"),
    [
        ("ldr", "r0, [r1]", ("load", 1)),
        ("ldrb.w", "r0, [r1]", ("load", 1)),
        ("ldrd", "r0, r1, [r2]", ("load", 2)),
        ("pop", "{r4, r5, r6, pc}", ("load", 4)),
        ("ldm.w", "r0, {r1, r2, r3}", ("load", 3)),
        ("push", "{r4-r7, lr}", ("store", 5)),
        ("strh", "r0, [r1]", ("store", 1)),
        ("sbc.w", "r0, r1, r2", ("alu", 0)),
        ("sbfx", "r0, r1, #0, #8", ("alu", 0)),
        ("smull", "r0, r1, r2, r3", ("multiply", 0)),
        ("umlal", "r0, r1, r2, r3", ("multiply", 0)),
        ("udiv", "r0, r1, r2", ("divide", 0)),
        ("bne", "#0x10", ("branch", 0)),
        ("beq.w", "#0x10", ("branch", 0)),
        ("bl", "#0x10", ("branch", 0)),
        ("cbz", "r0, #4", ("branch", 0)),
        ("bic", "r0, r1, r2", ("alu", 0)),
        ("c.lw", "a0, 0(a1)", ("load", 1)),
        ("c.swsp", "a0, 0(sp)", ("store", 1)),
        ("c.beqz", "a0, 4", ("branch", 0)),
        ("remu", "a0, a1, a2", ("divide", 0)),
        ("mulhu", "a0, a1, a2", ("multiply", 0)),
        ("sltu", "a0, a1, a2", ("alu", 0)),
        ("slli", "a0, a1, 3", ("alu", 0)),
    ],
)
def test_instructions_are_classified(mnemonic: str, operands: str, expected: tuple[str, int]) -> None:
    assert classify(mnemonic, operands) == expected
