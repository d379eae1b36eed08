"""girih's core as the first contestant of ML-KEM races in C (see :mod:`girih.bench.native`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import girih
from girih import _core
from girih.bench.native import Call, Memory, NativeContestant, backend_number, core_size, equal_to, run
from girih.bench.race import Contestant, Mismatch
from girih.bench.workload import KemWorkload

CACHES = {"A": 1, "H": 2, "T": 4}  # GIRIH_MLKEM_CACHE_*
COMBINATIONS = tuple(
    "+".join(name for name, bit in CACHES.items() if caches & bit) or "none" for caches in (0, 1, 2, 4, 3, 5, 6, 7)
)
PREPARED = "A+H"
"""What a prepared key of a race keeps."""
BATCH = 8
"""How many operations one call of a batch does; counts of items are multiples of it."""

Encaps = Callable[[int, int, int], Sequence[Call]]
_SS = _M = 32
_PLACES = 8 * BATCH
_OPERATIONS = range(1, 7)  # girih_mlkem_op
_MAC_KEY = bytes(range(32))


def cache_flags(combination: str) -> int:
    """The flags of a combination: "none", "A", ... "A+H+T"."""
    return sum(CACHES[name] for name in combination.split("+") if name in CACHES)


class Calls:
    """Calls of one implementation on a workload of ML-KEM: memory for inputs and outputs, and contestants.

    The outputs of encapsulations lie one behind the other, ciphertexts and shared secrets apart, so that batches can
    write them too. There are as many places as fit a cache: a program does not write each result to new memory either.
    """

    def __init__(self, who: str, work: KemWorkload) -> None:
        self.who, self.work = who, work
        self.m = m = Memory()
        self.ek, self.dk = m.put(work.ek), m.put(work.dk)
        self.seeds = [m.put(seed) for seed in work.seeds]
        self.ct_len = work.params.ciphertext_size

    @cached_property
    def ms(self) -> int:
        """Where the strings m begin."""
        return self.m.put(b"".join(self.work.ms))

    @cached_property
    def cts(self) -> int:
        """Where the workload's ciphertexts begin."""
        return self.m.put(b"".join(ct for _, ct in self.work.encapsulations))

    def key_generation(self, form: str, call: Encaps, given: bool = True) -> NativeContestant:
        """`call` makes the calls of one key generation: where the encoded keys go, and where the seed is."""
        work, ek_len = self.work, len(self.work.ek)
        places, dk = [self.m.space(ek_len) for _ in range(_PLACES)], self.m.space(len(work.dk))
        eks = [places[i % _PLACES] for i in range(work.count)]
        calls = [call(ek, dk, seed) for ek, seed in zip(eks, self.seeds, strict=True)]
        right = equal_to(work.eks) if given else lambda _, got: work.is_key(got)
        return NativeContestant(self.who, "keygen", form, self.m, calls, eks, ek_len, right, _PLACES)

    def encapsulation(self, form: str, call: Encaps, given: bool = True) -> NativeContestant:
        """`call` makes the calls of one encapsulation: where ciphertext and shared secret go, and where m is."""
        work, count, ct_len = self.work, self.work.count, self.ct_len
        cts, sss = self.m.space(_PLACES * ct_len), self.m.space(_PLACES * _SS)
        outs = [(cts + i % _PLACES * ct_len, sss + i % _PLACES * _SS) for i in range(count)]
        calls = [call(ct, ss, self.ms + _M * i) for i, (ct, ss) in enumerate(outs)]
        expected = work.encapsulations if given else []

        def accept(i: int, ct: bytes) -> bool:
            ss = self.m.get(outs[i][1], _SS)
            return (ss, ct) == expected[i] if given else work.agrees(ss, ct)

        return NativeContestant(
            self.who, "encaps", form, self.m, calls, [ct for ct, _ in outs], ct_len, accept, _PLACES
        )

    def decapsulation(self, form: str, call: Callable[[int, int], Sequence[Call]]) -> NativeContestant:
        """`call` makes the calls of one decapsulation: where the shared secret goes, and where the ciphertext is."""
        sss = self.m.space(_PLACES * _SS)
        outs = [sss + i % _PLACES * _SS for i in range(self.work.count)]
        calls = [call(ss, self.cts + i * self.ct_len) for i, ss in enumerate(outs)]
        right = equal_to([ss for ss, _ in self.work.encapsulations])
        return NativeContestant(self.who, "decaps", form, self.m, calls, outs, _SS, right, _PLACES)


