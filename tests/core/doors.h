/* What tests need beyond the public API: the primitives of every backend by name, and counters of events. Built into the library girih_test
 * only, never into a release.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * backend: a girih_backend that girih_backend_available() accepts. set: 44, 65 or 87. Every other argument is the entry's own
 * (core/src/backend/mldsa.h and keccak.h); polynomials must be aligned as that header asks, byte strings need not be. Scratch is the
 * caller's: girih_test_rows_bytes(). */
#ifndef GIRIH_TEST_DOORS_H
#define GIRIH_TEST_DOORS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GIRIH_DOOR __attribute__((visibility("default")))
#else
#define GIRIH_DOOR
#endif

/* Events that the core reports (core/src/common/ct.h), counted for each thread. */
GIRIH_DOOR void girih_test_event(unsigned event);
/* Arms a fault: when `after` steps of the next operations are done, the byte at `at` is changed by `bits`, once. at NULL: only count steps.
 * girih_test_steps: how many there were since. */
GIRIH_DOOR void girih_test_fault(uint8_t *at, uint8_t bits, unsigned after);
GIRIH_DOOR unsigned girih_test_steps(void);
/* Buffer `which` that an unchecked or checked signature, or a load from a seed, lays into the workspace ws; NULL after the last one. */
GIRIH_DOOR uint8_t *girih_test_sign_buffer(int backend, int set, void *ws, unsigned which, size_t *bytes);
GIRIH_DOOR uint8_t *girih_test_key_buffer(int backend, int set, void *ws, unsigned which, size_t *bytes);

GIRIH_DOOR unsigned girih_test_event_kinds(void);
GIRIH_DOOR uint64_t girih_test_event_count(unsigned event);
GIRIH_DOOR void girih_test_events_reset(void);

/* Numbers of a parameter set, by the name of their field in mldsa_params; -1 for another name or set. */
GIRIH_DOOR int64_t girih_test_param(int set, const char *name);

/* Keccak: a sponge state of 200 bytes is put in, permuted `times` times, and taken out, through the backend's own three functions. */
GIRIH_DOOR void girih_test_keccak(int backend, uint8_t state[200], unsigned times);
/* Xor len bytes at offset into the state of 200 bytes and take out the whole state (len 0: only out). */
GIRIH_DOOR void girih_test_keccak_xor(int backend, uint8_t state[200], size_t offset, const uint8_t *data, size_t len);
/* Take len bytes at offset out of a state. */
GIRIH_DOOR void girih_test_keccak_extract(int backend, const uint8_t state[200], size_t offset, uint8_t *out, size_t len);
/* Four states of 200 bytes, one behind another; returns 0 when this build or CPU has no four-way permutation, else 1. */
GIRIH_DOOR int girih_test_keccak_x4(int backend, uint8_t states[800], unsigned times);

/* The hashes of a key, all of them: s1 and s2 (with rho_prime NULL they are left out), A_hat, tr of pk, which comes row by row or at
 * once. */
GIRIH_DOOR size_t girih_test_rows_bytes(int backend);
GIRIH_DOOR void girih_test_rows(int backend, int set, int32_t *s, int32_t *a_hat, uint8_t *tr, const uint8_t *rho, const uint8_t *rho_prime,
                                const uint8_t *pk, int at_once, void *rows);
GIRIH_DOOR void girih_test_a_hat_entry(int backend, int set, int32_t *out, const int32_t *a_hat, unsigned i, unsigned j);
/* A stream of masks from its start: `vectors` vectors of l polynomials; then challenges and further vectors from the same stream. */
GIRIH_DOOR size_t girih_test_masks_bytes(int backend);
GIRIH_DOOR void girih_test_masks(int backend, int set, int32_t *y, const uint8_t *rho_prime, unsigned vectors, void *masks);
GIRIH_DOOR void girih_test_challenge(int backend, int set, uint8_t *c_tilde, int32_t *c, const uint8_t *commitment, void *masks);
GIRIH_DOOR void girih_test_masks_after(int backend, int set, int32_t *y, void *masks);
GIRIH_DOOR void girih_test_ntt(int backend, int32_t *a);
GIRIH_DOOR void girih_test_intt(int backend, int32_t *a);
GIRIH_DOOR void girih_test_row_times_vector(int backend, int set, int32_t *w, const int32_t *a_hat, unsigned i, const int32_t *y_hat);
GIRIH_DOOR void girih_test_matrix_times_vector(int backend, int set, int32_t *w, const int32_t *a_hat, const int32_t *y_hat);
GIRIH_DOOR void girih_test_matrix_times_vector_minus(int backend, int set, int32_t *w, const int32_t *a_hat, const int32_t *z_hat,
                                                     const int32_t *c_hat, const int32_t *t1_hat);
GIRIH_DOOR size_t girih_test_secret_bytes(int backend);
GIRIH_DOOR size_t girih_test_t0_bytes(int backend);
GIRIH_DOOR size_t girih_test_challenge_bytes(int backend);
GIRIH_DOOR void girih_test_secret_form(int backend, void *form, const int32_t *s);
GIRIH_DOOR void girih_test_t0_form(int backend, void *form, const int32_t *t0);
GIRIH_DOOR void girih_test_challenge_form(int backend, int set, void *challenge, const int32_t *c);
GIRIH_DOOR uint32_t girih_test_add_secret(int backend, int set, int32_t *r, const int32_t *a, void *challenge, const void *form,
                                          int32_t bound);
GIRIH_DOOR uint32_t girih_test_times_t0(int backend, int set, int32_t *r, void *challenge, const void *form);
GIRIH_DOOR uint32_t girih_test_digest(int backend, const int32_t *words, size_t count);
GIRIH_DOOR void girih_test_power2round(int backend, uint8_t *t1, int32_t *t);
GIRIH_DOOR void girih_test_t1_unpack(int backend, int32_t *t1, const uint8_t *packed);
GIRIH_DOOR void girih_test_decompose(int backend, int set, uint8_t *w1, int32_t *w);
GIRIH_DOOR unsigned girih_test_make_hint(int backend, int set, uint8_t *positions, const int32_t *r, const uint8_t *w1);
GIRIH_DOOR void girih_test_use_hint(int backend, int set, uint8_t *w1, const int32_t *w, const uint8_t *positions, unsigned count);
GIRIH_DOOR void girih_test_z_pack(int backend, int set, uint8_t *packed, const int32_t *z);
GIRIH_DOOR uint32_t girih_test_z_unpack_exceeds(int backend, int set, int32_t *z, const uint8_t *packed);

/* For every r in [0, q): power2round, decompose and use_hint (hint 0 and 1) of the backend against the standard's definitions, written
 * down naively. Return q when all agree, else the first r that differs. */
GIRIH_DOOR int32_t girih_test_power2round_all(int backend);
GIRIH_DOOR int32_t girih_test_decompose_all(int backend, int set);
GIRIH_DOOR int32_t girih_test_use_hint_all(int backend, int set);

/* SHAKE128, 32 bytes, of twelve decimal numbers a line each for every r in [0, q): r mod+- q and its absolute value; r1 and r0 mod q of
 * Power2Round; for gamma2 = (q-1)/88, then (q-1)/32: HighBits, UseHint(1, r), LowBits and its absolute value. All from the backend. */
GIRIH_DOOR void girih_test_field_operations(int backend, uint8_t digest[32]);

#endif
