/* Host program: one key pair of ML-KEM as an object, one encapsulation and one decapsulation with it, for a tool that counts instructions
 * by function. Arguments: the set and the caches, a sum of GIRIH_MLKEM_CACHE_*.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "girih/mlkem.h"
#include "stream.h"

static void *memory(size_t size)
{
    void *p = aligned_alloc(GIRIH_TABLE_ALIGN, (size + GIRIH_TABLE_ALIGN - 1) / GIRIH_TABLE_ALIGN * GIRIH_TABLE_ALIGN);

    if (p == NULL)
        exit(1);
    return p;
}

int main(int argc, char **argv)
{
    const girih_mlkem_set set = (girih_mlkem_set)(argc == 3 ? atoi(argv[1]) : 0);
    const unsigned caches = (unsigned)(argc == 3 ? atoi(argv[2]) : 0);
    const girih_backend backend = girih_backend_detect();
    const size_t ek_len = girih_mlkem_ek_encoded_bytes(set), ct_len = girih_mlkem_ct_bytes(set);
    const size_t ek_bytes = girih_mlkem_ek_bytes(set, caches, backend), dk_bytes = girih_mlkem_dk_bytes(set, caches, backend);
    uint8_t seed[2 * STREAM_BYTES], m[STREAM_BYTES], ss[STREAM_BYTES], again[STREAM_BYTES];
    size_t ws_len = 0;

    if (ek_bytes == 0) {
        fprintf(stderr, "usage: mlkem_host 512|768|1024 CACHES\n");
        return 2;
    }
    for (int op = GIRIH_MLKEM_KEYGEN; op <= GIRIH_MLKEM_DECAPS; op++) {
        size_t need = girih_mlkem_workspace_bytes(set, (girih_mlkem_op)op, caches, backend);

        ws_len = need > ws_len ? need : ws_len;
    }

    girih_mlkem_ek *ek = memory(ek_bytes);
    girih_mlkem_dk *dk = memory(dk_bytes);
    uint8_t *ct = memory(ct_len), *ws = memory(ws_len);

    stream_bytes(seed, 's', 0, backend);
    stream_bytes(seed + STREAM_BYTES, 's', 1, backend);
    stream_bytes(m, 'm', 0, backend);
    if (girih_mlkem_seed_load(dk, dk_bytes, set, caches, backend, seed, ws, ws_len) != GIRIH_OK ||
        girih_mlkem_ek_load(ek, ek_bytes, set, caches, backend, girih_mlkem_ek_encoding(girih_mlkem_dk_public(dk)), ek_len, ws, ws_len) !=
            GIRIH_OK ||
        girih_mlkem_ek_encaps(ct, ct_len, ss, ek, m, ws, ws_len) != GIRIH_OK ||
        girih_mlkem_dk_decaps(again, dk, ct, ct_len, ws, ws_len) != GIRIH_OK || memcmp(ss, again, sizeof ss) != 0)
        return 1;
    return 0;
}
