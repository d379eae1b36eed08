/* Keccak-f[1600], one state: the round of backend/c, compiled with andn and rorx.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/c/keccak_round.h"
#include "backend/keccak.h"

void keccak_permute_bmi2(girih_sha3 *h)
{
    keccak_f1600(h->state.lane);
}
