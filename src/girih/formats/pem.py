"""The text form of keys (RFC 7468): one block between `-----BEGIN label-----` and `-----END label-----`.

Reading is strict about what carries meaning (one block, the right label, the one base64 spelling of the bytes) and lax
about what does not: explanatory text before the block, CRLF, blank lines and the length of lines.

The alphabet is walked here, not by `binascii`, because that returns immutable bytes: a secret in those cannot be wiped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from girih.errors import InvalidKey
from girih.formats.der import octets, wipe

if TYPE_CHECKING:
    from typing_extensions import Buffer

PUBLIC_KEY = "PUBLIC KEY"
PRIVATE_KEY = "PRIVATE KEY"

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUE = {character: value for value, character in enumerate(_ALPHABET)}
_PAD = ord("=")
_LINE = 64
_BEGIN = b"-----BEGIN "
_END = b"-----END "
_DASHES = b"-----"
_WHITE_SPACE = b" \t\r\n"


def to_pem(label: str, data: Buffer) -> bytearray:
    """One PEM block as ASCII text with LF line ends, in a bytearray that the caller can wipe."""
    view = octets(data)
    begin = b"%s%s%s\n" % (_BEGIN, label.encode("ascii"), _DASHES)
    end = b"%s%s%s\n" % (_END, label.encode("ascii"), _DASHES)
    characters = (len(view) + 2) // 3 * 4
    body = characters + (characters + _LINE - 1) // _LINE
    out = bytearray(len(begin) + body + len(end))  # its final size: growing would leave copies behind
    out[: len(begin)] = begin
    out[len(out) - len(end) :] = end
    at = len(begin)
    for i in range(0, len(view), 3):
        group = view[i : i + 3]
        bits = sum(octet << (16 - 8 * j) for j, octet in enumerate(group))
        for j in range(4):
            out[at + j] = _ALPHABET[bits >> (18 - 6 * j) & 63] if j <= len(group) else _PAD
        at += 4
        if (i // 3 + 1) % (_LINE // 4) == 0 or i + 3 >= len(view):
            out[at] = ord("\n")
            at += 1
    return out


def from_pem(label: str, text: str | Buffer) -> bytearray:
    """The bytes of the one PEM block in `text`, in a bytearray that the caller can wipe.

    Raises InvalidKey where there is no block, more than one, another label, or a body that is not plain base64.
    """
    if isinstance(text, str):
        text = text.encode("ascii", "replace")  # what is not ASCII can only be explanation, or wrong
    view = octets(text)
    return _decode(view, *_find(label, view))


def _find(label: str, text: memoryview) -> tuple[int, int]:
    """Where the body of the block begins and ends."""
    lines = _Lines(text)
    for start, stop in lines:
        if (found := _boundary(text[start:stop], _BEGIN)) is not None:
            break
    else:
        raise InvalidKey(f"there is no PEM block: no line says -----BEGIN {label}-----")
    if found != label:
        hint = "; encrypted keys are not read here: decrypt it first" if found == "ENCRYPTED PRIVATE KEY" else ""
        raise InvalidKey(f"expected a PEM block with the label {label}, found {found}{hint}")
    begin = lines.at
    for start, stop in lines:
        if _boundary(text[start:stop], _BEGIN) is not None:
            raise InvalidKey(f"the PEM block {label} has no end before the next one begins")
        if (ending := _boundary(text[start:stop], _END)) is not None:
            break
    else:
        raise InvalidKey(f"the PEM block is cut short: no line says -----END {label}-----")
    if ending != label:
        raise InvalidKey(f"the PEM block begins as {label} and ends as {ending}")
    if bytes(text[lines.at :]).strip():
        raise InvalidKey(f"the PEM block {label} is followed by something else; one block is read, not a bundle")
    return begin, start


class _Lines:
    """Start and stop of each line, without its LF, CRLF or CR; `at` is where the next one begins. Copies nothing."""

    def __init__(self, text: memoryview) -> None:
        self._text = text
        self.at = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> tuple[int, int]:
        start, size = self.at, len(self._text)
        if start == size:
            raise StopIteration
        stop = start
        while stop < size and self._text[stop] not in b"\r\n":
            stop += 1
        self.at = min(stop + 1, size)
        return start, stop


def _boundary(line: memoryview, kind: bytes) -> str | None:
    """The label of a boundary line of this kind, or None for any other line."""
    if line[: len(kind)] != kind:
        return None
    whole = bytes(line).rstrip(b" \t")
    if not whole.endswith(_DASHES) or len(whole) < len(kind) + len(_DASHES):
        raise InvalidKey("a PEM boundary line does not end in -----")
    return whole[len(kind) : -len(_DASHES)].decode("ascii", "replace")


def _decode(text: memoryview, begin: int, end: int) -> bytearray:
    """The one base64 spelling of some bytes (RFC 4648, section 3.5: padding bits are zero), white space apart."""
    size = sum(character not in _WHITE_SPACE for character in text[begin:end])
    if size % 4:
        raise InvalidKey(f"the PEM body has {size} base64 characters, which is not a multiple of 4")
    out = bytearray(size // 4 * 3)
    bits = count = padding = 0
    for character in text[begin:end]:
        if character in _WHITE_SPACE:
            continue
        if character == _PAD and count >= size - 2:
            padding += 1
            value = 0
        else:
            value = _VALUE.get(character, -1)
        if value < 0 or (padding and character != _PAD):
            wipe(out)
            raise InvalidKey("the PEM body holds a character that is not base64, or that follows the padding")
        bits = (bits << 6 | value) & 0xFFFFFF
        count += 1
        if count % 4 == 0:
            out[count // 4 * 3 - 3 : count // 4 * 3] = bits.to_bytes(3, "big")
    if padding and any(out[len(out) - padding :]):
        wipe(out)
        raise InvalidKey("the PEM body ends in padding bits that are not zero")
    if padding:
        del out[len(out) - padding :]  # zeros: they shrink away, nothing secret is copied
    return out
