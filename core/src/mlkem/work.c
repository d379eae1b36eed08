/* The buffers of an operation, and its list of work for the hash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/bytes.h"
#include "common/ct.h"
#include "mlkem/pke.h"

/* The longest list that an operation of this shape hands to the backend: A_hat and the noise of a key pair, A_hat and two hashes, or the
 * noise of every item. */
static unsigned most_jobs(mlkem_shape shape, const mlkem_params *p)
{
    const unsigned first = p->k * p->k + 2 * p->k, noise = shape.items * (2 * p->k + 1);

    return shape.with_a && first > noise ? first : noise;
}

size_t mlkem_work_carve(mlkem_work *w, void *base, mlkem_shape shape, const mlkem_params *p, girih_backend id)
{
    arena a = arena_over(base);
    const mlkem_backend *be = mlkem_backend_of(id);
    const int streamed = be->lanes == 1;
    const unsigned jobs = streamed ? 1 : most_jobs(shape, p), noise = streamed ? p->k + 1 : 2 * p->k + 1;
    int16_t *noises;

    *w = (mlkem_work){.be = be, .items = shape.items};
    w->item = (mlkem_item *)arena_take(&a, sizeof *w->item * shape.items);
    w->jobs = (mlkem_job *)arena_take(&a, sizeof *w->jobs * jobs);
    w->list = (mlkem_job **)arena_take(&a, sizeof *w->list * jobs);
    noises = (int16_t *)arena_take(&a, 512 * noise * shape.items);
    w->caches = (int16_t *)arena_take(&a, 2 * be->cache_words * p->k);
    w->poly = (int16_t *)arena_take(&a, 512);
    w->sum = streamed ? (int32_t *)arena_take(&a, 1024) : NULL;
    w->packed = (uint8_t *)arena_take(&a, MLKEM_MAX_CT_POLY);
    w->secret = a.used + be->hashes_secret;
    w->room = arena_take(&a, be->hashes_bytes);
    w->a_hat = shape.with_a && !streamed ? (int16_t *)arena_take(&a, 512 * p->k * p->k) : NULL;
    w->t_hat = shape.with_t && !streamed ? (int16_t *)arena_take(&a, 512 * p->k) : NULL;
    if (base != NULL) {
        for (unsigned i = 0; i < shape.items; i++)
            w->item[i].noise = noises + 256 * noise * i;
        be->hashes_start(w->room, id);
    }
    return a.used;
}

void mlkem_work_wipe(const mlkem_work *w, void *base, size_t bytes)
{
    arena_release(base, bytes);
    girih_wipe(base, w->secret);
}

mlkem_job *mlkem_add(mlkem_work *w, mlkem_job_kind kind)
{
    mlkem_job *job = &w->jobs[w->count];

    *job = (mlkem_job){.kind = kind};
    w->list[w->count++] = job;
    return job;
}

mlkem_job *mlkem_add_hash(mlkem_work *w, mlkem_job_kind kind, uint8_t *out, const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    mlkem_job *job = mlkem_add(w, kind);

    job->out = out;
    job->a = a;
    job->a_len = a_len;
    job->there = a_len;
    job->b = b;
    job->b_len = b_len;
    return job;
}

mlkem_job *mlkem_add_noise(mlkem_work *w, int16_t *poly, const uint8_t seed[32], unsigned n, unsigned eta)
{
    mlkem_job *job = mlkem_add(w, MLKEM_NOISE);

    job->poly = poly;
    job->eta = eta;
    job->a = seed;
    job->a_len = 32;
    job->tail[0] = (uint8_t)n;
    job->tail_len = 1;
    return job;
}

mlkem_job *mlkem_add_entry(mlkem_work *w, int16_t *poly, const uint8_t rho[32], unsigned i, unsigned j)
{
    mlkem_job *job = mlkem_add(w, MLKEM_ENTRY);

    job->poly = poly;
    job->a = rho;
    job->a_len = MLKEM_RHO_BYTES;
    job->tail[0] = (uint8_t)i;
    job->tail[1] = (uint8_t)j;
    job->tail_len = 2;
    return job;
}

void mlkem_run(mlkem_work *w)
{
    mlkem_run_first(w, w->count);
    w->count = 0;
}

void mlkem_run_first(mlkem_work *w, unsigned needed)
{
    mlkem_be(w)->hashes_run(w->room, w->list, w->count, needed, w->beside);
}
