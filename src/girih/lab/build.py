"""Builds: one CMake build tree for each combination of target and options, kept in the cache and brought up to date
on every use."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from girih.lab.errors import LabError
from girih.lab.sources import cache_folder, plugin_source, source_root
from girih.lab.targets import Target, target_of
from girih.lab.tools import require_programs, run

KERNELS = ("c", "c32", "c32-small")
# The girih_backend of a mode and a Keccak.
_BACKENDS = {
    ("expanded", "c"): 1,
    ("expanded", "c32"): 2,
    ("default", "c"): 1,
    ("default", "c32"): 2,
    ("default", "c32-small"): 5,
    ("expanded-packed", "c32"): 4,
    ("expanded-packed", "c32-small"): 5,
    ("lowram", "c"): 1,
    ("lowram", "c32"): 4,
    ("lowram", "c32-small"): 5,
}
MODES = ("default", "lowram", "expanded", "expanded-packed")
SCHEMES = {"ml-dsa-44": 44, "ml-dsa-65": 65, "ml-dsa-87": 87}
KEM_SCHEMES = {"ml-kem-512": 512, "ml-kem-768": 768, "ml-kem-1024": 1024}
# From bytes; objects without a cache; objects with A_hat, H(ek), both; and each of these with t_hat.
KEM_MODES = (
    "default",
    "prepared",
    "cached-a",
    "cached-h",
    "cached-a-h",
    "parsed",
    "cached-a-parsed",
    "cached-h-parsed",
    "cached-a-h-parsed",
)
_KEM_BACKENDS = {"c": 1, "c32": 2, "c32-small": 5}


@dataclass(frozen=True)
class Build:
    """What an image is made of."""

    target: str
    scheme: str = "ml-dsa-65"
    mode: str = "expanded"
    kernel: str = "c32"  # the Keccak: 64-bit lanes, interleaved words, the smallest
    compiler: str = "gcc"  # or "clang" (Arm only)
    optimise: str = "-Os"
    lto: bool = True
    unity: bool = False  # the core as one compilation unit
    runtime_set: bool = False  # an image that serves every parameter set
    hardening: bool = True
    placement: Path | None = None  # a folder with a placement.ld
    ram: int = 0  # bytes, where the board may have less than its linker script says
    boot_key: Path | None = None  # the encoded public key that the app boot trusts
    ladder: Path | None = None  # the folder of the Keccak forms
    messages: int = 8  # signatures of the app speed where no argument says otherwise
    uart: bool = False
    cycles: bool = False

    @property
    def of(self) -> Target:
        return target_of(self.target)

    def with_(self, **changes: object) -> Build:
        """The same build but for some fields."""
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def is_kem(self) -> bool:
        """Whether the scheme is ML-KEM: its apps are those of ML-DSA with mlkem_ before the name."""
        return self.scheme in KEM_SCHEMES

    def _backend(self) -> int:
        """The girih_backend of the mode and the Keccak."""
        if self.mode not in (KEM_MODES if self.is_kem else MODES):
            raise LabError(f"{self.scheme} has no mode {self.mode}")
        found = _KEM_BACKENDS.get(self.kernel) if self.is_kem else _BACKENDS.get((self.mode, self.kernel))
        if found is None:
            raise LabError(f"mode {self.mode} has no Keccak {self.kernel}")
        return found

    def _settings(self) -> list[str]:
        target, root = self.of, source_root()
        family = target.arch if self.compiler == "clang" or target.arch == "riscv" else "arm"
        backend = self._backend()
        if self.compiler == "clang" and target.arch != "arm":
            raise LabError(f"clang is set up for the Arm targets, {self.target} is {target.core}")
        settings = {
            "CMAKE_TOOLCHAIN_FILE": root / "firmware" / "cmake" / f"{family}-{self.compiler}.cmake",
            "GIRIH_UNITY": _switch(self.unity),
            "GIRIH_BOARD": self.target,
            **(
                {"GIRIH_KEM_SET": KEM_SCHEMES[self.scheme], "GIRIH_KEM_MODE": self.mode}
                if self.is_kem
                else {"GIRIH_SET": SCHEMES[self.scheme], "GIRIH_MODE": self.mode}
            ),
            "GIRIH_BIND": backend,
            "GIRIH_RUNTIME_SET": _switch(self.runtime_set),
            "GIRIH_OPTIMISE": self.optimise.replace(" ", ";"),
            "GIRIH_LTO": _switch(self.lto),
            "GIRIH_MESSAGES": self.messages,
            "GIRIH_HARDENING": _switch(self.hardening),
            "GIRIH_UART_LOG": _switch(self.uart),
            "GIRIH_CYCLES": _switch(self.cycles),
        }
        for name, path in (("PLACEMENT", self.placement), ("BOOT_KEY", self.boot_key), ("LADDER", self.ladder)):
            if path is not None:
                settings[f"GIRIH_{name}"] = path.resolve()
        if self.ram:
            settings["GIRIH_RAM"] = self.ram
        return [f"-D{name}={value}" for name, value in settings.items()]

    def folder(self) -> Path:
        """The build tree, configured."""
        target = self.of
        require_programs("cmake", f"{target.toolchain}gcc", *(["clang"] if self.compiler == "clang" else []))
        settings = [str(source_root()), *self._settings()]
        name = hashlib.sha256("\n".join(settings).encode()).hexdigest()[:16]
        folder = cache_folder() / f"{self.target}-{self.scheme}-{self.mode}-{name}"
        done = folder / "configured"
        if not done.is_file():
            generator = ["-G", "Ninja"] if shutil.which("ninja") else []
            run(["cmake", "-S", str(source_root() / "firmware"), "-B", str(folder), *generator, *self._settings()])
            done.touch()
        return folder

    def images(self, *apps: str) -> list[Path]:
        """The linked images of some apps (targets of firmware/CMakeLists.txt), up to date."""
        with _alone():
            folder = self.folder()
            if self.is_kem:
                apps = tuple(f"mlkem_{app}" for app in apps)
            run(["cmake", "--build", str(folder), "--parallel", str(os.cpu_count() or 1), "--target", *apps])
        return [folder / f"{app}.elf" for app in apps]


@contextmanager
def _alone() -> Iterator[None]:
    """One build at a time in a cache: two processes that configure the same tree spoil it. The kernel drops the lock
    of a process that dies."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _switch(on: bool) -> str:
    return "ON" if on else "OFF"


def plugin(name: str = "plugin") -> Path:
    """A qemu plugin of this package, compiled for this host: "plugin" counts, "fetch" follows caches."""
    require_programs("cc")
    source = plugin_source(name)
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    library = cache_folder() / f"{name}-{digest}.so"
    if not library.is_file():
        library.parent.mkdir(parents=True, exist_ok=True)
        fresh = library.with_suffix(f".{os.getpid()}")
        run(
            [
                "cc",
                "-std=c11",
                "-O2",
                "-shared",
                "-fPIC",
                "-Wl,-undefined,dynamic_lookup",
                str(source),
                "-o",
                str(fresh),
            ]
            if os.uname().sysname == "Darwin"
            else ["cc", "-std=c11", "-O2", "-shared", "-fPIC", str(source), "-o", str(fresh)]
        )
        fresh.replace(library)
    return library
