/* The hashes of ML-KEM in portable C, one after the other; sampling.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/c/mlkem_bits.h"
#include "backend/mlkem.h"
#include "common/ct.h"
#include "keccak/sponge.h"

/* FIPS 203, Algorithm 7 (SampleNTT), the hash begun. Out: in [0, q). Public. */
static void sample_ntt(int16_t a[256], girih_sha3 *xof)
{
    unsigned n = 0;

    while (n < 256) {
        uint8_t c[SHAKE128_RATE];

        keccak_squeeze(xof, c, sizeof c);
        for (unsigned i = 0; i < sizeof c; i += 3) {
            const uint32_t both = load_le24(c + i), d1 = both & 0xFFF, d2 = both >> 12;

            if (d1 < MLKEM_Q && n < 256)
                a[n++] = (int16_t)d1;
            if (d2 < MLKEM_Q && n < 256)
                a[n++] = (int16_t)d2;
        }
    }
}

/* The number of ones in each of the 4-bit (eta 2: two of two bits, added; eta 3 likewise in 3 bits) fields, side by side. */
GIRIH_INLINE uint32_t add_pairs(uint32_t bits)
{
    return (bits & 0x55555555) + (bits >> 1 & 0x55555555);
}

GIRIH_INLINE uint32_t add_triples(uint32_t bits)
{
    return (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249);
}

/* FIPS 203, Algorithm 8 (SamplePolyCBD_eta), the hash begun. Out: in [-eta, eta].
 * CT: sums and differences of bits. */
static void sample_poly_cbd(int16_t a[256], girih_sha3 *prf, unsigned eta)
{
    uint8_t b[SHAKE256_RATE];
    const unsigned step = eta == 2 ? 4 : 3, piece = 8 * step; /* step bytes make 32 / (2 eta) or 24 / (2 eta) coefficients: 8 or 4 */

    for (int16_t *end = a + 256; a != end;) {
        keccak_squeeze(prf, b, piece);
        for (unsigned i = 0; i < piece; i += step) {
            const unsigned count = eta == 2 ? 8 : 4, width = 2 * eta;
            uint32_t sums = eta == 2 ? add_pairs(load_le32(b + i)) : add_triples(load_le24(b + i));

            for (unsigned j = 0; j < count; j++, sums >>= width)
                *a++ = (int16_t)((int32_t)(sums & ((1U << eta) - 1)) - (int32_t)(sums >> eta & ((1U << eta) - 1)));
        }
    }
    girih_wipe(b, piece);
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

void mlkem_hashes_run_c(void *room, mlkem_job *const jobs[], unsigned count, mlkem_job *beside)
{
    (void)beside; /* one lane: it waits until it is wanted */
    for (unsigned i = 0; i < count; i++)
        if (!jobs[i]->done)
            run((girih_sha3 *)room, jobs[i]);
}
