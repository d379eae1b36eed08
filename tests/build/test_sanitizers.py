"""No undefined behaviour and no byte out of bounds, at several levels, with red zones between the buffers of a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.toolchain import HOSTS, TESTS, host_backends, run
from tests.core import cases, kem_cases
from tests.core.build import CORE

FLAGS = "-g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"

levels = pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
hosts = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.needs(name, "sanitizers")) for name in HOSTS]
)
backends = pytest.mark.parametrize("backend", host_backends())


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every twelfth test case."""
    path = tmp_path_factory.mktemp("cases") / "sample.txt"
    cases.write(path, 12)
    return path


@levels
@hosts
@backends
def test_the_vectors_run_clean(name: str, level: str, backend: str, sample: Path) -> None:
    program = HOSTS[name].program(TESTS / "core" / "case_runner.c", f"{level} {FLAGS}", "GIRIH_REDZONES=ON")
    run(str(program), backend, str(sample))


@pytest.fixture(scope="session")
def kem_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every fourth test case of ML-KEM."""
    path = tmp_path_factory.mktemp("cases") / "sample.txt"
    kem_cases.write(path, 4)
    return path


@levels
@hosts
@backends
def test_the_vectors_of_ml_kem_run_clean(name: str, level: str, backend: str, kem_sample: Path) -> None:
    program = HOSTS[name].program(TESTS / "core" / "kem_runner.c", f"{level} {FLAGS}", "GIRIH_REDZONES=ON")
    run(str(program), backend, str(kem_sample))


@levels
@hosts
@backends
def test_every_error_runs_clean(name: str, level: str, backend: str) -> None:
    for source in ("api_test.c", "hints_test.c", "kem_test.c"):
        program = HOSTS[name].program(TESTS / "core" / source, f"{level} {FLAGS}", "GIRIH_REDZONES=ON")
        run(str(program), backend)


OVERRUN = """
#include "common/arena.h"
#include <stdlib.h>
int main(void)
{
    uint8_t *memory = malloc(4096);
    arena a = arena_over(memory);
    uint8_t *first = arena_take(&a, 40), *second = arena_take(&a, 40);

    first[OFFSET] = 1;
    return second == first;
}
"""


@hosts
@pytest.mark.parametrize("offset", [40, 64, 127])
def test_a_write_behind_a_buffer_of_a_workspace_is_found(name: str, offset: int, tmp_path: Path) -> None:
    source = tmp_path / "overrun.c"
    source.write_text(OVERRUN.replace("OFFSET", str(offset)))
    command = (name, *FLAGS.split(), "-DGIRIH_REDZONES", f"-I{CORE / 'src'}", f"-I{CORE / 'include'}", str(source))
    library = HOSTS[name].core("-O0")
    run(*command, str(library), "-o", str(tmp_path / "overrun"))
    with pytest.raises(AssertionError, match="use-after-poison"):
        run(str(tmp_path / "overrun"))
