/* How many attempts a signature may take.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_MLDSA_BUDGET_H
#define GIRIH_MLDSA_BUDGET_H

#include "mldsa/params.h"

/* Whether attempt made + 1 may begin, and counts it when it may: the caller's budget, and kappa, which is two bytes (FIPS 204, Algorithm
 * 34; no signer uses them up: p < 2^-3000). */
static inline int mldsa_attempt_begins(uint32_t *made, unsigned kappa, const mldsa_params *p, const girih_mldsa_options *options)
{
    if ((options->max_attempts != 0 && *made == options->max_attempts) || kappa + p->l > 1 << 16)
        return 0;
    (*made)++;
    if (options->attempts != NULL)
        *options->attempts = *made;
    return 1;
}

#endif
