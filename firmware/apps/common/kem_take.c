/* Memory for a key pair of ML-KEM and for every operation that its mode has.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kem.h"
#include "ram.h"

void kem_take(app_kem *kem)
{
    kem->ek = ram_take(kem_ek_bytes(kem->backend));
    kem->dk = ram_take(kem_dk_bytes(kem->backend));
    kem->ws_len = 0;
    for (kem_op op = KEM_KEYGEN; op < KEM_OPS; op++)
        if (kem_has(op) && kem_workspace_bytes(op, kem->backend) > kem->ws_len)
            kem->ws_len = kem_workspace_bytes(op, kem->backend);
    kem->ws = ram_take(kem->ws_len);
}
