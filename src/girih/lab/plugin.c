/* qemu TCG plugin of girih.lab: what the instructions between two marks were.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments: out=FILE, begin=ADDRESS:CLASS (any number), end=ADDRESS, stack=ADDRESS. One inline counter an instruction address; the
 * marks are callbacks, so that counting goes on at full speed between them. stack=ADDRESS, where the stack's memory begins (all that
 * lies below it is something else), also follows branches and data accesses, at a tenth of that speed. The report (FILE):
 *   interval CLASS INSTRUCTIONS LOWEST_STACK_STORE PC_OF_IT TAKEN_BRANCHES     one a measured interval, in order
 *   code CLASS ADDRESS COUNT TAKEN                                       one an instruction address that the class executed
 *   data CLASS ADDRESS LOADS STORES                                      one a 16-byte granule that the class touched (with stack=)
 * Numbers are hexadecimal but for classes and counts. Single processor. No package ships the header of the interface (version 1), so
 * the part that is used is declared here. */
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
enum { QEMU_PLUGIN_INLINE_ADD_U64 = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, void (*cb)(unsigned vcpu, void *data), int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, void (*cb)(unsigned vcpu, void *data), int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int op, void *ptr, uint64_t value);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                      void (*cb)(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data), int flags,
                                      int rw, void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id, void *data), void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

extern int qemu_plugin_version;
int qemu_plugin_version = 1;
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

/* ---- counters ---- */

#define CLASSES  8
#define SLOTS    (1u << 18) /* instruction addresses, hashed; far more than an image has */
#define GRANULES (1u << 18) /* 16-byte pieces of data, hashed */

typedef struct {
    uint64_t address; /* + 1; 0: free */
    uint64_t count, taken;
    uint64_t sum[CLASSES], taken_sum[CLASSES];
} slot;

typedef struct {
    uint64_t granule; /* + 1; 0: free */
    uint64_t loads[CLASSES], stores[CLASSES];
} granule;

/* What a translated block is, for following branches. */
typedef struct {
    uint64_t begin, end;
    slot *last;
} block;

static slot *slots;
static unsigned used[SLOTS], used_count;
static granule *granules;
static uint64_t begin_address[CLASSES], end_address, stack_address;
static int class_now = -1;
static uint64_t lowest_store, lowest_pc;
static const block *previous;
static FILE *out;

static void die(const char *what)
{
    fprintf(stderr, "girih plugin: %s\n", what);
    exit(1);
}

static slot *slot_of(uint64_t address)
{
    unsigned i = (unsigned)((address >> 1) * 0x9E3779B1u) % SLOTS;

    while (slots[i].address != 0 && slots[i].address != address + 1)
        i = (i + 1) % SLOTS;
    if (slots[i].address == 0) {
        if (used_count == SLOTS / 2)
            die("too many instruction addresses");
        slots[i].address = address + 1;
        used[used_count++] = i;
    }
    return &slots[i];
}

static granule *granule_of(uint64_t address)
{
    uint64_t g = address >> 4;
    unsigned i = (unsigned)(g * 0x9E3779B1u) % GRANULES, start = i;

    while (granules[i].granule != 0 && granules[i].granule != g + 1) {
        i = (i + 1) % GRANULES;
        if (i == start)
            die("too much data");
    }
    granules[i].granule = g + 1;
    return &granules[i];
}

static void on_begin(unsigned vcpu, void *data)
{
    (void)vcpu;
    class_now = (int)(intptr_t)data;
    for (unsigned i = 0; i < used_count; i++) {
        slots[used[i]].count = 0;
        slots[used[i]].taken = 0;
    }
    lowest_store = UINT64_MAX;
    previous = NULL;
}

static void on_end(unsigned vcpu, void *data)
{
    uint64_t total = 0, taken = 0;

    (void)vcpu;
    (void)data;
    if (class_now < 0)
        return;
    for (unsigned i = 0; i < used_count; i++) {
        slot *s = &slots[used[i]];

        s->sum[class_now] += s->count;
        s->taken_sum[class_now] += s->taken;
        total += s->count;
        taken += s->taken;
    }
    fprintf(out, "interval %d %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", class_now, total, lowest_store, lowest_pc, taken);
    class_now = -1;
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    granule *g;

    (void)vcpu;
    if (class_now < 0)
        return;
    g = granule_of(address);
    if (!qemu_plugin_mem_is_store(info)) {
        g->loads[class_now]++;
        return;
    }
    g->stores[class_now]++;
    if (address >= stack_address && address < lowest_store) {
        lowest_store = address;
        lowest_pc = ((const slot *)data)->address - 1;
    }
}

static void on_block(unsigned vcpu, void *data)
{
    const block *b = (const block *)data;

    (void)vcpu;
    if (class_now >= 0 && previous != NULL && previous->end != b->begin)
        previous->last->taken++;
    previous = b;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);
    block *b = NULL;

    (void)id;
    if (stack_address != 0) {
        b = (block *)calloc(1, sizeof *b);
        if (b == NULL)
            die("no memory");
        qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, b);
    }
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        slot *s = slot_of(address);

        for (int c = 0; c < CLASSES; c++)
            if (begin_address[c] == address + 1)
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_begin, QEMU_PLUGIN_CB_NO_REGS, (void *)(intptr_t)c);
        if (end_address == address + 1)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_end, QEMU_PLUGIN_CB_NO_REGS, NULL);
        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &s->count, 1);
        if (stack_address != 0) {
            qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, s);
            if (i == 0)
                b->begin = address;
            b->end = address + qemu_plugin_insn_size(insn);
            b->last = s;
        }
    }
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    for (unsigned i = 0; i < used_count; i++) {
        const slot *s = &slots[used[i]];

        for (int c = 0; c < CLASSES; c++)
            if (s->sum[c] != 0)
                fprintf(out, "code %d %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", c, s->address - 1, s->sum[c], s->taken_sum[c]);
    }
    for (unsigned i = 0; granules != NULL && i < GRANULES; i++)
        for (int c = 0; granules[i].granule != 0 && c < CLASSES; c++)
            if (granules[i].loads[c] != 0 || granules[i].stores[c] != 0)
                fprintf(out, "data %d %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", c, (granules[i].granule - 1) << 4, granules[i].loads[c],
                        granules[i].stores[c]);
    if (fclose(out) != 0)
        die("cannot write the report");
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        char *end;

        if (strncmp(argv[i], "out=", 4) == 0) {
            out = fopen(argv[i] + 4, "w");
        } else if (strncmp(argv[i], "begin=", 6) == 0) {
            uint64_t address = strtoull(argv[i] + 6, &end, 16);
            unsigned long c = *end == ':' ? strtoul(end + 1, &end, 10) : CLASSES;

            if (c >= CLASSES || *end != 0)
                return -1;
            begin_address[c] = address + 1;
        } else if (strncmp(argv[i], "end=", 4) == 0) {
            end_address = strtoull(argv[i] + 4, &end, 16) + 1;
        } else if (strncmp(argv[i], "stack=", 6) == 0) {
            stack_address = strtoull(argv[i] + 6, &end, 16);
        } else {
            return -1;
        }
    }
    slots = (slot *)calloc(SLOTS, sizeof *slots);
    granules = stack_address != 0 ? (granule *)calloc(GRANULES, sizeof *granules) : NULL;
    if (out == NULL || end_address == 0 || slots == NULL || (stack_address != 0 && granules == NULL))
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
    return 0;
}
