"""The knobs of girih_config.h with ML-KEM: every pair of settings compiles, and a build holds what its settings name and nothing else."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.build.toolchain import BINDS, HOSTS, host, run
from tests.core.build import CORE

ROLES, LARGEST, DSA = (0, 1, 2, 3), (512, 768, 1024), (0, 3)
OPTIONS = (
    "-std=c11",
    "-fsyntax-only",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wundef",
    "-Werror",
    f"-I{CORE}/include",
    f"-I{CORE}/src",
)


def rows() -> Iterator[tuple[int, int, int, int | None]]:
    """(GIRIH_MLKEM, GIRIH_MLKEM_LARGEST, GIRIH_MLDSA, GIRIH_BIND), so that every pair of settings is among them."""
    for (i, role), (j, bind) in itertools.product(enumerate(ROLES), enumerate((None, *BINDS))):
        yield role, LARGEST[(i + j) % 3], DSA[(i + j // 2) % 2], bind


def test_every_pair_of_settings_is_tried() -> None:
    values = (ROLES, LARGEST, DSA, (None, *BINDS))
    for a, b in itertools.combinations(range(4), 2):
        assert {(row[a], row[b]) for row in rows()} == set(itertools.product(values[a], values[b])), (a, b)


def sources(role: int, dsa: int) -> list[str]:
    """The portable C files of a build (core/CMakeLists.txt)."""
    found = [*CORE.glob("src/common/*.c"), CORE / "src" / "backend" / "choose.c", *CORE.glob("src/backend/c/keccak*.c")]
    found += [path for path in CORE.glob("src/keccak/*.c") if role or path.name != "kmac.c"]
    for scheme, wanted in (("mlkem", role), ("mldsa", dsa)):
        if wanted:
            found += [*CORE.glob(f"src/{scheme}/*.c"), *CORE.glob(f"src/backend/c/{scheme}_*.c")]
    return [str(path) for path in found]


@pytest.mark.parametrize("row", rows(), ids=lambda row: "-".join(map(str, row)))
def test_a_combination_compiles(row: tuple[int, int, int, int | None]) -> None:
    role, largest, dsa, bind = row
    definitions = [f"-DGIRIH_MLKEM={role}", f"-DGIRIH_MLKEM_LARGEST={largest}", f"-DGIRIH_MLDSA={dsa}"]
    if bind is not None:
        definitions.append(f"-DGIRIH_BIND={bind}")
    run(host().compiler, *OPTIONS, *definitions, *sources(role, dsa))


@pytest.mark.parametrize(("knob", "value"), [("GIRIH_MLKEM", 4), ("GIRIH_MLKEM_LARGEST", 513), ("GIRIH_MLKEM", 0)])
def test_a_knob_that_is_turned_too_far_is_an_error(knob: str, value: int, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text('#include "girih/mlkem.h"\n')
    done = subprocess.run(
        [host().compiler, *OPTIONS, f"-D{knob}={value}", str(tmp_path / "a.c")], capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "error:" in done.stderr and knob in done.stderr


def functions(*definitions: str) -> set[str]:
    """What the library of a build defines, for this host with its vector backends."""
    assert shutil.which("nm") is not None, "nm is missing (apt-get install binutils)"
    return {
        row.split()[-1]
        for row in run("nm", "-g", "--defined-only", str(HOSTS["gcc"].core("-O0", *definitions))).splitlines()
        if " " in row
    }


needs = pytest.mark.needs("gcc", "binutils")


@needs
@pytest.mark.parametrize(("role", "dsa"), [(0, 0), (1, 0), (2, 0), (3, 0), (3, 3)])
def test_a_library_holds_what_its_role_names(role: int, dsa: int) -> None:
    defined = functions(f"GIRIH_MLKEM={role}", f"GIRIH_MLDSA={dsa}")
    of_kem = {name for name in defined if "mlkem" in name or "kmac" in name}
    assert any("mldsa" in name for name in defined) == (dsa != 0)
    assert bool(of_kem) == (role != 0)
    assert ({"girih_mlkem_encaps", "girih_mlkem_ek_import", "girih_mlkem_check_ek"} <= of_kem) == (role >= 1)
    private = {name for name in of_kem if re.search("decaps|dk|seed_load|decrypt", name)} - {
        "girih_mlkem_dk_bytes",
        "girih_mlkem_dk_encoded_bytes",
    }
    assert bool(private) == (role >= 2)
    assert (
        {"girih_mlkem_decaps", "girih_mlkem_seed_load", "girih_mlkem_dk_load", "girih_mlkem_check_dk"} <= private
    ) == (role >= 2)
    assert ("girih_mlkem_keygen" in of_kem) == (role == 3)


@needs
def test_every_symbol_has_a_prefix_of_ours() -> None:
    prefixes = ("girih_", "mldsa_", "mlkem_", "keccak_", "kmac256_")
    assert [name for name in functions() if not name.startswith(prefixes)] == []


@needs
def test_a_smaller_library_does_not_know_the_larger_sets(tmp_path: Path) -> None:
    (tmp_path / "sets.c").write_text("""
        #include "girih/mlkem.h"
        int main(void)
        {
            return girih_mlkem_ct_bytes(GIRIH_MLKEM_512) != 768 || girih_mlkem_ct_bytes(GIRIH_MLKEM_768) != 1088 ||
                   girih_mlkem_ct_bytes(GIRIH_MLKEM_1024) != 0 ||
                   girih_mlkem_workspace_bytes(GIRIH_MLKEM_1024, GIRIH_MLKEM_ENCAPS, 0, 1) != 0;
        }
    """)
    library = HOSTS["gcc"].core("-O0", "GIRIH_MLKEM_LARGEST=768")
    run(
        "gcc",
        "-DGIRIH_MLKEM_LARGEST=768",
        f"-I{CORE}/include",
        str(tmp_path / "sets.c"),
        str(library),
        "-o",
        str(tmp_path / "sets"),
    )
    run(str(tmp_path / "sets"))
