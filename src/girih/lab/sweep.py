"""What helps and what does not: one change at a time from a baseline, each built, checked and measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from girih.lab import rows
from girih.lab.build import Build
from girih.lab.emulate import count
from girih.lab.errors import LabError, ToolMissing
from girih.lab.image import Image
from girih.lab.measure import OPS, image_sizes, operations_of
from girih.lab.model import MODELS, count_kinds, flash_cycles
from girih.lab.sources import version

WAIT_STATES = (0, 2, 4)


@dataclass(frozen=True)
class Variant:
    """A change: its name and the fields of the build that it sets."""

    name: str
    changes: tuple[tuple[str, object], ...]


VARIANTS = (
    Variant("baseline", ()),
    Variant("clang", (("compiler", "clang"), ("lto", False))),
    Variant("without LTO", (("lto", False),)),
    Variant("single unit, without LTO", (("unity", True), ("lto", False))),
    Variant("-O2", (("optimise", "-O2"),)),
    Variant("-O3", (("optimise", "-O3"),)),
    Variant("without hardening", (("hardening", False),)),
    Variant("every set in the image", (("runtime_set", True),)),
    Variant("mode expanded, Keccak on 64-bit lanes", (("mode", "expanded"), ("kernel", "c"))),
    Variant("mode expanded-packed, smallest Keccak", (("mode", "expanded-packed"), ("kernel", "c32-small"))),
    Variant("mode default", (("mode", "default"),)),
    Variant("mode lowram", (("mode", "lowram"),)),
    Variant("mode expanded", (("mode", "expanded"),)),
    Variant("mode expanded-packed", (("mode", "expanded-packed"),)),
)


def sweep(
    build: Build, messages: int, progress: Callable[[str, int], None] = lambda _text, _done: None
) -> Iterator[rows.Row]:
    """One row a variant: mean instructions and image bytes of each operation, stack, and what code in flash of some
    wait states would cost. Variants that this machine or this target cannot build are left out with a reason."""
    for variant in VARIANTS:
        progress(f"{build.target} {variant.name}", 0)
        changed = build.with_(**dict(variant.changes))
        if variant.changes and changed == build:
            progress("", 1)
            continue
        try:
            yield _row(changed, variant, messages)
        except (ToolMissing, LabError) as error:
            yield {**_head(changed, variant), "left_out": _reason(error)}
        progress("", 1)


def _head(build: Build, variant: Variant) -> rows.Row:
    return {
        "scheme": build.scheme,
        "op": "sweep",
        "variant": variant.name,
        "mode": build.mode,
        "target": build.target,
        "machine": build.of.machine,
        "kind": "emulated",
        "kernel": build.kernel,
        "hardening": build.hardening,
        "commit": version(),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def _row(build: Build, variant: Variant, messages: int) -> rows.Row:
    (path,) = build.images("speed")
    image = Image(path, build.of)
    run = count(image, [str(messages)])
    detail = count(image, ["1"], stack=run.head["stack_bottom"])
    ops = [op for op in operations_of(build, OPS) if run.calls(op)]
    sizes = image_sizes(build, *ops, "all")
    model = MODELS.get(build.of.model or "")
    found: dict[str, dict[str, object]] = {}
    for op in ops:
        instructions = [interval.instructions for interval in run.trace.of(op)]
        found[op] = {
            "instructions": round(sum(instructions) / len(instructions)),
            "stack_bytes": max(call["stack"] for call in run.calls(op)),
            "workspace_bytes": run.head[op],
            "image_bytes": sizes[op]["total"],
        }
        if model is not None:
            counts = count_kinds(image.instructions, detail.trace.counts[op], detail.trace.taken[op])
            scale = sum(instructions) / len(instructions) / counts.instructions
            found[op]["flash_cycles"] = {n: round(scale * flash_cycles(counts, model, n)) for n in WAIT_STATES}
            found[op]["cycles_error"] = model.error
    return {
        **_head(build, variant),
        "operations": found,
        "image_all_bytes": sizes["all"]["total"],
        "table_bytes": run.head["tables"],
        "compiler": run.head["compiler"],
        "flags": run.head["flags"],
    }


def pays_from(without: float, with_table: float, load: float) -> int | None:
    """The first use from which load + n uses with the table cost less than n uses without; None when the table never
    pays."""
    saved = without - with_table
    return None if saved <= 0 else int(load // saved) + 1


def _reason(error: Exception) -> str:
    """The line of a failure that says why."""
    lines = str(error).splitlines()
    return next((line for line in lines if "error:" in line), lines[0])