class Core(Calls):
    """The functions of girih's core, with the backend in use."""

    def __init__(self, work: KemWorkload) -> None:
        super().__init__(f"girih C core, {girih.backend()}", work)
        self.f = _core.c_functions()
        self.number = int(work.parameter_set.removeprefix("ML-KEM-"))
        self.backend = backend_number(girih.backend())
        size = max(
            core_size("girih_mlkem_workspace_bytes", self.number, op, caches, self.backend)
            for op in _OPERATIONS
            for caches in range(8)
        )
        self.ws = (self.m.space(size), size)

    def cache_bytes(self, combination: str) -> int:
        """Bytes of the caches of a key object."""
        return core_size("girih_mlkem_cache_bytes", self.number, cache_flags(combination), self.backend)

    def export_bytes(self, combination: str) -> int:
        """Bytes of these caches, exported."""
        return core_size("girih_mlkem_export_bytes", self.number, cache_flags(combination))

    # ---- keys

    def key_pair(self, combination: str) -> tuple[int, Callable[[int], Call]]:
        """Memory for a dk object with these caches, and the call that makes it of the seed at an address."""
        caches = cache_flags(combination)
        size = core_size("girih_mlkem_dk_bytes", self.number, caches, self.backend)
        dk, load = self.m.space(size), self.f["girih_mlkem_seed_load"]
        return dk, lambda seed: (load, (dk, size, self.number, caches, self.backend, seed, *self.ws))

    def remote_key(self, combination: str) -> tuple[int, Call]:
        """Memory for an ek object with these caches, and the call that makes it of the encoded key, deriving them."""
        caches = cache_flags(combination)
        size = core_size("girih_mlkem_ek_bytes", self.number, caches, self.backend)
        ek, encoded = self.m.space(size), (self.ek, len(self.work.ek))
        return ek, (
            self.f["girih_mlkem_ek_load"],
            (ek, size, self.number, caches, self.backend, *encoded, *self.ws),
        )

    def imported_key(self, combination: str, trusted: bool) -> tuple[int, Call]:
        """The same, with the caches imported: their MAC is checked, or they are trusted."""
        caches = cache_flags(combination)
        source, load = self.remote_key(combination)
        length = self.export_bytes(combination)
        exported, mac_key = self.m.space(length), (self.m.put(_MAC_KEY), len(_MAC_KEY))
        self.make(load)
        self.make((self.f["girih_mlkem_ek_export"], (exported, length, source, *mac_key)))
        ek, (_, (_, size, *_)) = self.remote_key(combination)
        given = (self.ek, len(self.work.ek), exported, length, *((0, 0) if trusted else mac_key))
        return ek, (
            self.f["girih_mlkem_ek_import"],
            (ek, size, self.number, caches, self.backend, *given, *self.ws),
        )

    def make(self, call: Call) -> None:
        """Make one call that prepares."""
        function, arguments = call
        if not run(function, *arguments):
            raise Mismatch(f"{self.who}: a key of the workload cannot be made")

    def encoding_of(self, ek: int) -> int:
        """The address of the encoded key in an ek object."""
        return _pointer(self.f["girih_mlkem_ek_encoding"], ek)

    def public_of(self, dk: int) -> int:
        """The ek object in a dk object."""
        return _pointer(self.f["girih_mlkem_dk_public"], dk)

    def random(self, out: int, length: int) -> Call:
        """Fresh bytes of the system."""
        return self.f["girih_random_bytes"], (out, length)

    # ---- contestants

    def preparation(self, combination: str, form: str) -> NativeContestant:
        """Key objects of the seeds."""
        dk, load = self.key_pair(combination)
        self.make(load(self.seeds[0]))
        encoded = [self.encoding_of(self.public_of(dk))] * len(self.seeds)
        calls, right = [[load(seed)] for seed in self.seeds], equal_to(self.work.eks)
        return NativeContestant(self.who, "keygen", form, self.m, calls, encoded, len(self.work.ek), right, kept=1)

    def loading(self, form: str, key: tuple[int, Call]) -> NativeContestant:
        """The making of a remote key's object, over and over."""
        ek, load = key
        self.make(load)
        count, encoded = self.work.count, [self.encoding_of(ek)] * self.work.count
        right = equal_to([self.work.ek] * count)
        return NativeContestant(
            self.who, "load", form, self.m, [[load]] * count, encoded, len(self.work.ek), right, kept=1
        )

    def encapsulation_with(self, ek: int, form: str) -> NativeContestant:
        """Encapsulation with an ek object."""
        return self.encapsulation(form, self.encaps(ek))

    def decapsulation_with(self, dk: int, form: str, *before: Call) -> NativeContestant:
        """Decapsulation with a dk object, after calls that make it."""
        decaps = self.f["girih_mlkem_dk_decaps"]
        return self.decapsulation(form, lambda ss, ct: [*before, (decaps, (ss, dk, ct, self.ct_len, *self.ws))])

    def encaps(self, ek: int) -> Encaps:
        """Makes the call of one encapsulation with an ek object."""
        function = self.f["girih_mlkem_ek_encaps"]
        return lambda ct, ss, m: [(function, (ct, self.ct_len, ss, ek, m, *self.ws))]

    def fresh(self, length: int, call: Encaps) -> Encaps:
        """`call` with its randomness drawn from the system first."""
        random, out = self.f["girih_random_bytes"], self.m.space(length)
        return lambda a, b, _: [(random, (out, length)), *call(a, b, out)]


