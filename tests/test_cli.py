"""The `girih` command as its users run it: a process, real files, exit status and what it says."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from girih import backend, backends, core_info, mldsa
from girih.cli import COMMANDS, keygen, main, options
from girih.formats import pem, pkix

SETS = {"ml-dsa-44": (1312, 2420), "ml-dsa-65": (1952, 3309), "ml-dsa-87": (2592, 4627)}
HASHES = (
    *("SHA2-224", "SHA2-256", "SHA2-384", "SHA2-512", "SHA2-512/224", "SHA2-512/256"),
    *("SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "SHAKE-128", "SHAKE-256"),
)


# Root may read and write anywhere, so a process gives up its rights first (and imports what it needs before that).
WITHOUT_RIGHTS = """
import girih.bench.environment
from girih.cli import parser
parser(sys.argv[1:]).parse_args(sys.argv[1:])
if os.geteuid() == 0:
    os.seteuid(65534)
"""

# A signal arrives as soon as a file has got its name.
AFTER_EACH_NAME = """
link = os.link
os.link = lambda *names: (link(*names), os.kill(os.getpid(), number))
number = signal."""


class Girih:
    """Runs the command in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *arguments: str, **how: Any) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "girih.cli", *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, timeout=120, check=False, **how)

    def fails(self, *arguments: str, says: str, **how: Any) -> None:
        """The run ends with status 2 and one line that contains `says`; nothing else is printed or left behind."""
        before = self.files()
        done = self(*arguments, **how)
        lines = done.stderr.decode().splitlines()
        assert done.returncode == 2
        assert done.stdout == b""
        assert [line for line in lines if not line.startswith("girih: warning")] == lines[-1:]
        assert lines[-1].startswith("girih: ")
        assert says in lines[-1]
        assert self.files() == before

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.folder.iterdir()) if path.is_file()}

    def script(self, text: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """The command in a process that `text` has prepared; `main` and the standard modules are at hand."""
        prelude = "import errno, os, signal, sys\nfrom girih.cli import main\n"
        program = f"{prelude}{text}\nsys.exit(main(sys.argv[1:]))\n"
        command = [sys.executable, "-c", program, *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, timeout=120, check=False)


@pytest.fixture
def girih(tmp_path: Path) -> Girih:
    return Girih(tmp_path)


@pytest.fixture(scope="session")
def key_pair(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("keys")
    assert Girih(folder)("keygen", "-o", "key.pem").returncode == 0
    return {name: (folder / name).read_bytes() for name in ("key.pem", "key.pub")}


@pytest.fixture
def ready(girih: Girih, key_pair: dict[str, bytes]) -> Girih:
    """A folder with a key pair and a file to sign."""
    for name, data in key_pair.items():
        (girih.folder / name).write_bytes(data)
        (girih.folder / name).chmod(0o600)
    (girih.folder / "file").write_bytes(b"to whom it may concern\n")
    return girih


@pytest.fixture
def signed(ready: Girih) -> Girih:
    assert ready("sign", "-k", "key.pem", "file").returncode == 0
    return ready


# ---- the way things go


@pytest.mark.parametrize("name", SETS)
def test_a_file_is_signed_and_verified_with_each_set(girih: Girih, name: str) -> None:
    (girih.folder / "file").write_bytes(os.urandom(100_000))
    made = girih("keygen", "--set", name, "-o", "key.pem")
    assert made.stdout.decode() == f"wrote {name.upper()} key pair: key.pem (secret) and key.pub\n"
    done = girih("sign", "-k", "key.pem", "file")
    assert done.stdout.decode() == f"wrote {name.upper()} signature: file.sig ({SETS[name][1]} bytes)\n"
    assert (girih.folder / "file.sig").stat().st_size == SETS[name][1]
    verified = girih("verify", "-k", "key.pub", "file")
    assert (verified.returncode, verified.stdout.decode()) == (0, f"good {name.upper()} signature of file\n")
    assert (made.stderr, done.stderr, verified.stderr) == (b"", b"", b"")


def test_the_key_files_are_the_pem_of_rfc_9881(key_pair: dict[str, bytes]) -> None:
    private = pkix.decode_private_key(pem.from_pem("PRIVATE KEY", key_pair["key.pem"]))
    assert private.expanded is None
    vk, _ = mldsa.MlDsa65.key_gen(private.seed)
    assert pkix.decode_public_key(pem.from_pem("PUBLIC KEY", key_pair["key.pub"])) == ("ML-DSA-65", bytes(vk))


def test_signatures_are_those_of_the_library(signed: Girih) -> None:
    vk = mldsa.VerificationKey.from_pem((signed.folder / "key.pub").read_bytes())
    assert vk.verify((signed.folder / "file.sig").read_bytes(), b"to whom it may concern\n")


@pytest.mark.parametrize("damaged", ["file", "file.sig"])
def test_one_changed_bit_makes_the_signature_bad(signed: Girih, damaged: str) -> None:
    data = bytearray((signed.folder / damaged).read_bytes())
    data[7] ^= 1
    (signed.folder / damaged).write_bytes(data)
    done = signed("verify", "-k", "key.pub", "file")
    assert (done.returncode, done.stdout) == (1, b"BAD ML-DSA-65 signature of file\n")


@pytest.mark.parametrize("change", [lambda sig: sig[:-1], lambda sig: sig + b"\0", lambda sig: b""])
def test_a_signature_of_another_length_is_bad_and_says_so(signed: Girih, change: Any) -> None:
    path = signed.folder / "file.sig"
    path.write_bytes(change(path.read_bytes()))
    done = signed("verify", "-k", "key.pub", "file")
    assert done.returncode == 1
    assert b"file.sig has not the 3309 bytes of an ML-DSA-65 signature" in done.stdout


def test_another_key_makes_the_signature_bad(signed: Girih) -> None:
    assert signed("keygen", "-o", "other.pem").returncode == 0
    assert signed("verify", "-k", "other.pub", "file").returncode == 1


def test_quiet_answers_with_the_exit_status_alone(signed: Girih) -> None:
    assert signed("verify", "-q", "-k", "key.pub", "file").stdout == b""
    (signed.folder / "file").write_bytes(b"another")
    done = signed("verify", "-q", "-k", "key.pub", "file")
    assert (done.returncode, done.stdout) == (1, b"")


def test_signing_is_hedged_unless_asked(ready: Girih) -> None:
    def sign(*options: str) -> bytes:
        return ready("sign", "-k", "key.pem", *options, "file", "-o", "-").stdout

    assert sign() != sign()
    assert sign("--deterministic") == sign("--deterministic")


@pytest.mark.parametrize("source", ["file", "-"])
def test_a_checked_signature_is_the_same_signature(ready: Girih, source: str) -> None:
    message = (ready.folder / "file").read_bytes()
    plain = ready("sign", "-k", "key.pem", "--deterministic", source, "-o", "-", input=message)
    checked = ready("sign", "-k", "key.pem", "--deterministic", "--checked", source, "-o", "-", input=message)
    assert (plain.returncode, plain.stdout) == (checked.returncode, checked.stdout)
    assert len(plain.stdout) == 3309


@pytest.mark.parametrize("name", HASHES)
def test_every_approved_hash_signs_and_verifies(ready: Girih, name: str) -> None:
    assert ready("sign", "-k", "key.pem", "--prehash", name, "file").returncode == 0
    assert ready("verify", "-k", "key.pub", "--prehash", name.lower(), "file").returncode == 0
    assert ready("verify", "-k", "key.pub", "file").returncode == 1


def test_a_prehashed_signature_is_that_of_the_library(ready: Girih) -> None:
    assert ready("sign", "-k", "key.pem", "--prehash", "SHAKE-128", "--context", "c", "file").returncode == 0
    digest = hashlib.shake_128((ready.folder / "file").read_bytes()).digest(32)
    vk = mldsa.VerificationKey.from_pem((ready.folder / "key.pub").read_bytes())
    assert vk.verify_digest((ready.folder / "file.sig").read_bytes(), digest, "SHAKE-128", b"c")


@pytest.mark.parametrize("prehash", [(), ("--prehash", "SHA2-512")])
def test_the_context_is_part_of_the_signature(ready: Girih, prehash: tuple[str, ...]) -> None:
    assert ready("sign", "-k", "key.pem", *prehash, "--context", "für Ärzte", "file").returncode == 0
    hexadecimal = "für Ärzte".encode().hex()
    assert ready("verify", "-k", "key.pub", *prehash, "--context-hex", hexadecimal, "file").returncode == 0
    assert ready("verify", "-k", "key.pub", *prehash, "--context", "other", "file").returncode == 1
    assert ready("verify", "-k", "key.pub", *prehash, "file").returncode == 1


def test_a_context_of_255_bytes_is_the_longest(ready: Girih) -> None:
    assert ready("sign", "-k", "key.pem", "--context", "x" * 255, "file").returncode == 0
    assert ready("verify", "-k", "key.pub", "--context", "x" * 255, "file").returncode == 0


def test_standard_input_and_output_take_the_place_of_files(ready: Girih) -> None:
    signature = ready("sign", "-k", "key.pem", "-", input=b"streamed").stdout
    (ready.folder / "s").write_bytes(signature)
    assert ready("verify", "-k", "key.pub", "-", "s", input=b"streamed").returncode == 0
    (ready.folder / "file").write_bytes(b"streamed")
    assert ready("verify", "-k", "key.pub", "file", "-", input=signature).returncode == 0


def test_an_empty_file_is_signed_and_verified(ready: Girih) -> None:
    (ready.folder / "file").write_bytes(b"")
    assert ready("sign", "-k", "key.pem", "file").returncode == 0
    assert ready("verify", "-k", "key.pub", "file").returncode == 0


def test_a_large_file_is_streamed_in_little_memory(ready: Girih) -> None:
    mebibyte = 1 << 20

    def little_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (320 * mebibyte, 320 * mebibyte))

    with open(ready.folder / "large", "wb") as file:
        file.truncate(400 * mebibyte)
    assert ready("sign", "-k", "key.pem", "large", preexec_fn=little_memory).returncode == 0
    assert ready("verify", "-k", "key.pub", "large", preexec_fn=little_memory).returncode == 0


def test_the_public_key_is_made_again_from_the_private_one(ready: Girih) -> None:
    assert ready("public", "-k", "key.pem", "-o", "again.pub").returncode == 0
    assert (ready.folder / "again.pub").read_bytes() == (ready.folder / "key.pub").read_bytes()


def test_a_key_may_come_from_a_pipe(ready: Girih) -> None:
    key = (ready.folder / "key.pem").read_bytes()
    done = ready("sign", "-k", "/dev/stdin", "file", input=key)
    assert done.returncode == 0
    assert ready("verify", "-k", "key.pub", "file").returncode == 0


# ---- files and their rights


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_a_private_key_is_for_its_owner_alone_under_any_umask(girih: Girih, umask: int) -> None:
    assert girih("keygen", "-o", "key.pem", umask=umask).returncode == 0
    assert stat.S_IMODE((girih.folder / "key.pem").stat().st_mode) == 0o600
    assert stat.S_IMODE((girih.folder / "key.pub").stat().st_mode) == 0o666 & ~umask


def test_force_makes_a_private_key_for_its_owner_alone_again(ready: Girih) -> None:
    (ready.folder / "key.pem").chmod(0o644)
    assert ready("keygen", "-o", "key.pem", "--force").returncode == 0
    assert stat.S_IMODE((ready.folder / "key.pem").stat().st_mode) == 0o600


def test_a_private_key_that_others_can_read_is_used_with_a_warning(ready: Girih) -> None:
    (ready.folder / "key.pem").chmod(0o640)
    done = ready("sign", "-k", "key.pem", "file")
    assert done.returncode == 0
    assert b"warning: others can read the private key key.pem (mode 0640)" in done.stderr


@pytest.mark.parametrize("fails", [False, True])
def test_keygen_wipes_the_text_of_the_private_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool) -> None:
    written: list[bytearray] = []

    def noting(outputs: Any, force: bool) -> None:
        written.append(outputs[1].data)
        assert b"-----BEGIN PRIVATE KEY-----" in written[0]
        if fails:
            raise OSError

    monkeypatch.setattr(keygen, "write_all", noting)
    assert main(["keygen", "-o", str(tmp_path / "key.pem")]) == (2 if fails else 0)
    assert written == [bytearray(128)]


