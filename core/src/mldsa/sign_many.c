/* Signing many messages under one key: the hashes of several signers share the lanes of the permutation.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every attempt takes the same number of permutations, so the signers stay in step: masks, arithmetic, challenges, tests, and again. A
 * signer whose attempt is accepted goes on to the next message. Each signature is that of girih_mldsa_sign. */
#include "common/bytes.h"
#include "common/ct.h"
#include "keccak/sponge.h"
#include "mldsa/challenge.h"
#include "mldsa/packed.h"
#include "mldsa/sign.h"
#include "mldsa/verify.h"

_Static_assert(MLDSA_SIGN_LANES <= KECCAK_MOST, "all hashes of a round go in one call");

#define PREPARED_BYTES (GIRIH_MLDSA_MU_BYTES + 64)

/* Lays the buffers into base (NULL: only measures) and returns the bytes they take. */
size_t mldsa_sign_many_workspace_carve(mldsa_sign_many_workspace *ws, void *base, const mldsa_params *p, girih_backend id)
{
    const unsigned lanes = mldsa_backend_of(id)->lanes;
    mldsa_verify_workspace verify;
    arena a = arena_over(base);

    for (unsigned n = 0; n < lanes; n++)
        mldsa_attempt_carve(&ws->attempt[n], &a, p, id);
    ws->rho_prime = (uint8_t *)arena_take(&a, 64 * lanes);
    ws->prepared = (uint8_t *)arena_take(&a, PREPARED_BYTES * lanes);
    ws->hash = (girih_sha3 *)arena_take(&a, sizeof *ws->hash * lanes);
    ws->y_hat = (int32_t *)arena_take(&a, 1024 * p->l);
    ws->masks = arena_take(&a, mldsa_backend_of(id)->masks_bytes);
    ws->verify = arena_take(&a, mldsa_verify_workspace_carve(&verify, NULL, p, 1));
    return a.used;
}

/* A list of messages on its way through the lanes. */
typedef struct {
    const mldsa_signer *s;
    mldsa_sign_many_workspace *ws;
    girih_mldsa_sign_item *items; /* not yet prepared */
    size_t count;
    girih_mldsa_sign_item *ready[MLDSA_SIGN_LANES]; /* prepared, the first of them next */
    unsigned ready_next, ready_count;
    girih_mldsa_sign_item *item[MLDSA_SIGN_LANES]; /* in a lane */
    unsigned kappa[MLDSA_SIGN_LANES];
    unsigned active;
} queue;

static mldsa_message message_of(const girih_mldsa_sign_item *item)
{
    return (mldsa_message){.kind = MLDSA_MESSAGE_PURE, .data = item->msg, .len = item->msg_len, .ctx = item->ctx, .ctx_len = item->ctx_len};
}

/* mu and rho'' of the next messages, as many as there are lanes. A context that is too long ends its item. */
static void prepare(queue *q)
{
    const unsigned lanes = mldsa_backend_of(q->s->id)->lanes;
    keccak_input input[MLDSA_SIGN_LANES];
    girih_sha3 *hashes[MLDSA_SIGN_LANES];
    unsigned count = 0;

    for (; q->count != 0 && count < lanes; q->items++, q->count--) {
        const mldsa_message m = message_of(q->items);

        q->items->status = mldsa_mu_begin(&q->ws->hash[count], q->s->id, q->s->vk->tr, &m);
        if (q->items->status != GIRIH_OK)
            continue;
        hashes[count] = &q->ws->hash[count];
        input[count] = (keccak_input){hashes[count], m.data, m.len};
        q->ready[count++] = q->items;
    }
    keccak_absorb_all(input, count);
    keccak_finish_all(hashes, count);
    for (unsigned n = 0; n < count; n++) {
        uint8_t *mu = q->ws->prepared + PREPARED_BYTES * n;

        keccak_squeeze(hashes[n], mu, GIRIH_MLDSA_MU_BYTES);
        keccak_init(hashes[n], SHAKE256_RATE, SHAKE_SUFFIX, q->s->id);
        keccak_absorb(hashes[n], q->s->sk->key, MLDSA_K_BYTES);
        keccak_absorb(hashes[n], q->ready[n]->rnd, GIRIH_MLDSA_RND_BYTES);
        keccak_absorb(hashes[n], mu, GIRIH_MLDSA_MU_BYTES);
    }
    keccak_finish_all(hashes, count); /* 204/7 l.7 */
    for (unsigned n = 0; n < count; n++)
        keccak_squeeze(hashes[n], q->ws->prepared + PREPARED_BYTES * n + GIRIH_MLDSA_MU_BYTES, 64);
    q->ready_next = 0;
    q->ready_count = count;
}

/* Puts the next message into lane n; 0 when there is none. */
static int refill(queue *q, unsigned n)
{
    const uint8_t *prepared;

    while (q->ready_next == q->ready_count) {
        if (q->count == 0)
            return 0;
        prepare(q);
    }
    prepared = q->ws->prepared + PREPARED_BYTES * q->ready_next;
    memcpy(q->ws->attempt[n].commitment, prepared, GIRIH_MLDSA_MU_BYTES);
    memcpy(q->ws->rho_prime + 64 * n, prepared + GIRIH_MLDSA_MU_BYTES, 64);
    q->kappa[n] = 0;
    q->item[n] = q->ready[q->ready_next++];
    return 1;
}

