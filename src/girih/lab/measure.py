"""Measures operations of ML-DSA or ML-KEM on a target: instructions, cycles, stack, memory, image size. One result row for each
operation and mode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from girih.lab import rows
from girih.lab.build import KEM_SCHEMES, SCHEMES, Build
from girih.lab.emulate import Run, count, run_image
from girih.lab.errors import LabError
from girih.lab.image import Image
from girih.lab.model import MODELS, count_kinds
from girih.lab.sources import version
from girih.lab.stack import static_stack

OPS = ("keygen", "load", "sign", "verify")
KEM_OPS = ("keygen", "load", "encaps", "decaps")
MESSAGE_BYTES = 32
_SIZES = {  # FIPS 204, table 2: public key, secret key, signature
    "ml-dsa-44": (1312, 2560, 2420),
    "ml-dsa-65": (1952, 4032, 3309),
    "ml-dsa-87": (2592, 4896, 4627),
}
_KEM_SIZES = {  # FIPS 203, table 3: encapsulation key, decapsulation key, ciphertext
    "ml-kem-512": (800, 1632, 768),
    "ml-kem-768": (1184, 2400, 1088),
    "ml-kem-1024": (1568, 3168, 1568),
}
SEED_BYTES = 32


@dataclass
class Measurement:
    """A row, and what it was made from."""

    row: rows.Row
    image: Image
    run: Run
    detail: Run


def caller_bytes(scheme: str, mode: str, op: str) -> int:
    """What the caller of an operation owns anyway: keys, message, signature; keys, ciphertext, secret. Tables and objects
    are counted apart."""
    if scheme in _KEM_SIZES:
        ek, dk, ct = _KEM_SIZES[scheme]
        key = {"keygen": 64 + ek + dk, "load": ek, "encaps": ek, "decaps": dk}[op] if mode == "default" else 0
        given = {"keygen": 64, "load": ek}.get(op, 0) if mode != "default" else 0
        return key + given + {"encaps": 32 + ct + 32, "decaps": ct + 32}.get(op, 0)
    pk, sk, sig = _SIZES[scheme]
    if op == "keygen":
        return SEED_BYTES + pk + sk
    if op == "load":
        return SEED_BYTES
    if mode.startswith("expanded"):
        key = 0
    elif op == "verify":
        key = pk
    else:
        key = sk if mode == "lowram" else SEED_BYTES
    return key + MESSAGE_BYTES + sig


def image_sizes(build: Build, *ops: str) -> dict[str, dict[str, int]]:
    """For each operation (and "all"): total, harness, hash and marginal bytes of an image that holds it alone."""
    apps = ["size_none", "size_hash", *(f"size_{op}" for op in ops)]
    images = [Image(path, build.of) for path in build.images(*apps)]
    harness, hashing = images[0].flash_bytes, images[1].flash_bytes
    return {
        op: {
            "total": image.flash_bytes,
            "harness": harness,
            "hash": hashing - harness,
            "marginal": image.flash_bytes - hashing,
        }
        for op, image in zip(ops, images[2:], strict=True)
    }


def written_static(build: Build, op: str) -> int:
    """Static memory that the image of an operation may write, without what the harness alone writes."""
    none, one = (Image(path, build.of) for path in build.images("size_none", f"size_{op}"))
    return one.written_static_bytes - none.written_static_bytes


def mix(image: Image, executed: dict[int, int]) -> dict[str, float]:
    """Share of each kind of instruction."""
    kinds: Counter[str] = Counter()
    for address, times in executed.items():
        instruction = image.instructions.get(address)
        kinds[instruction.kind if instruction else "unknown"] += times
    total = sum(kinds.values())
    return {kind: round(times / total, 4) for kind, times in kinds.most_common()}


def per_function(image: Image, executed: dict[int, int], calls: int) -> dict[str, int]:
    """Instructions of one call by function, the most first."""
    functions: Counter[str] = Counter()
    for address, times in executed.items():
        functions[image.function_at(address)] += times
    return {name: round(times / calls) for name, times in functions.most_common()}


def fitting(build: Build) -> tuple[Build, str]:
    """The build and the machine to measure with: the target's small board where all that the app needs fits it, else the large one."""
    target = build.of
    if target.small_machine is not None:
        small = build.with_(ram=target.small_ram)
        (path,) = small.images("speed")
        try:
            run_image(path, target, ["1"], machine=target.small_machine)
        except LabError as error:
            if "out of memory" not in str(error):
                raise
        else:
            return small, target.small_machine
    return build, target.machine


