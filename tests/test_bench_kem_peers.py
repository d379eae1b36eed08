"""girih bench mlkem --peers: adapters on stand-ins with the shape of each package, and on the packages that are installed."""

from __future__ import annotations

import ctypes.util
import json
import sys
import types
from importlib import metadata
from typing import Any

import pytest

import girih
from girih import _core
from girih.bench import peers, workload
from girih.cli import main
from tests.test_bench import TINY

KEM = girih.MlKem512


def _pair(seed: bytes | None = None) -> tuple[bytes, bytes]:
    ek, dk = KEM.key_gen(seed)
    return ek.to_bytes(), bytes(dk.to_bytes())


def _encaps(ek: bytes) -> tuple[bytes, bytes]:
    """Shared secret and ciphertext."""
    ss, ct = KEM.encapsulation_key(ek).encaps()
    return bytes(ss), ct


def _decaps(dk: bytes, ct: bytes) -> bytes:
    return bytes(KEM.decapsulation_key(dk).decaps(ct))


class _Private:
    """cryptography's private key, on girih."""

    def __init__(self, seed: bytes | None = None) -> None:
        self._ek, self._dk = KEM.key_gen(seed)

    def decapsulate(self, ct: bytes) -> bytes:
        return bytes(self._dk.decaps(ct))

    def public_key(self) -> types.SimpleNamespace:
        return types.SimpleNamespace(public_bytes_raw=self._ek.to_bytes)


class _KeyEncapsulation:
    """liboqs-python's class, on girih."""

    def __init__(self, name: str, secret_key: bytes = b"") -> None:
        assert name == "ML-KEM-512"
        self._key = secret_key

    def generate_keypair(self) -> bytes:
        return _pair()[0]

    def generate_keypair_seed(self, seed: bytes) -> bytes:
        return _pair(seed)[0]

    def encap_secret(self, public_key: bytes) -> tuple[bytes, bytes]:
        return _encaps(public_key)[::-1]

    def decap_secret(self, ciphertext: bytes) -> bytes:
        return _decaps(self._key, ciphertext)


class _MlKem:
    """mlkem's class, on girih: a key is its encoding."""

    def __init__(self, parameter_set: str) -> None:
        assert parameter_set == "512"

    key_gen = staticmethod(_pair)
    encaps = staticmethod(_encaps)
    decaps = staticmethod(_decaps)


_PYCA = types.SimpleNamespace(
    MLKEM768PrivateKey=types.SimpleNamespace(generate=lambda: None),
    MLKEM512PrivateKey=types.SimpleNamespace(generate=_Private, from_seed_bytes=_Private),
    MLKEM512PublicKey=types.SimpleNamespace(
        from_public_bytes=lambda b: types.SimpleNamespace(encapsulate=lambda: _encaps(b))
    ),
)
_PQCRYPTO = types.SimpleNamespace(keygen=_pair, encaps=lambda ek: _encaps(ek)[::-1], decaps=_decaps)
_KYBER_PY = types.SimpleNamespace(keygen=_pair, key_derive=_pair, encaps=_encaps, decaps=_decaps)

SYSTEM, GIVEN, BYTES = "prepared, system", "prepared, given", "from-bytes, system"
STAND_INS: dict[str, tuple[str, Any, dict[str, list[str]]]] = {
    "cryptography": (
        "cryptography.hazmat.primitives.asymmetric.mlkem",
        _PYCA,
        {"keygen": [SYSTEM, GIVEN], "encaps": [SYSTEM, BYTES], "decaps": ["prepared", "from-seed"]},
    ),
    "mlkem": (
        "mlkem",
        types.SimpleNamespace(
            ML_KEM=_MlKem,
            ParameterSet=types.SimpleNamespace(ML_KEM_512="512"),
            EncapsKey=types.SimpleNamespace(from_bytes=bytes),
            DecapsKey=types.SimpleNamespace(from_bytes=bytes),
        ),
        {"keygen": [SYSTEM], "encaps": [SYSTEM, BYTES], "decaps": ["prepared", "from-bytes"]},
    ),
    "pqcrypto": (
        "pqcrypto.kem",
        types.SimpleNamespace(ml_kem_512=_PQCRYPTO),
        {"keygen": ["to-bytes, system"], "encaps": [BYTES], "decaps": ["from-bytes"]},
    ),
    "liboqs-python": (
        "oqs",
        types.SimpleNamespace(KeyEncapsulation=_KeyEncapsulation, get_enabled_kem_mechanisms=lambda: ("ML-KEM-512",)),
        {"keygen": ["to-bytes, system", "to-bytes, given"], "encaps": [BYTES], "decaps": ["from-bytes"]},
    ),
    "kyber-py": (
        "kyber_py.ml_kem",
        types.SimpleNamespace(ML_KEM_512=_KYBER_PY),
        {"keygen": ["to-bytes, system", "to-bytes, given"], "encaps": [BYTES], "decaps": ["from-bytes"]},
    ),
}


