/* Signing with an expanded key: its buffers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_SIGN_H
#define GIRIH_MLDSA_SIGN_H

#include "mldsa/table.h"

typedef struct {
    int32_t *y;         /* l */
    int32_t *z;         /* l: y_hat first, then z */
    int32_t *w;         /* k: w, then w0, then w0 - c s2 */
    int32_t *c;         /* 1: c, then c t0 */
    void *challenge;    /* c in the form of the products */
    uint8_t *commitment; /* mu, then w1: k packed polynomials */
    uint8_t *hints;     /* omega + k as in the signature, then room for 256 more */
    uint8_t *c_tilde;   /* 64 */
    void *masks;
} mldsa_sign_workspace;

size_t mldsa_sign_workspace_carve(mldsa_sign_workspace *ws, void *base, const mldsa_params *p, girih_backend id);

#endif
