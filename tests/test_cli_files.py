"""`girih.cli.files`: all of the outputs or none, whatever fails on the way."""

from __future__ import annotations

import errno
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from girih.cli.files import Mistake, Output, key_file, read_up_to, shown, stream, write_all

OLD = {"public": b"old public", "private": b"old private"}
NEW = (Output("public", b"new public"), Output("private", b"new private", secret=True))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path().iterdir()}


def existing() -> None:
    for name, data in OLD.items():
        Path(name).write_bytes(data)


def no_links(*_: Any, **__: Any) -> None:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))


class Failing:
    """Stands in for a function of `os` and fails at its nth call."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str, nth: int, error: int = errno.EIO) -> None:
        self._real, self._left, self._error = getattr(os, name), nth, error
        self.failed = False
        monkeypatch.setattr(os, name, self)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        self._left -= 1
        if self._left == 0:
            self.failed = True
            raise OSError(self._error, os.strerror(self._error))
        return self._real(*arguments, **named)


@pytest.mark.parametrize(
    ("function", "nth"),
    [
        ("open", 1),
        ("open", 2),
        ("fchmod", 1),
        ("write", 1),
        ("write", 2),
        ("fsync", 1),
        ("fsync", 2),
        ("link", 1),
        ("link", 2),
    ],
)
def test_a_failure_of_a_new_pair_leaves_nothing(monkeypatch: pytest.MonkeyPatch, function: str, nth: int) -> None:
    failing = Failing(monkeypatch, function, nth)
    with pytest.raises(Mistake, match="cannot be written: Input/output error"):
        write_all(NEW, force=False)
    assert failing.failed
    assert files() == {}


@pytest.mark.parametrize(
    ("function", "nth"),
    [("write", 1), ("write", 2), ("fsync", 2), ("link", 1), ("link", 2), ("replace", 1), ("replace", 2)],
)
def test_a_failure_of_a_replacement_leaves_the_old_pair(
    monkeypatch: pytest.MonkeyPatch, function: str, nth: int
) -> None:
    existing()
    failing = Failing(monkeypatch, function, nth)
    with pytest.raises(Mistake, match="cannot be written: Input/output error"):
        write_all(NEW, force=True)
    assert failing.failed
    assert files() == OLD


def test_a_file_system_without_hard_links_gets_new_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", no_links)
    write_all(NEW, force=False)
    assert files() == {"public": b"new public", "private": b"new private"}


def test_a_file_system_without_hard_links_keeps_existing_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def appears(*_: Any, **__: Any) -> None:
        existing()
        no_links()

    monkeypatch.setattr(os, "link", appears)
    with pytest.raises(Mistake, match="public exists and is left alone"):
        write_all(NEW, force=False)
    assert files() == OLD


@pytest.mark.parametrize("nth", [1, 2])
def test_a_file_system_without_hard_links_gets_its_old_files_back(monkeypatch: pytest.MonkeyPatch, nth: int) -> None:
    existing()
    monkeypatch.setattr(os, "link", no_links)
    Failing(monkeypatch, "replace", nth)
    with pytest.raises(Mistake, match="Input/output error"):
        write_all(NEW, force=True)
    assert files() == OLD


def test_a_file_that_appears_meanwhile_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def racing(descriptor: int) -> None:
        real(descriptor)
        Path("private").write_bytes(b"another's")

    monkeypatch.setattr(os, "fsync", racing)
    with pytest.raises(Mistake, match="private exists and is left alone"):
        write_all(NEW, force=False)
    assert files() == {"private": b"another's"}


def test_a_short_write_is_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:3]))
    write_all(NEW, force=False)
    assert files() == {"public": b"new public", "private": b"new private"}


def test_files_are_on_the_disk_before_they_have_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []

    def noted(name: str) -> Any:
        real = getattr(os, name)

        def noting(*arguments: Any, **named: Any) -> Any:
            steps.append(name)
            return real(*arguments, **named)

        return noting

    for name in ("fsync", "link"):
        monkeypatch.setattr(os, name, noted(name))
    write_all(NEW, force=False)
    assert steps == ["fsync", "fsync", "link", "link", "fsync"]  # two files, two names, their folder


def test_a_directory_that_cannot_be_synced_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    Failing(monkeypatch, "fsync", 3, errno.EINVAL)
    write_all(NEW, force=False)
    assert set(files()) == {"public", "private"}


def test_a_key_file_is_wiped_after_use(folder: Path) -> None:
    (folder / "key").write_bytes(b"secret")
    with key_file("key") as view:
        assert view.tobytes() == b"secret"
    assert view == bytes(6)


def test_a_key_file_is_wiped_after_a_failure(folder: Path) -> None:
    (folder / "key").write_bytes(b"secret")
    with pytest.raises(RuntimeError), key_file("key") as view:
        raise RuntimeError
    assert view == bytes(6)


@pytest.mark.parametrize("size", [0, 1, (1 << 16) - 1, 1 << 16])
def test_a_key_file_of_at_most_64_kib_is_read_whole(folder: Path, size: int) -> None:
    data = os.urandom(size)
    (folder / "key").write_bytes(data)
    with key_file("key") as view:
        assert view == data


def test_a_key_file_above_64_kib_is_refused(folder: Path) -> None:
    (folder / "key").write_bytes(bytes((1 << 16) + 1))
    with pytest.raises(Mistake, match="larger than 65536 bytes"), key_file("key"):
        pass


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_stream_hands_over_every_byte_in_pieces(folder: Path, size: int) -> None:
    data = os.urandom(size)
    (folder / "message").write_bytes(data)
    pieces: list[bytes] = []
    stream("message", lambda piece: pieces.append(bytes(piece)))
    assert b"".join(pieces) == data
    assert all(0 < len(piece) <= 1 << 20 for piece in pieces)


def test_a_stream_takes_the_memory_of_one_piece(folder: Path) -> None:
    with open(folder / "message", "wb") as file:
        file.truncate(64 << 20)
    tracemalloc.start()
    try:
        stream("message", len)
        assert tracemalloc.get_traced_memory()[1] < 3 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("limit", [0, 1, 5, 6, 7])
def test_no_more_is_read_than_asked(folder: Path, limit: int) -> None:
    (folder / "sig").write_bytes(b"abcdef")
    assert read_up_to("sig", limit) == b"abcdef"[:limit]


@pytest.mark.parametrize(
    ("path", "text"), [("a b", "a b"), ("é", "é"), ("a\nb", r"'a\nb'"), (b"\xff", r"'\udcff'"), (3, "descriptor 3")]
)
def test_paths_are_shown_without_tricks(path: Any, text: str) -> None:
    assert shown(path) == text
