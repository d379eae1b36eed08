/* ML-DSA: what a backend provides, one polynomial or more at a time. Every entry has a version in portable C (backend/c); tests/core
 * compares each native one with it on random and on boundary input.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conventions. A polynomial is int32_t[256]; a vector is its polynomials one behind another. "centred" is (-q/2, q/2].
 * Polynomials, tables and scratch are aligned to ARENA_ALIGN; byte strings are not, and nothing is read or written beyond them.
 * "NTT domain" is the backend's own order of the 256 values of FIPS 204, Algorithm 41; ntt, intt, the matrix functions and
 * the rows of one backend agree on it. Montgomery: the matrix functions divide by 2^32, intt multiplies by 2^32 / 256, so that
 * intt(A_hat * ntt(y)) = A y in R_q. No branch, no address and no division depends on coefficients, except where an entry says
 * that its input is public. */
#ifndef GIRIH_BACKEND_MLDSA_H
#define GIRIH_BACKEND_MLDSA_H

#include "backend/keccak.h"
#include "mldsa/params.h"

/* Largest absolute value that ntt gives, and that every operand of a product may have. */
#define MLDSA_NTT_BOUND (10 * (int64_t)MLDSA_Q)

/* l products A_hat * y_hat and one c_hat * t1_hat, summed in 64 bits and reduced once (A in [0, q), the others <= 10q). */
_Static_assert((int64_t)MLDSA_MAX_L *MLDSA_Q *MLDSA_NTT_BOUND + MLDSA_NTT_BOUND * MLDSA_NTT_BOUND < ((int64_t)MLDSA_Q << 31),
               "matrix_times_vector_minus: the sum exceeds the input of the Montgomery reduction");

