"""Writes docs/traceability.md: every algorithm of FIPS 203 and FIPS 204, what implements it, and what tests it. `--check` only
compares.

An implementation is found by its comment ("FIPS 204, Algorithm 35 (Power2Round) ..."), a function of tests/spec by its docstring. What has
no function of its own is in `merged` of its standard, with the functions that hold it; the tests are in `tests`. All names are looked up: a
function or a test that is gone, and an algorithm that lacks one, is an error.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.csource import ROOT, functions, sources
from tools.generated import write_or_check

PAGE = ROOT / "docs" / "traceability.md"

Merged = Mapping[int, tuple[tuple[str, ...], str]]  # number -> the functions that hold an algorithm, and how


@dataclass(frozen=True)
class Standard:
    """A standard, and what the core and the tests have of it."""

    name: str
    scheme: str  # of tests/spec and include/girih
    algorithms: Mapping[int, str]  # number -> name
    merged: Merged
    tests: Mapping[int, tuple[str, ...]]

    @property
    def spec(self) -> Path:
        return ROOT / "tests" / "spec" / f"{self.scheme}.py"

    @property
    def header(self) -> Path:
        return ROOT / "core" / "include" / "girih" / f"{self.scheme}.h"


MLDSA_NAMES = """ML-DSA.KeyGen ML-DSA.Sign ML-DSA.Verify HashML-DSA.Sign HashML-DSA.Verify ML-DSA.KeyGen_internal ML-DSA.Sign_internal
ML-DSA.Verify_internal IntegerToBits BitsToInteger IntegerToBytes BitsToBytes BytesToBits CoeffFromThreeBytes CoeffFromHalfByte
SimpleBitPack BitPack SimpleBitUnpack BitUnpack HintBitPack HintBitUnpack pkEncode pkDecode skEncode skDecode sigEncode sigDecode w1Encode
SampleInBall RejNTTPoly RejBoundedPoly ExpandA ExpandS ExpandMask Power2Round Decompose HighBits LowBits MakeHint UseHint NTT NTT^-1 BitRev8
AddNTT MultiplyNTT AddVectorNTT ScalarVectorNTT MatrixVectorNTT MontgomeryReduce""".split()

# Algorithms without a function of their own: which functions hold them, and how.
MLDSA_MERGED: Merged = {
    1: (
        ("girih_mldsa_keygen", "girih_random_bytes"),
        "Algorithm 6 on 32 bytes of the system's randomness, which the caller draws",
    ),
    9: (("mldsa_s_pack", "mldsa_t0_pack", "mldsa_z_pack_c"), "bits are shifted into place, never held one by one"),
    10: (("mldsa_s_unpack", "mldsa_t1_unpack_c", "mldsa_z_unpack_exceeds_c"), "as Algorithm 9"),
    11: (("mldsa_key_from_seed", "mldsa_masks_start_c"), "nonces and dimensions are written as their one or two bytes"),
    12: (("mldsa_s_pack", "mldsa_t0_pack", "mldsa_z_pack_c"), "as Algorithm 9"),
    13: (("mldsa_s_unpack", "mldsa_t1_unpack_c", "mldsa_z_unpack_exceeds_c"), "as Algorithm 9"),
    22: (("girih_mldsa_keygen",), "each row of t1 is packed as it is made, and hashed for tr"),
    24: (("girih_mldsa_keygen",), "each part is packed as it is made"),
    37: (("mldsa_decompose",), "the first result of Algorithm 36"),
    38: (("mldsa_decompose",), "the second result of Algorithm 36"),
    43: (
        ("mldsa_ntt_c", "mldsa_intt_c"),
        "the table of zetas is in the order that BitRev8 gives, and is read forwards",
    ),
    44: (("mldsa_matrix_times_vector_minus_c",), "sums stay in 64 bits inside the products and are reduced once"),
    46: (("mldsa_matrix_times_vector_minus_c",), "as Algorithm 44"),
    47: (
        ("mldsa_add_secret_c", "mldsa_times_t0_c"),
        "one polynomial of the vector at a time, so that a rejection stops early",
    ),
}

ACVP = "test_vectors_acvp.py"
WYCHEPROOF = "test_vectors_wycheproof.py"
SPEC_TESTS = "test_spec.py"
PRIMITIVES = "test_primitives.py"
SIGNING = (
    f"{ACVP}::test_signing_gives_the_published_signatures",
    f"{WYCHEPROOF}::test_signing_from_a_seed_gives_the_published_signatures",
)
VERIFYING = (
    f"{ACVP}::test_verification_gives_the_published_verdicts",
    f"{WYCHEPROOF}::test_verification_gives_the_published_verdicts",
)
KEYS = (f"{ACVP}::test_key_gen_gives_the_published_keys",)
LOADING = (f"{ACVP}::test_the_published_secret_keys_load_and_give_their_public_keys",)
BITS = (f"{SPEC_TESTS}::test_bit_packing_is_that_of_the_bit_conversions",)
HINTS = (f"{SPEC_TESTS}::test_hints_round_trip_up_to_omega", f"{SPEC_TESTS}::test_malformed_hints_are_refused")
ROUNDING = (
    f"{PRIMITIVES}::test_decompose_of_every_residue",
    f"{SPEC_TESTS}::test_rounding_splits_every_boundary_value",
)
TRANSFORMS = (
    f"{PRIMITIVES}::test_the_ntt_evaluates",
    f"{SPEC_TESTS}::test_the_ntt_evaluates_at_the_roots_of_the_standard",
)
MATRIX = (f"{PRIMITIVES}::test_the_matrix_product",)

MLDSA_TESTS: dict[int, tuple[str, ...]] = {
    1: ("test_api_keys.py::test_fresh_keys_differ", *KEYS),
    2: (*SIGNING, "test_api_sign.py::test_hedged_signatures_differ_and_deterministic_ones_do_not"),
    3: VERIFYING,
    4: (*SIGNING, "test_api_sign.py::test_a_digest_is_signed_under_either_name"),
    5: (*VERIFYING, "test_api_sign.py::test_hashes_of_one_length_are_told_apart"),
    6: KEYS,
    7: (*SIGNING, "core/test_programs.py::test_every_vector"),
    8: (*VERIFYING, "core/test_programs.py::test_every_vector"),
    9: BITS,
    10: BITS,
    11: (f"{SPEC_TESTS}::test_integers_are_stored_little_endian",),
    12: BITS,
    13: BITS,
    14: (f"{PRIMITIVES}::test_expand_a",),
    15: (f"{PRIMITIVES}::test_the_hashes_of_a_key",),
    16: (f"{PRIMITIVES}::test_power2round_packs_t1", *BITS),
    17: (f"{PRIMITIVES}::test_z_to_bytes_and_back", *KEYS),
    18: (f"{PRIMITIVES}::test_t1_from_bytes", *BITS),
    19: (f"{PRIMITIVES}::test_z_to_bytes_and_back", *LOADING),
    20: (*HINTS, *SIGNING),
    21: (*HINTS, *VERIFYING),
    22: KEYS,
    23: VERIFYING,
    24: KEYS,
    25: (*LOADING, "test_api_keys.py::test_a_signing_key_out_of_range_is_invalid"),
    26: SIGNING,
    27: VERIFYING,
    28: (f"{PRIMITIVES}::test_decompose_packs_w1",),
    29: (f"{PRIMITIVES}::test_masks_and_challenges_of_many_attempts",),
    30: (f"{PRIMITIVES}::test_expand_a",),
    31: (f"{PRIMITIVES}::test_the_hashes_of_a_key",),
    32: (f"{PRIMITIVES}::test_expand_a",),
    33: (f"{PRIMITIVES}::test_the_hashes_of_a_key",),
    34: (f"{PRIMITIVES}::test_masks_and_challenges_of_many_attempts",),
    35: (f"{PRIMITIVES}::test_power2round_of_every_residue",),
    36: ROUNDING,
    37: ROUNDING,
    38: ROUNDING,
    39: (f"{PRIMITIVES}::test_make_hint", f"{SPEC_TESTS}::test_hints_recover_the_high_bits"),
    40: (f"{PRIMITIVES}::test_use_hint_of_every_residue", f"{PRIMITIVES}::test_use_hint_at_any_positions"),
    41: TRANSFORMS,
    42: (f"{PRIMITIVES}::test_the_inverse_undoes_the_ntt", f"{PRIMITIVES}::test_the_inverse_stays_in_its_bounds"),
    43: (f"{PRIMITIVES}::test_the_portable_order_is_the_standards", *TRANSFORMS),
    44: MATRIX,
    45: (f"{PRIMITIVES}::test_a_secret_times_the_challenge_is_added",),
    46: (f"{SPEC_TESTS}::test_vectors_add_coefficient_by_coefficient", *MATRIX),
    47: (f"{PRIMITIVES}::test_a_secret_times_the_challenge_is_added", f"{PRIMITIVES}::test_t0_times_the_challenge"),
    48: MATRIX,
    49: (f"{SPEC_TESTS}::test_montgomery_reduction_divides_by_2_to_the_32", *MATRIX),
}

MLKEM_NAMES = """BitsToBytes BytesToBits ByteEncode ByteDecode SampleNTT SamplePolyCBD NTT NTT^-1 MultiplyNTTs BaseCaseMultiply K-PKE.KeyGen
K-PKE.Encrypt K-PKE.Decrypt ML-KEM.KeyGen_internal ML-KEM.Encaps_internal ML-KEM.Decaps_internal ML-KEM.KeyGen ML-KEM.Encaps
ML-KEM.Decaps""".split()

MLKEM_MERGED: Merged = {
    3: (("bits_put",), "numbers of d bits are shifted into place, sixteen bits at a time"),
    4: (("bits_get",), "as Algorithm 3"),
    19: (
        ("girih_mlkem_keygen", "girih_random_bytes"),
        "Algorithm 16 on 64 bytes of the system's randomness, which the caller draws",
    ),
    20: (("girih_mlkem_encaps", "girih_random_bytes"), "the checks of section 7.2 and Algorithm 17 on 32 such bytes"),
}

KEM_SPEC = "test_mlkem_spec.py"
KEM_PRIMITIVES = "test_mlkem_primitives.py"
KEM_VECTORS = "test_mlkem_vectors.py"
KEM_KEYS = (f"{KEM_VECTORS}::test_acvp_key_gen", f"{KEM_VECTORS}::test_wycheproof_key_gen")
KEM_ENCAPS = (f"{KEM_VECTORS}::test_acvp_encaps_decaps_and_key_checks", f"{KEM_VECTORS}::test_wycheproof_encaps")
KEM_DECAPS = (
    f"{KEM_VECTORS}::test_wycheproof_decaps_from_a_seed",
    "test_mlkem_bugs.py::test_k05_every_byte_changed",
    "test_mlkem_bugs.py::test_k06_what_nobody_encrypted_is_rejected_implicitly",
)
KEM_BITS = (f"{KEM_SPEC}::test_encoding_and_decoding_are_inverse", f"{KEM_PRIMITIVES}::test_twelve_bits_there_and_back")
MLKEM_TESTS: dict[int, tuple[str, ...]] = {
    3: KEM_BITS,
    4: KEM_BITS,
    5: (f"{KEM_PRIMITIVES}::test_u_of_every_value", f"{KEM_PRIMITIVES}::test_v_of_every_value", *KEM_BITS),
    6: (f"{KEM_PRIMITIVES}::test_every_compressed_value_is_decompressed", *KEM_BITS),
    7: (
        f"{KEM_PRIMITIVES}::test_lists_of_jobs_with_and_without_one_beside",
        f"{KEM_PRIMITIVES}::test_an_unlucky_entry_takes_more_blocks",
    ),
    8: (f"{KEM_PRIMITIVES}::test_each_kind_alone_and_in_fours",),
    9: (
        f"{KEM_SPEC}::test_the_ntt_evaluates_at_the_roots_of_the_standard",
        f"{KEM_PRIMITIVES}::test_the_ntt_is_the_standards_within_its_bounds",
    ),
    10: (f"{KEM_PRIMITIVES}::test_the_inverse_ntt_at_its_bounds",),
    11: (
        f"{KEM_SPEC}::test_multiplying_transforms_multiplies_polynomials",
        f"{KEM_PRIMITIVES}::test_products_and_the_inverse_ntt",
    ),
    12: (f"{KEM_PRIMITIVES}::test_products_and_the_inverse_ntt",),
    13: KEM_KEYS,
    14: KEM_ENCAPS,
    15: KEM_DECAPS,
    16: KEM_KEYS,
    17: KEM_ENCAPS,
    18: KEM_DECAPS,
    19: (f"{KEM_SPEC}::test_a_fresh_pair_agrees_and_a_changed_ciphertext_is_rejected_implicitly",),
    20: ("test_mlkem_bugs.py::test_k01_every_coefficient_of_ek_is_checked", "test_mlkem_bugs.py::test_k04_lengths"),
    21: ("test_mlkem_bugs.py::test_k02_k03_a_decapsulation_key_holds_the_hash_of_its_ek", *KEM_DECAPS),
}

STANDARDS = (
    Standard("FIPS 204", "mldsa", dict(enumerate(MLDSA_NAMES, 1)), MLDSA_MERGED, MLDSA_TESTS),
    Standard("FIPS 203", "mlkem", dict(enumerate(MLKEM_NAMES, 3)), MLKEM_MERGED, MLKEM_TESTS),
)

HEAD = """# Traceability