@pytest.mark.parametrize("existing", ["key.pem", "key.pub"])
def test_keygen_leaves_an_existing_half_of_a_pair_alone(girih: Girih, existing: str) -> None:
    (girih.folder / existing).write_bytes(b"precious")
    girih.fails("keygen", "-o", "key.pem", says=f"{existing} exists and is left alone; --force replaces it")


def test_keygen_with_force_replaces_both_halves(ready: Girih) -> None:
    before = ready.files()
    assert ready("keygen", "-o", "key.pem", "--force").returncode == 0
    after = ready.files()
    assert before.keys() == after.keys()
    assert before["key.pem"] != after["key.pem"]
    assert ready("sign", "-k", "key.pem", "file").returncode == 0
    assert ready("verify", "-k", "key.pub", "file").returncode == 0


def test_keygen_names_the_public_key_as_told(girih: Girih) -> None:
    assert girih("keygen", "-o", "a", "--public", "b").returncode == 0
    assert sorted(girih.files()) == ["a", "b"]


def test_sign_leaves_an_existing_signature_alone_unless_forced(signed: Girih) -> None:
    signed.fails("sign", "-k", "key.pem", "file", says="file.sig exists and is left alone")
    before = signed.files()["file.sig"]
    assert signed("sign", "-k", "key.pem", "file", "--force").returncode == 0
    assert signed.files()["file.sig"] != before


