"""Every primitive of ML-DSA of every backend, on random and on boundary input, against the definition of FIPS 204 where Python is fast
enough for it, and against the portable C backend everywhere. (Those of Keccak: test_primitives_keccak.py.)

The order of a backend's NTT domain is its own affair: it is read off the transform of X, whose values are the roots themselves.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import struct
from collections.abc import Callable, Iterator, Sequence

import pytest

from tests.core.doors import SETS, AtPageEnd, Doors, Memory, N, Polys, Q, backends, doors, polys, rng
from tests.vectors import load

MONTGOMERY = 1 << 32
NTT_BOUND = 10 * Q
OFFSETS = (0, 1, 2, 3, 4, 7, 8, 13, 16, 31, 32, 61)
ZETA = 1753

BACKENDS = backends()
per_backend = pytest.mark.parametrize("d", [doors(name) for name in BACKENDS], ids=BACKENDS)
per_set = pytest.mark.parametrize("parameter_set", SETS)


def boundary_and_random(low: int, high: int, seed: object, count: int = 6) -> Iterator[list[int]]:
    """Polynomials with coefficients in [low, high]: the ends everywhere and alternating, all equal, steps, spikes, and random ones."""
    r = rng(low, high, seed)
    middle = (low + high) // 2
    for value in {low, high, middle, min(max(0, low), high), min(max(1, low), high), min(max(-1, low), high)}:
        yield [value] * N
    for length in (1, 2, 4, 8, 16, 32, 64, 128):
        yield [high if i // length % 2 else low for i in range(N)]
    for position in (0, 1, 7, 8, 127, 128, 254, 255):
        yield [high if i == position else min(max(0, low), high) for i in range(N)]
    for _ in range(count):
        yield [r.randint(low, high) for _ in range(N)]
        yield [r.choice((low, high)) for _ in range(N)]


def residue(x: int) -> int:
    return x % Q


@functools.cache
def roots(backend: str) -> tuple[int, ...]:
    """The root of X^256 + 1 at which each value of the NTT domain is taken, in the backend's order."""
    x = polys([0, 1] + [0] * (N - 2))
    doors(backend).ntt(x)
    return tuple(map(residue, x.values()))


@functools.cache
def standard_roots() -> tuple[int, ...]:
    """... and in the order of FIPS 204, Algorithm 41: value i is taken at 1753^(2 BitRev8(i) + 1)."""
    return tuple(pow(ZETA, 2 * int(f"{i:08b}"[::-1], 2) + 1, Q) for i in range(N))


def from_standard(backend: str, values: Sequence[int]) -> list[int]:
    """Values of the NTT domain in the standard's order, in the backend's."""
    by_root = dict(zip(standard_roots(), values, strict=True))
    return [by_root[root] for root in roots(backend)]


def evaluate(poly: Sequence[int], x: int) -> int:
    value = 0
    for c in reversed(poly):
        value = (value * x + c) % Q
    return value


