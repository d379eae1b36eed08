"""`girih info`: what runs here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import girih
from girih import mldsa
from girih.cli import options

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """\
  girih info
  girih info --json
  GIRIH_BACKEND=c girih info                            another backend, for tests
"""


def add_parser(subparsers: options.Subparsers) -> None:
    parser = options.add(subparsers, "info", "say what runs here: version, backend, CPU, locked memory", _EXAMPLES)
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    facts = _facts()
    print(json.dumps(facts) if args.json else _text(facts))
    return 0


def _facts() -> dict[str, Any]:
    from girih.bench import environment

    # Whether pages can be locked shows when a key lies in one.
    key_pair = mldsa.MlDsa.key_gen(bytes(32))
    core = girih.core_info()
    del key_pair
    return {
        **{name: fact for name, fact in environment.describe().items() if name != "date"},
        "backends": list(girih.backends()),
        "cpu_features": core["cpu_features"],
        "secrets_locked": core["locked_bytes"] == core["secret_pages_bytes"],
        "lock_limit": core["lock_limit"],
        "table_budget": core["table_budget"],
        "parameter_sets": [parameter_set.name for parameter_set in options.PARAMETER_SETS],
    }


def _text(facts: dict[str, Any]) -> str:
    limit = "no limit" if facts["lock_limit"] is None else f"limit {facts['lock_limit'] // 1024:,} KiB"
    rows = {
        "version": f"{facts['version']}, commit {facts['commit']}",
        "schemes": ", ".join(facts["parameter_sets"]),
        "backend": f"{facts['backend']} (here: {', '.join(facts['backends'])})",
        "CPU": facts["cpu"],
        "CPU features": " ".join(facts["cpu_features"]) or "none that matter here",
        "compiler": f"{facts['compiler']}, {facts['flags']}",
        "system": f"{facts['system']}, {facts['python']}",
        "secrets in memory": f"{'locked, never swapped out' if facts['secrets_locked'] else 'not locked'} ({limit})",
        "table budget": f"{facts['table_budget'] >> 20:,} MiB",
    }
    width = max(map(len, rows)) + 2
    return "\n".join(f"{name:{width}}{row}" for name, row in rows.items())