typedef struct {
    size_t rows_bytes;      /* the hashes of a key; secret once rows_secrets has run */
    size_t masks_bytes;     /* a stream of masks; secret */
    size_t secret_bytes;    /* a polynomial of s1 or s2 in the form that products with c want; a multiple of 64 */
    size_t t0_bytes;        /* a polynomial of t0 in its form; a multiple of 64 */
    size_t challenge_bytes; /* c in the form of those products, and room for one */

    /* The hashes of a key: A_hat row by row, ExpandS, and tr = H(pk, 64) of the bytes handed in as the rows of pk are formed. A backend
     * with lanes runs them side by side. rho and pk are public. */
    void (*rows_start)(void *rows, const uint8_t rho[32], const mldsa_params *p, girih_backend id);
    /* FIPS 204, Algorithm 33 (ExpandS). s: l polynomials of s1, then k of s2; coefficients in [-eta, eta]. At most once, before the first
     * row. Which bytes are rejected is public (they are independent of those kept). a_hat: that of rows_next, which may begin. */
    void (*rows_secrets)(void *rows, int32_t *s, int32_t *a_hat, const uint8_t rho_prime[64], const mldsa_params *p);
    /* FIPS 204, Algorithm 32 (ExpandA), the next row of a_hat: k * l polynomials in the backend's layout, coefficients in [0, q). */
    void (*rows_next)(void *rows, int32_t *a_hat, const mldsa_params *p);
    /* The next bytes of pk, p->pk_bytes in all; then tr, after the last row. */
    void (*rows_absorb)(void *rows, const uint8_t *pk, size_t len);
    void (*rows_tr)(void *rows, uint8_t tr[64], const mldsa_params *p);
    /* Polynomial (i, j) of a_hat in the order of the standard. out: aligned as an int32_t. Public. */
    void (*a_hat_entry)(int32_t out[256], const int32_t *a_hat, unsigned i, unsigned j, const mldsa_params *p);
    /* FIPS 204, Algorithm 34 (ExpandMask), as a stream: masks_start takes rho'', then masks_next gives the l polynomials of kappa = 0, of
     * kappa = l, and so on, coefficients in (-gamma1, gamma1]. A backend with idle lanes makes masks before they are asked for. */
    void (*masks_start)(void *masks, const uint8_t rho_prime[64], const mldsa_params *p, girih_backend id);
    void (*masks_next)(int32_t *y, void *masks, const mldsa_params *p);
    /* FIPS 204, Algorithm 7, lines 15 and 16: c_tilde = H(mu || w1), c = SampleInBall(c_tilde). commitment: mu, then k packed polynomials
     * of w1. c_tilde and c are public. masks: a started stream, which may move on. */
    void (*challenge)(uint8_t *c_tilde, int32_t c[256], const uint8_t *commitment, void *masks, const mldsa_params *p, girih_backend id);

    /* Signers side by side: how many a backend takes at once; their masks for kappa[n] from rho_prime + 64 n, to y[n], as masks_next gives
     * them. room: masks_bytes. */
    unsigned lanes;
    void (*masks_of_lanes)(int32_t *const y[], const uint8_t *rho_prime, const unsigned kappa[], unsigned count, void *room,
                           const mldsa_params *p, girih_backend id);

    /* FIPS 204, Algorithm 41 (NTT), in place. In: |a_i| < q. Out: |a_i| <= 10q. */
    void (*ntt)(int32_t a[256]);
    /* FIPS 204, Algorithm 42 (NTT^-1), in place, times 2^32. In: |a_i| < q. Out: |a_i| <= 3q/4. */
    void (*intt)(int32_t a[256]);
    /* w = A_hat * y_hat / 2^32. y_hat: l polynomials, |.| <= 10q. w: k polynomials, |.| < q. */
    void (*matrix_times_vector)(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const mldsa_params *p);
    /* The same for row i alone. */
    void (*row_times_vector)(int32_t w[256], const int32_t *a_hat, unsigned i, const int32_t *y_hat, const mldsa_params *p);
    /* w = (A_hat * z_hat - c_hat * t1_hat) / 2^32. All |.| <= 10q (t1_hat: k polynomials). Out: |.| < q. Public. */
    void (*matrix_times_vector_minus)(int32_t *w, const int32_t *a_hat, const int32_t *z_hat, const int32_t c_hat[256],
                                      const int32_t *t1_hat, const mldsa_params *p);

    /* Products with c, which is small, of s1, s2 and t0, which are small too. form: of a polynomial with coefficients in [-4, 4]
     * (secret_form) or in [-2^12, 2^12] (t0_form). */
    void (*secret_form)(void *form, const int32_t s[256]);
    void (*t0_form)(void *form, const int32_t t0[256]);
    void (*challenge_form)(void *challenge, const int32_t c[256], const mldsa_params *p);
    /* r = a + c s, exact. In: |a_i| <= 2^19. Returns 1 when some |r_i| >= bound, else 0, after reading all of them. r may be a.
     * c is public: its positions may be addresses. */
    uint32_t (*add_secret)(int32_t r[256], const int32_t a[256], void *challenge, const void *form, int32_t bound, const mldsa_params *p);
    /* r = c t0, exact: |r_i| <= tau 2^12. Returns 1 when some |r_i| >= gamma2, else 0. */
    uint32_t (*times_t0)(int32_t r[256], void *challenge, const void *form, const mldsa_params *p);
    /* A fingerprint of a table's polynomials (count words, a multiple of 256), to find corruption: any change of a word changes it but for
     * chance, and it is not linear. Private to the backend. Public. */
    uint32_t (*digest)(const int32_t *words, size_t count);

    /* FIPS 204, Algorithm 35 (Power2Round) and the packing of t1. In: |t_i| < q. t1: 10 bits a coefficient.
     * Out: t_i becomes t0 in (-2^12, 2^12]. */
    void (*power2round)(uint8_t t1[MLDSA_T1_BYTES], int32_t t[256]);
    /* FIPS 204, Algorithm 18 (SimpleBitUnpack) of t1, times 2^d: in [0, q). Public. */
    void (*t1_unpack)(int32_t t1[256], const uint8_t packed[MLDSA_T1_BYTES]);
    /* FIPS 204, Algorithm 36 (Decompose) and Algorithm 28 (w1Encode). In: |w_i| < q. Out: w_i becomes w0 in (-gamma2, gamma2]
     * (-gamma2 too where w1 wraps to 0); w1: p->w1_bytes. */
    void (*decompose)(uint8_t *w1, int32_t w[256], const mldsa_params *p);
    /* FIPS 204, Algorithm 39 (MakeHint) for one polynomial. r: w0 - c s2 + c t0, |r_i| < 2 * gamma2; w1: as decompose gave it.
     * Writes the indices with a hint in rising order, then anything (256 bytes in all); returns their number. */
    unsigned (*make_hint)(uint8_t positions[256], const int32_t r[256], const uint8_t *w1, const mldsa_params *p);
    /* FIPS 204, Algorithm 40 (UseHint) and Algorithm 28 (w1Encode). In: |w_i| < q; count positions in rising order. Public. */
    void (*use_hint)(uint8_t *w1, const int32_t w[256], const uint8_t *positions, unsigned count, const mldsa_params *p);
    /* FIPS 204, Algorithm 17 (BitPack) of z, in (-gamma1, gamma1], to p->z_bytes. */
    void (*z_pack)(uint8_t *packed, const int32_t z[256], const mldsa_params *p);
    /* FIPS 204, Algorithm 19 (BitUnpack) of z. Returns 1 when some |z_i| >= gamma1 - beta, else 0. Public. */
    uint32_t (*z_unpack_exceeds)(int32_t z[256], const uint8_t *packed, const mldsa_params *p);
} mldsa_backend;

