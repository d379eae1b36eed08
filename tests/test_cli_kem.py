"""`girih encaps`, `girih decaps`, and ML-KEM keys in the other commands: processes, real files, exit status."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest

from girih import mlkem
from girih.formats import pem, pkix
from tests.test_cli import Girih, girih

__all__ = ["girih"]  # a fixture

SETS = {parameter_set.name.lower(): parameter_set for parameter_set in mlkem.PARAMETER_SETS}


@pytest.fixture
def ready(girih: Girih) -> Girih:
    """A folder with a key pair, kem.pem and kem.pub."""
    assert girih("keygen", "--set", "ml-kem-768", "-o", "kem.pem").returncode == 0
    return girih


@pytest.fixture
def sent(ready: Girih) -> Girih:
    """And with a ciphertext, ct, and its secret, ss."""
    assert ready("encaps", "kem.pub", "-o", "ct", "--secret-out", "ss").returncode == 0
    return ready


@pytest.mark.parametrize("name", SETS)
def test_both_sides_have_the_same_secret_with_each_set(girih: Girih, name: str) -> None:
    made = girih("keygen", "--scheme", name, "-o", "kem.pem")
    assert made.stdout.decode() == f"wrote {name.upper()} key pair: kem.pem (secret) and kem.pub\n"
    sent = girih("encaps", "kem.pub", "-o", "ct", "--secret-out", "ours")
    assert sent.stdout.decode() == f"wrote {name.upper()} ciphertext: ct and shared secret: ours (secret)\n"
    received = girih("decaps", "kem.pem", "ct", "--secret-out", "theirs")
    assert received.stdout.decode() == f"wrote {name.upper()} shared secret: theirs (secret)\n"
    assert (made.returncode, sent.returncode, received.returncode) == (0, 0, 0)
    assert (made.stderr, sent.stderr, received.stderr) == (b"", b"", b"")
    files = girih.files()
    assert len(files["ct"]) == SETS[name].ciphertext_size
    assert len(files["ours"]) == 32 and files["ours"] == files["theirs"]
    assert mlkem.DecapsulationKey.from_pem(files["kem.pem"]).decaps(files["ct"]) == files["ours"]


def test_the_key_files_are_the_pem_of_rfc_9935(ready: Girih) -> None:
    files = ready.files()
    private = pkix.decode_private_key(pem.from_pem(pem.PRIVATE_KEY, files["kem.pem"]))
    assert private.seed is not None and private.expanded is None
    ek, _ = mlkem.MlKem768.key_gen(private.seed)
    assert pkix.decode_public_key(pem.from_pem(pem.PUBLIC_KEY, files["kem.pub"])) == ("ML-KEM-768", bytes(ek))


def test_secrets_are_readable_by_their_owner_only(ready: Girih) -> None:
    """Whatever the umask says."""
    script = "os.umask(0)"
    assert ready.script(script, "encaps", "kem.pub", "-o", "ct", "--secret-out", "ss").returncode == 0
    assert ready.script(script, "decaps", "kem.pem", "ct", "--secret-out", "ss2").returncode == 0
    modes = {name: stat.S_IMODE((ready.folder / name).stat().st_mode) for name in ("kem.pem", "ct", "ss", "ss2")}
    assert modes == {"kem.pem": 0o600, "ct": 0o666, "ss": 0o600, "ss2": 0o600}


def test_the_public_key_of_a_private_key_comes_back(ready: Girih) -> None:
    done = ready("public", "-k", "kem.pem", "-o", "again.pub")
    assert done.stdout == b"wrote ML-KEM-768 public key: again.pub\n"
    assert ready.files()["again.pub"] == ready.files()["kem.pub"]


def test_a_changed_ciphertext_gives_another_secret_and_no_error(sent: Girih) -> None:
    ct = bytearray((sent.folder / "ct").read_bytes())
    ct[0] ^= 1
    (sent.folder / "ct").write_bytes(ct)
    assert sent("decaps", "kem.pem", "ct", "--secret-out", "other").returncode == 0
    assert sent.files()["other"] != sent.files()["ss"] and len(sent.files()["other"]) == 32


def test_pipes(sent: Girih) -> None:
    made = sent("encaps", "kem.pub", "-o", "-", "--secret-out", "piped")
    assert (made.returncode, made.stderr, len(made.stdout)) == (0, b"", 1088)
    found = sent("decaps", "kem.pem", "-", "--secret-out", "-", input=made.stdout)
    assert (found.returncode, found.stderr, found.stdout) == (0, b"", sent.files()["piped"])
    other = sent("encaps", "kem.pub", "-o", "ct2", "--secret-out", "-")
    assert sent("decaps", "kem.pem", "ct2", "--secret-out", "-").stdout == other.stdout
    sent.fails("encaps", "kem.pub", "-o", "-", "--secret-out", "-", says="cannot both go to standard output")


@pytest.mark.parametrize(
    "arguments",
    [("encaps", "kem.pub", "-o", "new", "--secret-out", "-"), ("decaps", "kem.pem", "ct", "--secret-out", "-")],
    ids=lambda a: a[0],
)
def test_nothing_binary_goes_to_a_terminal(sent: Girih, arguments: tuple[str, ...]) -> None:
    terminal, inside = os.openpty()
    before = sent.files()
    command = [sys.executable, "-m", "girih.cli", *arguments]
    done = subprocess.run(command, cwd=sent.folder, stdout=inside, stderr=subprocess.PIPE, check=False, timeout=60)
    os.close(inside)
    os.close(terminal)
    assert done.returncode == 2 and b"does not belong on a terminal" in done.stderr
    assert sent.files() == before


@pytest.mark.parametrize("there", ["ct", "ss"])
def test_an_existing_file_is_left_alone_and_nothing_is_written(ready: Girih, there: str) -> None:
    (ready.folder / there).write_bytes(b"precious")
    arguments = ("encaps", "kem.pub", "-o", "ct", "--secret-out", "ss")
    ready.fails(*arguments, says=f"{there} exists and is left alone; --force replaces it")
    assert ready(*arguments, "--force").returncode == 0
    assert len(ready.files()["ct"]) == 1088 and len(ready.files()["ss"]) == 32


def test_an_output_is_never_an_input(sent: Girih) -> None:
    for arguments, name in (
        (("encaps", "kem.pub", "-o", "kem.pub", "--secret-out", "new"), "kem.pub"),
        (("encaps", "kem.pub", "-o", "new", "--secret-out", "kem.pub"), "kem.pub"),
        (("decaps", "kem.pem", "ct", "--secret-out", "ct"), "ct"),
        (("decaps", "kem.pem", "ct", "--secret-out", "kem.pem"), "kem.pem"),
    ):
        sent.fails(*arguments, "--force", says=f"{name} is read and cannot be written too")
    sent.fails("encaps", "kem.pub", "-o", "same", "--secret-out", "same", says="one and the same file")


def test_no_ciphertext_stays_without_its_secret(ready: Girih) -> None:
    """The second name is taken between the look and the writing: the first is taken back."""
    trap = """
