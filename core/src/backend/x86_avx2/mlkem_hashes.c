/* The hashes of ML-KEM side by side in four lanes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A lane without work takes the next job. A job whose input has several blocks keeps its lane until it is through, or until the next block
 * is not there yet: then it is parked. The last job that is left is finished alone by the permutation of one state, and a job that comes
 * alone never enters a lane. */
#include "backend/keccak.h"
#include "backend/x86_avx2/lanes.h"
#include "backend/x86_avx2/mlkem_sample.h"

#define LANE_BYTES (SHAKE256_RATE + SHAKE128_RATE + 24) /* two blocks of noise, the second as long as the longest; and what may be read */

enum { NEW, DONE, IN_LANE, PARKED }; /* of mlkem_job.done */

/* How far a job is. */
typedef struct {
    mlkem_job *job;     /* NULL: idle */
    size_t absorbed;    /* bytes of input in the state */
    unsigned squeezing; /* 1 once the padding is in */
    unsigned n;         /* ENTRY: coefficients so far; NOISE: bytes */
} progress;

typedef struct {
    _Alignas(ARENA_ALIGN) uint64_t s[200]; /* the four states and the permutation's working space */
    _Alignas(ARENA_ALIGN) uint8_t bytes[4][LANE_BYTES];
    uint8_t block[SHAKE128_RATE]; /* of input, to be absorbed */
    girih_sha3 alone;             /* of a job that is finished alone */
    uint64_t parked_at[25];       /* the state of the parked job */
    keccak_x4 permute;
    progress lanes[4], parked;
    _Alignas(ARENA_ALIGN) int16_t poly[4][MLKEM_ENTRY_ROOM]; /* entries in the order of the standard: public */
} hashes;

_Static_assert(sizeof(hashes) <= MLKEM_HASHES_BYTES_AVX2, "room for the hashes of backend avx2");
_Static_assert(offsetof(hashes, poly) <= MLKEM_HASHES_SECRET_AVX2, "what of it is wiped");

void mlkem_hashes_start_avx2(void *room, girih_backend id)
{
    hashes *h = (hashes *)room;

    h->permute = keccak_x4_of(id);
    h->alone.backend = (uint16_t)id;
    h->parked.job = NULL;
    for (unsigned n = 0; n < 4; n++)
        h->lanes[n].job = NULL;
}

static unsigned rate_of(const mlkem_job *job)
{
    return job->kind == MLKEM_ENTRY ? SHAKE128_RATE : job->kind == MLKEM_G ? SHA3_512_RATE : SHAKE256_RATE; /* of H too */
}

static uint8_t suffix_of(const mlkem_job *job)
{
    return job->kind == MLKEM_G || job->kind == MLKEM_H ? SHA3_SUFFIX : SHAKE_SUFFIX;
}

/* Copies what of len bytes at p lies in [from, from + rate) of the input, where p begins at `at`. */
static void copy_part(uint8_t *block, size_t from, unsigned rate, const uint8_t *p, size_t at, size_t len)
{
    const size_t begin = at > from ? at : from, end = at + len < from + rate ? at + len : from + rate;

    if (begin < end)
        memcpy(block + (begin - from), p + (begin - at), end - begin);
}

/* The next block of a job's input, padded where it is the last. */
static void next_block(progress *w, uint8_t block[SHAKE128_RATE], unsigned rate)
{
    const mlkem_job *job = w->job;
    const size_t a = job->a_len, b = a + job->b_len, all = b + job->tail_len, from = w->absorbed;

    memset(block, 0, rate);
    copy_part(block, from, rate, job->a, 0, a);
    copy_part(block, from, rate, job->b, a, job->b_len);
    copy_part(block, from, rate, job->tail, b, job->tail_len);
    w->absorbed = from + rate;
    if (all < from + rate) {
        block[all - from] ^= suffix_of(job);
        block[rate - 1] ^= 0x80;
        w->squeezing = 1;
    }
}

/* Whether it is there. */
static int is_there(const mlkem_job *job, size_t absorbed)
{
    return job->there == job->a_len || absorbed + rate_of(job) <= job->there;
}

/* Absorbs it into lane n. The state is what the lane holds, or comes from outside: 25 words, NULL for the empty one. */
static void absorb(hashes *h, unsigned n, const uint64_t *state, int in_lane)
{
    const __m256i lane = only_lane(n);
    const unsigned words = rate_of(h->lanes[n].job) / 8;

    next_block(&h->lanes[n], h->block, 8 * words);
    for (unsigned i = 0; i < words; i++)
        lane_put(h->s, i, lane, load_le64(h->block + 8 * i) ^ (in_lane ? h->s[4 * i + n] : state != NULL ? state[i] : 0));
    for (unsigned i = words; !in_lane && i < 25; i++)
        lane_put(h->s, i, lane, state != NULL ? state[i] : 0);
}

