/* One attempt at a signature: the steps of FIPS 204, Algorithm 7, that the drivers share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_ATTEMPT_H
#define GIRIH_MLDSA_ATTEMPT_H

#include "common/arena.h"
#include "mldsa/table.h"

/* A key at work: its parameters, the name of its backend, its tables. */
typedef struct {
    const mldsa_params *p;
    girih_backend id;
    const girih_mldsa_vk *vk;
    const girih_mldsa_sk *sk;
} mldsa_signer;

/* Fits the tables to each other; GIRIH_BAD_KEY when they do not come from one load. */
girih_status mldsa_signer_open(mldsa_signer *s, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk);

/* The buffers of an attempt. */
typedef struct {
    int32_t *y;          /* l: y, then z */
    int32_t *w;          /* k: w, then w0, then w0 - c s2, then that plus c t0 */
    int32_t *c;          /* 1: c, then c t0 */
    void *challenge;     /* c in the form of the products */
    uint8_t *commitment; /* mu, then w1: k packed polynomials */
    uint8_t *hints;      /* omega + k as in the signature, then room for 256 more */
    uint8_t *c_tilde;    /* 64 */
} mldsa_attempt;

/* Bytes of mu and w1. */
static inline size_t mldsa_commitment_bytes(const mldsa_params *p)
{
    return GIRIH_MLDSA_MU_BYTES + (size_t)p->w1_bytes * p->k;
}

void mldsa_attempt_carve(mldsa_attempt *at, arena *a, const mldsa_params *p, girih_backend id);

/* Lines 12 and 13: y -> w0 and the commitment. y_hat: room for l polynomials; secret. */
void mldsa_attempt_commit(mldsa_attempt *at, int32_t *y_hat, const mldsa_signer *s);

/* Lines 17-28 with c and c_tilde in place: 1 when the attempt is a signature, else 0. */
int mldsa_attempt_accept(mldsa_attempt *at, const mldsa_signer *s);

/* Line 33: the signature of an accepted attempt. */
void mldsa_attempt_encode(uint8_t *sig, mldsa_attempt *at, const mldsa_signer *s);

#endif
