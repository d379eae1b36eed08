/* The sponge over Keccak-f[1600].
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "keccak/sponge.h"

#include "backend/keccak.h"
#include "common/bytes.h"

/* FIPS 202, Algorithm 8 (SPONGE), first half: the empty state. rate: bytes, at most 199. */
void keccak_init(girih_sha3 *h, unsigned rate, uint8_t suffix, girih_backend id)
{
    memset(&h->state, 0, sizeof h->state);
    h->rate = rate;
    h->pos = 0;
    h->suffix = suffix;
    h->squeezing = 0;
    h->backend = (uint16_t)id;
}

/* FIPS 202, Algorithm 8 (SPONGE), steps 5-6. */
void keccak_absorb(girih_sha3 *h, const void *data, size_t len)
{
    const keccak_backend *be = keccak_backend_of((girih_backend)h->backend);
    const uint8_t *p = (const uint8_t *)data;

    while (len != 0) {
        size_t n = h->rate - h->pos;

        if (n > len)
            n = len;
        be->xor_bytes(h, h->pos, p, n);
        h->pos += (uint32_t)n;
        p += n;
        len -= n;
        if (h->pos == h->rate) {
            be->permute(h);
            h->pos = 0;
        }
    }
}

/* FIPS 202, Algorithm 9 (pad10*1), with the domain bits before it. The next permutation gives the first block. */
static void pad(girih_sha3 *h)
{
    const keccak_backend *be = keccak_backend_of((girih_backend)h->backend);
    const uint8_t last = 0x80;

    be->xor_bytes(h, h->pos, &h->suffix, 1);
    be->xor_bytes(h, h->rate - 1, &last, 1);
    h->squeezing = 1;
    h->pos = h->rate;
}

/* FIPS 202, Algorithm 8 (SPONGE), steps 7-10. */
void keccak_squeeze(girih_sha3 *h, uint8_t *out, size_t len)
{
    const keccak_backend *be = keccak_backend_of((girih_backend)h->backend);

    if (!h->squeezing)
        pad(h);
    while (len != 0) {
        size_t n;

        if (h->pos == h->rate) {
            be->permute(h);
            h->pos = 0;
        }
        n = h->rate - h->pos;
        if (n > len)
            n = len;
        be->extract_bytes(h, h->pos, out, n);
        h->pos += (uint32_t)n;
        out += n;
        len -= n;
    }
}

void keccak_absorb_all(keccak_input in[], unsigned count)
{
    for (;;) {
        girih_sha3 *full[KECCAK_MOST];
        unsigned pending = 0;

        for (unsigned i = 0; i < count; i++) {
            girih_sha3 *h = in[i].h;
            const keccak_backend *be = keccak_backend_of((girih_backend)h->backend);
            size_t n = h->rate - h->pos;

            if (in[i].len == 0)
                continue;
            if (n > in[i].len)
                n = in[i].len;
            be->xor_bytes(h, h->pos, in[i].data, n);
            h->pos += (uint32_t)n;
            in[i].data += n;
            in[i].len -= n;
            if (h->pos == h->rate) {
                h->pos = 0;
                full[pending++] = h;
            }
        }
        if (pending == 0)
            return;
        keccak_backend_of((girih_backend)full[0]->backend)->permute_all(full, pending);
    }
}

void keccak_finish_all(girih_sha3 *const h[], unsigned count)
{
    if (count == 0)
        return;
    for (unsigned i = 0; i < count; i++)
        pad(h[i]);
    keccak_backend_of((girih_backend)h[0]->backend)->permute_all(h, count);
    for (unsigned i = 0; i < count; i++)
        h[i]->pos = 0;
}
