/* qemu TCG plugin of girih.lab: what instruction fetches and loads of constants from a flash would meet in caches and buffers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments: out=FILE, begin=ADDRESS:CLASS (any number), end=ADDRESS, flash=LOW:HIGH, path=LINE:CODE_WAYS:CODE_SETS:DATA_WAYS:DATA_SETS (any
 * number: memory paths, all followed at once), near=PATH:LOW:HIGH (any number: addresses that a path has in memory without wait states). A
 * cache of no ways is none: each line is then fetched when the fetch leaves the one before. Addresses are hexadecimal. Caches stay warm
 * between calls. The report, one line a class and path:
 *   path CLASS PATH CALLS LINES RANDOM SEQUENTIAL LOADS MISSES
 * LINES: line after line that fetches went to; of them were not cached: RANDOM, and SEQUENTIAL ones, which follow the line before. LOADS of
 * constants, and those of them that were not cached. Single processor. No package ships the header of the interface (version 1). */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- qemu-plugin.h, version 1 ---- */

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef struct qemu_info_t qemu_info_t;

enum { QEMU_PLUGIN_CB_NO_REGS = 0 };
enum { QEMU_PLUGIN_MEM_RW = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, void (*cb)(unsigned vcpu, void *data), int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, void (*cb)(unsigned vcpu, void *data), int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                      void (*cb)(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data), int flags,
                                      int rw, void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id, void *data), void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

extern int qemu_plugin_version;
int qemu_plugin_version = 1;
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

/* ---- memory paths ---- */

enum { CLASSES = 8, PATHS = 16, RANGES = 64, LINES = 1024 };

/* Least recently used last; line numbers + 1, 0: empty. */
typedef struct {
    unsigned ways, sets;
    uint64_t lines[LINES];
} cache;

typedef struct {
    uint64_t low, high;
} range;

typedef struct {
    unsigned line; /* bytes */
    cache code, data;
    range near[RANGES];
    unsigned near_count;
    uint64_t last; /* line of the fetch before, + 1 */
    struct {
        uint64_t lines, random, sequential, loads, misses;
    } sum[CLASSES];
} path;

typedef struct {
    uint64_t begin, end;
    bool is_near[PATHS];
} block;

static path paths[PATHS];
static unsigned path_count;
static range flash;
static uint64_t begin_address[CLASSES], end_address, calls[CLASSES];
static int class_now = -1;
static FILE *out;

static bool holds(const range *r, uint64_t address)
{
    return address >= r->low && address < r->high;
}

static bool near_to(const path *p, uint64_t address)
{
    for (unsigned i = 0; i < p->near_count; i++)
        if (holds(&p->near[i], address))
            return true;
    return !holds(&flash, address);
}

/* Whether the line is there; it is then, and was used last. */
static bool hit(cache *c, uint64_t line)
{
    uint64_t *set = c->lines + (c->ways == 0 ? 0 : line % c->sets * c->ways);
    bool found = false;
    unsigned i = 0;

    if (c->ways == 0)
        return false;
    while (i + 1 < c->ways && set[i] != line + 1)
        i++;
    found = set[i] == line + 1;
    memmove(set + 1, set, i * sizeof *set);
    set[0] = line + 1;
    return found;
}

static void on_block(unsigned vcpu, void *data)
{
    const block *b = (const block *)data;

    (void)vcpu;
    for (path *p = paths; p != paths + path_count; p++) {
        if (b->is_near[p - paths]) {
            p->last = 0;
            continue;
        }
        for (uint64_t line = b->begin / p->line; line <= (b->end - 1) / p->line; line++) {
            const bool follows = line == p->last;

            if (line + 1 == p->last)
                continue;
            p->last = line + 1;
            if (!hit(&p->code, line) && class_now >= 0)
                *(follows ? &p->sum[class_now].sequential : &p->sum[class_now].random) += 1;
            if (class_now >= 0)
                p->sum[class_now].lines++;
        }
    }
}

