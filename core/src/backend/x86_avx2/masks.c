/* Masks and challenges: the schedule that leaves no lane idle.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The hash of an attempt, H(mu || w1) and then SampleInBall, is a chain of 8 to 10 permutations, each waiting for the one before. It runs
 * in lane 0 of the four-way permutation; lanes 1 to 3 squeeze masks of the next attempts meanwhile, which would otherwise cost calls of
 * their own. What the last attempt leaves unused came for nothing. A mask takes MASK_BLOCKS steps in its lane, whichever lane, so masks are
 * finished in the order in which they are begun. */
#include "backend/x86_avx2/lanes.h"
#include "backend/x86_avx2/table.h"
#include "backend/x86_avx2/z.h"
#include "common/ct.h"
#include "mldsa/challenge.h"

#define MASK_BLOCKS 5 /* 680 bytes for 576 or 640 */
#define WORDS       (SHAKE256_RATE / 8)
#define SLOTS       12 /* masks begun and not yet taken: one vector of 7, three lanes, and two to spare */

typedef struct {
    _Alignas(ARENA_ALIGN) uint64_t s[200]; /* the four states and the permutation's working space */
    keccak_x4 permute;
    uint64_t seed[8]; /* rho'' */
    uint64_t bytes[SLOTS][MASK_BLOCKS * WORDS];
    unsigned begun, taken;  /* masks, since the start; mask i lives in slot i mod SLOTS */
    unsigned lane_mask[4];  /* the mask in a lane */
    unsigned lane_steps[4]; /* blocks of it squeezed so far; MASK_BLOCKS: the lane is free */
    uint64_t chain[WORDS];  /* what lane 0 squeezes when it has no mask */
    uint64_t idle[WORDS];   /* what a lane without a mask squeezes */
} mask_stream;

_Static_assert(sizeof(mask_stream) <= MLDSA_MASKS_BYTES_AVX2, "masks of backend avx2");
_Static_assert(SLOTS >= MLDSA_MAX_L + 4, "a vector of masks and four lanes at work have room");

/* Gives lane n the next mask, when there is a slot for it. */
INLINE void begin_mask(mask_stream *m, unsigned n)
{
    if (m->begun - m->taken == SLOTS)
        return;
    m->lane_mask[n] = m->begun % SLOTS;
    m->lane_steps[n] = 0;
    lane_start(m->s, n, m->seed, 8, (m->begun & 0xFFFF) | (uint64_t)SHAKE_SUFFIX << 16, SHAKE256_RATE);
    m->begun++;
}

/* One permutation of all lanes; the lanes first .. 3 squeeze a block of their masks, and are given new ones before where they are free. */
static void step(mask_stream *m, unsigned first)
{
    uint8_t *out[4];

    for (unsigned n = first; n < 4; n++)
        if (m->lane_steps[n] == MASK_BLOCKS)
            begin_mask(m, n);
    for (unsigned n = 0; n < 4; n++) {
        uint64_t *block = n == 0 ? m->chain : m->idle;

        if (m->lane_steps[n] != MASK_BLOCKS)
            block = m->bytes[m->lane_mask[n]] + WORDS * m->lane_steps[n]++;
        out[n] = (uint8_t *)block;
    }
    m->permute(m->s);
    lanes_extract(out, m->s, SHAKE256_RATE);
}

/* Masks that are begun but not finished in lanes 1 to 3. */
INLINE unsigned in_progress(const mask_stream *m)
{
    return (unsigned)(m->lane_steps[1] != MASK_BLOCKS) + (m->lane_steps[2] != MASK_BLOCKS) + (m->lane_steps[3] != MASK_BLOCKS);
}

INLINE void unpack(int32_t y[256], const uint8_t *packed, unsigned bits)
{
    for (unsigned i = 0; i < MLDSA_N; i += 8, packed += bits)
        store(y + i, z_unpack_8(packed, bits));
}

/* FIPS 204, Algorithm 19 (BitUnpack) of one mask. */
static void unpack_mask(int32_t y[256], const uint64_t *words, const mldsa_params *p)
{
    if (p->gamma1_bits == 17)
        unpack(y, (const uint8_t *)words, 18);
    else
        unpack(y, (const uint8_t *)words, 20);
}

void mldsa_masks_start_avx2(void *masks, const uint8_t rho_prime[64], const mldsa_params *p, girih_backend id)
{
    mask_stream *m = (mask_stream *)masks;

    (void)p;
    m->permute = keccak_x4_of(id);
    memset(m->s, 0, sizeof m->s);
    memcpy(m->seed, rho_prime, sizeof m->seed);
    m->begun = m->taken = 0;
    for (unsigned n = 0; n < 4; n++)
        m->lane_steps[n] = MASK_BLOCKS;
}

