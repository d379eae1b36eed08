"""Writes core/src/backend/c/keccak32.c and keccak32_small.c: Keccak-f[1600] on bit-interleaved 32-bit words.

    python tools/keccak32.py            write both files
    python tools/keccak32.py --check    exit 1 when a file is not what this program writes
    python tools/keccak32.py --search SEED STEPS
                                        look for frames that need fewer rotations; prints the digits of CHOICES

A lane (x, y) is two words: half 0 holds its even bits, half 1 its odd bits, so that a rotation of 64 bits is two of 32 (FIPS 202, 3.2.2).

Lazy rotations (keccak32.c). A word is stored in a *frame* f: its true value is the stored one rotated left by f. Frames are known here
and never at run time. rho then moves no bit: it adds to f. An operation on two words rotates one operand by the difference of
their frames, which is free where the second operand of an instruction may be rotated (Arm). After four rounds, done in place, each
word is back in its own slot, and the loop wants frame 0 again: where a result may take the frame of either operand, CHOICES
says which, so that six words of fifty are left to be rotated. The choices came out of simulated annealing.

Eager rotations (keccak32_small.c). One round, every rotation done where FIPS 202 has it, from one buffer into another: small, and the
better form where a rotation takes three instructions (RISC-V without Zbb).
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "core" / "src" / "backend" / "c"
WIDTH = 140

Half = tuple[int, int, int]  # x, y, half
Choose = Callable[[int], int]  # the number of ways -> the way taken

HALVES: list[Half] = [(x, y, z) for x in range(5) for y in range(5) for z in range(2)]

# The order of the work inside a round: column halves (x, half) of theta and row halves (y, half) of chi. Compilers spill
# least with this one.
COLUMNS = [(2, 1), (1, 0), (0, 1), (4, 0), (1, 1), (2, 0), (3, 1), (4, 1), (3, 0), (0, 0)]
ROWS = [(3, 0), (1, 1), (4, 0), (0, 1), (2, 1), (4, 1), (1, 0), (0, 0), (2, 0), (3, 1)]

# One digit a choice, in the order in which `rounds` asks; see --search.
CHOICES = """
1141013424010010100011100011111001001100100111010011110110011111001110111011001011110000000111011100
0010100011100100101011320031220011011011100001011110111101000101110001000111101001011111111111110001
0111100000000111110010011101101100111001224111420401001100000100001111010011011010001011011101000101
1101011101000011100110001001001111000101011100010111010001002143104332110010110000001100111010100011
00011100110000011100111111100110101011100100100111011000011111100001100000000011
"""


def rho_offsets() -> dict[tuple[int, int], int]:
    """FIPS 202, Algorithm 2 (rho): lane (x, y) -> rotation, 0..63."""
    offsets = {(0, 0): 0}
    x, y = 1, 0
    for t in range(24):
        offsets[x, y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


RHO = rho_offsets()


def round_constants() -> Iterator[int]:
    """FIPS 202, Algorithms 5 and 6 (rc, iota): the 64-bit constant of each round."""
    state = 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            constant |= (state & 1) << (2**j - 1)
            state = state << 1 ^ (0x171 if state & 0x80 else 0)
        yield constant


def interleave(lane: int) -> tuple[int, int]:
    """The even bits and the odd bits of a lane."""
    even = sum((lane >> 2 * i & 1) << i for i in range(32))
    odd = sum((lane >> 2 * i + 1 & 1) << i for i in range(32))
    return even, odd


def source(x: int, y: int, half: int) -> tuple[Half, int]:
    """pi and rho: the half that comes to (x, y, half), and its rotation by 0..32."""
    from_x, from_y = next((fx, x) for fx in range(5) if (2 * fx + 3 * x) % 5 == y)
    offset = RHO[from_x, from_y]
    if offset % 2 == 0:
        return (from_x, from_y, half), offset // 2
    return (from_x, from_y, 1 - half), (offset + 1 - half) // 2


def rol(word: str, n: int) -> str:
    """C for a word rotated left by n mod 32."""
    return f"rol({word}, {n % 32})" if n % 32 else word


def name(letter: str, x: int, half: int) -> str:
    """A C variable of column half (x, half)."""
    return f"{letter}{x}{'eo'[half]}"


def statement(text: str, indent: int) -> str:
    """A statement, broken at an operator where it is too long for a line."""
    line = " " * indent + text
    if len(line) <= WIDTH:
        return line
    cut = line.rfind(" ^ ", 0, WIDTH - 2)
    return line[:cut] + " ^\n" + statement(line[cut + 3 :], indent + 4)


def rounds(choose: Choose, count: int) -> tuple[list[str], dict[Half, int]]:
    """`count` rounds in place with lazy rotations, from frames 0: C lines, and the frames at the end.

    The words of the last round are rotated back to frame 0; the frames returned are those before that.
    """
    slot = {(x, y, z): 2 * (x + 5 * y) + z for x, y, z in HALVES}
    frame = dict.fromkeys(HALVES, 0)
    lines: list[str] = []

    def put(text: str, indent: int = 12) -> None:
        lines.append(statement(text, indent))

    for number in range(count):
        lines.append("        {")
        parity: dict[tuple[int, int], int] = {}
        for x, z in COLUMNS:
            first = choose(5)
            column = [(x, (first + i) % 5, z) for i in range(5)]
            parity[x, z] = frame[column[0]]
            terms = [rol(f"a[{slot[w]}]", frame[w] - parity[x, z]) for w in column]
            put(f"const uint32_t {name('c', x, z)} = {' ^ '.join(terms)};")
        lines.append("")
        effect: dict[tuple[int, int], int] = {}
        for x in range(5):
            for z in range(2):  # the right neighbour, rotated by one bit of the lane: the other half
                left, right = ((x - 1) % 5, z), ((x + 1) % 5, 1 - z)
                frames = parity[left], parity[right] + 1 - z
                names = name("c", *left), name("c", *right)
                kept = choose(2)
                effect[x, z] = frames[kept] % 32
                other = rol(names[1 - kept], frames[1 - kept] - frames[kept])
                put(f"const uint32_t {name('d', x, z)} = {names[kept]} ^ {other};")
        next_slot: dict[Half, int] = {}
        next_frame: dict[Half, int] = {}
        for y, z in ROWS:
            lines += ["", "            KEEP_ORDER();", "            {"]
            b_frame = []
            slot_of_column = {}
            for x in range(5):
                word, rotation = source(x, y, z)
                slot_of_column[word[0]] = slot[word]
                operands = f"a[{slot[word]}]", name("d", word[0], word[2])
                frames = frame[word], effect[word[0], word[2]]
                kept = choose(2)
                b_frame.append((frames[kept] + rotation) % 32)
                other = rol(operands[1 - kept], frames[1 - kept] - frames[kept])
                put(f"const uint32_t b{x} = {operands[kept]} ^ {other};", 16)
            lines.append("")
            for x in range(5):
                one, two = (x + 1) % 5, (x + 2) % 5
                term = f"(b{two} & ~{rol(f'b{one}', b_frame[one] - b_frame[two])})"
                if choose(2) == 0:
                    result = b_frame[x]
                    text = f"b{x} ^ {rol(term, b_frame[two] - result)}"
                else:
                    result = b_frame[two]
                    text = f"{term} ^ {rol(f'b{x}', b_frame[x] - result)}"
                if (x, y) == (0, 0):
                    text += f" ^ {rol(f'rc[{2 * number + z}]', -result)}"
                if number == count - 1 and result:
                    text = rol(text, result)
                next_slot[x, y, z] = slot_of_column[x]
                next_frame[x, y, z] = result
                put(f"a[{slot_of_column[x]}] = {text};", 16)
            lines.append("            }")
        lines.append("        }")
        slot, frame = next_slot, next_frame
    assert all(slot[x, y, z] == 2 * (x + 5 * y) + z for x, y, z in HALVES), "four rounds in place bring each word home"
    return lines, frame


def fixed(digits: list[int]) -> Choose:
    """The choices that a list of digits spells."""
    rest = iter(digits)
    return lambda ways: next(rest) % ways


def search(seed: int, steps: int) -> list[int]:
    """Simulated annealing over the choices of four rounds; the cost is the number of words to rotate at the end."""
    ways: list[int] = []

    def record(n: int) -> int:
        ways.append(n)
        return 0

    rounds(record, 4)
    rng = random.Random(seed)
    digits = [0] * len(ways)

    def cost() -> int:
        return sum(f != 0 for f in rounds(fixed(digits), 4)[1].values())

    now = cost()
    for step in range(steps):
        places = [rng.randrange(len(ways)) for _ in range(rng.choice([1, 1, 2, 3]))]
        before = [(i, digits[i]) for i in places]
        for i in places:
            digits[i] = rng.randrange(ways[i])
        new = cost()
        temperature = 0.6 * (1 - step / steps) + 0.05
        if new <= now or rng.random() < math.exp((now - new) / temperature):
            now = new
        else:
            for i, digit in reversed(before):
                digits[i] = digit
    print(f"{now} words to rotate", file=sys.stderr)
    return digits


def head(title: str, body: str) -> str:
    """The comment and the includes at the top of a file."""
    return f"""/* {title}
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Written by tools/keccak32.py: change that, not this.{body} */
#include "backend/c/keccak32.h"

