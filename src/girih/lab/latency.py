"""How long a signature takes, as a distribution: attempts are nearly geometric, so the tail is long and a budget
bounds it."""

from __future__ import annotations

from datetime import UTC, datetime

from girih.bench.attempts import distribution
from girih.lab import rows
from girih.lab.build import Build
from girih.lab.emulate import count
from girih.lab.image import Image
from girih.lab.sources import version


def latency(build: Build, messages: int = 256) -> rows.Row:
    """Signs `messages` messages of the fixed stream and describes attempts and instructions."""
    (path,) = build.images("speed")
    run = count(Image(path, build.of), [str(messages)])
    attempts = [call["attempts"] for call in run.calls("sign")]
    instructions = [interval.instructions for interval in run.trace.of("sign")]
    return {
        "scheme": build.scheme,
        "op": "latency",
        "mode": build.mode,
        "target": build.target,
        "machine": build.of.machine,
        "kind": "emulated",
        **distribution(build.scheme, attempts, instructions, "instructions"),
        "samples": {"attempts": attempts, "instructions": instructions},
        "kernel": build.kernel,
        "hardening": build.hardening,
        "compiler": run.head["compiler"],
        "flags": run.head["flags"],
        "commit": version(),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
