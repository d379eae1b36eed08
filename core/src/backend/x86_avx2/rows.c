/* The hashes of a key: ExpandA, ExpandS and tr, side by side in four lanes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A lane without work takes the next polynomial of s1 and s2, then of A_hat, row by row. Lane 0 takes a block of the public key instead
 * when there is one to be hashed: each row of A_hat gives two or three of them, while the next rows are sampled. */
#include "backend/x86_avx2/compress.h"
#include "backend/x86_avx2/lanes.h"
#include "backend/x86_avx2/table.h"
#include "common/ct.h"

#define A_BLOCKS      5              /* 840 bytes: 280 candidates, of which 1 in 1000 is refused: too few with probability 2^-132 */
#define POLY_ROOM     (MLDSA_N + 16) /* sixteen candidates are stored at a time */
#define MOST_PK_BYTES GIRIH_MLDSA_87_PUBLIC_KEY_BYTES

typedef enum { IDLE, MATRIX, SECRET, HASH } work;

typedef struct {
    work kind;
    unsigned row, column; /* of the polynomial of A_hat; column: its number in s1, s2 */
    unsigned blocks;      /* squeezed and not yet looked at */
    unsigned n, placed;   /* coefficients so far; of them in A_hat */
} lane;

typedef struct {
    _Alignas(ARENA_ALIGN) uint64_t s[200];                            /* the four states and the permutation's working space */
    _Alignas(ARENA_ALIGN) uint8_t bytes[4][A_BLOCKS * SHAKE128_RATE]; /* squeezed by each lane */
    _Alignas(ARENA_ALIGN) int32_t poly[4][POLY_ROOM]; /* of A_hat, in the order of the standard; or of s, a byte a coefficient */
    girih_backend id;
    keccak_x4 permute;
    uint64_t rho[4], rho_prime[8];
    lane lanes[4];
    unsigned next_row, next_column; /* of the polynomial of A_hat that is to be begun */
    unsigned secret_next, secret_count, secrets_left;
    unsigned row, row_left[MLDSA_MAX_K]; /* rows handed out; polynomials that rows still want */
    uint64_t pk_state[25];
    unsigned pk_filled, pk_hashed;
    uint8_t pk[MOST_PK_BYTES];
} key_rows;

_Static_assert(sizeof(key_rows) <= MLDSA_ROWS_BYTES_AVX2, "rows of backend avx2");

INLINE __m256i two_halves(const uint8_t *low, const uint8_t *high)
{
    return _mm256_set_m128i(_mm_loadu_si128((const __m128i *)high), _mm_loadu_si128((const __m128i *)low));
}

/* Eight candidates of 23 bits. */
INLINE __m256i candidates(const uint8_t *bytes)
{
    const __m256i spread =
        _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1);

    return _mm256_and_si256(_mm256_shuffle_epi8(two_halves(bytes, bytes + 8), spread), splat(0x7FFFFF));
}

/* Which of them are below q. */
INLINE unsigned below_q(__m256i t)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(splat(MLDSA_Q), t)));
}

/* The kept ones of eight candidates to a + n, where eight have room; returns n and their number. */
INLINE unsigned keep(int32_t *a, unsigned n, __m256i t, unsigned kept)
{
    const __m256i places = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)girih_compress_table[kept]));

    _mm256_storeu_si256((__m256i *)(a + n), _mm256_permutevar8x32_epi32(t, places));
    return n + (unsigned)_mm_popcnt_u32(kept);
}

/* Sixteen candidates in the order of A_hat, if all of them are kept. */
INLINE int sixteen(__m256i *x, __m256i *y, const uint8_t *bytes)
{
    /* Three bytes each: 0 2 1 3, 8 10 9 11 and 4 6 5 7, 12 14 13 15, which then alternate. */
    const __m128i first = _mm_setr_epi8(0, 1, 2, -1, 6, 7, 8, -1, 3, 4, 5, -1, 9, 10, 11, -1);
    const __m128i second = _mm_setr_epi8(4, 5, 6, -1, 10, 11, 12, -1, 7, 8, 9, -1, 13, 14, 15, -1);
    const __m256i mask = splat(0x7FFFFF);
    const __m256i t = _mm256_and_si256(_mm256_shuffle_epi8(two_halves(bytes, bytes + 24), both_halves(first)), mask);
    const __m256i u = _mm256_and_si256(_mm256_shuffle_epi8(two_halves(bytes + 8, bytes + 32), both_halves(second)), mask);

    *x = _mm256_unpacklo_epi32(t, u);
    *y = _mm256_unpackhi_epi32(t, u);
    return _mm256_movemask_epi8(_mm256_cmpgt_epi32(splat(MLDSA_Q), _mm256_max_epi32(t, u))) == -1;
}

/* The coefficients before the first sixteen candidates of which one is refused, which one polynomial in five has, into their places in
 * A_hat; returns their number. a: vector 0 of the polynomial; stride: to the next one. Public. */