/* Takes a job that waits for input out of its lane. */
static void park(hashes *h, unsigned n)
{
    for (unsigned i = 0; i < 25; i++)
        h->parked_at[i] = h->s[4 * i + n];
    h->parked = h->lanes[n];
    h->parked.job->done = PARKED;
    h->lanes[n].job = NULL;
}

/* ... and back into one. */
static void resume(hashes *h, unsigned n)
{
    h->lanes[n] = h->parked;
    h->parked.job = NULL;
    h->lanes[n].job->done = IN_LANE;
    absorb(h, n, h->parked_at, 0);
}

/* Whether a job's input is 32 bytes and a tail: of one block, which lane_start makes at once. */
static int is_short(const mlkem_job *job)
{
    return job->kind == MLKEM_ENTRY || job->kind == MLKEM_NOISE;
}

/* The word behind those 32 bytes: the tail and the suffix. */
static uint64_t tail_of(const mlkem_job *job)
{
    if (job->kind == MLKEM_NOISE)
        return job->tail[0] | (uint64_t)SHAKE_SUFFIX << 8;
    return job->tail[0] | (uint64_t)job->tail[1] << 8 | (uint64_t)SHAKE_SUFFIX << 16;
}

static void begin(hashes *h, unsigned n, mlkem_job *job)
{
    h->lanes[n] = (progress){.job = job};
    job->done = IN_LANE;
    if (is_short(job)) {
        const uint64_t words[4] = {load_le64(job->a), load_le64(job->a + 8), load_le64(job->a + 16), load_le64(job->a + 24)};

        lane_start(h->s, n, words, 4, tail_of(job), rate_of(job));
        h->lanes[n].squeezing = 1;
    } else {
        absorb(h, n, NULL, 0);
    }
}

/* The same in all four lanes, with four short jobs. */
static void begin_four(hashes *h, mlkem_job *const jobs[4])
{
    const __m256i last =
        _mm256_setr_epi64x(rate_of(jobs[0]) / 8 - 1, rate_of(jobs[1]) / 8 - 1, rate_of(jobs[2]) / 8 - 1, rate_of(jobs[3]) / 8 - 1);
    __m256i *s = (__m256i *)h->s;

    for (unsigned i = 0; i < 4; i++)
        _mm256_store_si256(s + i, _mm256_setr_epi64x((long long)load_le64(jobs[0]->a + 8 * i), (long long)load_le64(jobs[1]->a + 8 * i),
                                                     (long long)load_le64(jobs[2]->a + 8 * i), (long long)load_le64(jobs[3]->a + 8 * i)));
    _mm256_store_si256(s + 4, _mm256_setr_epi64x((long long)tail_of(jobs[0]), (long long)tail_of(jobs[1]), (long long)tail_of(jobs[2]),
                                                 (long long)tail_of(jobs[3])));
    for (unsigned i = 5; i < 25; i++) /* zeros, but for the end of the padding */
        _mm256_store_si256(s + i, _mm256_slli_epi64(_mm256_cmpeq_epi64(last, _mm256_set1_epi64x(i)), 63));
    for (unsigned n = 0; n < 4; n++) {
        h->lanes[n] = (progress){.job = jobs[n], .squeezing = 1};
        jobs[n]->done = IN_LANE;
    }
}

static int are_short(mlkem_job *const jobs[4])
{
    for (unsigned n = 0; n < 4; n++)
        if (jobs[n]->done != NEW || !is_short(jobs[n]))
            return 0;
    return 1;
}

/* What is to be squeezed at once of a job: its whole output but for entries, of which that is a block. */
static unsigned wanted(const mlkem_job *job)
{
    switch (job->kind) {
    case MLKEM_ENTRY:
        return SHAKE128_RATE;
    case MLKEM_NOISE:
        return 64 * job->eta;
    case MLKEM_G:
        return 64;
    default:
        return 32;
    }
}

/* Takes the block in bytes, which begins `taken` bytes into what was squeezed. poly: room for an entry. */
static void take(progress *w, const uint8_t *bytes, int16_t *poly)
{
    mlkem_job *job = w->job;

    switch (job->kind) {
    case MLKEM_ENTRY:
        w->n = sample_ntt(poly, w->n, bytes);
        if (w->n < MLKEM_N)
            return;
        change_order(job->poly, poly);
        break;
    case MLKEM_NOISE:
        w->n += SHAKE256_RATE;
        if (w->n < wanted(job))
            return;
        if (job->eta == 2)
            sample_cbd_2(job->poly, bytes);
        else
            sample_cbd_3(job->poly, bytes);
        break;
    default:
        memcpy(job->out, bytes, wanted(job));
    }
    job->done = DONE;
    w->job = NULL;
}

