/* How much memory each operation asks of its caller.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mlkem/pke.h"

mlkem_shape mlkem_shape_of(girih_mlkem_op op, unsigned caches, girih_backend id)
{
    const int many = (op == GIRIH_MLKEM_ENCAPS_MANY || op == GIRIH_MLKEM_DECAPS_MANY) && mlkem_backend_of(id)->lanes > 1;
    const int with_a = (caches & GIRIH_MLKEM_CACHE_A) == 0, with_t = (caches & GIRIH_MLKEM_CACHE_T) == 0;

    switch (op) {
    case GIRIH_MLKEM_KEYGEN: /* lists A_hat in any case, and here or in the object it must go */
    case GIRIH_MLKEM_LOAD:
        return (mlkem_shape){.items = 1, .with_a = 1};
    default:
        return (mlkem_shape){.items = many ? MLKEM_GROUP : 1, .with_a = with_a, .with_t = with_t};
    }
}

size_t girih_mlkem_workspace_bytes(girih_mlkem_set set, girih_mlkem_op op, unsigned caches, girih_backend backend)
{
    const mlkem_params *p = mlkem_params_of(set);
    mlkem_work w;

    if (p == NULL || op < GIRIH_MLKEM_KEYGEN || op > GIRIH_MLKEM_DECAPS_MANY || caches > GIRIH_MLKEM_CACHE_ALL ||
        !girih_backend_available(backend))
        return 0;
    return mlkem_work_carve(&w, NULL, mlkem_shape_of(op, caches, backend), p, backend);
}
