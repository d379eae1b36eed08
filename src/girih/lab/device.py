"""A device under emulation: one that attests, one that boots only what is signed, and one that runs vectors."""

from __future__ import annotations

import hashlib
import struct
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import girih
from girih.lab import rows
from girih.lab.build import SCHEMES, Build
from girih.lab.emulate import command, count, read_log, run_image
from girih.lab.errors import LabError
from girih.lab.flash import flash_image
from girih.lab.image import Image
from girih.lab.measure import MESSAGE_BYTES, caller_bytes, image_sizes, mix, model_cycles, operations_of
from girih.lab.sources import cache_folder, version
from girih.lab.tools import run

BOOT_CONTEXT = b"girih boot"
ATTEST_CONTEXT = b"girih attest"
FLASH_CONTEXT = b"girih flash"
TABLES_AT, SIGNATURE_AT = 0x20000, 0x60000  # as firmware/apps/flash.c has them
HEADER_AT, IMAGE_AT = 0x20000, 0x22000  # behind the start of flash, as firmware/apps/boot.c has them


def parameter_set(scheme: str) -> girih._core.ParameterSet:
    """The parameter set of a scheme's name."""
    return {44: girih.MlDsa44, 65: girih.MlDsa65, 87: girih.MlDsa87}[SCHEMES[scheme]]


@dataclass(frozen=True)
class Attestation:
    """What a device said: its report and signature, whether it released one, and its record of faults."""

    report: bytes
    signature: bytes
    released: bool
    locked: bool
    faults: int
    tries: int
    row: rows.Row


def stream_key(scheme: str, i: int) -> tuple[girih.VerificationKey, girih.SigningKey]:
    """Key pair i of the apps' stream (firmware/apps/common/stream.h). 0 is the emulated device's, 1 signs what it
    boots."""
    return parameter_set(scheme).key_gen(hashlib.shake_256(b"girih lab s" + struct.pack("<I", i)).digest(32))


def stream_message(i: int) -> bytes:
    """Message i of the apps' stream."""
    return hashlib.shake_256(b"girih lab m" + struct.pack("<I", i)).digest(32)


