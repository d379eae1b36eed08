/* Times the primitives of each backend and the whole operations of ML-DSA, in turns.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: girih_bench [--json] [--rounds N] [filter]
 * Names read "backend primitive [set]"; filter keeps the cases whose name holds it. Signing is deterministic: "sign" is the mean of MESSAGES
 * fixed messages, "sign at once" that of some which the first attempt signs, so both repeat exactly. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/mldsa.h"
#include "common/arena.h"
#include "harness.h"

#define MESSAGES   64
#define SIGNATURES 16 /* of verify, and of sign at once */
#define MAX_CASES  256
#define MAX_WS     (192 * 1024)

/* What a case works on: one backend, one set. */
typedef struct {
    girih_backend id;
    const mldsa_backend *be;
    const mldsa_params *p;
    girih_sha3 h;
    int32_t *a_hat, *y, *w, *z, *poly, *other; /* aligned, in range for every primitive; poly is worked on in place */
    uint8_t *bytes, *w1, *positions, *rows, *masks, *challenge, *form, *t0_form;
    girih_mldsa_vk *vk;
    girih_mldsa_sk *sk;
    uint8_t *ws, *pk, *secret_key, *sig, *sigs;
    uint32_t at_once[SIGNATURES]; /* numbers of messages */
    unsigned at_once_count;
} bench_state;

static bench_case cases[MAX_CASES];
static size_t case_count;

static void add(const char *what, void (*run)(void *, unsigned), bench_state *s, int with_set, unsigned parts)
{
    bench_case *c = &cases[case_count++];

    if (case_count > MAX_CASES)
        abort();
    if (with_set)
        snprintf(c->name, sizeof c->name, "%s %s %d", girih_backend_name(s->id), what, (int)s->p->set);
    else
        snprintf(c->name, sizeof c->name, "%s %s", girih_backend_name(s->id), what);
    c->run = run;
    c->context = s;
    c->parts = parts;
}

static void require(girih_status status)
{
    if (status != GIRIH_OK) {
        fprintf(stderr, "girih_bench: status %d\n", (int)status);
        exit(1);
    }
}

static void *aligned(size_t bytes)
{
    void *p = aligned_alloc(ARENA_ALIGN, ARENA_ROUND(bytes));

    if (p == NULL)
        exit(1);
    memset(p, 0, ARENA_ROUND(bytes));
    return p;
}

/* ---- primitives ---- */

/* FIPS 204, Algorithm 32 (ExpandA), all rows. */
static int expand_a(bench_state *s)
{
    s->be->rows_start(s->rows, s->pk, s->p, s->id);
    for (unsigned i = 0; i < s->p->k; i++)
        s->be->rows_next(s->rows, s->a_hat, s->p);
    return 0;
}

#define CASE(name, call)                                                                                                                   \
    static void run_##name(void *context, unsigned part)                                                                                   \
    {                                                                                                                                      \
        bench_state *s = (bench_state *)context;                                                                                           \
        (void)part;                                                                                                                        \
        (void)(call);                                                                                                                      \
    }

CASE(keccak, (keccak_backend_of(s->id)->permute(&s->h), 0))
CASE(ntt, (memcpy(s->poly, s->y, 1024), s->be->ntt(s->poly), 0))
CASE(intt, (memcpy(s->poly, s->w, 1024), s->be->intt(s->poly), 0))
CASE(copy, memcpy(s->poly, s->y, 1024))
CASE(matrix, (s->be->matrix_times_vector(s->w, s->a_hat, s->y, s->p), 0))
CASE(matrix_minus, (s->be->matrix_times_vector_minus(s->w, s->a_hat, s->y, s->z, s->z, s->p), 0))
CASE(challenge_form, (s->be->challenge_form(s->challenge, s->other, s->p), 0))
CASE(add_secret, s->be->add_secret(s->poly, s->z, s->challenge, s->form, s->p->gamma1, s->p))
CASE(times_t0, s->be->times_t0(s->poly, s->challenge, s->t0_form, s->p))
CASE(power2round, (memcpy(s->poly, s->y, 1024), s->be->power2round(s->bytes, s->poly), 0))
CASE(decompose, (memcpy(s->poly, s->y, 1024), s->be->decompose(s->w1, s->poly, s->p), 0))
CASE(make_hint, s->be->make_hint(s->positions, s->z, s->w1, s->p))
CASE(use_hint, (s->be->use_hint(s->w1, s->y, s->positions, 12, s->p), 0))
CASE(z_pack, (s->be->z_pack(s->bytes, s->z, s->p), 0))
CASE(z_unpack, s->be->z_unpack_exceeds(s->poly, s->bytes, s->p))
CASE(expand_a, expand_a(s))
CASE(expand_s, (s->be->rows_start(s->rows, s->pk, s->p, s->id), s->be->rows_secrets(s->rows, s->w, s->a_hat, s->sig, s->p), 0))
CASE(first_masks, (s->be->masks_start(s->masks, s->sig, s->p, s->id), s->be->masks_next(s->w, s->masks, s->p), 0))
CASE(more_masks, (s->be->challenge(s->w1, s->other, s->secret_key, s->masks, s->p, s->id), s->be->masks_next(s->w, s->masks, s->p), 0))
CASE(digest, s->be->digest(s->a_hat, 256 * s->p->k * s->p->l))

