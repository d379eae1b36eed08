/* The parts of ML-KEM whose mistakes the scheme would forgive, as it forgives noise, or would not meet: compression of every value, every
 * byte of a comparison, the range check of every coefficient, and hashes no longer than they are.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: kem_parts_test BACKEND-NUMBER. Exit status 0 when all is right, else 1 and what is not. */
#include "backend/mlkem.h"
#include "keccak/sponge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Q = MLKEM_Q, BEHIND = 0x5A };

typedef struct {
    _Alignas(64) int16_t c[256];
} poly;

static const mlkem_backend *be;

static void expect(int holds, const char *what, long where)
{
    if (holds)
        return;
    fprintf(stderr, "%s: wrong at %ld\n", what, where);
    exit(1);
}

/* FIPS 203, (4.7) and (4.8). */
static unsigned compressed(int x, unsigned d)
{
    return (((unsigned)((x % Q + Q) % Q) << (d + 1)) + Q) / (2 * Q) % (1U << d);
}

static int decompressed(unsigned y, unsigned d)
{
    return (int)((2 * y * Q + (1U << d)) >> (d + 1));
}

/* Number i of the d bits each of packed. */
static unsigned field(const uint8_t *packed, unsigned i, unsigned d)
{
    unsigned y = 0;

    for (unsigned bit = d * i; bit < d * (i + 1); bit++)
        y |= (unsigned)(packed[bit / 8] >> bit % 8 & 1) << (bit - d * i);
    return y;
}

static void of_all_values(int bound, unsigned d, int e, int m)
{
    uint8_t packed[352 + 1], message[32];
    poly a, errors, back;

    memset(message, m == 0 ? 0 : 0xFF, sizeof message);
    for (int from = -bound; from <= bound; from += 256) {
        for (int i = 0; i < 256; i++) {
            a.c[i] = (int16_t)(from + i <= bound ? from + i : bound);
            errors.c[i] = (int16_t)e;
        }
        packed[32 * d] = BEHIND;
        if (d >= 10)
            be->pack_u(packed, a.c, errors.c, d);
        else
            be->pack_v(packed, a.c, errors.c, message, d);
        expect(packed[32 * d] == BEHIND, "compressed, what is behind", from);
        for (unsigned i = 0; i < 256; i++)
            expect(field(packed, i, d) == compressed(a.c[i] + e + (m == 0 ? 0 : (Q + 1) / 2), d), "compressed", a.c[i]);
        if (d >= 10)
            be->unpack_u(back.c, packed, d);
        else
            be->unpack_v(back.c, packed, d);
        for (unsigned i = 0; i < 256; i++)
            expect(back.c[i] == decompressed(field(packed, i, d), d), "decompressed", a.c[i]);
    }
}

static void of_all_differences(int subtrahend)
{
    uint8_t m[32];
    poly v, a;

    for (int from = 0; from < Q; from += 256) {
        for (int i = 0; i < 256; i++) {
            v.c[i] = (int16_t)((from + i) % Q);
            a.c[i] = (int16_t)subtrahend;
        }
        be->message(m, v.c, a.c);
        for (unsigned i = 0; i < 256; i++)
            expect(field(m, i, 1) == compressed(v.c[i] - subtrahend, 1), "message", v.c[i] - subtrahend);
    }
}

static void of_all_bytes(void)
{
    uint8_t a[352], b[352];

    for (size_t len = 32; len <= sizeof a; len += 32)
        for (size_t at = 0; at < len; at++) {
            for (size_t i = 0; i < len; i++)
                a[i] = b[i] = (uint8_t)(7 * i);
            expect(be->differ(a, b, len) == 0, "equal", (long)at);
            b[at] ^= (uint8_t)(1 << at % 8);
            expect(be->differ(a, b, len) == UINT32_MAX, "different", (long)at);
        }
}

static void of_all_coefficients(void)
{
    uint8_t encoded[384];
    poly a;

    for (unsigned n = 0; n < 256; n++)
        for (unsigned value = Q - 1; value <= Q; value++) {
            memset(encoded, 0, sizeof encoded);
            encoded[3 * n / 2] = (uint8_t)(n % 2 == 0 ? value : value << 4);
            encoded[3 * n / 2 + 1] = (uint8_t)(n % 2 == 0 ? value >> 8 : value >> 4);
            expect(be->decode(a.c, encoded) == (value == Q), "range", (long)n);
        }
}

static void of_each_hash(girih_backend id)
{
    static const struct {
        mlkem_job_kind kind;
        unsigned rate;
        uint8_t suffix;
        size_t len;
    } kinds[] = {
        {MLKEM_G, SHA3_512_RATE, SHA3_SUFFIX, 64}, {MLKEM_H, SHA3_256_RATE, SHA3_SUFFIX, 32}, {MLKEM_J, SHAKE256_RATE, SHAKE_SUFFIX, 32}};
    void *room = aligned_alloc(64, (be->hashes_bytes + 63) / 64 * 64);
    uint8_t data[64] = {1, 2, 3}, out[64 + 1], expected[64];
    girih_sha3 h;

    if (room == NULL)
        abort();
    be->hashes_start(room, id);
    for (unsigned i = 0; i < 3; i++) {
        mlkem_job job = {.kind = kinds[i].kind, .a = data, .a_len = sizeof data, .there = sizeof data, .out = out};
        mlkem_job *const jobs[] = {&job};

        out[kinds[i].len] = BEHIND;
        be->hashes_run(room, jobs, 1, 1, NULL);
        keccak_init(&h, kinds[i].rate, kinds[i].suffix, GIRIH_BACKEND_C);
        keccak_absorb(&h, data, sizeof data);
        keccak_squeeze(&h, expected, kinds[i].len);
        expect(memcmp(out, expected, kinds[i].len) == 0, "hash", i);
        expect(out[kinds[i].len] == BEHIND, "hash, what is behind", i);
        memset(out, 0, sizeof out);
        be->hashes_run(room, jobs, 1, 1, NULL);
        expect(out[0] == 0, "a hash that is done is made again", i);
    }
    free(room);
}

int main(int argc, char **argv)
{
    const girih_backend id = (girih_backend)(argc == 2 ? atoi(argv[1]) : GIRIH_BACKEND_C);

    be = mlkem_backend_of(id);
    for (unsigned d = 4; d <= 11; d = d == 5 ? 10 : d + 1)
        for (int e = -2; e <= 2; e++)
            for (int m = 0; m <= (d < 10); m++)
                of_all_values(d >= 10 ? 2050 : Q, d, e, m);
    for (int subtrahend = -Q; subtrahend <= Q; subtrahend += Q / 4)
        of_all_differences(subtrahend);
    of_all_bytes();
    of_all_coefficients();
    of_each_hash(id);
    return 0;
}
