/* The hashes of ML-KEM in portable C, one after the other; sampling.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/mlkem.h"
#include "common/bytes.h"
#include "common/compiler.h"
#include "keccak/sponge.h"

/* Keeps d where it is below q. One place is written in any case. */
GIRIH_INLINE int16_t *keep(int16_t *a, uint32_t d)
{
    *a = (int16_t)d;
    return a + ((d - MLKEM_Q) >> 31);
}

/* FIPS 203, Algorithm 7 (SampleNTT), the hash begun. Out: in [0, q). Public. Twelve bytes hold eight candidates. */
static void sample_ntt(int16_t a[256], girih_sha3 *xof)
{
    const int16_t *const end = a + 256;
    uint32_t words[SHAKE128_RATE / 4];

    while (a != end) {
        const uint8_t *c = (const uint8_t *)words, *const stop = c + sizeof words;

        keccak_squeeze(xof, (uint8_t *)words, sizeof words);
        for (; c != stop && end - a >= 8; c += 12) {
            const uint32_t x = load_le32_aligned(c), y = load_le32_aligned(c + 4), z = load_le32_aligned(c + 8);

            a = keep(a, x & 0xFFF);
            a = keep(a, x >> 12 & 0xFFF);
            a = keep(a, (x >> 24 | y << 8) & 0xFFF);
            a = keep(a, y >> 4 & 0xFFF);
            a = keep(a, y >> 16 & 0xFFF);
            a = keep(a, (y >> 28 | z << 4) & 0xFFF);
            a = keep(a, z >> 8 & 0xFFF);
            a = keep(a, z >> 20);
        }
        for (; c != stop && a != end; c += 3) {
            const uint32_t both = load_le24(c);

            a = keep(a, both & 0xFFF);
            if (a != end)
                a = keep(a, both >> 12);
        }
    }
}

/* The number of ones in each group of two, of three bits, side by side. */
GIRIH_INLINE uint32_t add_pairs(uint32_t bits)
{
    return (bits & 0x55555555) + (bits >> 1 & 0x55555555);
}

GIRIH_INLINE uint32_t add_triples(uint32_t bits)
{
    return (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249);
}

/* Coefficients from fields of `width` bits, each the coefficient and a bias. */
GIRIH_INLINE int16_t *store_fields(int16_t *a, uint32_t fields, unsigned width, unsigned count, int32_t bias)
{
    const uint32_t mask = (UINT32_C(1) << width) - 1;

    for (const int16_t *end = a + count; a != end; fields >>= 2 * width) {
        *a++ = (int16_t)((int32_t)(fields & mask) - bias);
        *a++ = (int16_t)((int32_t)(fields >> width & mask) - bias);
    }
    return a;
}

/* FIPS 203, Algorithm 8 (SamplePolyCBD_eta), the hash begun. Out: in [-eta, eta]. A field takes its two sums apart and adds a bias, so that
 * no borrow leaves it.
 * CT: sums and differences of bits. */
static void sample_poly_cbd(int16_t a[256], girih_sha3 *prf, unsigned eta)
{
    uint32_t words[32]; /* 128 bytes are all (eta 2), 96 half (eta 3) */
    uint8_t *const b = (uint8_t *)words;
    const int16_t *const end = a + 256;

    while (a != end) {
        keccak_squeeze(prf, b, eta == 2 ? 128 : 96);
        if (eta == 2) {
            for (unsigned i = 0; i < 128; i += 4) {
                const uint32_t sums = add_pairs(load_le32_aligned(b + i));

                a = store_fields(a, (sums & 0x33333333) + 0x44444444 - (sums >> 2 & 0x33333333), 4, 8, 4);
            }
        } else {
            for (unsigned i = 0; i < 96; i += 3) {
                const uint32_t sums = add_triples(load_le24(b + i));

                a = store_fields(a, (sums & 0x1C71C7) + 0x208208 - (sums >> 3 & 0x1C71C7), 6, 4, 8);
            }
        }
    }
    girih_wipe(words, sizeof words);
}

void mlkem_hashes_start_c(void *room, girih_backend id)
{
    ((girih_sha3 *)room)->backend = (uint16_t)id;
}

static void run(girih_sha3 *h, mlkem_job *job)
{
    static const struct {
        uint8_t rate, suffix, out_len;
    } hash_of[] = {
        [MLKEM_ENTRY] = {SHAKE128_RATE, SHAKE_SUFFIX, 0}, [MLKEM_NOISE] = {SHAKE256_RATE, SHAKE_SUFFIX, 0},
        [MLKEM_G] = {SHA3_512_RATE, SHA3_SUFFIX, 64},     [MLKEM_H] = {SHA3_256_RATE, SHA3_SUFFIX, 32},
        [MLKEM_J] = {SHAKE256_RATE, SHAKE_SUFFIX, 32},
    };

    keccak_init(h, hash_of[job->kind].rate, hash_of[job->kind].suffix, (girih_backend)h->backend);
    keccak_absorb(h, job->a, job->a_len);
    keccak_absorb(h, job->b, job->b_len);
    keccak_absorb(h, job->tail, job->tail_len);
    if (job->kind == MLKEM_ENTRY)
        sample_ntt(job->poly, h);
    else if (job->kind == MLKEM_NOISE)
        sample_poly_cbd(job->poly, h, job->eta);
    else
        keccak_squeeze(h, job->out, hash_of[job->kind].out_len);
    job->done = 1;
}

void mlkem_hashes_run_c(void *room, mlkem_job *const jobs[], unsigned count, unsigned needed, mlkem_job *beside)
{
    (void)count; /* one lane: what is not needed yet waits, and so does beside */
    (void)beside;
    for (unsigned i = 0; i < needed; i++)
        if (!jobs[i]->done)
            run((girih_sha3 *)room, jobs[i]);
}