@pytest.fixture
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules with the shape of the packages, made of girih, in the packages' places."""
    for module, stand_in, _ in STAND_INS.values():
        monkeypatch.setitem(sys.modules, module, stand_in)
    monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "99.0")
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: _core.__file__)


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize("name", peers.KEM_PEERS)
def test_adapters_call_each_package_as_it_wants(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, forms = STAND_INS[name]
    assert main(["bench", "mlkem", *TINY, "--set", "512", "--peers", name, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    theirs = [row for row in rows if row["who"] == f"{name} 99.0"]
    assert [(r["op"], r["form"]) for r in theirs] == [(op, form) for op, fs in forms.items() for form in fs]
    for row in theirs:
        assert row["ratios"]["prepared"]["median"] > 0
        assert (row["form"] in row["ratios"]) == (not row["form"].startswith("to-bytes"))


@pytest.mark.usefixtures("stand_ins")
def test_a_set_that_a_package_lacks_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--set", "1024", "--op", "encaps", "--peers", "cryptography", "--json"]
    assert main(["bench", "mlkem", *TINY, *arguments]) == 0
    out, err = capsys.readouterr()
    assert {json.loads(line)["who"] for line in out.splitlines()} == {"girih"}
    assert "cryptography is left out: encaps of ML-KEM-1024 is not there" in err
    assert list(peers.load_kem("liboqs-python").contestants(workload.KemWorkload("ML-KEM-768", 8), "encaps")) == []


def test_absent_packages_are_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("girih.bench.peers.metadata.version", absent)
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: _core.__file__)
    assert main(["bench", "mlkem", *TINY, "--set", "512", "--op", "keygen", "--peers", "--json"]) == 0
    out, err = capsys.readouterr()
    assert {json.loads(line)["who"] for line in out.splitlines()} == {"girih"}
    for name in peers.KEM_PEERS:
        assert f"{name} is left out: not installed (pip install {name})" in err


def test_another_package_in_the_place_of_mlkem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "1.0")
    monkeypatch.setitem(sys.modules, "mlkem", types.SimpleNamespace())
    with pytest.raises(peers.Absent, match="another package's module named mlkem"):
        peers.load_kem("mlkem")


def test_a_cryptography_that_is_too_old_or_built_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "46.0.1")
    with pytest.raises(peers.Absent, match=r"version 46\.0\.1 has no ML-KEM; 47 or later has"):
        peers.load_kem("cryptography")

    def unsupported() -> None:
        raise RuntimeError("not in this OpenSSL")

    stand_in = types.SimpleNamespace(MLKEM768PrivateKey=types.SimpleNamespace(generate=unsupported))
    monkeypatch.setitem(sys.modules, STAND_INS["cryptography"][0], stand_in)
    monkeypatch.setattr("girih.bench.peers.metadata.version", lambda _: "47.0")
    with pytest.raises(peers.Absent, match=r"version 47\.0 is built without ML-KEM: not in this OpenSSL"):
        peers.load_kem("cryptography")


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize(
    ("op", "function", "wrong", "form"),
    [
        ("keygen", "key_derive", lambda seed: _pair(bytes(64)), "to-bytes, given"),
        ("keygen", "keygen", lambda: (b"\xff" * 800, b""), "to-bytes, system"),
        ("encaps", "encaps", lambda ek: (bytes(32), _encaps(ek)[1]), BYTES),
        ("decaps", "decaps", lambda dk, ct: bytes(32), "from-bytes"),
    ],
)
def test_a_peer_that_is_wrong_ends_the_run(
    op: str, function: str, wrong: Any, form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_KYBER_PY, function, wrong)
    assert main(["bench", "mlkem", *TINY, "--set", "512", "--op", op, "--peers", "kyber-py"]) == 2
    assert f"kyber-py 99.0: {op} ({form}) of item" in capsys.readouterr().err


def test_installed_packages_race(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "mlkem", *TINY, "--set", "768", "--peers", "--json"]) == 0
    out, err = capsys.readouterr()
    names = {json.loads(line)["who"].split()[0] for line in out.splitlines()}
    assert names == {"girih"} | {name for name in peers.KEM_PEERS if f"{name} is left out" not in err}
