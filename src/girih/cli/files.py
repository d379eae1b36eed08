"""Files of the command line: keys read whole, messages streamed, outputs written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator, Sequence

STREAM = "-"  # standard input or output instead of a file

_KEY_FILE_LIMIT = 1 << 16  # bytes; the largest key file is a seventh of this
_CHUNK = 1 << 20
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


class Mistake(Exception):
    """Something the person at the keyboard can put right; the text says what."""


def shown(path: str | bytes | int | os.PathLike[str]) -> str:
    """A path for a message: as it is, or quoted where it would play tricks with a terminal."""
    text = os.fsdecode(path) if not isinstance(path, int) else f"descriptor {path}"
    return text if text and text.isprintable() else repr(text)


@contextlib.contextmanager
def key_file(path: str, secret: bool = False) -> Iterator[memoryview]:
    """The contents of a key file, which are wiped on leaving. Warns where others can read a secret one."""
    buffer = bytearray(_KEY_FILE_LIMIT + 1)
    size = 0
    try:
        with open(path, "rb", buffering=0) as file:
            mode = os.fstat(file.fileno()).st_mode
            if secret and os.name == "posix" and stat.S_ISREG(mode) and mode & 0o077:
                warning = f"others can read the private key {shown(path)} (mode {mode & 0o777:04o}); chmod 600 mends it"
                print(f"girih: warning: {warning}", file=sys.stderr)
            view = memoryview(buffer)
            while size < len(buffer) and (count := file.readinto(view[size:])):
                size += count
        if size > _KEY_FILE_LIMIT:
            raise Mistake(f"{shown(path)} is no key file: it is larger than {_KEY_FILE_LIMIT} bytes")
        yield view[:size]
    finally:
        wipe(buffer)


def wipe(secret: bytearray) -> None:
    """Overwrite with zeros."""
    secret[:] = bytes(len(secret))


def stream(path: str, update: Callable[[memoryview], object]) -> None:
    """Hand the bytes of a file (or of standard input) to `update`, piece by piece, in constant memory."""
    view = memoryview(bytearray(_CHUNK))
    with _open_input(path) as file:
        while count := file.readinto(view):
            update(view[:count])


def read_up_to(path: str, limit: int) -> bytes:
    """The first `limit` bytes of a file or of standard input."""
    pieces = []
    with _open_input(path) as file:
        while limit and (piece := file.read(limit)):
            pieces.append(piece)
            limit -= len(piece)
    return b"".join(pieces)


class Output(NamedTuple):
    """One file to be written. `secret`: readable by its owner only, whatever the umask says."""

    path: str
    data: bytes | bytearray
    secret: bool = False


def check_free(paths: Sequence[str], force: bool, inputs: Sequence[str] = ()) -> None:
    """Say early what `write_all` would refuse: an existing file without `force`, or something that is no file.

    Nor is a file replaced that is one of the `inputs`: nobody wants a signature instead of the document or the key.
    """
    for path in paths:
        directory, name = os.path.split(path)
        if not name or os.path.isdir(path):
            raise Mistake(f"{shown(path)} is a directory, not a file to write")
        if not os.path.isdir(directory or os.curdir):
            raise Mistake(f"{shown(path)} cannot be written: there is no directory {shown(directory)}")
        if any(os.path.exists(one) and os.path.exists(path) and os.path.samefile(one, path) for one in inputs):
            raise Mistake(f"{shown(path)} is read and cannot be written too")
        if os.path.lexists(path) and not force:
            raise Mistake(f"{shown(path)} exists and is left alone; --force replaces it")
        if os.path.exists(path) and not os.path.isfile(path):
            raise Mistake(f"{shown(path)} is not a regular file and is not replaced")
    if len({_identity(path) for path in paths}) < len(paths):
        raise Mistake(f"{' and '.join(map(shown, paths))} are one and the same file")


def write_all(outputs: Sequence[Output], force: bool) -> None:
    """Write all the files, or none of them. Raises Mistake, which names the file.

    Each is written in full under a temporary name in its directory and forced to the disk; only then do they get their
    names, in the order given, and where one does not, those before it are taken back (or what they replaced is put
    back). A symbolic link is replaced, never followed. Should the machine stop between two names, the first outputs are
    there and the later ones are not: the caller orders them so that this is harmless.
    """
    check_free([output.path for output in outputs], force)
    leftovers: list[str] = []
    at = ""
    try:
        temporaries = [_temporary_name(output.path) for output in outputs]
        leftovers += temporaries
        for output, temporary in zip(outputs, temporaries, strict=True):
            at = output.path
            _write_whole(temporary, output)
        with _uninterrupted(), contextlib.ExitStack() as undo:
            for output, temporary in zip(outputs, temporaries, strict=True):
                at = output.path
                if force and os.path.lexists(at):
                    leftovers.append(backup := _temporary_name(at))
                    _replace(temporary, at, backup, undo)
                else:
                    _link(temporary, at)
                    undo.callback(os.unlink, at)
            undo.pop_all()
        for directory in dict.fromkeys(os.path.dirname(output.path) for output in outputs):
            _sync_directory(directory or os.curdir)
    except FileExistsError:
        raise Mistake(f"{shown(at)} exists and is left alone; --force replaces it") from None
    except OSError as error:
        raise Mistake(f"{shown(at)} cannot be written: {error.strerror}") from error
    finally:
        with _uninterrupted():
            for leftover in leftovers:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(leftover)


def check_stream() -> None:
    """Say early what `write_stream` would refuse."""
    if sys.stdout is None:
        raise Mistake("standard output is closed")
    if sys.stdout.isatty():
        raise Mistake("the output is binary and does not belong on a terminal; name a file for it")


def write_stream(data: bytes | bytearray) -> None:
    """Write binary data to standard output, unless that is a terminal."""
    check_stream()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


@contextlib.contextmanager
def _open_input(path: str) -> Iterator[io.FileIO]:
    if path != STREAM:
        with open(path, "rb", buffering=0) as file:
            yield file
    elif sys.stdin is None:
        raise Mistake("standard input is closed")
    else:
        with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as file:
            yield file


def _identity(path: str) -> tuple[str, str]:
    directory, name = os.path.split(path)
    return os.path.realpath(directory or os.curdir), os.path.normcase(name)


def _temporary_name(path: str) -> str:
    return os.path.join(os.path.dirname(path), f".girih-{os.urandom(8).hex()}")


def _write_whole(path: str, output: Output) -> None:
    """Create a new file and force its contents to the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o600 if output.secret else 0o666)
    try:
        if output.secret and os.name == "posix":
            os.fchmod(descriptor, 0o600)  # a umask may have taken away even the owner's rights
        rest = memoryview(output.data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _link(temporary: str, path: str) -> None:
    """Give a file a name that must be free: a hard link, which fails where the name is taken."""
    try:
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without hard links: all that is left is to look first.
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path) from None
        os.rename(temporary, path)


def _replace(temporary: str, path: str, backup: str, undo: contextlib.ExitStack) -> None:
    """Give a file a name that is taken; what was there stays as `backup`."""
    try:
        os.link(path, backup, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.rename(path, backup)
    undo.callback(os.replace, backup, path)
    os.replace(temporary, path)


def _sync_directory(directory: str) -> None:
    """Force the names in a directory to the disk, on systems that can and where it can be opened."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Signals wait: a name that was given is either kept or taken back, whatever arrives in between."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
