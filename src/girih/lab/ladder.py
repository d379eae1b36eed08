"""The Keccak ladder: what each idea of a 32-bit Keccak costs, from 64-bit lanes to lazy rotations."""

from __future__ import annotations

from datetime import UTC, datetime

from girih.lab import rows
from girih.lab.build import Build
from girih.lab.emulate import Run, count
from girih.lab.image import Image
from girih.lab.measure import model_cycles
from girih.lab.sources import cache_folder, version

# Name between the marks, what it is, the symbols whose bytes it needs, permutations a call.
FORMS = (
    ("plain", "64-bit lanes", ("keccak_permute_c",), 1),
    ("converted", "interleaved words, converted at each permutation", ("ladder_converted",), 1),
    ("interleaved", "interleaved for life, two rounds unrolled", ("ladder_interleaved",), 1),
    ("parity", "and the next column parities early", ("ladder_early_parity",), 1),
    ("lazy", "in place, rotations put off (the core's)", ("keccak_permute_c32",), 1),
    ("small", "one round, the smallest (the core's)", ("keccak_permute_c32_small",), 1),
    ("four", "four states in one call, for each of them", ("keccak_permute_all_c32", "keccak_permute_c32"), 4),
)


def _rho() -> dict[tuple[int, int], int]:
    """FIPS 202, Algorithm 2: the rotation of lane (x, y)."""
    offsets, x, y = {(0, 0): 0}, 1, 0
    for t in range(24):
        offsets[x, y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


def _round_constants() -> list[tuple[int, int]]:
    """FIPS 202, Algorithm 5: the constants of iota as even and odd bits."""
    register, constants = 1, []
    for _ in range(24):
        even = odd = 0
        for j in range(7):
            if register & 1:
                position = (1 << j) - 1
                if position & 1:
                    odd |= 1 << (position >> 1)
                else:
                    even |= 1 << (position >> 1)
            register <<= 1
            if register & 0x100:
                register ^= 0x171
        constants.append((even, odd))
    return constants


def _rol(text: str, n: int) -> str:
    return f"ROL({text}, {n})" if n else text


def _rotated(half: int, n: int) -> tuple[int, int]:
    """Half `half` of a lane rotated left by n: the half that it comes from, and by how much that is rotated."""
    if n % 2 == 0:
        return half, n // 2 % 32
    return 1 - half, (n + 1) // 2 % 32 if half == 0 else n // 2 % 32


def _round(source: str, target: str, early: bool, first: bool) -> list[str]:
    """One round from the words of `source` into those of `target`. With `early`, the column parities of the result
    are summed on the way."""
    rho, lines = _rho(), []
    if not early or first:
        for x in range(5):
            for z in range(2):
                words = " ^ ".join(f"{source}[{10 * y + 2 * x + z}]" for y in range(5))
                lines.append(f"c{x}{'eo'[z]} = {words};")
    for x in range(5):
        left, right = (x + 4) % 5, (x + 1) % 5
        lines.append(f"d{x}e = c{left}e ^ {_rol(f'c{right}o', 1)};")
        lines.append(f"d{x}o = c{left}o ^ c{right}e;")
    for y in range(5):
        for z in range(2):
            for x in range(5):
                # B[x, y] comes from lane (x + 3y, x) of the input
                px, py = (x + 3 * y) % 5, x
                half, turn = _rotated(z, rho[px, py])
                word = f"({source}[{10 * py + 2 * px + half}] ^ d{px}{'eo'[half]})"
                lines.append(f"b{x} = {_rol(word, turn)};")
            for x in range(5):
                value = f"b{x} ^ (~b{(x + 1) % 5} & b{(x + 2) % 5})"
                if x == 0 and y == 0:
                    value += f" ^ rc[{z}]"
                word = f"{target}[{10 * y + 2 * x + z}]"
                lines.append(f"{word} = {value};")
                if early:
                    lines.append(f"n{x}{'eo'[z]} {'=' if y == 0 else '^='} {word};")
    if early:
        lines += [f"c{x}{z} = n{x}{z};" for x in range(5) for z in "eo"]
    lines.append("rc += 2;")
    return lines


def source() -> str:
    """The C text of the forms that the core does not have."""
    constants = ", ".join(f"0x{even:08x}, 0x{odd:08x}" for even, odd in _round_constants())
    sums = ", ".join(f"{letter}{x}{z}" for letter in "cd" for x in range(5) for z in "eo")
    early_sums = ", ".join(f"n{x}{z}" for x in range(5) for z in "eo")
    text = [
        "/* Written by girih.lab.ladder. */",
        "#include <stdint.h>",
        "#define ROL(x, n) ((x) << (n) | (x) >> (32 - (n)))",
        f"static const uint32_t constants[48] = {{{constants}}};",
        "void ladder_converted(uint64_t lane[25]);",
        "void ladder_interleaved(uint32_t word[50]);",
        "void ladder_early_parity(uint32_t word[50]);",
    ]
    for name, early in (("ladder_interleaved", False), ("ladder_early_parity", True)):
        text += [
            f"__attribute__((noinline)) void {name}(uint32_t word[50])",
            "{",
            f"uint32_t other[50], {sums}, b0, b1, b2, b3, b4{', ' + early_sums if early else ''};",
            "const uint32_t *rc = constants;",
        ]
        if early:
            text += _round("word", "other", True, True)[:10]
        text += [
            "do {",
            *_round("word", "other", early, False),
            *_round("other", "word", early, False),
            "} while (rc != constants + 48);",
            "}",
        ]
    text += [
        "static uint32_t gather(uint32_t x)",
        "{",
        "x &= 0x55555555; x = (x | x >> 1) & 0x33333333; x = (x | x >> 2) & 0x0f0f0f0f;",
        "x = (x | x >> 4) & 0x00ff00ff; return (x | x >> 8) & 0xffff;",
        "}",
        "static uint32_t spread(uint32_t x)",
        "{",
        "x &= 0xffff; x = (x | x << 8) & 0x00ff00ff; x = (x | x << 4) & 0x0f0f0f0f;",
        "x = (x | x << 2) & 0x33333333; return (x | x << 1) & 0x55555555;",
        "}",
        "void ladder_converted(uint64_t lane[25])",
        "{",
        "uint32_t word[50];",
        "for (int i = 0; i < 25; i++) {",
        "uint32_t low = (uint32_t)lane[i], high = (uint32_t)(lane[i] >> 32);",
        "word[2 * i] = gather(low) | gather(high) << 16; word[2 * i + 1] = gather(low >> 1) | gather(high >> 1) << 16;",
        "}",
        "ladder_interleaved(word);",
        "for (int i = 0; i < 25; i++) {",
        "uint32_t even = word[2 * i], odd = word[2 * i + 1];",
        "lane[i] = (uint64_t)(spread(even >> 16) | spread(odd >> 16) << 1) << 32 | (spread(even) | spread(odd) << 1);",
        "}",
        "}",
        "",
    ]
    return "\n".join(text)


def climb(build: Build) -> list[rows.Row]:
    """One row a form: instructions and modelled cycles a permutation, code with its constants, stack."""
    folder = cache_folder() / "ladder"
    folder.mkdir(parents=True, exist_ok=True)
    forms = folder / "forms.c"
    if not forms.is_file() or forms.read_text() != source():
        forms.write_text(source())
    (path,) = build.with_(ladder=folder, lto=False).images("ladder")  # each form a function of its own
    image = Image(path, build.of)
    plain = count(image, [])
    detail = count(image, [], stack=image.address_of("__ram_begin") or 0)
    sizes = {symbol.name: symbol.size for symbol in image.functions}
    found = []
    for name, what, symbols, permutations in FORMS:
        instructions = [interval.instructions // permutations for interval in plain.trace.of(name)]
        found.append(
            {
                "scheme": "keccak-f1600",
                "op": name,
                "what": what,
                "target": build.target,
                "machine": build.of.machine,
                "kind": "emulated",
                "instructions": rows.summary(instructions),
                **model_cycles(build, name, image, detail, instructions),
                "code_bytes": sum(sizes.get(symbol, 0) for symbol in symbols) + _constants(image, detail, name),
                "stack_bytes": max(call["stack"] for call in plain.calls(name)),
                "hardening": build.hardening,
                "compiler": plain.head["compiler"],
                "flags": plain.head["flags"],
                "commit": version(),
                "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
        )
    return found


def _constants(image: Image, detail: Run, name: str) -> int:
    """Bytes of the constant objects that a form reads; told apart by address, for several have one name."""
    read = [address + 8 for address in detail.trace.data[name]]  # the middle of a piece of memory that was looked at
    return sum(
        symbol.size
        for symbol in image.constants
        if any(symbol.address <= address < symbol.address + symbol.size for address in read)
    )