/* Portable C. What hashes does so with the Keccak that id names (c or c32); everything else is the same for both. */
#define MLDSA_ROWS_BYTES_C  768
#define MLDSA_MASKS_BYTES_C 1024
void mldsa_rows_start_c(void *rows, const uint8_t rho[32], const mldsa_params *p, girih_backend id);
void mldsa_rows_secrets_c(void *rows, int32_t *s, int32_t *a_hat, const uint8_t rho_prime[64], const mldsa_params *p);
void mldsa_rows_next_c(void *rows, int32_t *a_hat, const mldsa_params *p);
void mldsa_rows_absorb_c(void *rows, const uint8_t *pk, size_t len);
void mldsa_rows_tr_c(void *rows, uint8_t tr[64], const mldsa_params *p);
void mldsa_a_hat_entry_c(int32_t out[256], const int32_t *a_hat, unsigned i, unsigned j, const mldsa_params *p);
void mldsa_masks_start_c(void *masks, const uint8_t rho_prime[64], const mldsa_params *p, girih_backend id);
void mldsa_masks_next_c(int32_t *y, void *masks, const mldsa_params *p);
void mldsa_masks_of_lanes_c(int32_t *const y[], const uint8_t *rho_prime, const unsigned kappa[], unsigned count, void *room,
                            const mldsa_params *p, girih_backend id);
void mldsa_challenge_c(uint8_t *c_tilde, int32_t c[256], const uint8_t *commitment, void *masks, const mldsa_params *p, girih_backend id);
void mldsa_ntt_c(int32_t a[256]);
void mldsa_intt_c(int32_t a[256]);
void mldsa_row_times_vector_c(int32_t w[256], const int32_t *a_hat, unsigned i, const int32_t *y_hat, const mldsa_params *p);
void mldsa_matrix_times_vector_c(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const mldsa_params *p);
void mldsa_matrix_times_vector_minus_c(int32_t *w, const int32_t *a_hat, const int32_t *z_hat, const int32_t c_hat[256],
                                       const int32_t *t1_hat, const mldsa_params *p);