def bits_of(values: Sequence[int], width: int) -> bytes:
    """FIPS 204, Algorithm 16 (SimpleBitPack)."""
    return sum(v << width * i for i, v in enumerate(values)).to_bytes(len(values) * width // 8, "little")


def fields_of(data: bytes, width: int) -> list[int]:
    """FIPS 204, Algorithm 18 (SimpleBitUnpack)."""
    number = int.from_bytes(data, "little")
    return [number >> width * i & (1 << width) - 1 for i in range(len(data) * 8 // width)]


# ---- transforms and products ----


@per_backend
def test_the_ntt_has_every_root_once(d: Doors) -> None:
    assert sorted(roots(d.backend)) == sorted(standard_roots())


@per_backend
def test_the_portable_order_is_the_standards(d: Doors) -> None:
    if not d.backend.startswith("avx"):
        assert roots(d.backend) == standard_roots()


@per_backend
def test_the_ntt_evaluates(d: Doors) -> None:
    for a in boundary_and_random(-(Q - 1), Q - 1, "ntt", count=2):
        p = polys(a)
        d.ntt(p)
        assert list(map(residue, p.values())) == [evaluate(a, root) for root in roots(d.backend)]
        assert max(map(abs, p.values())) <= NTT_BOUND


@per_backend
def test_the_inverse_undoes_the_ntt(d: Doors) -> None:
    r = rng("intt")
    for a in boundary_and_random(-(Q - 1), Q - 1, "intt"):
        p = polys(a)
        d.ntt(p)
        q = polys([residue(x) - Q * r.randrange(2) if residue(x) else 0 for x in p.values()])
        d.intt(q)
        assert list(map(residue, q.values())) == [x * MONTGOMERY % Q for x in a]


@per_backend
def test_the_inverse_stays_in_its_bounds(d: Doors) -> None:
    """Any values, the extremes too, give what the portable inverse gives, within 3q/4."""
    for a in boundary_and_random(-(Q - 1), Q - 1, "intt bounds", count=20):
        p, expected = polys(from_standard(d.backend, a)), polys(a)
        d.intt(p)
        doors("c").intt(expected)
        assert list(map(residue, p.values())) == list(map(residue, expected.values()))
        assert max(map(abs, p.values())) <= 3 * Q // 4


def matrix(d: Doors, parameter_set: int, rho: bytes) -> tuple[Polys, list[list[list[int]]]]:
    """A_hat in the backend's layout, and its polynomials in the standard's order."""
    k, l = d.param(parameter_set, "k"), d.param(parameter_set, "l")
    a_hat, hashes, tr, entry = Polys(k * l), Memory(d.rows_bytes()), Memory(64), Polys()
    pk = Memory.of(bytes(d.param(parameter_set, "pk_bytes")))
    d.rows(parameter_set, None, a_hat, tr, Memory.of(rho, offset=3), None, pk, 0, hashes)
    hashes.check()
    rows: list[list[list[int]]] = []
    for i in range(k):
        rows.append([])
        for j in range(l):
            d.a_hat_entry(parameter_set, entry, a_hat, i, j)
            rows[i].append(entry.values())
    return a_hat, rows


def rej_ntt_poly(seed: bytes) -> list[int]:
    """FIPS 204, Algorithm 30."""
    stream = hashlib.shake_128(seed).digest(1200)
    candidates = (int.from_bytes(stream[i : i + 3], "little") & 0x7FFFFF for i in range(0, len(stream), 3))
    return [t for t in candidates if t < Q][:N]


@per_backend
@per_set
def test_expand_a(d: Doors, parameter_set: int) -> None:
    for seed in range(8):
        rho = rng("rho", seed).randbytes(32)
        _, rows = matrix(d, parameter_set, rho)
        assert rows == [[rej_ntt_poly(rho + bytes([j, i])) for j in range(len(rows[0]))] for i in range(len(rows))]


@per_backend
@per_set
def test_an_entry_of_the_matrix_may_go_anywhere(d: Doors, parameter_set: int) -> None:
    """The one polynomial that goes to a caller's own memory, aligned as an int32_t."""
    a_hat, rows = matrix(d, parameter_set, bytes(32))
    for offset in range(0, 64, 4):
        out = Memory(4 * N, offset)
        d.a_hat_entry(parameter_set, out, a_hat, 1, 2)
        assert struct.unpack(f"<{N}i", bytes(out)) == tuple(rows[1][2])


def extreme_matrix(d: Doors, parameter_set: int, values: Sequence[int]) -> Polys:
    """A_hat filled without regard to its layout."""
    count = d.param(parameter_set, "k") * d.param(parameter_set, "l")
    return Polys(count, [values[i % len(values)] for i in range(N * count)])


@per_backend
@per_set
@pytest.mark.parametrize("minus", (False, True), ids=("times_vector", "times_vector_minus"))
@pytest.mark.parametrize("fill", ("random", "largest", "smallest", "mixed"))
def test_the_matrix_product(d: Doors, parameter_set: int, minus: bool, fill: str) -> None:
    """Rows of A_hat times a vector (less c_hat times t1_hat), one value of the NTT domain at a time."""
    k, l = d.param(parameter_set, "k"), d.param(parameter_set, "l")
    r = rng("matrix", parameter_set, fill)
    choices: dict[str, Callable[[], int]] = {
        "random": lambda: r.randint(-NTT_BOUND, NTT_BOUND),
        "largest": lambda: NTT_BOUND,
        "smallest": lambda: -NTT_BOUND,
        "mixed": lambda: r.choice((-NTT_BOUND, NTT_BOUND, 0)),
    }
    draw = choices[fill]
    if fill == "random":
        a_hat, _ = matrix(d, parameter_set, r.randbytes(32))
    else:
        a_hat = extreme_matrix(d, parameter_set, [Q - 1] if fill != "mixed" else [0, Q - 1, 1, Q // 2, Q - 2])
    vector = [[draw() for _ in range(N)] for _ in range(l)]
    c_hat, t1_hat = [draw() for _ in range(N)], [[-draw() for _ in range(N)] for _ in range(k)]
    w, row, entry = Polys(k), Polys(), Polys()
    if minus:
        d.matrix_times_vector_minus(parameter_set, w, a_hat, polys(*vector), polys(c_hat), polys(*t1_hat))
    else:
        d.matrix_times_vector(parameter_set, w, a_hat, polys(*vector))
    inverse = pow(MONTGOMERY, -1, Q)
    for i in range(k):
        expected = [-c * t * inverse if minus else 0 for c, t in zip(c_hat, t1_hat[i], strict=True)]
        for j in range(l):
            d.a_hat_entry(parameter_set, entry, a_hat, i, j)
            own = from_standard(d.backend, entry.values())
            expected = [e + x * y * inverse for e, x, y in zip(expected, own, vector[j], strict=True)]
        assert list(map(residue, w.poly(i))) == list(map(residue, expected))
        assert max(map(abs, w.poly(i))) < Q
        if not minus:
            d.row_times_vector(parameter_set, row, a_hat, i, polys(*vector))
            assert row.values() == w.poly(i)


# ---- sampling of secrets ----


def rej_bounded_poly(seed: bytes, eta: int) -> list[int]:
    """FIPS 204, Algorithm 31."""
    stream = hashlib.shake_256(seed).digest(1000)
    halves = (half for byte in stream for half in (byte & 15, byte >> 4))
    if eta == 2:
        return [2 - half % 5 for half in halves if half < 15][:N]
    return [4 - half for half in halves if half < 9][:N]


@per_backend
@per_set
@pytest.mark.parametrize("at_once", (0, 1), ids=("row_by_row", "at_once"))
def test_the_hashes_of_a_key(d: Doors, parameter_set: int, at_once: int) -> None:
    """s1 and s2, A_hat and tr are what they are alone, however their streams share the lanes."""
    k, l, eta = (d.param(parameter_set, name) for name in ("k", "l", "eta"))
    for seed in range(8):
        r = rng("key", parameter_set, seed)
        rho, rho_prime, pk = r.randbytes(32), r.randbytes(64), r.randbytes(d.param(parameter_set, "pk_bytes"))
        s, a_hat, tr, hashes, entry = (
            Polys(k + l),
            Polys(k * l),
            Memory(64, offset=seed),
            Memory(d.rows_bytes()),
            Polys(),
        )
        d.rows(
            parameter_set,
            s,
            a_hat,
            tr,
            Memory.of(rho, seed),
            Memory.of(rho_prime, 5),
            Memory.of(pk, 7),
            at_once,
            hashes,
        )
        hashes.check()
        for i in range(k + l):
            assert s.poly(i) == rej_bounded_poly(rho_prime + bytes([i, 0]), eta)
        for i in range(k):
            for j in range(l):
                d.a_hat_entry(parameter_set, entry, a_hat, i, j)
                assert entry.values() == rej_ntt_poly(rho + bytes([j, i]))
        assert bytes(tr) == hashlib.shake_256(pk).digest(64)


def mask(width: int, rho_prime: bytes, nonce: int) -> list[int]:
    """FIPS 204, Algorithm 34, one polynomial."""
    packed = hashlib.shake_256(rho_prime + nonce.to_bytes(2, "little")).digest(32 * width)
    return [(1 << width - 1) - field for field in fields_of(packed, width)]


def sample_in_ball(c_tilde: bytes, tau: int) -> list[int]:
    """FIPS 204, Algorithm 29."""
    stream = hashlib.shake_256(c_tilde).digest(1000)
    signs, at, c = int.from_bytes(stream[:8], "little"), 8, [0] * N
    for i in range(N - tau, N):
        while stream[at] > i:
            at += 1
        c[i] = c[stream[at]]
        c[stream[at]] = 1 - 2 * (signs & 1)
        signs >>= 1
        at += 1
    return c


@per_backend
@per_set
def test_masks_and_challenges_of_many_attempts(d: Doors, parameter_set: int) -> None:
    """The stream of masks, with a challenge behind each vector but some, which must leave it in order."""
    k, l, tau, bits, w1_bytes, c_tilde_bytes = (
        d.param(parameter_set, name) for name in ("k", "l", "tau", "gamma1_bits", "w1_bytes", "c_tilde_bytes")
    )
    r = rng("attempts", parameter_set)
    rho_prime = r.randbytes(64)
    masks, c, y = Memory(d.masks_bytes()), Polys(), Polys(l)
    d.masks(parameter_set, y, Memory.of(rho_prime, offset=1), 1, masks)
    for attempt in range(40):
        if attempt:
            d.masks_after(parameter_set, y, masks)
        for j in range(l):
            assert y.poly(j) == mask(bits + 1, rho_prime, l * attempt + j)
        if attempt % 7 == 5:
            continue
        commitment = r.randbytes(64 + w1_bytes * k)
        c_tilde = Memory(c_tilde_bytes, offset=attempt)
        d.challenge(parameter_set, c_tilde, c, Memory.of(commitment), masks)
        assert bytes(c_tilde) == hashlib.shake_256(commitment).digest(c_tilde_bytes)
        assert c.values() == sample_in_ball(bytes(c_tilde), tau)
    masks.check()


@per_backend
@per_set
def test_masks_without_challenges(d: Doors, parameter_set: int) -> None:
    l, bits = d.param(parameter_set, "l"), d.param(parameter_set, "gamma1_bits")
    rho_prime, vectors = rng("masks").randbytes(64), 9
    masks, y = Memory(d.masks_bytes()), Polys(l * vectors)
    d.masks(parameter_set, y, Memory.of(rho_prime), vectors, masks)
    masks.check()
    for i in range(l * vectors):
        assert y.poly(i) == mask(bits + 1, rho_prime, i)


# ---- products with the challenge ----


def challenge(d: Doors, parameter_set: int, name: object) -> tuple[list[int], Memory]:
    """A random challenge and its form."""
    r, c = rng("challenge", parameter_set, name), [0] * N
    for i in r.sample(range(N), d.param(parameter_set, "tau")):
        c[i] = r.choice((-1, 1))
    form = Memory(d.challenge_bytes())
    d.challenge_form(parameter_set, form, polys(c))
    return c, form


def negacyclic(c: Sequence[int], s: Sequence[int]) -> list[int]:
    """c s in Z[X] / (X^256 + 1)."""
    r = [0] * N
    for i, x in enumerate(c):
        if x:
            for j, y in enumerate(s):
                r[(i + j) % N] += x * y if i + j < N else -x * y
    return r


def worst(c: Sequence[int], at: int, size: int) -> list[int]:
    """The polynomial with coefficients +-size whose product with c is as large as can be at one place."""
    s = [0] * N
    for i, x in enumerate(c):
        s[(at - i) % N] = size * x if i <= at else -size * x
    return [x or size for x in s]


@per_backend
@per_set
def test_a_secret_times_the_challenge_is_added(d: Doors, parameter_set: int) -> None:
    eta, gamma1 = d.param(parameter_set, "eta"), d.param(parameter_set, "gamma1")
    for name in range(6):
        c, ch = challenge(d, parameter_set, name)
        secrets = [*boundary_and_random(-eta, eta, name, count=2), worst(c, name, eta), worst(c, 255 - name, -eta)]
        masks = list(boundary_and_random(1 - gamma1, gamma1, name, count=len(secrets)))
        for s, a in zip(secrets, masks, strict=False):
            expected = [x + y for x, y in zip(a, negacyclic(c, s), strict=True)]
            norm = max(map(abs, expected))
            form, p, r = Memory(d.secret_bytes()), polys(a), Polys()
            d.secret_form(form, polys(s))
            form.check()
            assert d.add_secret(parameter_set, r, p, ch, form, norm + 1) == 0
            assert r.values() == expected
            assert d.add_secret(parameter_set, p, p, ch, form, norm) == 1
            assert p.values() == expected
            ch.check()


@per_backend
@per_set
def test_the_norm_of_a_sum_sees_every_coefficient(d: Doors, parameter_set: int) -> None:
    bound = d.param(parameter_set, "gamma1") - d.param(parameter_set, "beta")
    _, ch = challenge(d, parameter_set, "norm")
    form = Memory(d.secret_bytes())
    d.secret_form(form, polys([0] * N))
    for i in range(N):
        for value in (bound - 1, bound, 1 - bound, -bound):
            a = [0] * N
            a[i] = value
            assert d.add_secret(parameter_set, Polys(), polys(a), ch, form, bound) == (abs(value) >= bound)


@per_backend
@per_set
def test_t0_times_the_challenge(d: Doors, parameter_set: int) -> None:
    gamma2 = d.param(parameter_set, "gamma2")
    for name in range(6):
        c, ch = challenge(d, parameter_set, name)
        top = 1 << 12
        for t0 in (*boundary_and_random(1 - top, top, name, count=2), worst(c, name, top), worst(c, 255 - name, -top)):
            expected = negacyclic(c, t0)
            form, r = Memory(d.t0_bytes()), Polys()
            d.t0_form(form, polys(t0))
            form.check()
            assert d.times_t0(parameter_set, r, ch, form) == (max(map(abs, expected)) >= gamma2)
            assert r.values() == expected


@per_backend
def test_the_digest_sees_every_word(d: Doors) -> None:
    words = [rng("digest").randrange(Q) for _ in range(N)]
    seen = {d.digest(polys(words), N)}
    for i in range(N):
        for bit in (0, 13, 31):
            flipped = list(words)
            flipped[i] = ctypes.c_int32(flipped[i] ^ 1 << bit).value
            seen.add(d.digest(polys(flipped), N))
    assert len(seen) == 1 + 3 * N


@per_backend
def test_the_digest_is_not_linear(d: Doors) -> None:
    words = [rng("digest").randrange(4, Q) for _ in range(3 * N)]
    whole = d.digest(Polys(3, words), 3 * N)
    for i in range(N):
        changed = list(words)
        for n, step in enumerate((1, -2, 1)):
            changed[N * n + i] += step
        assert d.digest(Polys(3, changed), 3 * N) != whole


# ---- rounding ----


@per_backend
def test_power2round_of_every_residue(d: Doors) -> None:
    assert d.power2round_all() == Q


@per_backend
@pytest.mark.parametrize("parameter_set", (44, 65))
def test_decompose_of_every_residue(d: Doors, parameter_set: int) -> None:
    assert d.decompose_all(parameter_set) == Q


@per_backend
@pytest.mark.parametrize("parameter_set", (44, 65))
def test_use_hint_of_every_residue(d: Doors, parameter_set: int) -> None:
    assert d.use_hint_all(parameter_set) == Q


@pytest.mark.corpus("accumulated ML-DSA field operations")
@pytest.mark.parametrize("backend", [name for name in BACKENDS if name != "c32"])
def test_the_published_digest_of_all_field_operations(backend: str) -> None:
    """c32 does what c does, but for its hash, with which this would take long."""
    for case in load("accumulated ML-DSA field operations"):
        digest = Memory(32)
        doors(backend).field_operations(digest)
        assert bytes(digest).hex() == case["digest"]


@per_backend
@pytest.mark.parametrize("offset", OFFSETS)
def test_power2round_packs_t1(d: Doors, offset: int) -> None:
    for t in boundary_and_random(-(Q - 1), Q - 1, "power2round", count=2):
        p, t1 = polys(t), Memory(320, offset)
        d.power2round(t1, p)
        low = [(r % Q + 4095) % 8192 - 4095 for r in t]
        assert p.values() == low
        assert bytes(t1) == bits_of([(r % Q - r0) >> 13 for r, r0 in zip(t, low, strict=True)], 10)


@per_backend
def test_t1_from_bytes(d: Doors) -> None:
    for values in boundary_and_random(0, 1023, "t1"):
        packed, t1 = AtPageEnd(bits_of(values, 10)), Polys()
        d.t1_unpack(t1, packed)
        assert t1.values() == [v << 13 for v in values]


def decomposed(r: int, gamma2: int) -> tuple[int, int]:
    """FIPS 204, Algorithm 36."""
    r %= Q
    r0 = r % (2 * gamma2)
    if r0 > gamma2:
        r0 -= 2 * gamma2
    return (0, r0 - 1) if r - r0 == Q - 1 else ((r - r0) // (2 * gamma2), r0)


@per_backend
@per_set
@pytest.mark.parametrize("offset", OFFSETS)
def test_decompose_packs_w1(d: Doors, parameter_set: int, offset: int) -> None:
    gamma2, size = d.param(parameter_set, "gamma2"), d.param(parameter_set, "w1_bytes")
    for w in boundary_and_random(-(Q - 1), Q - 1, "decompose", count=2):
        p, w1 = polys(w), Memory(size, offset)
        d.decompose(parameter_set, w1, p)
        pairs = [decomposed(r, gamma2) for r in w]
        assert p.values() == [r0 for _, r0 in pairs]
        assert bytes(w1) == bits_of([r1 for r1, _ in pairs], size * 8 // N)


@per_backend
@per_set
def test_use_hint_at_any_positions(d: Doors, parameter_set: int) -> None:
    gamma2, size = d.param(parameter_set, "gamma2"), d.param(parameter_set, "w1_bytes")
    m, r = (Q - 1) // (2 * gamma2), rng("use_hint", parameter_set)
    edges = [2 * gamma2 * n + distance for n in range(m + 1) for distance in (-1, 0, 1, gamma2)]
    for count in (0, 1, 2, 55, 75, 80, 255, 256):
        for offset in OFFSETS:
            w = [r.choice(edges) % Q if r.randrange(2) else r.randrange(Q) for _ in range(N)]
            hinted = sorted(r.sample(range(N), count))
            expected = []
            for i, x in enumerate(w):
                r1, r0 = decomposed(x, gamma2)
                expected.append((r1 + (1 if r0 > 0 else -1)) % m if i in hinted else r1)
            p = polys([x - Q if x and r.randrange(2) else x for x in w])
            w1 = Memory(size, offset)
            d.use_hint(parameter_set, w1, p, Memory.of(bytes(hinted), offset % 5), count)
            assert bytes(w1) == bits_of(expected, size * 8 // N)


@per_backend
@per_set
def test_make_hint(d: Doors, parameter_set: int) -> None:
    gamma2, size = d.param(parameter_set, "gamma2"), d.param(parameter_set, "w1_bytes")
    m, r = (Q - 1) // (2 * gamma2), rng("make_hint", parameter_set)
    edges = [sign * x for x in (0, 1, gamma2 - 1, gamma2, gamma2 + 1, 2 * gamma2 - 1) for sign in (1, -1)]
    for offset in range(64):
        low = [r.choice(edges) if r.randrange(4) else r.randint(-2 * gamma2 + 1, 2 * gamma2 - 1) for _ in range(N)]
        if offset < len(edges):
            low = [edges[offset]] * N
        high = [r.choice((0, 0, 1, m - 1, r.randrange(m))) for _ in range(N)]
        expected = [i for i in range(N) if abs(low[i]) > gamma2 or (low[i] == -gamma2 and high[i] != 0)]
        positions = Memory(256, offset)
        count = d.make_hint(parameter_set, positions, polys(low), Memory.of(bits_of(high, size * 8 // N), offset % 7))
        assert list(bytes(positions)[:count]) == expected


# ---- z ----


@per_backend
@per_set
@pytest.mark.parametrize("offset", OFFSETS)
def test_z_to_bytes_and_back(d: Doors, parameter_set: int, offset: int) -> None:
    gamma1, beta = d.param(parameter_set, "gamma1"), d.param(parameter_set, "beta")
    size = d.param(parameter_set, "z_bytes")
    for z in boundary_and_random(-gamma1 + 1, gamma1, "z", count=2):
        packed, back = Memory(size, offset), Polys()
        d.z_pack(parameter_set, packed, polys(z))
        assert bytes(packed) == bits_of([gamma1 - c for c in z], size * 8 // N)
        assert d.z_unpack_exceeds(parameter_set, back, packed) == (max(map(abs, z)) >= gamma1 - beta)
        assert back.values() == z


@per_backend
@per_set
def test_the_norm_of_z_sees_every_coefficient(d: Doors, parameter_set: int) -> None:
    gamma1, beta = d.param(parameter_set, "gamma1"), d.param(parameter_set, "beta")
    bound, width = gamma1 - beta, d.param(parameter_set, "z_bytes") * 8 // N
    for i in range(N):
        for value in (bound - 1, bound, -(bound - 1), -bound):
            z = [0] * N
            z[i] = value
            packed = Memory.of(bits_of([gamma1 - c for c in z], width))
            assert d.z_unpack_exceeds(parameter_set, Polys(), packed) == (abs(value) >= bound)


# ---- nothing is read beyond a byte string ----


@per_backend
@per_set
def test_reading_stops_at_the_end(d: Doors, parameter_set: int) -> None:
    r = rng("page", parameter_set)
    z, w1 = Polys(), AtPageEnd(r.randbytes(d.param(parameter_set, "w1_bytes")))
    hashes, masks = Memory(d.rows_bytes()), Memory(d.masks_bytes())
    k, l = d.param(parameter_set, "k"), d.param(parameter_set, "l")
    d.z_unpack_exceeds(parameter_set, z, AtPageEnd(bytes(d.param(parameter_set, "z_bytes"))))
    assert z.values() == [d.param(parameter_set, "gamma1")] * N
    d.make_hint(parameter_set, Memory(256), polys([0] * N), w1)
    d.use_hint(parameter_set, Memory(d.param(parameter_set, "w1_bytes")), polys([0] * N), AtPageEnd(bytes([255])), 1)
    pk, tr = AtPageEnd(bytes(d.param(parameter_set, "pk_bytes"))), AtPageEnd(bytes(64))
    d.rows(parameter_set, Polys(k + l), Polys(k * l), tr, AtPageEnd(bytes(32)), AtPageEnd(bytes(64)), pk, 1, hashes)
    d.masks(parameter_set, Polys(l), AtPageEnd(bytes(64)), 1, masks)
    commitment = AtPageEnd(bytes(64 + k * d.param(parameter_set, "w1_bytes")))
    d.challenge(parameter_set, Memory(d.param(parameter_set, "c_tilde_bytes")), z, commitment, masks)
    hashes.check()
    masks.check()