INLINE unsigned place_sixteens(int32_t *a, unsigned stride, const uint8_t *bytes)
{
    unsigned n = 0;
    __m256i x, y;

    for (; n < MLDSA_N && sixteen(&x, &y, bytes); n += 16, bytes += 48, a += 2 * stride) {
        store(a, x);
        store(a + stride, y);
    }
    return n;
}

/* FIPS 204, Algorithm 30 (RejNTTPoly) with Algorithm 14 (CoeffFromThreeBytes), from n coefficients on; returns how many there are then (256
 * or more: all). a: room for POLY_ROOM. len: a multiple of 24. Public. */
INLINE unsigned rej_ntt_poly(int32_t *a, unsigned n, const uint8_t *bytes, unsigned len)
{
    unsigned i = 0;

    for (; i + 48 <= len && n < MLDSA_N; i += 48) {
        const __m256i t = candidates(bytes + i), u = candidates(bytes + i + 24);
        const unsigned kept_t = below_q(t), kept_u = below_q(u);

        if ((kept_t & kept_u) == 0xFF) { /* all but one in 60 times */
            _mm256_storeu_si256((__m256i *)(a + n), t);
            _mm256_storeu_si256((__m256i *)(a + n + 8), u);
            n += 16;
        } else {
            n = keep(a, n, t, kept_t);
            n = keep(a, n, u, kept_u);
        }
    }
    for (; i < len && n < MLDSA_N; i += 24) {
        const __m256i t = candidates(bytes + i);

        n = keep(a, n, t, below_q(t));
    }
    return n;
}

/* FIPS 204, Algorithm 31 (RejBoundedPoly) with Algorithm 15 (CoeffFromHalfByte), from n coefficients on; returns how many there are then.
 * s: a byte a coefficient, room for 256 + 16.
 * CT: the values only pass through vector instructions; which half-bytes are refused is public. */
INLINE unsigned rej_bounded_poly(int8_t *s, unsigned n, const uint8_t bytes[SHAKE256_RATE], unsigned eta)
{
    /* eta - (b mod 5) for b < 15, or eta - b for b < 9 */
    const __m128i values = eta == 2 ? _mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0)
                                    : _mm_setr_epi8(4, 3, 2, 1, 0, -1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0);
    const __m128i limit = _mm_set1_epi8(eta == 2 ? 15 : 9), low_half = _mm_set1_epi8(15);

    for (unsigned i = 0; i < SHAKE256_RATE && n < MLDSA_N; i += 8) {
        const __m128i x = _mm_loadl_epi64((const __m128i *)(bytes + i));
        const __m128i halves = _mm_unpacklo_epi8(_mm_and_si128(x, low_half), _mm_and_si128(_mm_srli_epi16(x, 4), low_half));
        const __m128i v = _mm_shuffle_epi8(values, halves);
        unsigned kept = (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(halves, limit));

        GIRIH_DECLASSIFY(&kept, sizeof kept, "ExpandS: which half-bytes are refused says nothing about those that are kept");
        _mm_storel_epi64((__m128i *)(s + n), _mm_shuffle_epi8(v, _mm_cvtsi64_si128((long long)girih_compress_table[kept & 0xFF])));
        n += (unsigned)_mm_popcnt_u32(kept & 0xFF);
        _mm_storel_epi64((__m128i *)(s + n),
                         _mm_shuffle_epi8(_mm_srli_si128(v, 8), _mm_cvtsi64_si128((long long)girih_compress_table[kept >> 8])));
        n += (unsigned)_mm_popcnt_u32(kept >> 8);
    }
    return n;
}

/* Gives an idle lane its next work. */
static void begin(key_rows *r, unsigned n, const mldsa_params *p)
{
    lane *w = &r->lanes[n];

    w->blocks = w->n = w->placed = 0;
    if (n == 0 && r->pk_filled - r->pk_hashed >= SHAKE256_RATE) {
        for (unsigned i = 0; i < 25; i++)
            lane_put(r->s, i, only_lane(0), r->pk_state[i] ^ (i < SHAKE256_RATE / 8 ? load_le64(r->pk + r->pk_hashed + 8 * i) : 0));
        r->pk_hashed += SHAKE256_RATE;
        w->kind = HASH;
    } else if (r->secret_next < r->secret_count) {
        w->kind = SECRET;
        w->column = r->secret_next++;
        lane_start(r->s, n, r->rho_prime, 8, w->column | (uint64_t)SHAKE_SUFFIX << 16, SHAKE256_RATE);
    } else if (r->next_row < p->k) {
        w->kind = MATRIX;
        w->row = r->next_row;
        w->column = r->next_column++;
        lane_start(r->s, n, r->rho, 4, w->row << 8 | w->column | (uint64_t)SHAKE_SUFFIX << 16, SHAKE128_RATE);
        if (r->next_column == p->l) {
            r->next_column = 0;
            r->next_row++;
        }
    }
}