def attest(build: Build, argument: str = "") -> Attestation:
    """Runs the app attest. argument: "", "many" (32 calls), "fault" (a damaged table), "budget" (one attempt a
    call)."""
    operations_of(build, ("sign",))
    (path,) = build.images("attest")
    image = Image(path, build.of)
    arguments = [argument] if argument else []
    plain = count(image, arguments)
    detail = count(image, arguments, stack=plain.head["stack_bottom"])
    line = plain.calls("attest")[-1]
    instructions = [interval.instructions for interval in plain.trace.of("attest")]
    lowest = min(interval.lowest_store for interval in detail.trace.of("attest"))
    row: rows.Row = {
        "scheme": build.scheme,
        "op": "attest",
        "mode": build.mode,
        "target": build.target,
        "machine": build.of.machine,
        "kind": "emulated",
        "instructions": rows.summary(instructions),
        **model_cycles(build, "attest", image, detail, instructions),
        "stack_bytes": max(line["stack"], detail.head["stack_here"] - lowest),
        "workspace_bytes": plain.head["attest"],
        "static_written_bytes": image.written_static_bytes,
        "caller_bytes": caller_bytes(build.scheme, build.mode, "sign") - MESSAGE_BYTES + len(line["report"]) // 2,
        "table_bytes": plain.head["tables"],
        "image_bytes": {**image_sizes(build, "sign")["sign"], "total": image.flash_bytes},
        "mix": mix(image, plain.trace.counts["attest"]),
        "kernel": build.kernel,
        "hardening": build.hardening,
        "compiler": plain.head["compiler"],
        "flags": plain.head["flags"],
        "commit": version(),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    return Attestation(
        bytes.fromhex(line["report"]),
        bytes.fromhex(line["signature"]),
        bool(line["released"]),
        bool(line["locked"]),
        line["faults"],
        line["tries"],
        row,
    )


def check_attestation(scheme: str, attestation: Attestation) -> bool:
    """Whether the signature is the device's, over its report."""
    return stream_key(scheme, 0)[0].verify(attestation.signature, attestation.report, ATTEST_CONTEXT)


def signed_image(scheme: str, key: girih.SigningKey, image: bytes) -> bytes:
    """What a boot loader expects from HEADER_AT on: header, signature, image."""
    size = parameter_set(scheme).signature_size
    header = struct.pack("<8sII", b"girihIMG", len(image), 0) + key.sign(image, BOOT_CONTEXT, deterministic=True)
    if len(header) != 16 + size or len(header) > IMAGE_AT - HEADER_AT:
        raise LabError(f"a header of {len(header)} bytes does not fit")
    return header.ljust(IMAGE_AT - HEADER_AT, b"\xff") + image


def boot(build: Build, tamper: int | None = None) -> list[dict[str, Any]]:
    """Builds a boot loader and an image, signs the image and boots it; the log of both. tamper: the byte of the
    signed image that is changed first. An image that is refused shows as a last line other than {"end": "ok"}."""
    vk, sk = stream_key(build.scheme, 1)
    key = cache_folder() / f"boot-{build.scheme}.pk"
    if not key.is_file():
        key.parent.mkdir(parents=True, exist_ok=True)
        key.write_bytes(vk.to_bytes())
    path, payload = build.with_(boot_key=key).images("boot", "payload")
    signed = bytearray(signed_image(build.scheme, sk, payload.with_suffix(".bin").read_bytes()))
    if tamper is not None:
        signed[tamper % len(signed)] ^= 1
    with tempfile.TemporaryDirectory() as folder:
        flash = Image(path, build.of).address_of("__flash_begin")
        if flash is None:
            raise LabError("the boot loader does not say where flash begins")
        file = Path(folder) / "image.bin"
        file.write_bytes(signed)
        line = [*command(build.of, path, []), "-device", f"loader,file={file},addr={flash + HEADER_AT:#x},force-raw=on"]
        try:
            return read_log(run(line, timeout=600))
        except LabError as error:
            return [{"end": str(error)}]


def flash(build: Build, with_secret: bool, tamper: int | None = None) -> list[dict[str, Any]]:
    """Puts tables of the stream's key 0 and a signature of it into the target's flash and runs the app flash: its log.
    tamper: the byte of the tables that is changed first. A refused table shows as a last line other than
    {"end": "ok"}."""
    _, sk = stream_key(build.scheme, 0)
    tables, _ = flash_image(sk, build.kernel, with_secret)
    if tamper is not None:
        tables[tamper % len(tables)] ^= 1
    signature = sk.sign(stream_message(0), FLASH_CONTEXT, deterministic=True)
    (path,) = build.images("flash")
    begin = Image(path, build.of).address_of("__flash_begin")
    if begin is None:
        raise LabError("the app flash does not say where flash begins")
    with tempfile.TemporaryDirectory() as folder:
        line = command(build.of, path, ["secret"] if with_secret else [])
        for name, contents, at in (("tables", tables, TABLES_AT), ("signature", signature, SIGNATURE_AT)):
            file = Path(folder) / name
            file.write_bytes(contents)
            line += ["-device", f"loader,file={file},addr={begin + at:#x},force-raw=on"]
        try:
            return read_log(run(line, timeout=600))
        except LabError as error:
            return [{"end": str(error)}]


@dataclass(frozen=True)
class KeygenVector:
    seed: bytes
    pk: bytes
    sk: bytes

    def record(self) -> bytes:
        return b"k" + self.seed + self.pk + self.sk


@dataclass(frozen=True)
class SignVector:
    sk: bytes
    message: bytes
    ctx: bytes
    rnd: bytes
    signature: bytes

    def record(self) -> bytes:
        return b"s" + self.sk + _message(self.message, self.ctx) + self.rnd + self.signature


@dataclass(frozen=True)
class VerifyVector:
    pk: bytes
    message: bytes
    ctx: bytes
    signature: bytes
    valid: bool

    def record(self) -> bytes:
        signature = struct.pack("<H", len(self.signature)) + self.signature
        return b"v" + self.pk + _message(self.message, self.ctx) + signature + bytes([self.valid])


Vector = KeygenVector | SignVector | VerifyVector


class Record(Protocol):
    """What the app vectors reads (of ML-KEM: girih.lab.mlkem_vectors)."""

    def record(self) -> bytes: ...


MAX_VECTOR_MESSAGE = 1024


def _message(message: bytes, ctx: bytes) -> bytes:
    if len(message) > MAX_VECTOR_MESSAGE:
        raise LabError(f"a vector's message has {len(message)} bytes, at most {MAX_VECTOR_MESSAGE} fit")
    return struct.pack("<H", len(message)) + message + struct.pack("<B", len(ctx)) + ctx


def run_vectors(build: Build, vectors: Iterable[Record]) -> int:
    """Runs vectors on the target and returns their number; LabError when an answer is wrong."""
    records = [vector.record() for vector in vectors]
    (path,) = build.images("vectors")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "vectors.bin").write_bytes(b"".join(records) + b"e")
        log = run_image(path, build.of, [], cwd=Path(folder))
    done = log[-2]
    if done.get("vectors") != len(records) or done.get("failed") != 0:
        raise LabError(f"{len(records)} vectors, the target said {done}")
    return len(records)