/* FIPS 204, Algorithm 34 (ExpandMask). Lane 0 helps when lanes 1 to 3 have not begun as many masks as are missing, and then until its own
 * is finished, since the next challenge wants the lane free. */
void mldsa_masks_next_avx2(int32_t *y, void *masks, const mldsa_params *p)
{
    mask_stream *m = (mask_stream *)masks;

    for (;;) {
        const unsigned unfinished = in_progress(m) + (m->lane_steps[0] != MASK_BLOCKS);
        const unsigned ready = m->begun - m->taken - unfinished;

        if (ready >= p->l && m->lane_steps[0] == MASK_BLOCKS)
            break;
        step(m, ready + unfinished < p->l || m->lane_steps[0] != MASK_BLOCKS ? 0 : 1);
    }
    for (unsigned r = 0; r < p->l; r++, y += MLDSA_N, m->taken++)
        unpack_mask(y, m->bytes[m->taken % SLOTS], p);
}

/* FIPS 204, Algorithm 34 (ExpandMask) of up to four signers, one in each lane: nothing is left over, and nothing is idle while there are
 * four. */
void mldsa_masks_of_lanes_avx2(int32_t *const y[], const uint8_t *rho_prime, const unsigned kappa[], unsigned count, void *room,
                               const mldsa_params *p, girih_backend id)
{
    mask_stream *m = (mask_stream *)room;

    m->permute = keccak_x4_of(id);
    if (count < 4)
        memset(m->s, 0, sizeof m->s);
    for (unsigned r = 0; r < p->l; r++) {
        for (unsigned n = 0; n < count; n++) {
            uint64_t seed[8];

            memcpy(seed, rho_prime + 64 * n, sizeof seed);
            lane_start(m->s, n, seed, 8, ((kappa[n] + r) & 0xFFFF) | (uint64_t)SHAKE_SUFFIX << 16, SHAKE256_RATE);
        }
        for (unsigned b = 0; b < MASK_BLOCKS; b++) {
            uint8_t *out[4];

            for (unsigned n = 0; n < 4; n++)
                out[n] = (uint8_t *)(m->bytes[n] + WORDS * b);
            m->permute(m->s);
            lanes_extract(out, m->s, SHAKE256_RATE);
        }
        for (unsigned n = 0; n < count; n++)
            unpack_mask(y[n] + MLDSA_N * r, m->bytes[n], p);
    }
}

/* FIPS 204, Algorithm 7, lines 15-16, in lane 0. */
void mldsa_challenge_avx2(uint8_t *c_tilde, int32_t c[256], const uint8_t *commitment, void *masks, const mldsa_params *p, girih_backend id)
{
    mask_stream *m = (mask_stream *)masks;
    unsigned words = (GIRIH_MLDSA_MU_BYTES + p->w1_bytes * p->k) / 8; /* a whole number of them */
    const __m256i chain = only_lane(0);
    uint64_t seed[MLDSA_MAX_C_TILDE_BYTES / 8];
    mldsa_ball ball;

    (void)id;
    for (unsigned i = 0; i < 25; i++)
        lane_put(m->s, i, chain, 0);
    for (; words >= WORDS; words -= WORDS, commitment += SHAKE256_RATE) {
        for (unsigned i = 0; i < WORDS; i++)
            lane_put(m->s, i, chain, m->s[4 * i] ^ load_le64(commitment + 8 * i));
        step(m, 1);
    }
    for (unsigned i = 0; i < words; i++)
        lane_put(m->s, i, chain, m->s[4 * i] ^ load_le64(commitment + 8 * i));
    lane_put(m->s, words, chain, m->s[4 * words] ^ SHAKE_SUFFIX);
    lane_put(m->s, WORDS - 1, chain, m->s[4 * (WORDS - 1)] ^ UINT64_C(0x80) << 56);
    step(m, 1);
    memcpy(c_tilde, m->chain, p->c_tilde_bytes);
    mldsa_declassify_c_tilde(c_tilde, p);

    memcpy(seed, c_tilde, p->c_tilde_bytes);
    lane_start(m->s, 0, seed, p->c_tilde_bytes / 8, SHAKE_SUFFIX, SHAKE256_RATE);
    mldsa_ball_start(&ball, c, p);
    do
        step(m, 1);
    while (!mldsa_ball_block(&ball, c, (const uint8_t *)m->chain));
}
