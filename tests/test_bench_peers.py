"""girih bench --peers: adapters on stand-ins with the shape of each package, and on the packages that are installed."""

from __future__ import annotations

import ctypes.util
import json
import shutil
import sys
import types
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import girih
from girih import _core
from girih.bench import peers, workload
from girih.cli import main
from tests.test_bench import TINY


def test_absent_packages_are_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("girih.bench.peers.metadata.version", absent)
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: _core.__file__)
    assert main(["bench", *TINY, "--set", "44", "--op", "keygen", "--peers", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["who"] for line in out.splitlines()] == ["girih"]
    for name in peers.PEERS:
        assert f"{name} is left out: not installed (pip install {name})" in err


def test_a_package_that_is_too_old_or_broken_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "46.0.1")
    with pytest.raises(peers.Absent, match=r"version 46\.0\.1 has no ML-DSA; 47 or later has"):
        peers.load("cryptography")
    monkeypatch.setitem(sys.modules, "fast_mldsa", None)
    with pytest.raises(peers.Absent, match="installed, but cannot be imported"):
        peers.load("fast-mldsa")


def test_liboqs_is_not_imported_without_its_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: None)
    monkeypatch.setenv("OQS_INSTALL_PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "oqs", None)  # an import would say so
    with pytest.raises(peers.Absent, match="no liboqs library found"):
        peers.load("liboqs-python")
    folder = tmp_path / "lib"
    folder.mkdir()
    library = folder / f"liboqs{ {'darwin': '.dylib', 'win32': '.dll'}.get(sys.platform, '.so') }"
    library.write_text("not a library")
    with pytest.raises(peers.Absent, match="no liboqs library found"):
        peers.load("liboqs-python")
    shutil.copy(_core.__file__, library)
    monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "1.0")
    with pytest.raises(peers.Absent, match="installed, but cannot be imported"):
        peers.load("liboqs-python")


class Signature:
    """liboqs-python's class, on girih: keys are bytes, signing is hedged."""

    def __init__(self, name: str, secret_key: bytes | None = None) -> None:
        self._set = workload.SETS[name]
        self._key = secret_key

    def generate_keypair(self) -> bytes:
        return bytes(self._set.key_gen()[0])

    def sign(self, message: bytes) -> bytes:
        assert self._key
        return self._set.signing_key(self._key).sign(message)

    def verify(self, message: bytes, signature: bytes, public_key: bytes) -> bool:
        return self._set.verification_key(public_key).verify(signature, message)


def _pqcrypto_44() -> types.SimpleNamespace:
    def keygen() -> tuple[bytes, bytes]:
        vk, sk = girih.MlDsa44.key_gen()
        return bytes(vk), bytes(sk.to_bytes())

    def verify(public_key: bytes, message: bytes, signature: bytes) -> None:
        girih.MlDsa44.verification_key(public_key).require(signature, message)

    return types.SimpleNamespace(
        keygen=keygen, verify=verify, sign=lambda key, msg: girih.MlDsa44.signing_key(key).sign(msg)
    )


class _Private44:
    """cryptography's private key, on girih."""

    def __init__(self, seed: bytes) -> None:
        self._vk, self._sk = girih.MlDsa44.key_gen(seed)

    def sign(self, data: bytes) -> bytes:
        return self._sk.sign(data)

    def public_key(self) -> types.SimpleNamespace:
        return types.SimpleNamespace(public_bytes_raw=self._vk.to_bytes)


def _dilithium_py_44() -> types.SimpleNamespace:
    def key_derive(seed: bytes) -> tuple[bytes, bytes]:
        vk, sk = girih.MlDsa44.key_gen(seed)
        return bytes(vk), bytes(sk.to_bytes())

    return types.SimpleNamespace(
        key_derive=key_derive,
        sign=lambda key, msg, deterministic: girih.MlDsa44.signing_key(key).sign(msg, deterministic=deterministic),
        verify=lambda pk, msg, sig: girih.MlDsa44.verification_key(pk).verify(sig, msg),
    )


