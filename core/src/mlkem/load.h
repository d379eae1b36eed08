/* What loading a key and importing a cache have in common.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLKEM_LOAD_H
#define GIRIH_MLKEM_LOAD_H

#include "mlkem/key.h"

/* Fills an ek object. h: NULL, or H(ek), known already; a_hat: NULL, or ByteEncode_12 of the k * k polynomials of A_hat transposed.
 * GIRIH_BAD_KEY when a coefficient is out of range: the object is then to be wiped. */
girih_status mlkem_load_public(girih_mlkem_ek *ek, unsigned caches, const uint8_t *encoded, const uint8_t *h, const uint8_t *a_hat,
                               const mlkem_params *p, girih_backend id, mlkem_work *w);

#endif
