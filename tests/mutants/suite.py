"""Builds a mutant and runs the tests that should notice it: the C programs of tests/core, on backend c, and for ML-KEM on avx2 too.

Every mutant meets, until one notices: a choice of the vectors and the errors of the interface, built at -O1; then all vectors, and the
standard's rounding on every residue; then the choice again, built with sanitizers and red zones. A mutant that does not compile is none.
"""

from __future__ import annotations

import functools
import re
import signal
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.build.toolchain import TESTS, host, host_backends
from tests.core import cases, kem_cases
from tests.core.build import CORE
from tests.mutants.mutate import Mutant, mutants

# Key generation, signing, verification, the codecs, and the portable primitives under them.
FILES = (
    "mldsa/keygen.c",
    "mldsa/expand.c",
    "mldsa/attempt.c",
    "mldsa/sign.c",
    "mldsa/verify.c",
    "mldsa/encode.c",
    "mldsa/encode.h",
    "mldsa/challenge.c",
    "mldsa/mu.c",
    "mldsa/table.c",
    "backend/c/mldsa_field.h",
    "backend/c/mldsa_ntt.c",
    "backend/c/mldsa_products.c",
    "backend/c/mldsa_round.c",
    "backend/c/mldsa_rounding.h",
    "backend/c/mldsa_sample.c",
    "mlkem/params.c",
    "mlkem/work.c",
    "mlkem/pke.c",
    "mlkem/key.c",
    "mlkem/keygen.c",
    "mlkem/load.c",
    "mlkem/cache.c",
    "mlkem/encaps.c",
    "mlkem/decaps.c",
    "mlkem/workspace.c",
    "backend/c/mlkem_bits.h",
    "backend/c/mlkem_field.h",
    "backend/c/mlkem_encode.c",
    "backend/c/mlkem_hashes.c",
    "backend/c/mlkem_ntt.c",
)
# The files whose every mutant has been judged: what survived there is killed since, or argued. The sample of the day comes from these.
JUDGED = (
    "mldsa/attempt.c",
    "mldsa/sign.c",
    "mldsa/verify.c",
    "mldsa/encode.c",
    "mldsa/encode.h",
    "mlkem/params.c",
    "mlkem/work.c",
    "mlkem/pke.c",
    "mlkem/key.c",
    "mlkem/keygen.c",
    "mlkem/load.c",
    "mlkem/cache.c",
    "mlkem/encaps.c",
    "mlkem/decaps.c",
    "mlkem/workspace.c",
    "backend/c/mlkem_bits.h",
    "backend/c/mlkem_field.h",
    "backend/c/mlkem_encode.c",
    "backend/c/mlkem_hashes.c",
    "backend/c/mlkem_ntt.c",
)
# Functions whose faults are not about ML-DSA, and why each is left out.
OUTSIDE = {
    "mldsa_digest_c": "a checksum against corruption: another mixing is as good (tests/test_primitives.py holds it to XXH32)",
    "mldsa_key_workspace_carve": "too much memory is waste; too little is what the red zones of tests/build/test_sanitizers.py find",
    "mldsa_attempt_carve": "as above",
    "mldsa_sign_workspace_carve": "as above",
    "mldsa_verify_workspace_carve": "as above",
    "mlkem_work_carve": "as above",
    "most_jobs": "as above",
    "mlkem_shape_of": "as above",
}
SANITIZE = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DGIRIH_REDZONES")
CPU_SECONDS = "30"  # of a run, whatever else the machine does; all vectors take 3, the choice of them 3 with sanitizers
PACKED = "c32-packed"  # a backend with drivers of its own, of which some functions are the front


def all_mutants() -> list[Mutant]:
    """Every mutant, in the order of the files and of their text."""
    found = [mutant for name in FILES for mutant in mutants(CORE / "src" / name)]
    return [mutant for mutant in found if mutant.function not in OUTSIDE]