This page is written by tools/traceability.py (`make docs`) from the comments in the core, the docstrings of tests/spec and a table of tests; `make
test` fails where it is out of date, or where an algorithm of FIPS 203 or FIPS 204 lacks an implementation, a specification or a test. Functions whose
names end in `_avx2` are the vector twins of those in `_c`; tests/test_primitives.py and tests/test_mlkem_primitives.py hold each of both to the standard.
"In:" marks an algorithm that has no function of its own, with the functions that hold it. Algorithms 1 and 2 of FIPS 203 are examples of its notation.
"""


def implementations(standard: Standard) -> dict[int, list[str]]:
    """Algorithm -> functions whose comments name it, with their file."""
    found: dict[int, list[str]] = defaultdict(list)
    for path in sources(".c", ".h"):
        for function in functions(path):
            for number in named(function.comment, standard):
                found[number].append(f"`{function.name}` ({function.file.removeprefix('core/src/')})")
    header = standard.header.read_text()
    for comment, name in re.findall(r"/\*((?:(?!\*/).)*)\*/\nGIRIH[^;]*?\b(girih_\w+)\(", header, re.DOTALL):
        for number in named(" ".join(comment.replace("\n *", " ").split()), standard):
            if not any(f"`{name}`" in entry for entry in found[number]):
                found[number].append(f"`{name}` (girih/{standard.header.name})")
    return found


def named(comment: str, standard: Standard) -> list[int]:
    """The algorithms that a comment names as its function's, each as "Algorithm N (Name)" or "Algorithm N, Name"; a name's parameter (_d, _12, _eta)
    does not count. A comment that speaks of another standard names none of this one's."""
    wanted: list[int] = []
    if any(other.name in comment for other in STANDARDS if other != standard) and standard.name not in comment:
        return wanted
    for number, name in re.findall(r"Algorithm (\d+)(?: \(|, )([\w.^-]*\w)", comment):
        plain = re.sub(r"_(d|12|eta)$", "", name)
        if standard.algorithms.get(int(number)) == plain and int(number) not in wanted:
            wanted.append(int(number))
    return wanted