#if defined(GIRIH_X86_AVX2)
static void run_keccak_x4(void *context, unsigned part)
{
    (void)part;
    keccak_x4_of(((bench_state *)context)->id)((uint64_t *)((bench_state *)context)->w);
}
#endif

/* ---- operations ---- */

static void message(uint8_t msg[32], uint32_t number)
{
    memset(msg, 0, 32);
    memcpy(msg, &number, sizeof number);
}

static void sign(bench_state *s, uint8_t *sig, uint32_t number)
{
    static const uint8_t rnd[GIRIH_MLDSA_RND_BYTES];
    uint8_t msg[32];

    message(msg, number);
    require(girih_mldsa_sign(sig, s->p->sig_bytes, s->sk, s->vk, msg, sizeof msg, NULL, 0, rnd, NULL, s->ws, MAX_WS));
}

static const uint8_t key_seed[GIRIH_MLDSA_SEED_BYTES] = {7};

CASE(keygen,
     (require(girih_mldsa_keygen(s->pk, s->p->pk_bytes, s->secret_key, s->p->sk_bytes, s->p->set, s->id, key_seed, s->ws, MAX_WS)), 0))
CASE(seed_load, (require(girih_mldsa_seed_load(s->vk, girih_mldsa_vk_bytes(s->p->set, s->id), s->sk, girih_mldsa_sk_bytes(s->p->set, s->id),
                                               NULL, 0, s->p->set, s->id, key_seed, s->ws, MAX_WS)),
                 0))
CASE(vk_load,
     (require(girih_mldsa_vk_load(s->vk, girih_mldsa_vk_bytes(s->p->set, s->id), s->p->set, s->id, s->pk, s->p->pk_bytes, s->ws, MAX_WS)),
      0))

static void run_sign(void *context, unsigned part)
{
    bench_state *s = (bench_state *)context;

    sign(s, s->sig, part);
}

static void run_sign_at_once(void *context, unsigned part)
{
    bench_state *s = (bench_state *)context;

    sign(s, s->sig, s->at_once[part]);
}

static void run_verify(void *context, unsigned part)
{
    bench_state *s = (bench_state *)context;
    uint8_t msg[32];

    message(msg, part);
    require(girih_mldsa_verify(s->vk, s->sigs + s->p->sig_bytes * part, s->p->sig_bytes, msg, sizeof msg, NULL, 0, s->ws, MAX_WS));
}

/* Numbers of the messages that the first attempt signs. */
static void find_at_once(bench_state *s)
{
    static const uint8_t rnd[GIRIH_MLDSA_RND_BYTES];
    const girih_mldsa_options once = {.max_attempts = 1, .checked = 0};
    uint8_t msg[32];

    for (uint32_t i = 0; s->at_once_count < SIGNATURES; i++) {
        message(msg, i);
        if (girih_mldsa_sign(s->sig, s->p->sig_bytes, s->sk, s->vk, msg, sizeof msg, NULL, 0, rnd, &once, s->ws, MAX_WS) == GIRIH_OK)
            s->at_once[s->at_once_count++] = i;
    }
}

/* ---- the table ---- */

static void fill(int32_t *a, size_t count, int32_t low, int32_t high)
{
    static uint32_t state = 1;

    for (size_t i = 0; i < count; i++) {
        state = state * 1664525 + 1013904223;
        a[i] = low + (int32_t)((uint64_t)state * (uint32_t)(high - low + 1) >> 32);
    }
}

