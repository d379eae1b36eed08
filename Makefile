# What a person types. The first two want Python >= 3.11, make and a C compiler; tools/bootstrap.sh names what is missing.
PYTHONPATH :=
export PYTHONPATH
# An empty environment has no PATH.
PATH ?= /usr/local/bin:/usr/bin:/bin
export PATH
STAGES = @PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin/python tools/stages.py

.PHONY: demo test ct lab mutants lint docs bench flamegraph clean

# Build in .venv, sign and verify a real file, show a tampered one failing, print timings.
demo:
	@sh tools/bootstrap.sh
	@sh tools/demo.sh

# Everything that proves it right. A tool or a corpus that is missing is named; with CI=true that is an error.
test:
	@sh tools/bootstrap.sh test formats
	$(STAGES)

# The constant-time run alone, with memcheck.
ct:
	@sh tools/bootstrap.sh test formats
	$(STAGES) constant-time

# Every mutant, not the sample that make test runs: an hour.
mutants:
	@sh tools/bootstrap.sh test formats
	@PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin/python -m tests.mutants

# The core on microcontrollers, under emulation.
lab:
	@sh tools/bootstrap.sh test formats
	$(STAGES) lab

lint:
	@sh tools/bootstrap.sh test formats
	$(STAGES) style

# The pages of docs/ that programs write.
docs:
	@sh tools/bootstrap.sh test formats
	@.venv/bin/python -m tools.ct_report
	@.venv/bin/python -m tools.traceability

bench:
	@sh tools/bootstrap.sh bench
	@.venv/bin/girih bench

# Where key generation, signing and verification spend their time: build/flamegraph/*.svg.
flamegraph:
	@sh tools/bootstrap.sh test
	@PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin/python -m tools.flamegraph

clean:
	rm -rf build dist .venv .mypy_cache .pytest_cache .ruff_cache