def specifications(standard: Standard) -> dict[int, str]:
    """Algorithm -> function of tests/spec."""
    found: dict[int, str] = {}
    for node in ast.parse(standard.spec.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            for number in named(ast.get_docstring(node) or "", standard)[:1]:
                found.setdefault(number, node.name)
    return found


def defined_functions() -> set[str]:
    """Every function that the core and its ports define or declare."""
    names = {function.name for path in sources(".c", ".h") for function in functions(path)}
    for header in (ROOT / "core" / "include" / "girih").glob("*.h"):
        names.update(re.findall(r"\b(girih_\w+)\(", header.read_text()))
    return names


def check_tests(standard: Standard) -> list[str]:
    """What is wrong with its tests."""
    wrong = []
    known: dict[str, set[str]] = {}
    for number, tests in standard.tests.items():
        for test in tests:
            file, name = test.split("::")
            if file not in known:
                path = ROOT / "tests" / file
                tree = ast.parse(path.read_text()) if path.exists() else ast.Module([], [])
                known[file] = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
            if name not in known[file]:
                wrong.append(f"{standard.name}, Algorithm {number}: there is no test {test}")
    return wrong


def table(standard: Standard) -> str:
    """The rows of a standard; SystemExit with everything that is missing."""
    by_comment, by_docstring, defined = implementations(standard), specifications(standard), defined_functions()
    wrong = check_tests(standard)
    spec = standard.spec.relative_to(ROOT)
    rows = [f"| {standard.name} | C | {spec} | tests |", "|---|---|---|---|"]
    for number, name in standard.algorithms.items():
        cells = list(by_comment.get(number, []))
        what = f"{standard.name}, Algorithm {number}"
        if number in standard.merged:
            holders, how = standard.merged[number]
            wrong += [f"{what}: there is no function {holder}" for holder in holders if holder not in defined]
            cells.append(f"In: {', '.join(f'`{holder}`' for holder in holders)}: {how}")
        if not cells:
            wrong.append(f"{what} ({name}): no function of the core says that it implements it")
        if number not in by_docstring:
            wrong.append(f"{what} ({name}): no function of {spec}")
        if not standard.tests.get(number):
            wrong.append(f"{what} ({name}): no test")
        tests = "<br>".join(test.replace("::", " ") for test in standard.tests.get(number, ()))
        rows.append(f"| {number} {name} | {'<br>'.join(cells)} | `{by_docstring.get(number, '')}` | {tests} |")
    if wrong:
        raise SystemExit("\n".join(wrong))
    return "\n".join(rows) + "\n"


def page() -> str:
    """The page."""
    return HEAD + "".join(f"\n{table(standard)}" for standard in STANDARDS)


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE, page()))
