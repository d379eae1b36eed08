/* Steps for drivers that hold as little as they can: polynomials that come out of a hash piece by piece and are used up at once, vectors
 * packed to 24 bits a coefficient, products with the sparse challenge that need no transform. Portable C only.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_STREAM_H
#define GIRIH_MLDSA_STREAM_H

#include "backend/c/mldsa_rounding.h"
#include "backend/mldsa.h"
#include "common/compiler.h"
#include "keccak/sponge.h"

/* 256 coefficients of 24 bits, two's complement, in two planes: any even address will do. */
typedef struct {
    uint16_t low[256];
    int8_t high[256];
} mldsa_row;

_Static_assert(sizeof(mldsa_row) == 768 && MLDSA_Q < 1 << 23, "a row holds every value of (-q, q)");

GIRIH_INLINE int32_t mldsa_row_get(const mldsa_row *row, unsigned i)
{
    return (int32_t)((uint32_t)row->high[i] << 16 | row->low[i]);
}

GIRIH_INLINE void mldsa_row_put(mldsa_row *row, unsigned i, int32_t value)
{
    row->low[i] = (uint16_t)value;
    row->high[i] = (int8_t)(value >> 16);
}

void mldsa_row_load(int32_t a[256], const mldsa_row *row);

/* |a| < 2^30. Out: congruent mod q, |.| <= 2^22 + |a| / 1023 < q. */
GIRIH_INLINE int32_t mldsa_reduce(int32_t a)
{
    return a - ((a + (1 << 22)) >> 23) * MLDSA_Q;
}

/* The sponge of seed || nonce (two bytes, low first), ready to squeeze. */
void mldsa_stream_start(girih_sha3 *xof, unsigned rate, const uint8_t *seed, size_t seed_len, unsigned nonce, girih_backend id);

/* FIPS 204, Algorithm 30 (RejNTTPoly), polynomial (i, j) of A_hat: into a row; or times y_hat / 2^32, added to a row. In: y_hat as from
 * the NTT; |row| <= q/2 + 2^13. Out: |row| <= q/2 + 2^13. */
void mldsa_a_hat_row(mldsa_row *row, const uint8_t rho[32], unsigned i, unsigned j, girih_sha3 *xof, girih_backend id);
void mldsa_a_hat_add_product(mldsa_row *row, const int32_t y_hat[256], const uint8_t rho[32], unsigned i, unsigned j, girih_sha3 *xof,
                             girih_backend id);

/* FIPS 204, Algorithm 31 (RejBoundedPoly), polynomial r of ExpandS. Out: in [-eta, eta]. */
void mldsa_secret_poly(int32_t s[256], const uint8_t rho_prime[64], unsigned r, const mldsa_params *p, girih_sha3 *xof, girih_backend id);

/* Masks come in pieces: as many coefficients as end at a byte and at a lane of the hash, unpacked eight at a time. */
#define MLDSA_PIECE_BYTES 72
GIRIH_INLINE unsigned mldsa_piece_coefficients(const mldsa_params *p)
{
    return p->gamma1_bits == 17 ? 32 : 16; /* 72 or 40 bytes */
}

/* FIPS 204, Algorithm 19 (BitUnpack) and Algorithm 17 (BitPack) with b = gamma1, eight coefficients in 18 or 20 bytes. */
void mldsa_z_unpack_eight(int32_t z[8], const uint8_t *packed, const mldsa_params *p);
void mldsa_z_pack_eight(uint8_t *packed, const int32_t z[8], const mldsa_params *p);

#define MLDSA_MAX_TAU 60

/* The challenge as the places of its +1, then of its -1. */
typedef struct {
    uint8_t positives, count;
    uint8_t place[MLDSA_MAX_TAU];
} mldsa_sparse;

/* FIPS 204, Algorithm 29 (SampleInBall). room: 256 bytes. Public. */
void mldsa_sparse_challenge(mldsa_sparse *c, const uint8_t *c_tilde, int8_t room[256], const mldsa_params *p, girih_sha3 *xof,
                            girih_backend id);

/* A polynomial with small coefficients, made ready for products with c: its first eight follow it, negated. */
typedef struct {
    int16_t s[256 + 8];
} mldsa_small;

/* s_i of packed polynomials of s1, s2 (FIPS 204, Algorithm 25, lines 5-10), of t0 (line 12), of t1 (Algorithm 23). */
void mldsa_small_secret(mldsa_small *out, const uint8_t *packed, const mldsa_params *p);
void mldsa_small_t0(mldsa_small *out, const uint8_t packed[MLDSA_T0_BYTES]);
void mldsa_small_t1(mldsa_small *out, const uint8_t packed[MLDSA_T1_BYTES]);

/* Coefficients i..i+7 of c s in Z[X]/(X^256 + 1), exact. i: a multiple of 8. c is public, its places are addresses. */
void mldsa_small_times(int32_t product[8], const mldsa_small *s, const mldsa_sparse *c, unsigned i);

/* FIPS 204, Algorithm 39 (MakeHint) for coefficient i of a polynomial: r = w - c s2 in [0, q). Appends i to the n hints where there is
 * one; returns their number, p->omega + 1 when they are too many (that one is not stored). */
unsigned mldsa_hint_append(uint8_t *hints, unsigned n, unsigned i, int32_t r, int32_t ct0, const mldsa_params *p);

#endif