/* The blocks of a lane's polynomial of A_hat. */
static void consume_matrix(key_rows *r, unsigned n, int32_t *a_hat, const mldsa_params *p)
{
    lane *w = &r->lanes[n];
    const uint8_t *bytes = r->bytes[n];
    unsigned len = SHAKE128_RATE * w->blocks;

    w->blocks = 0;
    if (w->n == 0) {
        w->n = w->placed = place_sixteens(a_hat + 8 * (p->l * w->row + w->column), 8 * p->k * p->l, bytes);
        bytes += 3 * w->n;
        len -= 3 * w->n;
    }
    w->n = rej_ntt_poly(r->poly[n], w->n, bytes, len);
    if (w->n < MLDSA_N)
        return;
    mldsa_a_hat_insert_avx2(a_hat, r->poly[n], w->placed, w->row, w->column, p);
    r->row_left[w->row]--;
    w->kind = IDLE;
}

/* What a lane does with the block that it has squeezed. */
static void consume(key_rows *r, unsigned n, int32_t *s, int32_t *a_hat, const mldsa_params *p)
{
    lane *w = &r->lanes[n];

    switch (w->kind) {
    case IDLE:
        return;
    case HASH:
        for (unsigned i = 0; i < 25; i++)
            r->pk_state[i] = r->s[4 * i];
        break;
    case SECRET:
        w->n = rej_bounded_poly((int8_t *)r->poly[n], w->n, r->bytes[n], p->eta);
        if (w->n < MLDSA_N)
            return;
        for (unsigned i = 0; i < MLDSA_N; i += 8)
            store(s + MLDSA_N * w->column + i, _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)((const int8_t *)r->poly[n] + i))));
        r->secrets_left--;
        break;
    case MATRIX:
        w->blocks++;
        if (w->n != 0 || w->blocks == A_BLOCKS)
            consume_matrix(r, n, a_hat, p);
        return;
    }
    w->kind = IDLE;
}

/* One permutation. s: where s1 and s2 go, as long as they are wanted. */
static void step(key_rows *r, int32_t *s, int32_t *a_hat, const mldsa_params *p)
{
    uint8_t *out[4];

    for (unsigned n = 0; n < 4; n++) {
        if (r->lanes[n].kind == IDLE)
            begin(r, n, p);
        out[n] = r->bytes[n] + SHAKE128_RATE * r->lanes[n].blocks;
    }
    r->permute(r->s);
    lanes_extract(out, r->s, SHAKE128_RATE);
    for (unsigned n = 0; n < 4; n++)
        consume(r, n, s, a_hat, p);
}

void mldsa_rows_start_avx2(void *rows, const uint8_t rho[32], const mldsa_params *p, girih_backend id)
{
    key_rows *r = (key_rows *)rows;

    r->id = id;
    r->permute = keccak_x4_of(id);
    memset(r->s, 0, sizeof r->s); /* lanes that never get work are permuted all the same */
    memset(r->pk_state, 0, sizeof r->pk_state);
    memcpy(r->rho, rho, sizeof r->rho);
    for (unsigned n = 0; n < 4; n++)
        r->lanes[n] = (lane){IDLE, 0, 0, 0, 0, 0};
    for (unsigned i = 0; i < p->k; i++)
        r->row_left[i] = p->l;
    r->next_row = r->next_column = r->secret_next = r->secret_count = r->secrets_left = r->row = r->pk_filled = r->pk_hashed = 0;
}

/* FIPS 204, Algorithm 33 (ExpandS). */
void mldsa_rows_secrets_avx2(void *rows, int32_t *s, int32_t *a_hat, const uint8_t rho_prime[64], const mldsa_params *p)
{
    key_rows *r = (key_rows *)rows;

    memcpy(r->rho_prime, rho_prime, sizeof r->rho_prime);
    r->secret_count = r->secrets_left = p->l + p->k;
    while (r->secrets_left != 0)
        step(r, s, a_hat, p);
}

/* FIPS 204, Algorithm 32 (ExpandA), the next row. */
void mldsa_rows_next_avx2(void *rows, int32_t *a_hat, const mldsa_params *p)
{
    key_rows *r = (key_rows *)rows;

    while (r->row_left[r->row] != 0)
        step(r, NULL, a_hat, p);
    r->row++;
}

void mldsa_rows_absorb_avx2(void *rows, const uint8_t *pk, size_t len)
{
    key_rows *r = (key_rows *)rows;

    memcpy(r->pk + r->pk_filled, pk, len);
    r->pk_filled += (unsigned)len;
}

/* What no lane has taken is hashed alone. */
void mldsa_rows_tr_avx2(void *rows, uint8_t tr[64], const mldsa_params *p)
{
    key_rows *r = (key_rows *)rows;
    girih_sha3 h;

    (void)p;
    keccak_init(&h, SHAKE256_RATE, SHAKE_SUFFIX, r->id);
    memcpy(h.state.lane, r->pk_state, sizeof r->pk_state);
    keccak_absorb(&h, r->pk + r->pk_hashed, r->pk_filled - r->pk_hashed);
    keccak_squeeze(&h, tr, GIRIH_MLDSA_TR_BYTES);
}