@pytest.mark.parametrize("target", ["elsewhere", "nowhere"])
def test_a_symbolic_link_is_never_written_through(ready: Girih, target: str) -> None:
    (ready.folder / "elsewhere").write_bytes(b"precious")
    (ready.folder / "key2.pem").symlink_to(target)
    done = ready("keygen", "-o", "key2.pem")
    assert (done.returncode, b"key2.pem exists" in done.stderr) == (2, True)
    assert ready("keygen", "-o", "key2.pem", "--force").returncode == 0
    assert not (ready.folder / "key2.pem").is_symlink()
    assert (ready.folder / "elsewhere").read_bytes() == b"precious"
    assert not (ready.folder / "nowhere").exists()


# ---- mistakes: status 2, one line, nothing left behind


MISTAKES = {
    "no such private key": (("sign", "-k", "none.pem", "file"), "none.pem: No such file or directory"),
    "no name of a key": (("sign", "-k", "", "file"), "'': No such file or directory"),
    "no such public key": (("verify", "-k", "none.pub", "file"), "none.pub: No such file or directory"),
    "no such file to sign": (("sign", "-k", "key.pem", "none"), "none: No such file or directory"),
    "no such signature": (("verify", "-k", "key.pub", "file"), "file.sig: No such file or directory"),
    "no such file to verify": (("verify", "-k", "key.pub", "none", "key.pub"), "none: No such file or directory"),
    "a folder to sign": (("sign", "-k", "key.pem", ".", "-o", "s"), ".: Is a directory"),
    "a folder for a key": (("sign", "-k", ".", "file"), ".: Is a directory"),
    "a public key to sign with": (
        ("sign", "-k", "key.pub", "file"),
        "key.pub: expected a PEM block with the label PRIV",
    ),
    "a private key to verify with": (
        ("verify", "-k", "key.pem", "file", "file"),
        "label PUBLIC KEY, found PRIVATE KEY",
    ),
    "no key at all": (("sign", "-k", "file", "file"), "file: there is no PEM block"),
    "no folder to write to": (("sign", "-k", "key.pem", "file", "-o", "x/y"), "there is no directory x"),
    "a folder to write over": (("sign", "-k", "key.pem", "file", "-o", "/", "--force"), "/ is a directory"),
    "a device to write over": (("sign", "-k", "key.pem", "file", "-o", "/dev/null", "--force"), "not a regular file"),
    "one name for both keys": (("keygen", "-o", "k.pub"), "k.pub and k.pub are one and the same file"),
    "two names for one file": (("keygen", "-o", "k", "--public", "./k"), "are one and the same file"),
    "a pair to standard output": (("keygen", "-o", "-"), "not to standard output"),
    "a context too long": (("sign", "-k", "key.pem", "--context", "x" * 256, "file"), "255"),
    "a context too long for prehash": (
        ("sign", "-k", "key.pem", "--prehash", "SHA2-256", "--context", "x" * 256, "file"),
        "255",
    ),
    "a context too long to verify": (("verify", "-k", "key.pub", "--context", "x" * 256, "file", "file"), "255"),
    "a context that is not hexadecimal": (
        ("sign", "-k", "key.pem", "--context-hex", "0g", "file"),
        "hexadecimal digits",
    ),
    "a signature over its document": (("sign", "-k", "key.pem", "file", "-o", "./file", "--force"), "./file is read"),
    "a signature over its key": (("sign", "-k", "key.pem", "file", "-o", "key.pem", "--force"), "key.pem is read"),
    "a public key over its private key": (("public", "-k", "key.pem", "-o", "key.pem", "--force"), "key.pem is read"),
    "everything from standard input": (("verify", "-k", "key.pub", "-"), "the signature needs a file of its own"),
    "both from standard input": (("verify", "-k", "key.pub", "-", "-"), "the signature needs a file of its own"),
}