/* clang-format off */
"""


def all_states(suffix: str) -> list[str]:
    """permute_all: one state after the other."""
    return [
        "",
        f"void keccak_permute_all_{suffix}(girih_sha3 *const h[], unsigned count)",
        "{",
        "    for (unsigned i = 0; i < count; i++)",
        f"        keccak_permute_{suffix}(h[i]);",
        "}",
        "",
    ]


def lazy_file() -> str:
    """keccak32.c."""
    digits = [int(d) for d in "".join(CHOICES.split())]
    constants = [word for constant in round_constants() for word in interleave(constant)]
    table = ["    " + " ".join(f"0x{word:08x}," for word in constants[i : i + 8]) for i in range(0, 48, 8)]
    lines, _ = rounds(fixed(digits), 4)
    return "\n".join(
        [
            head(
                "Keccak-f[1600] on bit-interleaved words: four rounds in place, rotations put off until an operand can take them.",
                """ rho and pi are in the indices and in the
 * rotations of operands; after four rounds each word is back in its place, with nothing put off.""",
            ),
            "/* iota's constants (FIPS 202, Algorithm 5), even bits and odd bits. */",
            "static const uint32_t round_constants[48] = {",
            *table,
            "};",
            "",
            "/* FIPS 202, Algorithm 7 (KECCAK-p[1600, 24]). CT: no branch and no address depends on the state. */",
            "void keccak_permute_c32(girih_sha3 *h)",
            "{",
            "    uint32_t *a = h->state.word;",
            "    const uint32_t *rc = round_constants;",
            "",
            "    do {",
            *lines,
            "        rc += 8;",
            "    } while (rc != round_constants + 48);",
            "}",
            *all_states("c32"),
        ]
    )


def eager_file() -> str:
    """keccak32_small.c."""
    packed = []
    for constant in round_constants():
        even, odd = interleave(constant)
        assert even <= 1 and odd & 0x10 == 0
        packed.append(odd | even << 4)
    table = ["    " + " ".join(f"0x{word:08x}," for word in packed[i : i + 8]) for i in range(0, 24, 8)]
    lines: list[str] = []
    for x, z in COLUMNS:
        terms = [f"a[{2 * (x + 5 * y) + z}]" for y in range(5)]
        lines.append(f"        const uint32_t {name('c', x, z)} = {' ^ '.join(terms)};")
    lines.append("")
    for x in range(5):
        for z in range(2):
            right = rol(name("c", (x + 1) % 5, 1 - z), 1 - z)
            lines.append(f"        const uint32_t {name('d', x, z)} = {name('c', (x - 1) % 5, z)} ^ {right};")
    lines.append("        uint32_t *swap;")
    for y, z in ROWS:
        lines += ["", "        KEEP_ORDER();", "        {"]
        for x in range(5):
            word, rotation = source(x, y, z)
            value = f"a[{2 * (word[0] + 5 * word[1]) + word[2]}] ^ {name('d', word[0], word[2])}"
            lines.append(f"            const uint32_t b{x} = {rol(value, rotation)};")
        lines.append("")
        for x in range(5):
            text = f"b{x} ^ (b{(x + 2) % 5} & ~b{(x + 1) % 5})"
            if (x, y) == (0, 0):
                text += [" ^ (*rc >> 4 & 1)", " ^ (*rc & ~UINT32_C(0x10))"][z]
            lines.append(f"            e[{2 * (x + 5 * y) + z}] = {text};")
        lines.append("        }")
    return "\n".join(
        [
            head(
                "Keccak-f[1600] on bit-interleaved words, small: one round, from one buffer into the other and back.",
                "",
            ),
            "/* iota's constants (FIPS 202, Algorithm 5): the odd bits. The one even bit that is ever set lies at bit 4, which no odd",
            " * half uses. */",
            "static const uint32_t round_constants[24] = {",
            *table,
            "};",
            "",
            "/* FIPS 202, Algorithm 7 (KECCAK-p[1600, 24]). CT: no branch and no address depends on the state. */",
            "void keccak_permute_c32_small(girih_sha3 *h)",
            "{",
            "    uint32_t other[50];",
            "    uint32_t *a = h->state.word, *e = other;",
            "",
            "    for (const uint32_t *rc = round_constants; rc != round_constants + 24; rc++) {",
            *lines,
            "",
            "        swap = a;",
            "        a = e;",
            "        e = swap;",
            "    }",
            "    girih_wipe(other, sizeof other);",
            "}",
            *all_states("c32_small"),
        ]
    )


def main() -> int:
    """Run the command line at the top of this file."""
    parser = argparse.ArgumentParser(description="Write the 32-bit Keccak.")
    parser.add_argument("--check", action="store_true", help="compare the files instead of writing them")
    parser.add_argument("--search", nargs=2, type=int, metavar=("SEED", "STEPS"), help="look for better choices")
    arguments = parser.parse_args()
    if arguments.search:
        digits = "".join(map(str, search(*arguments.search)))
        print("\n".join(digits[i : i + 100] for i in range(0, len(digits), 100)))
        return 0
    status = 0
    for path, text in ((FOLDER / "keccak32.c", lazy_file()), (FOLDER / "keccak32_small.c", eager_file())):
        if not arguments.check:
            path.write_text(text)
        elif path.read_text() != text:
            print(f"{path} is not what tools/keccak32.py writes", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
