"""Instructions of the portable backend on this host, counted by valgrind's callgrind."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from girih.lab import rows
from girih.lab.build import KEM_MODES, KEM_SCHEMES
from girih.lab.errors import LabError
from girih.lab.sources import source_root, version
from girih.lab.tools import require_programs, run

FLAGS = ("-std=c11", "-O3", "-DGIRIH_BIND=1")
FUNCTIONS = {  # of firmware/apps/mlkem_host.c, each called once
    "keygen": "girih_mlkem_seed_load",
    "load": "girih_mlkem_ek_load",
    "encaps": "girih_mlkem_ek_encaps",
    "decaps": "girih_mlkem_dk_decaps",
}
CACHES = {"a": 1, "h": 2, "parsed": 4}


def caches_of(mode: str) -> int:
    """A mode's caches, as the core numbers them."""
    return sum(CACHES.get(word, 0) for word in mode.split("-"))


def host_rows() -> Iterator[rows.Row]:
    """A row for each operation of every set with every choice of caches."""
    require_programs("cc", "valgrind", "callgrind_annotate")
    core, apps = source_root() / "core", source_root() / "firmware" / "apps"
    sources = [
        *sorted((core / "src").glob("[!b]*/*.c")),
        *sorted((core / "src/backend").glob("*.c")),
        *sorted((core / "src/backend/c").glob("*.c")),
        apps / "mlkem_host.c",
        apps / "common/stream.c",
    ]
    with tempfile.TemporaryDirectory() as name:
        program, counted = Path(name) / "host", Path(name) / "counted"
        includes = [f"-I{core}/include", f"-I{core}/src", f"-I{apps}/common"]
        run(["cc", *FLAGS, *includes, *map(str, sources), "-o", str(program)])
        compiler = run(["cc", "--version"]).splitlines()[0]
        for scheme, number in KEM_SCHEMES.items():
            for mode in KEM_MODES[1:]:
                line = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counted}", str(program)]
                run([*line, str(number), str(caches_of(mode))])
                text = run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(counted)])
                for op, function in FUNCTIONS.items():
                    yield {
                        "scheme": scheme,
                        "op": op,
                        "mode": mode,
                        "target": "host",
                        "machine": "x86-64, portable C",
                        "kind": "counted",
                        "kernel": "c",
                        "instructions": {"n": 1, "mean": inclusive(text, function)},
                        "compiler": compiler,
                        "flags": " ".join(FLAGS),
                        "commit": version(),
                        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                    }


def inclusive(text: str, function: str) -> int:
    """A function's instructions, those it calls included, in what callgrind_annotate prints."""
    found = re.search(rf"^\s*([\d,]+)\s.*:{function}(?: \[|$)", text, re.MULTILINE)
    if found is None:
        raise LabError(f"callgrind has not seen {function}")
    return int(found[1].replace(",", ""))
