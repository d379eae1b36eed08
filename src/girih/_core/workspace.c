/* Workspaces: one for each call that runs at the same time, kept for the next, so that a thread that signs in a loop works in the same
 * memory, warm in its cache.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kem.h"

static _Atomic(workspace *) hot; /* the last one given back: what most calls take, without the lock */
static PyThread_type_lock lock;
static workspace *idle; /* the others */
static size_t vk_bytes, sk_bytes, scratch_bytes;

static size_t aligned(size_t n)
{
    return (n + GIRIH_TABLE_ALIGN - 1) / GIRIH_TABLE_ALIGN * GIRIH_TABLE_ALIGN;
}

static void at_least(size_t *bytes, size_t need)
{
    if (need > *bytes)
        *bytes = need;
}

/* What one set asks for with one backend; nothing where the backend is not here. */
static void measure(girih_mldsa_set set, girih_backend backend)
{
    static const girih_mldsa_op ops[] = {GIRIH_MLDSA_KEYGEN, GIRIH_MLDSA_LOAD,        GIRIH_MLDSA_SIGN,
                                         GIRIH_MLDSA_VERIFY, GIRIH_MLDSA_VERIFY_MANY, GIRIH_MLDSA_SIGN_MANY};

    if (!girih_backend_available(backend))
        return;
    at_least(&vk_bytes, girih_mldsa_vk_bytes(set, backend));
    at_least(&sk_bytes, girih_mldsa_sk_bytes(set, backend));
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        at_least(&scratch_bytes, girih_mldsa_workspace_bytes(set, ops[i], backend));
}

static void measure_kem(girih_mlkem_set set, girih_backend backend)
{
    static const girih_mlkem_op ops[] = {GIRIH_MLKEM_KEYGEN, GIRIH_MLKEM_LOAD,        GIRIH_MLKEM_ENCAPS,
                                         GIRIH_MLKEM_DECAPS, GIRIH_MLKEM_ENCAPS_MANY, GIRIH_MLKEM_DECAPS_MANY};

    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        for (unsigned caches = 0; caches <= GIRIH_MLKEM_CACHE_ALL; caches++)
            at_least(&scratch_bytes, girih_mlkem_workspace_bytes(set, ops[i], caches, backend));
    at_least(&scratch_bytes, 2 * girih_mlkem_dk_encoded_bytes(set)); /* keys that are compared */
}

int workspaces_init(void)
{
    static const girih_mldsa_set sets[] = {GIRIH_MLDSA_44, GIRIH_MLDSA_65, GIRIH_MLDSA_87};
    static const girih_mlkem_set kem_sets[] = {GIRIH_MLKEM_512, GIRIH_MLKEM_768, GIRIH_MLKEM_1024};
    static const girih_backend backends[] = {GIRIH_BACKEND_C, GIRIH_BACKEND_C32, GIRIH_BACKEND_AVX2, GIRIH_BACKEND_AVX512};

    if (lock != NULL)
        return 0;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        for (size_t j = 0; j < sizeof backends / sizeof backends[0]; j++)
            measure(sets[i], backends[j]);
    for (size_t i = 0; i < sizeof kem_sets / sizeof kem_sets[0]; i++)
        for (size_t j = 0; j < sizeof backends / sizeof backends[0]; j++)
            measure_kem(kem_sets[i], backends[j]);
    lock = PyThread_allocate_lock();
    if (lock == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

/* Secrets pass through, so it stays out of core dumps; it is not locked, since the core wipes it before each call returns. */
static workspace *workspace_new(void)
{
    size_t head = aligned(sizeof(workspace)), vk = aligned(vk_bytes), sk = aligned(sk_bytes);
    girih_pages pages = girih_pages_take(head + vk + sk + scratch_bytes, 0);
    uint8_t *base = pages.base;
    workspace *ws = pages.base;

    if (ws == NULL)
        return NULL;
    ws->pages = pages;
    ws->vk = (girih_mldsa_vk *)(void *)(base + head);
    ws->sk = (girih_mldsa_sk *)(void *)(base + head + vk);
    ws->scratch = base + head + vk + sk;
    ws->scratch_len = scratch_bytes;
    return ws;
}

workspace *workspace_take(void)
{
    workspace *ws = atomic_exchange_explicit(&hot, NULL, memory_order_acquire);

    if (ws != NULL)
        return ws;
    PyThread_acquire_lock(lock, WAIT_LOCK);
    ws = idle;
    if (ws != NULL)
        idle = ws->next;
    PyThread_release_lock(lock);
    if (ws == NULL)
        ws = workspace_new();
    if (ws == NULL)
        PyErr_NoMemory();
    return ws;
}

void workspace_give(workspace *ws)
{
    workspace *none = NULL;

    if (atomic_compare_exchange_strong_explicit(&hot, &none, ws, memory_order_release, memory_order_relaxed))
        return;
    PyThread_acquire_lock(lock, WAIT_LOCK);
    ws->next = idle;
    idle = ws;
    PyThread_release_lock(lock);
}