/* Lane n is free and the list is at its end: the last lane takes its place. */
static void close_lane(queue *q, unsigned n)
{
    const mldsa_attempt freed = q->ws->attempt[n];
    const unsigned last = --q->active;

    q->ws->attempt[n] = q->ws->attempt[last];
    q->ws->attempt[last] = freed;
    memcpy(q->ws->rho_prime + 64 * n, q->ws->rho_prime + 64 * last, 64);
    q->kappa[n] = q->kappa[last];
    q->item[n] = q->item[last];
}

/* Lines 11-16 for every lane: y, w, the challenges. */
static void commit_lanes(queue *q)
{
    const mldsa_signer *s = q->s;
    const mldsa_params *p = s->p;
    mldsa_sign_many_workspace *ws = q->ws;
    keccak_input input[MLDSA_SIGN_LANES];
    girih_sha3 *hashes[MLDSA_SIGN_LANES];
    int32_t *y[MLDSA_SIGN_LANES];

    for (unsigned n = 0; n < q->active; n++)
        y[n] = ws->attempt[n].y;
    mldsa_backend_of(s->id)->masks_of_lanes(y, ws->rho_prime, q->kappa, q->active, ws->masks, p, s->id);
    for (unsigned n = 0; n < q->active; n++) {
        mldsa_attempt_commit(&ws->attempt[n], ws->y_hat, s);
        hashes[n] = &ws->hash[n];
        keccak_init(hashes[n], SHAKE256_RATE, SHAKE_SUFFIX, s->id);
        input[n] = (keccak_input){hashes[n], ws->attempt[n].commitment, mldsa_commitment_bytes(p)};
    }
    keccak_absorb_all(input, q->active);
    keccak_finish_all(hashes, q->active);
    for (unsigned n = 0; n < q->active; n++) {
        uint8_t *c_tilde = ws->attempt[n].c_tilde;

        keccak_squeeze(hashes[n], c_tilde, p->c_tilde_bytes);
        mldsa_declassify_c_tilde(c_tilde, p);
        keccak_init(hashes[n], SHAKE256_RATE, SHAKE_SUFFIX, s->id);
        keccak_absorb(hashes[n], c_tilde, p->c_tilde_bytes);
    }
    keccak_finish_all(hashes, q->active);
    for (unsigned n = 0; n < q->active; n++)
        mldsa_ball_squeeze(ws->attempt[n].c, hashes[n], p);
}

/* Lines 17-33 for lane n. 1 when its message is done, one way or the other. */
static int conclude(queue *q, unsigned n, int checked)
{
    const mldsa_params *p = q->s->p;
    mldsa_attempt *at = &q->ws->attempt[n];
    girih_mldsa_sign_item *item = q->item[n];

    if (mldsa_attempt_accept(at, q->s)) {
        const mldsa_message m = message_of(item);

        mldsa_attempt_encode(item->sig, at, q->s);
        if (checked)
            item->status = mldsa_signature_check(item->sig, q->s, at->commitment, &m, NULL, q->ws->verify, 0);
        return 1;
    }
    q->kappa[n] += p->l;
    if (q->kappa[n] + p->l > 1 << 16) {
        item->status = GIRIH_ATTEMPTS;
        return 1;
    }
    return 0;
}

/* A backend without lanes for it: one after the other. */
static girih_status sign_each(girih_mldsa_sign_item *items, size_t count, const girih_mldsa_sk *sk, const mldsa_signer *s, int checked,
                              void *ws, size_t ws_len)
{
    const girih_mldsa_options options = {.checked = checked};

    for (size_t i = 0; i < count; i++) {
        const mldsa_message m = message_of(&items[i]);

        items[i].status = mldsa_packed_sign(items[i].sig, s->p->sig_bytes, sk, s->vk, &m, items[i].rnd, &options, ws, ws_len);
        if (items[i].status != GIRIH_OK)
            girih_wipe(items[i].sig, s->p->sig_bytes);
    }
    return GIRIH_OK;
}

girih_status girih_mldsa_sign_many(girih_mldsa_sign_item *items, size_t count, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk,
                                   int checked, void *ws, size_t ws_len)
{
    mldsa_sign_many_workspace buffers;
    mldsa_signer s;
    queue q = {.s = &s, .ws = &buffers, .items = items, .count = count};
    const girih_status status = mldsa_signer_open(&s, sk, vk);
    size_t used;

    if (status != GIRIH_OK)
        return status;
    if (ws_len < girih_mldsa_workspace_bytes(s.p->set, GIRIH_MLDSA_SIGN_MANY, s.id))
        return GIRIH_WORKSPACE;
    if (mldsa_is_packed(s.id))
        return sign_each(items, count, sk, &s, checked, ws, ws_len);
    GIRIH_SECRET(sk->key, sizeof sk->key);
    GIRIH_SECRET(sk->forms, girih_mldsa_sk_bytes(s.p->set, s.id) - sizeof *sk);
    used = mldsa_sign_many_workspace_carve(&buffers, ws, s.p, s.id);
    while (q.active < mldsa_backend_of(s.id)->lanes && refill(&q, q.active))
        q.active++;
    while (q.active != 0) {
        commit_lanes(&q);
        for (unsigned n = q.active; n-- != 0;)
            if (conclude(&q, n, checked) && !refill(&q, n))
                close_lane(&q, n);
    }
    arena_wipe(ws, used); /* FIPS 204, 3.6.3 */
    for (size_t i = 0; i < count; i++)
        if (items[i].status != GIRIH_OK)
            girih_wipe(items[i].sig, s.p->sig_bytes);
    return GIRIH_OK;
}
