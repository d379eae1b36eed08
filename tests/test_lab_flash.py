"""Tables in a device's flash: made on the host, checked and used where they lie."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

import girih
from girih.lab import device
from girih.lab.build import Build
from girih.lab.flash import flash_image

SETS = ("ml-dsa-44", "ml-dsa-65", "ml-dsa-87")


@pytest.mark.parametrize("scheme", SETS)
@pytest.mark.parametrize("kernel", ["c32", "c32-small"])
def test_a_device_signs_with_tables_in_flash(scheme: str, kernel: str) -> None:
    build = Build("m33", scheme, "expanded-packed", kernel)
    log = device.flash(build, with_secret=True)
    assert {"app": "flash", "verified": 1} in log and log[-1] == {"end": "ok"}
    _, sk = device.stream_key(scheme, 0)
    signature = bytes.fromhex(next(line["signature"] for line in log if "signature" in line))
    assert signature == sk.sign(device.stream_message(0), device.FLASH_CONTEXT, deterministic=True)


@pytest.mark.parametrize("target", ["m4", "rv32imc"])
def test_a_device_verifies_with_a_public_table_in_flash(target: str) -> None:
    build = Build(target, "ml-dsa-65", "expanded-packed")
    assert device.flash(build, with_secret=False) == [{"app": "flash", "verified": 1}, {"end": "ok"}]


def test_a_changed_table_is_refused() -> None:
    build = Build("m33", "ml-dsa-44", "expanded-packed")
    _, sk = device.stream_key("ml-dsa-44", 0)
    image, secret_at = flash_image(sk, "c32", with_secret=True)
    for byte in (0, 8, 12, 200, secret_at - 200):
        assert "public table refused" in device.flash(build, with_secret=True, tamper=byte)[-1]["end"], byte
    for byte in (secret_at, secret_at + 4, secret_at + 20, secret_at + 300, len(image) - 1):
        assert "secret table refused" in device.flash(build, with_secret=True, tamper=byte)[-1]["end"], byte


def lab_flash(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "girih.cli", "lab", "flash", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_writes_a_secret_table_only_when_told_to(tmp_path: Path) -> None:
    vk, sk = girih.MlDsa44.key_gen()
    key, public, out = tmp_path / "key.pem", tmp_path / "key.pub", tmp_path / "tables.bin"
    key.write_bytes(bytes(sk.to_pem()))
    key.chmod(0o600)
    public.write_bytes(vk.to_pem())

    for source in (key, public):
        done = lab_flash(source, "-o", out, "--force")
        assert done.returncode == 0, done.stderr
        assert out.read_bytes() == flash_image(vk)[0]
    assert lab_flash(key, "-o", out).returncode == 2, "an existing file is left alone"

    assert lab_flash(public, "-o", out, "--with-secret", "--force").returncode == 2
    assert out.read_bytes() == flash_image(vk)[0], "and is not touched by a failure"

    done = lab_flash(key, "-o", out, "--with-secret", "--force")
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert out.read_bytes() == flash_image(sk, with_secret=True)[0]
