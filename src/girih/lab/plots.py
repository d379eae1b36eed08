"""The plots of docs/embedded.md."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from girih.lab.peers import PEERS
from girih.lab.results import cost, ram
from girih.lab.tools import require_package

if TYPE_CHECKING:
    from girih.lab.results import Results


def pyplot_of(folder: Path) -> Any:
    """matplotlib's pyplot, set up so that the same rows give the same file; makes the folder."""
    matplotlib = require_package("matplotlib")
    matplotlib.use("Agg")
    matplotlib.rcParams.update(
        {"svg.hashsalt": "girih", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
    )
    folder.mkdir(parents=True, exist_ok=True)
    return require_package("matplotlib.pyplot")


def plot_all(results: Results, folder: Path) -> None:
    """Writes every plot for which there are rows, as SVG without dates or random names, so that the same rows give
    the same file."""
    pyplot = pyplot_of(folder)
    for name, draw in (("ladder", _ladder), ("memory", _memory), ("latency", _latency)):
        figure, axes = pyplot.subplots(figsize=(7, 3.2))
        if draw(axes, results):
            figure.tight_layout()
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        pyplot.close(figure)


def _ladder(axes: Any, results: Results) -> bool:
    found = results.all(scheme="keccak-f1600", target="m33")
    names = [row["what"] for row in found][::-1]
    axes.barh(names, [row["instructions"]["mean"] for row in found][::-1], color="#4477aa")
    axes.set_xlabel("instructions a permutation, Cortex-M33")
    return bool(found)


def _memory(axes: Any, results: Results) -> bool:
    drawn = False
    for scheme, colour in (("ml-dsa-44", "#228833"), ("ml-dsa-65", "#4477aa"), ("ml-dsa-87", "#aa3377")):
        found = [
            row
            for row in results.all(op="sign", scheme=scheme, target="m4", kernel="c32", hardening=True)
            if row["kind"] == "emulated"
        ]
        axes.scatter(
            [ram(row) + row["table_bytes"] for row in found],
            [cost(row) for row in found],
            color=colour,
            label=f"girih {scheme}",
        )
        peers = [peer for peer in PEERS if (peer.scheme, peer.core) == (scheme, "m4")]
        axes.scatter(
            [p.stack[1] for p in peers],
            [p.instructions[1] for p in peers],
            color=colour,
            marker="x",
            label=f"pqm4 {scheme}",
        )
        drawn = drawn or bool(found)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("RAM and tables of a signature, bytes (Cortex-M4)")
    axes.set_ylabel("instructions")
    axes.legend(fontsize=7, ncols=3)
    return drawn


def _latency(axes: Any, results: Results) -> bool:
    found = results.all(op="latency")
    for row, colour in zip(found, ("#228833", "#4477aa", "#aa3377", "#ccbb44"), strict=False):
        attempts = row["samples"]["attempts"]
        most = max(attempts)
        counts = range(most + 1)
        axes.step(
            counts,
            [sum(a > k for a in attempts) / len(attempts) for k in counts],
            where="post",
            color=colour,
            label=row["scheme"],
        )
        axes.plot(
            counts, [(1 - 1 / row["geometric"]["mean"]) ** k for k in counts], color=colour, linestyle=":", linewidth=1
        )
    axes.set_yscale("log")
    axes.set_xlabel("attempts")
    axes.set_ylabel("share of signatures that need more")
    if found:
        axes.legend(fontsize=8)
    return bool(found)