class Suite:
    """The unchanged core, compiled twice, and the vectors; in a folder that the caller removes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.compiler = host().compiler
        self.lanes = "avx2" in host_backends()
        others = ("x86_avx512",) if self.lanes else ("x86_avx2", "x86_avx512")
        self.sources = [path for path in sorted((CORE / "src").rglob("*.c")) if path.parent.name not in others]
        self.programs = [
            TESTS / "core" / f"{name}.c"
            for name in (
                "case_runner",
                "api_test",
                "hints_test",
                "rounding_test",
                "doors",
                "kem_runner",
                "kem_test",
                "kem_parts_test",
            )
        ]
        self.few, self.all = folder / "few.txt", folder / "all.txt"
        self.few.write_text("\n".join(few()) + "\n")
        cases.write(self.all)
        self.few_kem, self.all_kem = folder / "few-kem.txt", folder / "all-kem.txt"
        self.few_kem.write_text("\n".join(kem_cases.lines(25)) + "\n" + "\n".join(kem_cases.own()) + "\n")
        kem_cases.write(self.all_kem)
        self.builds = {"plain": ("-O1",), "sanitized": ("-O1", *SANITIZE)}
        for name in self.builds:
            (folder / name).mkdir()
            with ThreadPoolExecutor(2) as pool:
                done = pool.map(functools.partial(self.compile_plain, name), [*self.sources, *self.programs])
                assert all(done), "the unchanged core does not compile"
        for file in ("mldsa/sign.c", "mlkem/decaps.c"):
            assert self.verdict(folder, "plain", file) is None, "the unchanged core fails"

    def compile_plain(self, build: str, source: Path) -> bool:
        """Compile an unchanged file for a build."""
        return self.compile(source, self.folder / build, self.builds[build])

    def compile(self, source: Path, folder: Path, flags: Sequence[str], core: Path = CORE) -> bool:
        """Compile one file into folder. Whether it compiled."""
        command = (
            self.compiler,
            "-std=c11",
            "-w",
            *flags,
            *(("-DGIRIH_X86_AVX2",) if self.lanes else ()),
            *(("-mavx2", "-mbmi", "-mbmi2") if source.parent.name == "x86_avx2" else ()),
            f"-I{core}/src",
            f"-I{CORE}/src",
            f"-I{CORE}/include",
            "-c",
            str(source),
        )
        return subprocess.run([*command, "-o", str(folder / object_name(source))], capture_output=True).returncode == 0

    def link(self, program: str, mutated: Path, build: str) -> Path:
        """Link a program with the mutated objects in front of the unchanged ones."""
        names = [object_name(path) for path in self.sources]
        objects = [mutated / name if (mutated / name).exists() else self.folder / build / name for name in names]
        output = mutated / f"{program}-{build}"
        flags = self.builds[build]
        own = [program, "doors"] if program == "rounding_test" else [program]
        objects[:0] = [self.folder / build / f"core_{name}.o" for name in own]
        command = (self.compiler, *flags, *map(str, objects), "-o", str(output))
        subprocess.run(command, check=True, capture_output=True)
        return output

    def runs(self, file: str, thorough: bool) -> list[tuple[str, tuple[str, ...]]]:
        """The programs that a mutant of a file meets, with their arguments."""
        if "mlkem" in file:
            backends = ["c", *(["avx2"] if self.lanes else []), *(["c32"] if thorough else [])]
            text = str(self.all_kem if thorough else self.few_kem)
            return [
                (program, (name, *of))
                for name in backends
                for program, of in (("kem_runner", (text,)), ("kem_test", ()))
            ] + [("kem_parts_test", ("1",))]
        if thorough:
            runs: list[tuple[str, tuple[str, ...]]] = [
                ("case_runner", ("c", str(self.all))),
                ("hints_test", ("c",)),
                ("rounding_test", ("1",)),
                ("api_test", ("c32",)),
            ]
            runs += [("api_test", (PACKED,)), ("case_runner", (PACKED, str(self.few)))]
        else:
            runs = [("case_runner", ("c", str(self.few))), ("api_test", ("c",))]
        return runs

    def verdict(self, mutated: Path, build: str, file: str, thorough: bool = False) -> str | None:
        """What notices the mutated objects of a file in a folder, None for nothing."""
        for program, arguments in self.runs(file, thorough):
            command = [
                "sh",
                "-c",
                'ulimit -t "$0" && exec "$@"',
                CPU_SECONDS,
                str(self.link(program, mutated, build)),
                *arguments,
            ]
            status = subprocess.run(command, capture_output=True).returncode
            if status != 0:
                return f"{program}: endless" if status in (-signal.SIGXCPU, -signal.SIGKILL) else program
        return None

    def judge(self, mutant: Mutant) -> str | None:
        """What notices a mutant, "stillborn" when it does not compile, None when it survives."""
        folder = self.folder / f"{abs(hash(mutant)):x}"
        (folder / "src" / mutant.file).parent.mkdir(parents=True)
        file = folder / "src" / mutant.file
        file.write_text(mutant.apply((CORE / "src" / mutant.file).read_text()))
        affected = [file] if file.suffix == ".c" else self.including(file.name)
        try:
            for build, thorough in (("plain", False), ("plain", True), ("sanitized", False)):
                for old in folder.glob("*.o"):
                    old.unlink()
                if not all(self.compile(path, folder, self.builds[build], folder) for path in affected):
                    return "stillborn"
                if verdict := self.verdict(folder, build, mutant.file, thorough):
                    return f"{verdict} ({build})"
            return None
        finally:
            subprocess.run(("rm", "-rf", str(folder)), check=True)

    def including(self, header: str) -> list[Path]:
        """The files that include a header, directly or through another."""
        headers = {header}
        for _ in range(3):
            pattern = re.compile("|".join(rf'#include "(?:\S*/)?{re.escape(name)}"' for name in headers))
            headers |= {path.name for path in (CORE / "src").rglob("*.h") if pattern.search(path.read_text())}
        return [path for path in self.sources if pattern.search(path.read_text())]


def object_name(source: Path) -> str:
    """A name that two files of one name do not share."""
    return f"{source.parent.name}_{source.stem}.o"


def few() -> list[str]:
    """A choice of the vectors that takes half a second: what is invalid first, then keys, signatures and rejections."""
    every = list(cases.lines())
    chosen = [line for line in every if line.startswith(("verify-", "load")) and not line.endswith(" OK")]
    for op in ("verify-", "keygen", "sign-pure", "sign-mu", "sign-internal", "sign-digest"):
        of_kind = [line for line in every if line.startswith(op) and line not in chosen]
        chosen += of_kind[:: max(1, len(of_kind) // 24)]
    return chosen