link = os.link
def trapped(source, name):
    if name == "ss":
        raise OSError(errno.EACCES, "no", name)
    link(source, name)
os.link = trapped"""
    before = ready.files()
    done = ready.script(trap, "encaps", "kem.pub", "-o", "ct", "--secret-out", "ss")
    assert (done.returncode, done.stdout) == (2, b"") and b"ss cannot be written" in done.stderr
    assert ready.files() == before


@pytest.mark.parametrize("length", [0, 1087, 1089, 100_000])
def test_a_ciphertext_of_another_length_is_a_mistake(ready: Girih, length: int) -> None:
    (ready.folder / "ct").write_bytes(bytes(length))
    says = "ct has not the 1088 bytes of an ML-KEM-768 ciphertext"
    ready.fails("decaps", "kem.pem", "ct", "--secret-out", "ss", says=says)


def test_keys_of_the_wrong_kind_are_named(sent: Girih) -> None:
    assert sent("keygen", "-o", "sign.pem").returncode == 0
    out = ("--secret-out", "new")
    other = "not for one of ML-KEM-512, ML-KEM-768, ML-KEM-1024"
    sent.fails(
        "encaps", "sign.pub", "-o", "c", *out, says=f"sign.pub: the public key is for algorithm ML-DSA-65, {other}"
    )
    sent.fails("decaps", "sign.pem", "ct", *out, says=f"sign.pem: the private key is for algorithm ML-DSA-65, {other}")
    sent.fails("encaps", "kem.pem", "-o", "c", *out, says="kem.pem: expected a PEM block with the label PUBLIC KEY")
    sent.fails("decaps", "kem.pub", "ct", *out, says="kem.pub: expected a PEM block with the label PRIVATE KEY")
    sent.fails(
        "sign", "-k", "kem.pem", "ct", says="kem.pem: the private key is for algorithm ML-KEM-768, not for one of"
    )
    sent.fails(
        "verify", "-k", "kem.pub", "ct", "ss", says="kem.pub: the public key is for algorithm ML-KEM-768, not for"
    )
    sent.fails("encaps", "nothing.pub", "-o", "c", *out, says="nothing.pub: No such file or directory")
    sent.fails("public", "-k", "ct", "-o", "c", says="ct: there is no PEM block")


@pytest.mark.parametrize(
    "arguments",
    [("encaps",), ("encaps", "kem.pub"), ("encaps", "kem.pub", "-o", "ct"), ("decaps", "kem.pem"), ("decaps",)],
    ids=" ".join,
)
def test_what_is_missing_is_said(ready: Girih, arguments: tuple[str, ...]) -> None:
    done = ready(*arguments)
    assert done.returncode == 2 and b"the following arguments are required" in done.stderr
