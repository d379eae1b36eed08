/* Secrets of keys lie in pages of their own: locked in memory and out of core dumps where the system lets us, and wiped when they are given
 * back. A page holds pieces of one size, so that a key that comes and goes costs no system call.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "binding.h"

#define FIRST_PAGES ((size_t)64 << 10) /* small, so that a few keys fit even where 64 KiB may be locked */
#define MOST_PAGES  ((size_t)1 << 20)
#define MAX_SIZES   64 /* every set, form and choice of caches has its size */

/* A run of pages cut into pieces. The list of free pieces is kept outside, in ordinary memory: nothing is written into what is wiped. */
typedef struct chunk {
    struct chunk *next, *previous; /* of those with a free piece */
    girih_pages pages;
    size_t pieces, free_count;
    uint32_t free_pieces[];
} chunk;

typedef struct {
    size_t piece, next_bytes;
    chunk *available;
    chunk *empty; /* the one that is kept for the next key, among those available */
    chunk **all;  /* by address, to find the chunk of a piece */
    size_t count, room;
} size_class;

static PyThread_type_lock lock;
static size_class classes[MAX_SIZES];
static slab_figures figures;

int slab_init(void)
{
    if (lock == NULL)
        lock = PyThread_allocate_lock();
    if (lock == NULL)
        PyErr_NoMemory();
    return lock == NULL ? -1 : 0;
}

static size_class *class_of(size_t size)
{
    size_t piece = (size + GIRIH_TABLE_ALIGN - 1) / GIRIH_TABLE_ALIGN * GIRIH_TABLE_ALIGN;

    for (size_t i = 0; i < MAX_SIZES; i++) {
        if (classes[i].piece == 0) {
            classes[i].piece = piece;
            classes[i].next_bytes = FIRST_PAGES;
        }
        if (classes[i].piece == piece)
            return &classes[i];
    }
    return NULL;
}

/* The place of the first chunk whose address is above p. */
static size_t place_above(const size_class *c, const void *p)
{
    size_t low = 0, high = c->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if ((uintptr_t)c->all[middle]->pages.base <= (uintptr_t)p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void link_available(size_class *c, chunk *k)
{
    k->previous = NULL;
    k->next = c->available;
    if (k->next != NULL)
        k->next->previous = k;
    c->available = k;
}

static void unlink_available(size_class *c, chunk *k)
{
    if (k->previous != NULL)
        k->previous->next = k->next;
    else
        c->available = k->next;
    if (k->next != NULL)
        k->next->previous = k->previous;
}

static int make_room(size_class *c)
{
    size_t room = c->room == 0 ? 8 : 2 * c->room;
    chunk **all;

    if (c->count < c->room)
        return 1;
    all = realloc(c->all, room * sizeof *all);
    if (all == NULL)
        return 0;
    c->all = all;
    c->room = room;
    return 1;
}

static chunk *chunk_new(size_class *c)
{
    size_t bytes = c->next_bytes > c->piece ? c->next_bytes : c->piece, pieces, at;
    girih_pages pages;
    chunk *k;

    if (!make_room(c))
        return NULL;
    pages = girih_pages_take(bytes, 1);
    if (pages.base == NULL)
        return NULL;
    pieces = pages.size / c->piece;
    k = malloc(sizeof *k + pieces * sizeof k->free_pieces[0]);
    if (k == NULL) {
        girih_pages_give(&pages);
        return NULL;
    }
    k->pages = pages;
    k->pieces = k->free_count = pieces;
    for (size_t i = 0; i < pieces; i++)
        k->free_pieces[i] = (uint32_t)(pieces - 1 - i);
    at = place_above(c, pages.base);
    for (size_t i = c->count; i > at; i--)
        c->all[i] = c->all[i - 1];
    c->all[at] = k;
    c->count++;
    link_available(c, k);
    if (c->next_bytes < MOST_PAGES)
        c->next_bytes *= 2;
    figures.mapped += pages.size;
    figures.locked += pages.locked ? pages.size : 0;
    return k;
}

static void chunk_free(size_class *c, chunk *k)
{
    size_t at = place_above(c, k->pages.base);

    for (c->count--; at <= c->count; at++)
        c->all[at - 1] = c->all[at];
    unlink_available(c, k);
    figures.mapped -= k->pages.size;
    figures.locked -= k->pages.locked ? k->pages.size : 0;
    girih_pages_give(&k->pages);
    free(k);
}

void *slab_take(size_t size)
{
    size_class *c;
    chunk *k;
    void *p = NULL;

    PyThread_acquire_lock(lock, WAIT_LOCK);
    c = class_of(size);
    k = c == NULL ? NULL : c->available != NULL ? c->available : chunk_new(c);
    if (k != NULL) {
        p = (uint8_t *)k->pages.base + c->piece * k->free_pieces[--k->free_count];
        if (k == c->empty)
            c->empty = NULL;
        if (k->free_count == 0)
            unlink_available(c, k);
        figures.used += c->piece;
    }
    PyThread_release_lock(lock);
    return p;
}

void slab_give(void *p, size_t size)
{
    size_class *c;
    chunk *k;

    if (p == NULL)
        return;
    girih_wipe(p, size);
    PyThread_acquire_lock(lock, WAIT_LOCK);
    c = class_of(size);
    k = c->all[place_above(c, p) - 1];
    if (k->free_count == 0)
        link_available(c, k);
    k->free_pieces[k->free_count++] = (uint32_t)(((uintptr_t)p - (uintptr_t)k->pages.base) / c->piece);
    figures.used -= c->piece;
    /* One empty chunk is kept, further ones go back to the system: keys that come and go cost no system call, however many others live. */
    if (k->free_count == k->pieces) {
        if (c->empty == NULL)
            c->empty = k;
        else
            chunk_free(c, k);
    }
    PyThread_release_lock(lock);
}

slab_figures slab_status(void)
{
    slab_figures now;

    PyThread_acquire_lock(lock, WAIT_LOCK);
    now = figures;
    PyThread_release_lock(lock);
    return now;
}
