/* How much memory the drivers of little memory ask of their caller.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/lowram.h"

size_t girih_mldsa_lowram_bytes(girih_mldsa_set set, girih_mldsa_op op, girih_backend backend)
{
    const mldsa_params *p = mldsa_params_of(set);

    if (p == NULL || !girih_backend_available(backend))
        return 0;
    switch (op) {
#if GIRIH_MLDSA >= 3
    case GIRIH_MLDSA_KEYGEN:
        return mldsa_keygen_rows_bytes(1);
#endif
#if GIRIH_MLDSA >= 2
    case GIRIH_MLDSA_SIGN:
        return mldsa_sign_lowram_bytes(p);
#endif
    case GIRIH_MLDSA_VERIFY:
        return mldsa_verify_lowram_bytes();
    default: /* no such driver, or not in this build */
        return 0;
    }
}
