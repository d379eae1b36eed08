/* Runs vectors of the standard on the target. They come from the debugger's side, in the file vectors.bin of its working folder.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The file: records, each a kind and its fields; the lengths are the set's.
 *   'k'  d || z, ek, dk             what KeyGen must give
 *   'n'  ek, m, ciphertext, secret  what Encaps must give
 *   'd'  dk, ciphertext, secret     what Decaps must give
 *   'x'  ek, verdict (1)            whether the key passes its check
 *   'y'  dk, verdict (1)            whether the key passes its check
 *   'e'  the end */
#include "kem.h"
#include "ram.h"
#include "records.h"
#include "stack.h"

static app_kem kem;
static uint8_t *ek, *dk, *ct;

static int key_pair(size_t ek_len, size_t dk_len)
{
    uint8_t seed[GIRIH_MLKEM_SEED_BYTES];
    int good;

    record_get(seed, sizeof seed);
    good = kem_keygen(&kem, seed) == GIRIH_OK && kem_encode(&kem, ek, dk) == GIRIH_OK;
    good &= record_matches(ek, ek_len);
    return good & record_matches(dk, dk_len);
}

/* A mode that keeps nothing checks its keys at each call. */
static int passes(uint8_t kind)
{
    uint8_t ss[32], m[32] = {0};

    if (kind == 'x')
        return kem_use_ek(&kem, ek) == GIRIH_OK && kem_encaps(&kem, ct, ss, m) == GIRIH_OK;
    return kem_use_dk(&kem, dk) == GIRIH_OK && kem_decaps(&kem, ss, ct) == GIRIH_OK;
}

int main(void)
{
    const size_t ek_len = girih_mlkem_ek_encoded_bytes(KEM_SET), dk_len = girih_mlkem_dk_encoded_bytes(KEM_SET);
    const size_t ct_len = girih_mlkem_ct_bytes(KEM_SET);
    uint8_t ss[32], m[32], verdict, kind;

    kem.backend = girih_backend_detect();
    ek = ram_take(ek_len);
    dk = ram_take(dk_len);
    ct = ram_take(ct_len);
    kem_take(&kem);
    stack_take();
    records_open();
    while ((kind = record_kind()) != 'e') {
        int good;

        if (kind == 'k') {
            good = key_pair(ek_len, dk_len);
        } else if (kind == 'n') {
            record_get(ek, ek_len);
            record_get(m, sizeof m);
            good = kem_use_ek(&kem, ek) == GIRIH_OK && kem_encaps(&kem, ct, ss, m) == GIRIH_OK;
            good &= record_matches(ct, ct_len);
            good &= record_matches(ss, sizeof ss);
        } else if (kind == 'd') {
            record_get(dk, dk_len);
            record_get(ct, ct_len);
            good = kem_use_dk(&kem, dk) == GIRIH_OK && kem_decaps(&kem, ss, ct) == GIRIH_OK;
            good &= record_matches(ss, sizeof ss);
        } else {
            record_get(kind == 'x' ? ek : dk, kind == 'x' ? ek_len : dk_len);
            record_get(&verdict, 1);
            good = passes(kind) == (verdict == 1);
        }
        record_judge(good);
    }
    records_end();
}