void mldsa_secret_form_c(void *form, const int32_t s[256]);
void mldsa_challenge_form_c(void *challenge, const int32_t c[256], const mldsa_params *p);
uint32_t mldsa_add_secret_c(int32_t r[256], const int32_t a[256], void *challenge, const void *form, int32_t bound, const mldsa_params *p);
uint32_t mldsa_times_t0_c(int32_t r[256], void *challenge, const void *form, const mldsa_params *p);
uint32_t mldsa_digest_c(const int32_t *words, size_t count);
void mldsa_power2round_c(uint8_t t1[MLDSA_T1_BYTES], int32_t t[256]);
void mldsa_t1_unpack_c(int32_t t1[256], const uint8_t packed[MLDSA_T1_BYTES]);
void mldsa_decompose_c(uint8_t *w1, int32_t w[256], const mldsa_params *p);
unsigned mldsa_make_hint_c(uint8_t positions[256], const int32_t r[256], const uint8_t *w1, const mldsa_params *p);
void mldsa_use_hint_c(uint8_t *w1, const int32_t w[256], const uint8_t *positions, unsigned count, const mldsa_params *p);
void mldsa_z_pack_c(uint8_t *packed, const int32_t z[256], const mldsa_params *p);
uint32_t mldsa_z_unpack_exceeds_c(int32_t z[256], const uint8_t *packed, const mldsa_params *p);

#define MLDSA_BACKEND_TABLE_C                                                                                                              \
    {                                                                                                                                      \
        .rows_bytes = MLDSA_ROWS_BYTES_C, .masks_bytes = MLDSA_MASKS_BYTES_C, .secret_bytes = 1024, .t0_bytes = 1024,                      \
        .challenge_bytes = 2048, .rows_start = mldsa_rows_start_c, .rows_secrets = mldsa_rows_secrets_c, .rows_next = mldsa_rows_next_c,   \
        .rows_absorb = mldsa_rows_absorb_c, .rows_tr = mldsa_rows_tr_c, .a_hat_entry = mldsa_a_hat_entry_c,                                \
        .masks_start = mldsa_masks_start_c, .masks_next = mldsa_masks_next_c, .challenge = mldsa_challenge_c, .lanes = 1,                  \
        .masks_of_lanes = mldsa_masks_of_lanes_c, .ntt = mldsa_ntt_c, .intt = mldsa_intt_c,                                                \
        .matrix_times_vector = mldsa_matrix_times_vector_c, .row_times_vector = mldsa_row_times_vector_c,                                  \
        .matrix_times_vector_minus = mldsa_matrix_times_vector_minus_c, .secret_form = mldsa_secret_form_c,                                \
        .t0_form = mldsa_secret_form_c, .challenge_form = mldsa_challenge_form_c, .add_secret = mldsa_add_secret_c,                        \
        .times_t0 = mldsa_times_t0_c, .digest = mldsa_digest_c, .power2round = mldsa_power2round_c, .t1_unpack = mldsa_t1_unpack_c,        \
        .decompose = mldsa_decompose_c, .make_hint = mldsa_make_hint_c, .use_hint = mldsa_use_hint_c, .z_pack = mldsa_z_pack_c,            \
        .z_unpack_exceeds = mldsa_z_unpack_exceeds_c,                                                                                      \
    }

#if defined(GIRIH_BIND)
/* Firmware: the table is a constant of every file that uses it, so calls are direct and what is not called is not linked. */
static const mldsa_backend mldsa_backend_bound = MLDSA_BACKEND_TABLE_C;
static inline const mldsa_backend *mldsa_backend_of(girih_backend id)
{
    (void)id;
    return &mldsa_backend_bound;
}
#else
/* Host: the table of a backend that girih_backend_available() accepts; a key carries the name of its own. */
extern const mldsa_backend mldsa_backend_c, mldsa_backend_avx2, mldsa_backend_avx512;
const mldsa_backend *mldsa_backend_of(girih_backend id);
#endif

#endif