@pytest.mark.parametrize(("arguments", "says"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_in_one_line(ready: Girih, arguments: tuple[str, ...], says: str) -> None:
    ready.fails(*arguments, says=says)


def test_a_key_file_of_any_size_is_not_read_whole(ready: Girih) -> None:
    ready.fails("sign", "-k", "/dev/zero", "file", says="/dev/zero is no key file: it is larger than 65536 bytes")


def test_a_damaged_key_is_refused_with_its_cause(ready: Girih) -> None:
    text = (ready.folder / "key.pem").read_bytes()
    (ready.folder / "key.pem").write_bytes(text.replace(b"MDQC", b"MDUC"))
    ready.fails("sign", "-k", "key.pem", "file", says="key.pem: the private key (PKCS#8)")


def test_a_name_with_control_characters_is_quoted(ready: Girih) -> None:
    ready.fails("sign", "-k", "key.pem", "no\x1b[2J\nsuch", says="'no\\x1b[2J\\nsuch': No such file or directory")


def test_a_folder_that_may_not_be_written_is_named(ready: Girih) -> None:
    (ready.folder / "locked").mkdir(mode=0o555)
    ready.folder.chmod(0o755)
    done = ready.script(WITHOUT_RIGHTS, "keygen", "-o", "locked/key.pem")
    assert done.returncode == 2
    assert done.stderr == b"girih: locked/key.pub cannot be written: Permission denied\n"
    assert list((ready.folder / "locked").iterdir()) == []


def test_a_file_that_may_not_be_read_is_named(ready: Girih) -> None:
    ready.folder.chmod(0o755)
    (ready.folder / "key.pub").chmod(0o644)
    (ready.folder / "file").chmod(0o000)
    done = ready.script(WITHOUT_RIGHTS, "verify", "-k", "key.pub", "file", "key.pub")
    assert (done.returncode, done.stderr) == (2, b"girih: file: Permission denied\n")


@pytest.mark.parametrize("arguments", [("keygen", "-o", "new.pem"), ("sign", "-k", "key.pem", "file")])
def test_a_full_disk_leaves_nothing_behind(ready: Girih, arguments: tuple[str, ...]) -> None:
    # A file-size limit stops the write half-way, as a full disk does.
    ready.fails(
        *arguments,
        says="cannot be written: File too large",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )


@pytest.mark.parametrize(
    "arguments", [(), ("sing",), ("sign",), ("verify", "-k", "x"), ("keygen", "-o", "x", "--set", "y")]
)
def test_a_wrong_command_line_shows_the_usage(girih: Girih, arguments: tuple[str, ...]) -> None:
    done = girih(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(b"usage: girih")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_shows_examples(girih: Girih, command: str) -> None:
    done = girih(*command.split(), "--help")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"examples:\n  girih " in done.stdout


# ---- interruptions


def test_a_reader_that_goes_away_is_no_traceback(signed: Girih) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "girih.cli", "sign", "-k", "key.pem", "file", "-o", "-"]
    done = subprocess.run(command, cwd=signed.folder, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (2, b"")


def test_a_bad_signature_stays_bad_without_standard_output(signed: Girih) -> None:
    (signed.folder / "file").write_bytes(b"another")
    command = f"exec '{sys.executable}' -m girih.cli verify -k key.pub file >&-"
    done = subprocess.run(["sh", "-c", command], cwd=signed.folder, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_reading_ends_the_process_and_leaves_nothing(ready: Girih, number: signal.Signals) -> None:
    before = ready.files()
    command = [sys.executable, "-m", "girih.cli", "sign", "-k", "key.pem", "-", "-o", "out.sig"]
    child = subprocess.Popen(command, cwd=ready.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdin is not None
    child.stdin.write(bytes(4 << 20))  # far more than a pipe holds: on return the command is reading
    child.stdin.flush()
    child.send_signal(number)
    _, said = child.communicate(timeout=60)
    assert (child.returncode, said) == (-number, b"")
    assert ready.files() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_writing_leaves_nothing(girih: Girih, number: signal.Signals) -> None:
    done = girih.script(f"os.fsync = lambda _: os.kill(os.getpid(), {int(number)})", "keygen", "-o", "key.pem")
    assert (done.returncode, done.stderr) == (-number, b"")
    assert girih.files() == {}


def test_a_signal_between_the_two_names_waits_for_the_pair_to_be_whole(girih: Girih) -> None:
    done = girih.script(AFTER_EACH_NAME + "SIGTERM", "keygen", "-o", "key.pem")
    assert done.returncode == -signal.SIGTERM
    assert sorted(girih.files()) == ["key.pem", "key.pub"]


def test_a_kill_while_writing_leaves_no_key_file(girih: Girih) -> None:
    done = girih.script("os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)", "keygen", "-o", "key.pem")
    assert done.returncode == -signal.SIGKILL
    assert [name for name in girih.files() if not name.startswith(".girih-")] == []


def test_a_kill_between_the_two_names_leaves_no_private_key_alone(girih: Girih) -> None:
    girih.script(AFTER_EACH_NAME + "SIGKILL", "keygen", "-o", "key.pem")
    assert [name for name in girih.files() if not name.startswith(".girih-")] == ["key.pub"]


def test_a_failure_of_randomness_writes_no_key(girih: Girih) -> None:
    text = (
        "from girih.cli import keygen\nfrom girih.errors import RandomnessError\n"
        "class Broken:\n"
        "    def key_gen():\n        raise RandomnessError('the system gave no random bytes')\n"
        "keygen._SETS['ml-dsa-65'] = Broken"
    )
    done = girih.script(text, "keygen", "-o", "key.pem")
    assert (done.returncode, done.stderr) == (2, b"girih: the system gave no random bytes\n")
    assert girih.files() == {}


def test_a_fault_while_signing_writes_no_signature(ready: Girih) -> None:
    before = ready.files()
    text = (
        "from girih import SigningKey\nfrom girih.errors import FaultDetected\n"
        "def faulty(*_, **__):\n    raise FaultDetected('the signature does not verify')\n"
        "SigningKey.sign_mu = faulty"
    )
    done = ready.script(text, "sign", "-k", "key.pem", "--checked", "file")
    assert done.returncode == 2
    assert done.stderr.startswith(b"girih: the signature does not verify. Nothing was written.")
    assert ready.files() == before


@pytest.mark.parametrize("prehash", [(), ("--prehash", "SHA2-512")])
def test_a_file_that_changes_while_it_is_read_is_not_signed_when_checked(
    ready: Girih, prehash: tuple[str, ...]
) -> None:
    before = ready.files()
    text = "from girih.cli import options\noptions.mu_of = options.digest_of = lambda *_: os.urandom(64)"
    done = ready.script(text, "sign", "-k", "key.pem", "--checked", *prehash, "file")
    assert (done.returncode, b"file changed while it was read" in done.stderr) == (2, True)
    assert ready.files() == before


# ---- info


def test_info_says_what_the_library_says(girih: Girih) -> None:
    facts = json.loads(girih("info", "--json").stdout)
    core = core_info()
    assert facts["version"] == core["version"]
    assert facts["cpu_features"] == core["cpu_features"]
    assert facts["lock_limit"] == core["lock_limit"]
    assert (facts["backend"], tuple(facts["backends"])) == (backend(), backends())
    assert facts["parameter_sets"] == [p.name for p in options.PARAMETER_SETS]


@pytest.mark.parametrize("name", backends())
def test_info_names_the_backend_in_use(girih: Girih, name: str) -> None:
    done = girih("info", env={**os.environ, "GIRIH_BACKEND": name})
    assert f"backend            {name} (here: {', '.join(backends())})".encode() in done.stdout


@pytest.mark.parametrize(
    ("limit", "says"), [(0, b"not locked (limit 0 KiB)"), (1 << 20, b"locked, never swapped out (limit")]
)
def test_info_says_whether_secrets_are_locked(girih: Girih, limit: int, says: bytes) -> None:
    # Root may lock without limit, so a process gives up its rights here too.
    limited = f"import resource\nresource.setrlimit(resource.RLIMIT_MEMLOCK, ({limit}, {limit}))\n"
    done = girih.script(limited + WITHOUT_RIGHTS, "info")
    assert says in done.stdout
