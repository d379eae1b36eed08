"""make flamegraph: what is read of callgrind's and perf's files, and the picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tools import flamegraph

# 100 instructions of run_sign itself, 900 in hash: 600 for run_sign, 300 for pack, which has 50 of its own. The forms are those of
# callgrind's specification: compressed names and files, relative and repeated lines, inclusive costs behind calls=.
CALLGRIND = """\
# callgrind format
version: 1
creator: callgrind-3.19.0
positions: line
events: Ir

ob=(1) /lib/bench
fl=(1) sign.c
fn=(1) main
10 7
cfn=(2) run_sign
calls=2 20
11 1050

fn=(2)
20 60
+2 40
cfi=(2) keccak.c
cfn=(3) hash
calls=6 1
* 600
cfn=(4) pack
calls=3 40
+1 350

fn=(4)
40 50
cfi=(2)
cfn=(3)
calls=3 1
-2 300

fl=(2)
fn=(3)
1 880
* 20

totals: 1057
"""

PERF = """\
            55 keccak
            66 sign
            77 run_sign
            88 main

            56 keccak
            77 run_sign
            88 main

            99 calibrate
            88 main
"""


def test_own_costs_and_calls_are_read() -> None:
    graph = flamegraph.read_callgrind(CALLGRIND)
    assert graph.own == {"main": 7, "run_sign": 100, "pack": 50, "hash": 900}
    assert graph.calls == {"main": {"run_sign": 1050}, "run_sign": {"hash": 600, "pack": 350}, "pack": {"hash": 300}}


def test_a_callee_is_charged_to_its_callers_in_proportion() -> None:
    stacks = flamegraph.read_callgrind(CALLGRIND).stacks("run_sign")
    assert stacks == pytest.approx(
        {("run_sign",): 100, ("run_sign", "hash"): 600, ("run_sign", "pack"): 50, ("run_sign", "pack", "hash"): 300}
    )
    name, share = flamegraph.shares(stacks)[0]
    assert name == "hash"
    assert share == pytest.approx(900 / 1050)


def test_recursion_ends() -> None:
    text = CALLGRIND.replace("-2 300\n", "-2 300\ncfn=(2)\ncalls=1 20\n42 10\n")
    assert set(flamegraph.read_callgrind(text).stacks("run_sign")) == set(
        flamegraph.read_callgrind(CALLGRIND).stacks("run_sign")
    )


def test_samples_above_the_root_are_counted() -> None:
    assert flamegraph.read_perf(PERF, "run_sign") == {("run_sign", "sign", "keccak"): 1, ("run_sign", "keccak"): 1}


def test_a_box_is_as_wide_as_its_share_and_stands_on_its_caller() -> None:
    root = ElementTree.fromstring(flamegraph.svg({("a",): 1, ("a", "<b>"): 3}, "title & more"))
    space = "{http://www.w3.org/2000/svg}"
    boxes = {group.findtext(space + "title"): group.find(space + "rect") for group in root.iter(space + "g")}
    assert set(boxes) == {"a: 100.0%", "<b>: 75.0%"}
    lower, upper = boxes["a: 100.0%"], boxes["<b>: 75.0%"]
    assert lower is not None and upper is not None
    assert float(upper.attrib["width"]) == pytest.approx(0.75 * float(lower.attrib["width"]))
    assert float(upper.attrib["y"]) == float(lower.attrib["y"]) - flamegraph.ROW


def test_narrow_boxes_are_left_out() -> None:
    drawn = flamegraph.svg({("a", "b"): 999, ("a", "c"): 1}, "")
    assert ">b: " in drawn
    assert ">c: " not in drawn


def test_what_is_not_installed_is_named() -> None:
    with pytest.raises(SystemExit, match="no-such-profiler is not installed"):
        flamegraph.run(["no-such-profiler"])