STAND_INS: dict[str, tuple[str, Any, dict[str, list[str]]]] = {
    "fast-mldsa": (
        "fast_mldsa",
        girih,
        {"keygen": ["prepared"], "sign": ["prepared", "from-bytes"], "verify": ["prepared", "from-bytes"]},
    ),
    "cryptography": (
        "cryptography.hazmat.primitives.asymmetric.mldsa",
        types.SimpleNamespace(
            MLDSA65PrivateKey=types.SimpleNamespace(generate=lambda: None),
            MLDSA44PrivateKey=types.SimpleNamespace(from_seed_bytes=_Private44),
            MLDSA44PublicKey=types.SimpleNamespace(
                from_public_bytes=lambda b: types.SimpleNamespace(verify=girih.MlDsa44.verification_key(b).require)
            ),
        ),
        {"keygen": ["prepared"], "sign": ["prepared", "from-seed"], "verify": ["prepared", "from-bytes"]},
    ),
    "pqcrypto": (
        "pqcrypto.sign",
        types.SimpleNamespace(ml_dsa_44=_pqcrypto_44()),
        {"keygen": ["to-bytes"], "sign": ["from-bytes"], "verify": ["from-bytes"]},
    ),
    "liboqs-python": (
        "oqs",
        types.SimpleNamespace(Signature=Signature),
        {"keygen": ["to-bytes"], "sign": ["from-bytes"], "verify": ["from-bytes"]},
    ),
    "dilithium-py": (
        "dilithium_py.ml_dsa",
        types.SimpleNamespace(ML_DSA_44=_dilithium_py_44()),
        {"keygen": ["to-bytes"], "sign": ["from-bytes"], "verify": ["from-bytes"]},
    ),
}


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Any], None]:
    """Puts a module with the shape of a package, made of girih, in that package's place."""

    def place(name: str, module: Any) -> None:
        monkeypatch.setitem(sys.modules, STAND_INS[name][0], module)
        monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "99.0")
        monkeypatch.setattr(ctypes.util, "find_library", lambda _: _core.__file__)

    return place


@pytest.mark.parametrize("name", peers.PEERS)
def test_adapters_call_each_package_as_it_wants(name: str, stand_in: Any, capsys: pytest.CaptureFixture[str]) -> None:
    _, module, forms = STAND_INS[name]
    stand_in(name, module)
    assert main(["bench", *TINY, "--set", "44", "--message-size", "5", "--peers", name, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    theirs = [row for row in rows if row["who"] == f"{name} 99.0"]
    assert [(r["op"], r["form"]) for r in theirs] == [(op, form) for op, fs in forms.items() for form in fs]
    for row in theirs:
        assert row["ratios"]["prepared"]["median"] > 0
        assert (row["form"] in row["ratios"]) == (row["op"] != "keygen" or row["form"] == "prepared")


def test_a_peer_that_signs_wrongly_ends_the_run(stand_in: Any, capsys: pytest.CaptureFixture[str]) -> None:
    class Key:
        def sign(self, msg: bytes, deterministic: bool) -> bytes:
            return girih.MlDsa44.key_gen(bytes(32))[1].sign(msg, deterministic=deterministic)

    module = types.SimpleNamespace(MlDsa44=girih.MlDsa44, SigningKey=types.SimpleNamespace(from_bytes=lambda _: Key()))
    stand_in("fast-mldsa", module)
    assert main(["bench", *TINY, "--set", "44", "--op", "sign", "--message-size", "5", "--peers", "fast-mldsa"]) == 2
    assert "fast-mldsa 99.0: sign (prepared) of item 0 gave a wrong result" in capsys.readouterr().err


def test_installed_packages_race(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *TINY, "--set", "44", "--message-size", "5", "--peers", "--json"]) == 0
    out, err = capsys.readouterr()
    names = {json.loads(line)["who"].split()[0] for line in out.splitlines()}
    assert names == {"girih"} | {name for name in peers.PEERS if f"{name} is left out" not in err}
