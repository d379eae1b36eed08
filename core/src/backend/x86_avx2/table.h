/* The entries of the AVX2 and AVX-512 tables; contracts and ranges are those of backend/mldsa.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_X86_AVX2_TABLE_H
#define GIRIH_BACKEND_X86_AVX2_TABLE_H

#include "backend/mldsa.h"
#include "common/arena.h"

#define MLDSA_ROWS_BYTES_AVX2      ARENA_ROUND(13056)
#define MLDSA_MASKS_BYTES_AVX2     ARENA_ROUND(10368)
#define MLDSA_CHALLENGE_BYTES_AVX2 ARENA_ROUND(704)

void mldsa_rows_start_avx2(void *rows, const uint8_t rho[32], const mldsa_params *p, girih_backend id);
void mldsa_rows_secrets_avx2(void *rows, int32_t *s, int32_t *a_hat, const uint8_t rho_prime[64], const mldsa_params *p);
void mldsa_rows_next_avx2(void *rows, int32_t *a_hat, const mldsa_params *p);
void mldsa_rows_absorb_avx2(void *rows, const uint8_t *pk, size_t len);
void mldsa_rows_tr_avx2(void *rows, uint8_t tr[64], const mldsa_params *p);
void mldsa_masks_start_avx2(void *masks, const uint8_t rho_prime[64], const mldsa_params *p, girih_backend id);
void mldsa_masks_next_avx2(int32_t *y, void *masks, const mldsa_params *p);
void mldsa_masks_of_lanes_avx2(int32_t *const y[], const uint8_t *rho_prime, const unsigned kappa[], unsigned count, void *room,
                               const mldsa_params *p, girih_backend id);
void mldsa_challenge_avx2(uint8_t *c_tilde, int32_t c[256], const uint8_t *commitment, void *masks, const mldsa_params *p,
                          girih_backend id);
void mldsa_ntt_avx2(int32_t a[256]);
void mldsa_intt_avx2(int32_t a[256]);
/* Polynomial (i, j) of A_hat, from the order of the standard, to its places: the coefficients from `first` on, a multiple of 16. Public. */
void mldsa_a_hat_insert_avx2(int32_t *a_hat, const int32_t in[256], unsigned first, unsigned i, unsigned j, const mldsa_params *p);
void mldsa_a_hat_entry_avx2(int32_t out[256], const int32_t *a_hat, unsigned i, unsigned j, const mldsa_params *p);
void mldsa_row_times_vector_avx2(int32_t w[256], const int32_t *a_hat, unsigned i, const int32_t *y_hat, const mldsa_params *p);
void mldsa_matrix_times_vector_avx2(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const mldsa_params *p);
void mldsa_matrix_times_vector_minus_avx2(int32_t *w, const int32_t *a_hat, const int32_t *z_hat, const int32_t c_hat[256],
                                          const int32_t *t1_hat, const mldsa_params *p);
void mldsa_secret_form_avx2(void *form, const int32_t s[256]);
void mldsa_t0_form_avx2(void *form, const int32_t t0[256]);
void mldsa_challenge_form_avx2(void *challenge, const int32_t c[256], const mldsa_params *p);
uint32_t mldsa_add_secret_avx2(int32_t r[256], const int32_t a[256], void *challenge, const void *form, int32_t bound,
                               const mldsa_params *p);
uint32_t mldsa_times_t0_avx2(int32_t r[256], void *challenge, const void *form, const mldsa_params *p);
uint32_t mldsa_digest_avx2(const int32_t *words, size_t count);
void mldsa_power2round_avx2(uint8_t t1[MLDSA_T1_BYTES], int32_t t[256]);
void mldsa_t1_unpack_avx2(int32_t t1[256], const uint8_t packed[MLDSA_T1_BYTES]);
void mldsa_decompose_avx2(uint8_t *w1, int32_t w[256], const mldsa_params *p);
unsigned mldsa_make_hint_avx2(uint8_t positions[256], const int32_t r[256], const uint8_t *w1, const mldsa_params *p);
void mldsa_use_hint_avx2(uint8_t *w1, const int32_t w[256], const uint8_t *positions, unsigned count, const mldsa_params *p);
void mldsa_z_pack_avx2(uint8_t *packed, const int32_t z[256], const mldsa_params *p);
uint32_t mldsa_z_unpack_exceeds_avx2(int32_t z[256], const uint8_t *packed, const mldsa_params *p);

/* What the AVX-512 table has of its own. */
void mldsa_ntt_avx512(int32_t a[256]);
void mldsa_intt_avx512(int32_t a[256]);
void mldsa_matrix_times_vector_avx512(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const mldsa_params *p);
void mldsa_matrix_times_vector_minus_avx512(int32_t *w, const int32_t *a_hat, const int32_t *z_hat, const int32_t c_hat[256],
                                            const int32_t *t1_hat, const mldsa_params *p);

#endif
