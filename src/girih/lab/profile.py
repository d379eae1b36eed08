"""Which code and data are hot, and a placement of them in tightly coupled memory as a linker snippet."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from girih.lab.build import Build
from girih.lab.emulate import PREFIX, Run, count
from girih.lab.errors import LabError
from girih.lab.image import Image, Symbol

STACK_MARGIN = 256  # bytes above the measured depth, when the stack moves


@dataclass(frozen=True)
class Hot:
    """A function or an object: how often it was executed or accessed in one call, and its size in bytes."""

    name: str
    size: int
    times: float

    @property
    def density(self) -> float:
        """Executed instructions, or accesses, a byte."""
        return self.times / self.size


@dataclass
class Profile:
    """Functions and constant objects of one operation by density, and the accesses to the stack and to other memory.

    stack_bytes is what the whole app needs, every operation of it: the stack that a placement moves is everybody's."""

    op: str
    functions: list[Hot]
    objects: list[Hot]
    stack_bytes: int
    stack_accesses: float
    other_accesses: float
    instructions: float


@dataclass
class Placement:
    """What a placement moves, and the share of the executed instructions and of the data accesses that it serves."""

    itcm: list[Hot] = field(default_factory=list)
    dtcm: list[Hot] = field(default_factory=list)
    stack: int = 0
    instruction_share: float = 0.0
    access_share: float = 0.0


def profile(build: Build, op: str, messages: int = 4) -> Profile:
    """Runs a few calls of an operation with branches and data followed."""
    (path,) = build.images("speed")
    image = Image(path, build.of)
    head = count(image, ["1"]).head
    run = count(image, [str(messages)], stack=head["stack_bottom"])
    calls = len(run.calls(op))
    if not calls:
        raise LabError(f"mode {build.mode} has no operation {op}")
    return _profile(image, run, op, calls)


def _profile(image: Image, run: Run, op: str, calls: int) -> Profile:
    executed: Counter[str] = Counter()
    for address, times in run.trace.counts[op].items():
        name = image.function_at(address)
        if not name.startswith(PREFIX):
            executed[name] += times
    accessed: Counter[str] = Counter()
    stack = other = 0
    head = run.head
    for address, (loads, stores) in run.trace.data[op].items():
        if head["stack_bottom"] <= address <= head["stack_here"]:
            stack += loads + stores
        elif (name := image.object_at(address + 8)) != "?" or (name := image.object_at(address)) != "?":
            accessed[name] += loads + stores
        else:
            other += loads + stores
    return Profile(
        op,
        _ranked(executed, image.functions, calls),
        _ranked(accessed, image.constants, calls),
        max(call["stack"] for call in run.log if "stack" in call)
        + (image.address_of("__stack_top") or 0)
        - head["stack_here"],
        stack / calls,
        other / calls,
        sum(executed.values()) / calls,
    )


def _ranked(times: Counter[str], symbols: list[Symbol], calls: int) -> list[Hot]:
    """Main is left out: it is the app's."""
    sizes = {symbol.name: symbol.size for symbol in symbols}
    hot = [Hot(name, sizes[name], n / calls) for name, n in times.items() if name in sizes and name != "main"]
    return sorted(hot, key=lambda h: h.density, reverse=True)


def place(found: Profile, itcm: int, dtcm: int) -> Placement:
    """The densest functions into `itcm` bytes, the densest data (the stack is one piece of it) into `dtcm` bytes."""
    placement = Placement()
    placement.itcm = _fill(found.functions, itcm)
    need = (found.stack_bytes + STACK_MARGIN + 7) & ~7
    stack = Hot("stack", need, found.stack_accesses)
    data = _fill(sorted([*found.objects, stack], key=lambda h: h.density, reverse=True), dtcm)
    placement.dtcm = [h for h in data if h is not stack]
    placement.stack = need if stack in data else 0
    accesses = sum(h.times for h in found.objects) + found.stack_accesses + found.other_accesses
    placement.instruction_share = sum(h.times for h in placement.itcm) / found.instructions
    placement.access_share = sum(h.times for h in data) / accesses if accesses else 0.0
    return placement


def _fill(hot: list[Hot], room: int) -> list[Hot]:
    taken = []
    for h in hot:
        size = (h.size + 7) & ~7
        if size <= room and h.times:
            taken.append(h)
            room -= size
    return taken


def snippet(placement: Placement, itcm: int, dtcm: int) -> str:
    """The linker snippet: firmware/boards/common/sections.ld includes it before the sections that take everything
    else."""
    lines = [
        f"/* Written by girih lab profile: {len(placement.itcm)} functions, {len(placement.dtcm)} objects"
        f"{' and the stack' if placement.stack else ''}. */"
    ]
    for region, prefix, hot, room in (
        ("ITCM", ".text", placement.itcm, itcm),
        ("DTCM", ".rodata", placement.dtcm, dtcm),
    ):
        if not hot:
            continue
        name = region.lower()
        lines += [f".{name} : ALIGN(8)", "{", f"    __{name}_begin = .;"]
        lines += [
            f"    *({prefix}.{h.name} {prefix}.*.{h.name}{f' .data.rel.ro.{h.name}' if region == 'DTCM' else ''})"
            for h in hot
        ]
        lines += [
            "    . = ALIGN(8);",
            f"    __{name}_end = .;",
            f"}} > {region} AT > FLASH",
            f"__{name}_load = LOADADDR(.{name});",
        ]
        lines += [f'ASSERT(SIZEOF(.{name}) <= {room}, "the placement does not fit the {region}")']
    if placement.stack:
        lines += [
            "__placed_stack_top = ORIGIN(DTCM) + LENGTH(DTCM);",
            f"__placed_stack_limit = __placed_stack_top - {placement.stack};",
        ]
    return "\n".join(lines) + "\n"


def write(placement: Placement, itcm: int, dtcm: int, folder: Path) -> Path:
    """Writes the snippet as `folder`/placement.ld, the name that the linker scripts include."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "placement.ld"
    path.write_text(snippet(placement, itcm, dtcm))
    return path
