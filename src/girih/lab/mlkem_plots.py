"""The plots of docs/mlkem-embedded.md."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from girih.lab.mlkem import BASELINE, CLOCKS, DIRECTIONS, SELECTED, TARGETS
from girih.lab.plots import pyplot_of
from girih.lab.targets import TARGETS as CORES

if TYPE_CHECKING:
    from girih.lab.results import KemResults

_SET, _MHZ = "ml-kem-768", 216


def plot_kem(results: KemResults, folder: Path) -> None:
    """Writes both plots, where there are rows."""
    pyplot = pyplot_of(folder)
    for name, draw in (("gain", _gain), ("clock", _clock)):
        figure, axes = pyplot.subplots(1, len(TARGETS), figsize=(9, 3.6))
        if all(draw(axis, results, target) for axis, target in zip(axes, TARGETS, strict=True)):
            figure.tight_layout()
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        pyplot.close(figure)


def _title(target: str) -> str:
    return f"{CORES[target].core}{', uncalibrated' if target == 'm7' else ''}"


def _gain(axes: Any, results: KemResults, target: str) -> bool:
    """Bytes that a direction takes (data RAM, caches and code in the ITCM) against the cycles that it saves."""
    base = results.setup(target, _SET, BASELINE.name, _MHZ)
    for setup in DIRECTIONS:
        row = results.setup(target, _SET, setup.name, _MHZ)
        if row is None or base is None:
            return False
        more = row["data_ram_bytes"] - base["data_ram_bytes"] + row["itcm_bytes"] + 32 * (setup.mode == "cached-h")
        for op, marker, colour in (("encaps", "o", "#4477aa"), ("decaps", "^", "#aa3377")):
            axes.scatter(more, 100 * row["saved"][op], marker=marker, color=colour)
        at = 100 * max(row["saved"]["encaps"], row["saved"]["decaps"])
        axes.annotate(setup.name, (more, at), textcoords="offset points", xytext=(3, 5), fontsize=7, rotation=25)
    axes.scatter([], [], marker="o", color="#4477aa", label="encaps")
    axes.scatter([], [], marker="^", color="#aa3377", label="decaps")
    axes.set_xscale("symlog", linthresh=32)
    axes.set_xlabel(f"bytes that it takes, {_SET} at {_MHZ} MHz")
    axes.set_ylabel("cycles saved, percent")
    axes.set_title(_title(target), fontsize=9)
    axes.legend(fontsize=7)
    return base is not None


def _clock(axes: Any, results: KemResults, target: str) -> bool:
    """Encapsulation in milliseconds along the clock, of the baseline (dotted) and of the selected profile."""
    for scheme, colour in (("ml-kem-512", "#228833"), ("ml-kem-768", "#4477aa"), ("ml-kem-1024", "#aa3377")):
        for name, line in ((BASELINE.name, ":"), (SELECTED, "-")):
            found = [results.setup(target, scheme, name, mhz, "kem-clock") for mhz in CLOCKS]
            if None in found:
                return False
            times = [(row or {})["operations"]["encaps"]["milliseconds"] for row in found]
            label = scheme if name == SELECTED else None
            axes.plot(CLOCKS, times, linestyle=line, marker=".", markersize=3, color=colour, label=label)
    axes.set_yscale("log")
    axes.set_xlabel("MHz (wait states are a model)")
    axes.set_ylabel("ms an encapsulation")
    axes.set_title(_title(target), fontsize=9)
    axes.legend(fontsize=7)
    return True
