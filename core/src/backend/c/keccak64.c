/* Keccak-f[1600] on 64-bit lanes, portable.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/c/keccak_round.h"
#include "backend/keccak.h"
#include "common/bytes.h"

void keccak_permute_c(girih_sha3 *h)
{
    keccak_f1600(h->state.lane);
}

void keccak_permute_all_c(girih_sha3 *const h[], unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        keccak_permute_c(h[i]);
}

void keccak_xor_bytes_c(girih_sha3 *h, size_t offset, const uint8_t *data, size_t len)
{
    uint64_t *lane = h->state.lane;

    for (; len != 0 && offset % 8 != 0; offset++, data++, len--)
        lane[offset / 8] ^= (uint64_t)*data << (8 * (offset % 8));
    for (; len >= 8; offset += 8, data += 8, len -= 8)
        lane[offset / 8] ^= load_le64(data);
    for (; len != 0; offset++, data++, len--)
        lane[offset / 8] ^= (uint64_t)*data << (8 * (offset % 8));
}

void keccak_extract_bytes_c(const girih_sha3 *h, size_t offset, uint8_t *out, size_t len)
{
    const uint64_t *lane = h->state.lane;

    for (; len != 0 && offset % 8 != 0; offset++, out++, len--)
        *out = (uint8_t)(lane[offset / 8] >> (8 * (offset % 8)));
    for (; len >= 8; offset += 8, out += 8, len -= 8)
        store_le64(out, lane[offset / 8]);
    for (; len != 0; offset++, out++, len--)
        *out = (uint8_t)(lane[offset / 8] >> (8 * (offset % 8)));
}
