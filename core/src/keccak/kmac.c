/* KMAC256 (NIST SP 800-185).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "keccak/kmac.h"

#include "common/bytes.h"

#define CSHAKE_SUFFIX 0x04

/* SP 800-185, 2.3.1: the bytes of bits = 8 * bytes, high byte first; their number goes before (left_encode) or behind (right_encode).
 * Returns how many there are with it. */
static unsigned encode_bits(uint8_t out[10], size_t bytes, int left)
{
    uint64_t bits = (uint64_t)bytes * 8;
    unsigned n = 1;

    while (n < 8 && bits >> (8 * n) != 0)
        n++;
    for (unsigned i = 0; i < n; i++)
        out[(left != 0) + i] = (uint8_t)(bits >> (8 * (n - 1 - i)));
    out[left ? 0 : n] = (uint8_t)n;
    return n + 1;
}

/* SP 800-185, 2.3.2 (encode_string). */
static void absorb_string(girih_sha3 *h, const void *string, size_t len)
{
    uint8_t encoded[10];

    keccak_absorb(h, encoded, encode_bits(encoded, len, 1));
    keccak_absorb(h, string, len);
}

/* SP 800-185, 2.3.3 (bytepad): its first bytes, and the zeros up to a whole block. */
static void start_pad(girih_sha3 *h)
{
    const uint8_t width[2] = {1, SHAKE256_RATE}; /* left_encode(136) */

    keccak_absorb(h, width, sizeof width);
}

static void end_pad(girih_sha3 *h)
{
    static const uint8_t zero[1];

    while (h->pos != 0)
        keccak_absorb(h, zero, sizeof zero);
}

void kmac256_init(girih_sha3 *h, const uint8_t *key, size_t key_len, const char *customization, girih_backend id)
{
    size_t len = 0;

    while (customization[len] != 0)
        len++;
    keccak_init(h, SHAKE256_RATE, CSHAKE_SUFFIX, id);
    start_pad(h);
    absorb_string(h, "KMAC", 4);
    absorb_string(h, customization, len);
    end_pad(h);
    start_pad(h);
    absorb_string(h, key, key_len);
    end_pad(h);
}

void kmac256_final(uint8_t *mac, size_t mac_len, girih_sha3 *h)
{
    uint8_t encoded[10];

    keccak_absorb(h, encoded, encode_bits(encoded, mac_len, 0));
    keccak_squeeze(h, mac, mac_len);
    girih_wipe(h, sizeof *h);
}
