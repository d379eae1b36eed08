"""Timing of ML-DSA and ML-KEM: girih alone, beside other packages, and beside C libraries.

``girih bench`` is the command; :mod:`girih.bench.cli` describes it. The parts, each usable alone:

- :mod:`~girih.bench.workload`: the seeds, keys and messages that everybody works on.
- :mod:`~girih.bench.race`: the engine, which runs contestants in turn, slice by slice, and checks what they return.
- :mod:`~girih.bench.stats`: what is made of the times.
- :mod:`~girih.bench.peers`: one adapter for each Python package.
- :mod:`~girih.bench.native` and :mod:`~girih.bench.nist`: our core and the libraries of ``--lib``, called from a loop
  in C; :mod:`~girih.bench.native_kem` and :mod:`~girih.bench.nist_kem` for ML-KEM.
- :mod:`~girih.bench.caches`: what each cache of an ML-KEM key saves and costs.
- :mod:`~girih.bench.schemes`: what the command asks of each scheme.
- :mod:`~girih.bench.threads`: threads against processes.
- :mod:`~girih.bench.latency` and :mod:`~girih.bench.attempts`: signing as a distribution, and its model.
- :mod:`~girih.bench.environment` and :mod:`~girih.bench.report`: where the figures come from, how they are printed
  and kept; :mod:`~girih.bench.tables` makes documents' tables of kept results.
"""