static void on_load(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)vcpu, (void)info, (void)data;
    if (!holds(&flash, address))
        return;
    for (path *p = paths; p != paths + path_count; p++) {
        if (near_to(p, address))
            continue;
        const bool missed = !hit(&p->data, address / p->line);

        if (class_now >= 0) {
            p->sum[class_now].loads++;
            p->sum[class_now].misses += missed;
        }
    }
}

static void on_begin(unsigned vcpu, void *data)
{
    (void)vcpu;
    class_now = (int)(intptr_t)data;
    calls[class_now]++;
}

static void on_end(unsigned vcpu, void *data)
{
    (void)vcpu, (void)data;
    class_now = -1;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);
    block *b = (block *)calloc(1, sizeof *b);
    struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, n - 1);

    (void)id;
    if (b == NULL) {
        fprintf(stderr, "girih plugin: no memory\n");
        exit(1);
    }
    b->begin = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
    b->end = qemu_plugin_insn_vaddr(last) + qemu_plugin_insn_size(last);
    for (unsigned i = 0; i < path_count; i++)
        b->is_near[i] = near_to(&paths[i], b->begin);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, b);
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);

        for (int c = 0; c < CLASSES; c++)
            if (begin_address[c] == address + 1)
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_begin, QEMU_PLUGIN_CB_NO_REGS, (void *)(intptr_t)c);
        if (end_address == address + 1)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_end, QEMU_PLUGIN_CB_NO_REGS, NULL);
        /* both directions: qemu 7.2 calls nothing for loads alone; nobody stores to the flash */
        qemu_plugin_register_vcpu_mem_cb(insn, on_load, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
    }
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *data)
{
    (void)id, (void)data;
    for (int c = 0; c < CLASSES; c++)
        for (unsigned i = 0; i < path_count && calls[c] != 0; i++)
            fprintf(out, "path %d %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", c, i, calls[c],
                    paths[i].sum[c].lines, paths[i].sum[c].random, paths[i].sum[c].sequential, paths[i].sum[c].loads,
                    paths[i].sum[c].misses);
    if (fclose(out) != 0)
        fprintf(stderr, "girih plugin: cannot write the report\n");
}

/* One argument; whether it is a good one. */
static bool argument(const char *text)
{
    uint64_t low, high;
    unsigned n, code_ways, code_sets, data_ways, data_sets;

    if (strncmp(text, "out=", 4) == 0)
        return (out = fopen(text + 4, "w")) != NULL;
    if (sscanf(text, "begin=%" SCNx64 ":%u", &low, &n) == 2) {
        if (n < CLASSES)
            begin_address[n] = low + 1;
        return n < CLASSES;
    }
    if (sscanf(text, "end=%" SCNx64, &low) == 1) {
        end_address = low + 1;
        return true;
    }
    if (sscanf(text, "flash=%" SCNx64 ":%" SCNx64, &flash.low, &flash.high) == 2)
        return true;
    if (sscanf(text, "path=%u:%u:%u:%u:%u", &n, &code_ways, &code_sets, &data_ways, &data_sets) == 5) {
        path *p = &paths[path_count];

        if (path_count++ == PATHS || n == 0 || code_ways * code_sets > LINES || data_ways * data_sets > LINES)
            return false;
        p->line = n;
        p->code.ways = code_ways, p->code.sets = code_sets;
        p->data.ways = data_ways, p->data.sets = data_sets;
        return true;
    }
    if (sscanf(text, "near=%u:%" SCNx64 ":%" SCNx64, &n, &low, &high) == 3 && n < path_count && paths[n].near_count < RANGES) {
        paths[n].near[paths[n].near_count++] = (range){low, high};
        return true;
    }
    return false;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        if (!argument(argv[i]))
            return -1;
    if (out == NULL || end_address == 0 || path_count == 0)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
    return 0;
}
