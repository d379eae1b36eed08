/* How much memory each operation asks of its caller.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/arena.h"
#include "mldsa/keygen.h"
#include "mldsa/lowram.h"
#include "mldsa/packed.h"
#include "mldsa/sign.h"
#include "mldsa/verify.h"

static size_t packed_workspace_bytes(const mldsa_params *p, girih_mldsa_op op)
{
    switch (op) {
#if GIRIH_MLDSA >= 2
    case GIRIH_MLDSA_SIGN:
    case GIRIH_MLDSA_SIGN_MANY:
        return mldsa_packed_sign_bytes(p);
#endif
    case GIRIH_MLDSA_LOAD:
        return mldsa_packed_load_bytes();
    case GIRIH_MLDSA_VERIFY:
    case GIRIH_MLDSA_VERIFY_MANY:
        return mldsa_packed_verify_bytes(p);
    default: /* not in this build */
        return 0;
    }
}

static size_t default_workspace_bytes(const mldsa_params *p, girih_mldsa_op op, girih_backend backend)
{
    mldsa_verify_workspace verify;

    switch (op) {
#if GIRIH_MLDSA >= 3
    case GIRIH_MLDSA_KEYGEN: {
        mldsa_key_workspace key;

        return mldsa_key_workspace_carve(&key, NULL, p, backend, 1, 0);
    }
#endif
#if GIRIH_MLDSA >= 2
    case GIRIH_MLDSA_LOAD: {
        mldsa_key_workspace key;

        return mldsa_key_workspace_carve(&key, NULL, p, backend, 0, 1);
    }
    case GIRIH_MLDSA_SIGN: { /* a checked signature verifies in the same memory */
        mldsa_sign_workspace sign;
        size_t to_sign = mldsa_sign_workspace_carve(&sign, NULL, p, backend), to_verify = mldsa_verify_workspace_carve(&verify, NULL, p, 1);

        return to_sign > to_verify ? to_sign : to_verify;
    }
    case GIRIH_MLDSA_SIGN_MANY: {
        mldsa_sign_many_workspace many;

        return mldsa_sign_many_workspace_carve(&many, NULL, p, backend);
    }
#else
    case GIRIH_MLDSA_LOAD: { /* of a public key */
        arena a = arena_over(NULL);

        (void)arena_take(&a, mldsa_backend_of(backend)->rows_bytes);
        return a.used;
    }
#endif
    case GIRIH_MLDSA_VERIFY:
        return mldsa_verify_workspace_carve(&verify, NULL, p, 1);
    case GIRIH_MLDSA_VERIFY_MANY:
        return mldsa_verify_workspace_carve(&verify, NULL, p, MLDSA_VERIFY_LANES);
    default: /* not in this build */
        return 0;
    }
}

size_t girih_mldsa_workspace_bytes(girih_mldsa_set set, girih_mldsa_op op, girih_backend backend)
{
    const mldsa_params *p = mldsa_params_of(set);

    if (p == NULL || !girih_backend_available(backend))
        return 0;
#if GIRIH_MLDSA >= 3
    if (op == GIRIH_MLDSA_KEYGEN && mldsa_keeps_no_matrix(backend))
        return mldsa_keygen_rows_bytes(p->l);
#endif
    return mldsa_is_packed(backend) ? packed_workspace_bytes(p, op) : default_workspace_bytes(p, op, backend);
}
