"""The little of DER (X.690) that fixed key formats need: a strict reader and two writers.

The reader takes only what DER allows: definite lengths in their shortest form. Whatever else BER would let through is
refused, so that a key has one encoding and no more. It hands out views of its input: nothing secret is copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from girih.errors import InvalidKey

if TYPE_CHECKING:
    from typing_extensions import Buffer

INTEGER = 0x02
BIT_STRING = 0x03
OCTET_STRING = 0x04
OBJECT_IDENTIFIER = 0x06
SEQUENCE = 0x30
CONTEXT_0 = 0x80  # [0] IMPLICIT, primitive

_MAX_LENGTH_OCTETS = 3  # 16 MiB: far beyond every key, and no number to overflow
_LONGEST_NAME = 32  # octets of an object identifier that a message spells out


class Reader:
    """Reads the elements of one constructed value from first to last. `what` names it in error messages."""

    def __init__(self, data: memoryview, what: str) -> None:
        self._data = data
        self._what = what
        self._at = 0

    def next_tag(self) -> int | None:
        """The tag of the next element, or None at the end."""
        return self._data[self._at] if self._at < len(self._data) else None

    def take(self, tag: int, element: str) -> memoryview:
        """The contents of the next element, which must have this tag. Raises InvalidKey."""
        found = self.next_tag()
        if found is None:
            raise InvalidKey(f"{self._what} ends before its {element}")
        if found != tag:
            raise InvalidKey(f"{self._what}: the {element} has DER tag 0x{tag:02x}, found 0x{found:02x}")
        self._at += 1
        length = self._length(element)
        left = len(self._data) - self._at
        if length > left:
            raise InvalidKey(f"{self._what}: the {element} says it has {length} bytes, but only {left} are left")
        contents = self._data[self._at : self._at + length]
        self._at += length
        return contents

    def end(self) -> None:
        """Raise InvalidKey unless everything has been read."""
        left = len(self._data) - self._at
        if left:
            raise InvalidKey(f"{self._what} is followed by {left} bytes that do not belong to it")

    def _length(self, element: str) -> int:
        first = self._octet(element)
        if first < 0x80:
            return first
        if first == 0x80:
            raise InvalidKey(f"{self._what}: the {element} has an indefinite length: BER, not DER")
        count = first & 0x7F
        if count > _MAX_LENGTH_OCTETS:
            raise InvalidKey(f"{self._what}: the length of the {element} takes {count} bytes, more than any key needs")
        length = 0
        for _ in range(count):
            length = length << 8 | self._octet(element)
        if length < 0x80 or length >> 8 * (count - 1) == 0:
            raise InvalidKey(f"{self._what}: the length of the {element} is not in its shortest form: BER, not DER")
        return length

    def _octet(self, element: str) -> int:
        octet = self.next_tag()
        if octet is None:
            raise InvalidKey(f"{self._what} ends inside the length of its {element}")
        self._at += 1
        return octet


def octets(data: Buffer) -> memoryview:
    """Bytes-like data as a flat view of bytes; a copy only where it is not contiguous."""
    view = memoryview(data)
    return view.cast("B") if view.c_contiguous else memoryview(view.tobytes())


def wipe(secret: bytearray) -> None:
    """Overwrite with zeros."""
    secret[:] = bytes(len(secret))


def header(tag: int, length: int) -> bytes:
    """Tag and length octets of an element with `length` bytes of contents."""
    if length < 0x80:
        return bytes((tag, length))
    long_form = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(long_form))) + long_form


def object_identifier(dotted: str) -> bytes:
    """The whole OBJECT IDENTIFIER element of a dotted name such as "2.16.840.1.101.3.4.3.17"."""
    first, second, *rest = (int(arc) for arc in dotted.split("."))
    contents = b"".join(_arc(arc) for arc in (40 * first + second, *rest))
    return header(OBJECT_IDENTIFIER, len(contents)) + contents


def dotted_name(contents: memoryview) -> str:
    """The dotted name of OBJECT IDENTIFIER contents, for messages; hexadecimal digits where they are no such thing."""
    if not 0 < len(contents) <= _LONGEST_NAME or contents[-1] & 0x80:
        return contents[:_LONGEST_NAME].hex() or "(none)"
    arcs: list[int] = []
    arc = 0
    for octet in contents:
        arc = arc << 7 | octet & 0x7F
        if octet < 0x80:
            arcs.append(arc)
            arc = 0
    first = min(arcs[0] // 40, 2)
    return ".".join(map(str, (first, arcs[0] - 40 * first, *arcs[1:])))


def _arc(value: int) -> bytes:
    low_first = [value & 0x7F]
    while value := value >> 7:
        low_first.append(0x80 | value & 0x7F)
    return bytes(reversed(low_first))