def own_contestants(work: KemWorkload, op: str) -> Iterator[Contestant]:
    """girih's core with the backend in use.

    Prepared: an object with A_hat and H(ek); key generation makes one, with the encoded key in it.
    """
    yield from {"keygen": _keygen, "encaps": _encaps, "decaps": _decaps}[op](Core(work))


def _keygen(core: Core) -> Iterator[Contestant]:
    yield core.preparation(PREPARED, "prepared, given")
    function, lengths = core.f["girih_mlkem_keygen"], (len(core.work.ek), len(core.work.dk))

    def keygen(ek: int, dk: int, seed: int) -> list[Call]:
        return [(function, (ek, lengths[0], dk, lengths[1], core.number, core.backend, seed, *core.ws))]

    yield core.key_generation("to-bytes, given", keygen)
    yield core.key_generation("to-bytes, system", core.fresh(len(core.work.seeds[0]), keygen), given=False)


def _encaps(core: Core) -> Iterator[Contestant]:
    ek, load = core.remote_key(PREPARED)
    core.make(load)
    many, from_bytes = core.f["girih_mlkem_encaps_many"], core.f["girih_mlkem_encaps"]
    encoded = (core.ek, len(core.work.ek))

    def batch(ct: int, ss: int, m: int) -> list[Call]:
        first = (m - core.ms) // _M % BATCH == 0  # its call does the others too
        return [(many, (ct, ss, ek, m, BATCH, *core.ws))] if first else []

    def once(ct: int, ss: int, m: int) -> list[Call]:
        return [(from_bytes, (ct, core.ct_len, ss, core.number, core.backend, *encoded, m, *core.ws))]

    for form, call in (("prepared", core.encaps(ek)), ("from-bytes", once)):
        yield core.encapsulation(f"{form}, given", call)
        yield core.encapsulation(f"{form}, system", core.fresh(_M, call), given=False)
    yield core.encapsulation("batch, given", batch)


def _decaps(core: Core) -> Iterator[Contestant]:
    dk, load = core.key_pair(PREPARED)
    core.make(load(core.seeds[0]))
    many, from_bytes, ct_len = core.f["girih_mlkem_decaps_many"], core.f["girih_mlkem_decaps"], core.ct_len
    encoded = (core.dk, len(core.work.dk))

    def batch(ss: int, ct: int) -> list[Call]:
        first = (ct - core.cts) // ct_len % BATCH == 0
        return [(many, (ss, dk, ct, BATCH, *core.ws))] if first else []

    yield core.decapsulation_with(dk, "prepared")
    yield core.decapsulation(
        "from-bytes", lambda ss, ct: [(from_bytes, (ss, core.number, core.backend, *encoded, ct, ct_len, *core.ws))]
    )
    bare, load_bare = core.key_pair("none")
    yield core.decapsulation_with(bare, "from-seed", load_bare(core.seeds[0]))
    yield core.decapsulation("batch", batch)


def _pointer(function: int, argument: int) -> int:
    """What a function of a pointer that returns a pointer returns."""
    address = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(function)(argument)
    return int(address)