def operations_of(build: Build, ops: Iterable[str]) -> tuple[str, ...]:
    """Those of `ops` that the target is for: all, or of every operation (OPS) verification alone; ML-KEM multiplies no two
    words into two. LabError where others were asked for."""
    asked = tuple(ops)
    if not build.of.verifies_only or build.is_kem or asked == ("verify",):
        return asked
    if set(asked) == set(OPS):
        return ("verify",)
    raise LabError(
        f"a {build.of.core} verifies only: the time of its long multiplication depends on what it multiplies, and secrets "
        "would be multiplied (docs/embedded.md)"
    )


def measure(
    build: Build, ops: Iterable[str], messages: int, progress: Callable[[str], None] = lambda _: None
) -> Iterator[Measurement]:
    """Builds, runs and measures the operations of one scheme in one mode. messages: signatures to sample, at most
    256; of ML-KEM, key pairs, of which there are 16."""
    if build.scheme not in SCHEMES and not build.is_kem:
        raise LabError(f"no scheme {build.scheme!r}; the schemes are {', '.join([*SCHEMES, *KEM_SCHEMES])}")
    ops = operations_of(build, ops)
    if not 1 <= messages <= 256:
        raise LabError(f"the number of messages is 1 to 256, got {messages}")
    name = f"{build.target} {build.scheme} {build.mode}"
    progress(f"{name}: building")
    build, machine = fitting(build)
    (path,) = build.images("speed")
    image = Image(path, build.of)
    progress(f"{name}: running")
    run = count(image, [str(messages)], machine=machine)
    detail = count(image, ["2"], stack=run.head["stack_bottom"], machine=machine)
    wanted = [op for op in ops if run.calls(op)]
    progress(f"{name}: sizes")
    sizes = image_sizes(build, *wanted, "all")
    for op in wanted:
        yield Measurement({**_row(build, op, image, run, detail, sizes), "machine": machine}, image, run, detail)


def _row(build: Build, op: str, image: Image, run: Run, detail: Run, sizes: dict[str, dict[str, int]]) -> rows.Row:
    head, calls = run.head, run.calls(op)
    instructions = [interval.instructions for interval in run.trace.of(op)]
    if len(calls) != len(instructions):
        raise LabError(f"{len(calls)} calls of {op} in the log, {len(instructions)} between marks")
    attempts = [call["attempts"] for call in calls if "attempts" in call]
    painted = max(call["stack"] for call in calls)
    deepest = min(detail.trace.of(op), key=lambda interval: interval.lowest_store)
    traced = detail.head["stack_here"] - deepest.lowest_store
    functions = per_function(image, run.trace.counts[op], len(calls))
    row: rows.Row = {
        "scheme": build.scheme,
        "op": op,
        "mode": build.mode,
        "target": build.target,
        "machine": build.of.machine,
        "kind": "emulated",
        "instructions": rows.summary(instructions),
        **_attempts(attempts, instructions),
        **model_cycles(build, op, image, detail, instructions),
        "stack_bytes": max(painted, traced),
        "stack": {
            "painted": painted,
            "traced": traced,
            "deepest": image.function_at(deepest.lowest_pc),
            "static_lower_bound": static_stack(image, set(functions) - {"main"}),
        },
        "workspace_bytes": head[op],
        "static_written_bytes": written_static(build, op),
        "caller_bytes": caller_bytes(build.scheme, build.mode, op),
        "table_bytes": head[f"{op}_tables"] if build.is_kem else head["tables"],
        **({"state_bytes": head["state"]} if build.is_kem else {}),
        "image_bytes": sizes[op],
        "image_all_bytes": sizes["all"],
        "mix": mix(image, run.trace.counts[op]),
        "functions": dict(list(functions.items())[:12]),
        "kernel": build.kernel,
        "hardening": build.hardening,
        "compiler": head["compiler"],
        "flags": head["flags"],
        "commit": version(),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    return row


def _attempts(attempts: list[int], instructions: list[int]) -> dict[str, Any]:
    if not attempts:
        return {}
    fit = rows.attempts_fit(attempts, instructions)
    return {"attempts": round(sum(attempts) / len(attempts), 3), **({"attempts_fit": fit} if fit else {})}


def model_cycles(build: Build, op: str, image: Image, detail: Run, instructions: list[int]) -> dict[str, Any]:
    """Modelled cycles of the mean call: the ratio of cycles to instructions is that of the traced calls."""
    model = MODELS.get(build.of.model or "")
    if model is None:
        return {}
    counts = count_kinds(image.instructions, detail.trace.counts[op], detail.trace.taken[op])
    ratio = model.cycles(counts) / counts.instructions
    return {"cycles": round(ratio * sum(instructions) / len(instructions)), "cycles_error": model.error}
