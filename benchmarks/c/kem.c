/* One operation of ML-KEM with an object that keeps some caches, for tools that count instructions (tools/kem_instructions.py).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: girih_kem BACKEND SET CACHES keygen|load|encaps|decaps
 * What is counted is inside measured(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "girih/mlkem.h"

#define MAX_CT     GIRIH_MLKEM_1024_CT_BYTES
#define MAX_OBJECT (64 * 1024)
#define MAX_WS     (256 * 1024)

typedef struct {
    girih_mlkem_set set;
    girih_backend id;
    unsigned caches;
    _Alignas(GIRIH_TABLE_ALIGN) uint8_t pair[MAX_OBJECT], remote[MAX_OBJECT], ws[MAX_WS];
    uint8_t ct[MAX_CT], ss[2][GIRIH_MLKEM_SHARED_SECRET_BYTES];
} kem_state;

static const uint8_t seed[GIRIH_MLKEM_SEED_BYTES] = {7}, m[GIRIH_MLKEM_M_BYTES] = {9};

static girih_status keygen(kem_state *s)
{
    return girih_mlkem_seed_load((girih_mlkem_dk *)s->pair, sizeof s->pair, s->set, s->caches, s->id, seed, s->ws, sizeof s->ws);
}

static girih_status load(kem_state *s)
{
    return girih_mlkem_ek_load((girih_mlkem_ek *)s->remote, sizeof s->remote, s->set, s->caches, s->id,
                               girih_mlkem_ek_encoding(girih_mlkem_dk_public((girih_mlkem_dk *)s->pair)),
                               girih_mlkem_ek_encoded_bytes(s->set), s->ws, sizeof s->ws);
}

static girih_status encaps(kem_state *s)
{
    return girih_mlkem_ek_encaps(s->ct, girih_mlkem_ct_bytes(s->set), s->ss[0], (girih_mlkem_ek *)s->remote, m, s->ws, sizeof s->ws);
}

static girih_status decaps(kem_state *s)
{
    return girih_mlkem_dk_decaps(s->ss[1], (girih_mlkem_dk *)s->pair, s->ct, girih_mlkem_ct_bytes(s->set), s->ws, sizeof s->ws);
}

typedef girih_status operation(kem_state *s);

static const struct {
    const char *name;
    operation *run;
} operations[] = {{"keygen", keygen}, {"load", load}, {"encaps", encaps}, {"decaps", decaps}};

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

__attribute__((noinline)) girih_status measured(operation *run, kem_state *s);

girih_status measured(operation *run, kem_state *s)
{
    return run(s);
}

int main(int argc, char **argv)
{
    static kem_state s;
    unsigned which = OPERATIONS, id = 1;

    for (unsigned i = 0; argc == 5 && i < OPERATIONS; i++)
        if (strcmp(argv[4], operations[i].name) == 0)
            which = i;
    while (which < OPERATIONS && id < 256 && strcmp(girih_backend_name((girih_backend)id), argv[1]) != 0)
        id++;
    if (which == OPERATIONS || !girih_backend_available((girih_backend)id)) {
        fprintf(stderr, "usage: girih_kem BACKEND SET CACHES keygen|load|encaps|decaps\n");
        return 2;
    }
    s.id = (girih_backend)id;
    s.set = (girih_mlkem_set)atoi(argv[2]);
    s.caches = (unsigned)atoi(argv[3]);
    for (unsigned i = 0; i < OPERATIONS; i++)
        if (operations[i].run(&s) != GIRIH_OK)
            return 1;
    return measured(operations[which].run, &s) == GIRIH_OK && memcmp(s.ss[0], s.ss[1], sizeof s.ss[0]) == 0 ? 0 : 1;
}
