/* K-PKE, the encryption scheme inside ML-KEM (FIPS 203, section 5), and the buffers of every operation.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two ways to the same bytes, by what the backend is. Where hashes run side by side (lanes > 1) everything that an operation samples is
 * sampled in a few calls and kept until it is used. Where they run one after the other a polynomial of A_hat or of noise is sampled when it
 * is wanted, used and written over: nothing is gained by keeping it. */
#ifndef GIRIH_MLKEM_PKE_H
#define GIRIH_MLKEM_PKE_H

#include "backend/mlkem.h"

#define MLKEM_GROUP 4 /* ciphertexts that are worked on at once */

/* An encapsulation key as encryption reads it. */
typedef struct {
    const mlkem_params *p;
    girih_backend id;
    const uint8_t *encoded; /* ek = ByteEncode_12(t_hat) || rho */
    const int16_t *a_hat;   /* transposed: polynomial k i + j is A_hat[j][i]; NULL: sampled */
    const int16_t *t_hat;   /* NULL: decoded */
    const uint8_t *h;       /* H(ek); NULL: hashed where it is wanted */
} mlkem_public;

static inline const uint8_t *mlkem_rho(const mlkem_public *ek)
{
    return ek->encoded + MLKEM_POLY_BYTES * ek->p->k;
}

/* What is known of one ciphertext. */
typedef struct {
    uint8_t m[32];   /* the message, or the one decrypted */
    uint8_t g[64];   /* G(m || H(ek)) = K || r */
    uint8_t j[32];   /* the secret of implicit rejection */
    mlkem_job chain; /* the hash of many blocks that is worked on beside other jobs: J, or H(ek) of a new key */
    int16_t *noise;  /* y, k polynomials, then e1, k, and e2; streamed: y, and room for one of the others */
} mlkem_item;

typedef struct {
    const mlkem_backend *be;
    void *room;
    unsigned items;
    mlkem_item *item;
    mlkem_job *jobs; /* and the list that is handed to the backend */
    mlkem_job **list;
    unsigned count;
    size_t secret;     /* bytes of the workspace that may hold secrets: from its beginning */
    mlkem_job *beside; /* NULL, or a job that idle lanes work on while the list is done */
    int16_t *a_hat;    /* k * k polynomials; NULL when they are cached or streamed */
    int16_t *t_hat;    /* k polynomials; NULL when they are cached or streamed */
    int16_t *caches;   /* of k products */
    int16_t *poly;
    int32_t *sum;    /* streamed products */
    uint8_t *packed; /* a polynomial of a ciphertext, to be compared */
    uint8_t h[32];
} mlkem_work;

/* The primitives of a work. Bound at compile time they are a constant, whatever a compiler knows of w: calls are then direct. */
static inline const mlkem_backend *mlkem_be(const mlkem_work *w)
{
#if defined(GIRIH_BIND)
    (void)w;
    return &mlkem_backend_bound;
#else
    return w->be;
#endif
}

/* What an operation wants of its workspace. */
typedef struct {
    unsigned items;
    int with_a, with_t; /* room for A_hat, t_hat where they are not cached */
} mlkem_shape;

mlkem_shape mlkem_shape_of(girih_mlkem_op op, unsigned caches, girih_backend id);

/* Lays the buffers into base (NULL: only measures) and returns the bytes they take. mlkem_work_wipe: when all is done. */
size_t mlkem_work_carve(mlkem_work *w, void *base, mlkem_shape shape, const mlkem_params *p, girih_backend id);

void mlkem_work_wipe(const mlkem_work *w, void *base, size_t bytes);

/* Adds a job to the list, to be filled in. */
mlkem_job *mlkem_add(mlkem_work *w, mlkem_job_kind kind);
mlkem_job *mlkem_add_hash(mlkem_work *w, mlkem_job_kind kind, uint8_t *out, const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len);
mlkem_job *mlkem_add_noise(mlkem_work *w, int16_t *poly, const uint8_t seed[32], unsigned n, unsigned eta);
/* Entry of A_hat^T, row i, column j. */
mlkem_job *mlkem_add_entry(mlkem_work *w, int16_t *poly, const uint8_t rho[32], unsigned i, unsigned j);
/* Does all that was added, and empties the list. */
void mlkem_run(mlkem_work *w);
/* Does the first `needed` of it, and begins the others where there are lanes for them. */
void mlkem_run_first(mlkem_work *w, unsigned needed);

/* Samples A_hat into w->a_hat where the key has none, and hashes H(ek) into w->h where with_h and the key has none. Where nothing is
 * streamed. */
void mlkem_prepare(mlkem_public *ek, mlkem_work *w, int with_h);

/* Decodes t_hat of a key that comes as bytes, and keeps it where nothing is streamed. Returns 0, or 1 when it fails the modulus check
 * (7.2). */
uint32_t mlkem_decode_public(mlkem_public *ek, mlkem_work *w);

/* FIPS 203, Algorithm 14 (K-PKE.Encrypt) of item->m with the randomness item->g + 32. Writes ct; or, with ct NULL, compares with expected
 * and returns 0 when they are equal, else all ones. lists: its noise is sampled already (mlkem_add_encrypt_noise). */
uint32_t mlkem_encrypt(const mlkem_public *ek, mlkem_item *item, uint8_t *ct, const uint8_t *expected, mlkem_work *w);
void mlkem_add_encrypt_noise(const mlkem_public *ek, mlkem_item *item, mlkem_work *w);

#if GIRIH_MLKEM >= 2
/* FIPS 203, Algorithm 15 (K-PKE.Decrypt) into item->m. s_hat: k polynomials, or NULL and decoded from encoded. */
void mlkem_decrypt(mlkem_item *item, const uint8_t *ct, const int16_t *s_hat, const uint8_t *encoded, const mlkem_params *p, mlkem_work *w);
#endif

#endif