static void prepare(bench_state *s, girih_backend id, girih_mldsa_set set)
{
    const mldsa_params *p = mldsa_params_of(set);
    const mldsa_backend *be = mldsa_backend_of(id);

    s->id = id;
    s->be = be;
    s->p = p;
    s->a_hat = (int32_t *)aligned(1024 * p->k * p->l);
    s->y = (int32_t *)aligned(1024 * p->l);
    s->w = (int32_t *)aligned(1024 * (p->k + p->l));
    s->z = (int32_t *)aligned(1024 * p->k);
    s->poly = (int32_t *)aligned(1024);
    s->other = (int32_t *)aligned(1024);
    s->bytes = (uint8_t *)aligned(p->z_bytes);
    s->w1 = (uint8_t *)aligned(p->w1_bytes);
    s->positions = (uint8_t *)aligned(256);
    s->rows = (uint8_t *)aligned(be->rows_bytes);
    s->masks = (uint8_t *)aligned(be->masks_bytes);
    s->challenge = (uint8_t *)aligned(be->challenge_bytes);
    s->form = (uint8_t *)aligned(be->secret_bytes);
    s->t0_form = (uint8_t *)aligned(be->t0_bytes);
    s->vk = (girih_mldsa_vk *)aligned(girih_mldsa_vk_bytes(set, id));
    s->sk = (girih_mldsa_sk *)aligned(girih_mldsa_sk_bytes(set, id));
    s->ws = (uint8_t *)aligned(MAX_WS);
    s->pk = (uint8_t *)aligned(p->pk_bytes);
    s->secret_key = (uint8_t *)aligned(p->sk_bytes);
    s->sig = (uint8_t *)aligned(p->sig_bytes);
    s->sigs = (uint8_t *)aligned(p->sig_bytes * SIGNATURES);

    run_keygen(s, 0);
    run_seed_load(s, 0);
    for (uint32_t i = 0; i < SIGNATURES; i++)
        sign(s, s->sigs + p->sig_bytes * i, i);
    find_at_once(s);

    fill(s->a_hat, 256 * (size_t)p->k * p->l, 0, MLDSA_Q - 1);
    fill(s->y, 256 * (size_t)p->l, -(MLDSA_Q - 1), MLDSA_Q - 1);
    fill(s->z, 256 * (size_t)p->k, -4, 4);
    be->secret_form(s->form, s->z);
    be->t0_form(s->t0_form, s->z);
    for (unsigned i = 0; i < p->tau; i++)
        s->other[256 / p->tau * i] = i % 2 ? 1 : -1;
    be->challenge_form(s->challenge, s->other, p);
    for (unsigned i = 0; i < 12; i++)
        s->positions[i] = (uint8_t)(20 * i);
    be->masks_start(s->masks, s->sig, p, id);
}

static void add_primitives(bench_state *s)
{
    if (s->p->set == GIRIH_MLDSA_44) {
        add("keccak", run_keccak, s, 0, 1);
#if defined(GIRIH_X86_AVX2)
        if (s->id == GIRIH_BACKEND_AVX2 || s->id == GIRIH_BACKEND_AVX512)
            add("keccak x4", run_keccak_x4, s, 0, 1);
#endif
        add("copy of a polynomial", run_copy, s, 0, 1);
        add("ntt and a copy", run_ntt, s, 0, 1);
        add("intt and a copy", run_intt, s, 0, 1);
        add("power2round and a copy", run_power2round, s, 0, 1);
    }
    add("matrix_times_vector", run_matrix, s, 1, 1);
    add("matrix_times_vector_minus", run_matrix_minus, s, 1, 1);
    add("challenge_form", run_challenge_form, s, 1, 1);
    add("add_secret", run_add_secret, s, 1, 1);
    add("times_t0", run_times_t0, s, 1, 1);
    add("decompose and a copy", run_decompose, s, 1, 1);
    add("make_hint", run_make_hint, s, 1, 1);
    add("use_hint", run_use_hint, s, 1, 1);
    add("z_pack", run_z_pack, s, 1, 1);
    add("z_unpack_exceeds", run_z_unpack, s, 1, 1);
    add("expand_a", run_expand_a, s, 1, 1);
    add("expand_s", run_expand_s, s, 1, 1);
    add("first masks", run_first_masks, s, 1, 1);
    add("challenge and masks", run_more_masks, s, 1, 1);
    add("digest", run_digest, s, 1, 1);
}

static void add_operations(bench_state *s)
{
    add("keygen", run_keygen, s, 1, 1);
    add("seed_load", run_seed_load, s, 1, 1);
    add("vk_load", run_vk_load, s, 1, 1);
    add("sign", run_sign, s, 1, MESSAGES);
    add("sign at once", run_sign_at_once, s, 1, SIGNATURES);
    add("verify", run_verify, s, 1, SIGNATURES);
}

int main(int argc, char **argv)
{
    static const girih_backend backends[] = {GIRIH_BACKEND_C, GIRIH_BACKEND_AVX2, GIRIH_BACKEND_AVX512};
    static const girih_mldsa_set sets[] = {GIRIH_MLDSA_44, GIRIH_MLDSA_65, GIRIH_MLDSA_87};
    static bench_state states[3][3];
    bench_options options = {.rounds = 200, .filter = NULL, .json = 0};

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            options.json = 1;
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            options.rounds = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (argv[i][0] != '-')
            options.filter = argv[i];
        else
            options.rounds = 0;
    }
    if (options.rounds == 0) {
        fprintf(stderr, "usage: girih_bench [--json] [--rounds N] [filter]\n");
        return 2;
    }
    for (unsigned b = 0; b < sizeof backends / sizeof backends[0]; b++)
        for (unsigned n = 0; n < 3; n++)
            if (girih_backend_available(backends[b])) {
                prepare(&states[b][n], backends[b], sets[n]);
                add_primitives(&states[b][n]);
                add_operations(&states[b][n]);
            }
    return bench_run(cases, case_count, &options);
}