/* Permutes all lanes; what is squeezed goes to its job, the others absorb on. */
static void step(hashes *h)
{
    uint8_t *out[4];
    unsigned rate = SHAKE256_RATE; /* or the longest of any lane */

    h->permute(h->s);
    for (unsigned n = 0; n < 4; n++) {
        const mlkem_job *job = h->lanes[n].job;

        out[n] = h->bytes[n] + (job != NULL && job->kind == MLKEM_NOISE ? h->lanes[n].n : 0);
        if (job != NULL && job->kind == MLKEM_ENTRY)
            rate = SHAKE128_RATE;
    }
    lanes_extract(out, h->s, rate);
    for (unsigned n = 0; n < 4; n++) {
        progress *w = &h->lanes[n];

        if (w->job == NULL)
            continue;
        if (w->squeezing)
            take(w, h->bytes[n], h->poly[n]);
        else if (is_there(w->job, w->absorbed))
            absorb(h, n, NULL, 1);
        else
            park(h, n);
    }
}

/* Finishes a job alone, in h->alone. begun: the state holds a block that is not permuted yet. n: whose room it uses. */
static void finish_alone(hashes *h, progress *w, int begun, unsigned n)
{
    const unsigned rate = rate_of(w->job);
    const keccak_backend *be = keccak_backend_of((girih_backend)h->alone.backend);
    uint64_t *lane = h->alone.state.lane;

    for (; w->job != NULL; begun = 0) {
        if (!begun && !w->squeezing) {
            const int fresh = w->absorbed == 0;

            next_block(w, h->block, rate);
            if (fresh) {
                memcpy(lane, h->block, rate);
                memset(lane + rate / 8, 0, 200 - rate);
            } else {
                be->xor_bytes(&h->alone, 0, h->block, rate);
            }
        }
        be->permute(&h->alone);
        if (w->squeezing) {
            memcpy(h->bytes[n] + (w->job->kind == MLKEM_NOISE ? w->n : 0), lane, is_short(w->job) ? rate : wanted(w->job));
            take(w, h->bytes[n], h->poly[n]);
        }
    }
}

/* The only job that there is: in lane n, parked, or new. */
static void finish_last(hashes *h, mlkem_job *job, unsigned n)
{
    progress new = {.job = job};

    if (job->done == IN_LANE) {
        for (unsigned i = 0; i < 25; i++)
            h->alone.state.lane[i] = h->s[4 * i + n];
        finish_alone(h, &h->lanes[n], 1, n);
    } else if (job->done == PARKED) {
        memcpy(h->alone.state.lane, h->parked_at, sizeof h->parked_at);
        finish_alone(h, &h->parked, 0, n);
    } else {
        finish_alone(h, &new, 0, n);
    }
}

/* Gives lane n the next job, if there is one. */
static void occupy(hashes *h, unsigned n, mlkem_job *const jobs[], unsigned count, unsigned *next, mlkem_job *beside)
{
    if (h->parked.job != NULL && is_there(h->parked.job, h->parked.absorbed)) {
        resume(h, n);
    } else if (beside != NULL && beside->done == NEW && is_there(beside, 0)) {
        begin(h, n, beside);
    } else {
        while (*next < count && jobs[*next]->done != NEW)
            (*next)++;
        if (*next < count)
            begin(h, n, jobs[(*next)++]);
    }
}

void mlkem_hashes_run_avx2(void *room, mlkem_job *const jobs[], unsigned count, unsigned needed, mlkem_job *beside)
{
    hashes *h = (hashes *)room;
    unsigned next = 0;

    for (unsigned first = 0;;) {
        unsigned live = 0, one = 0;

        while (first < needed && jobs[first]->done == DONE)
            first++;
        if (first == needed)
            return;
        for (unsigned n = 0; n < 4; n++)
            live += h->lanes[n].job != NULL;
        if (live == 0 && first + 1 == count && beside == NULL) {
            finish_last(h, jobs[first], 0);
            continue;
        }
        if (live == 0 && next + 4 <= count && beside == NULL && are_short(jobs + next)) {
            begin_four(h, jobs + next);
            next += 4;
        }
        live = 0;
        for (unsigned n = 0; n < 4; n++) {
            if (h->lanes[n].job == NULL)
                occupy(h, n, jobs, count, &next, beside);
            if (h->lanes[n].job != NULL) {
                live++;
                one = n;
            }
        }
        if (live == 1 && h->lanes[one].job != beside)
            finish_last(h, h->lanes[one].job, one);
        else
            step(h);
    }
}
