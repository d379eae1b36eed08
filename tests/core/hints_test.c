/* Hints that no signer writes, in signatures that would otherwise be good.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: hints_test BACKEND. Needs no vectors. Exit status 0 when all holds, else 1 and the case that does not.
 * For a public key with t1 = 0 anyone can sign: with z = 0 the verifier's w is 0, w1 is 0 but for the places with a hint, where it is m - 1
 * (low bits of 0 round down), and c_tilde is the hash of that. So the hints are ours to choose, and each case has the c_tilde that fits
 * what a careless decoder would make of them: only the checks of FIPS 204, Algorithm 21 (HintBitUnpack) stand against it. */
#include "girih/mldsa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OMEGA = 80, MOST_K = 8, MOST_W1 = 192 * 4 > 128 * 8 ? 192 * 4 : 128 * 8, MOST_SIG = GIRIH_MLDSA_87_SIGNATURE_BYTES };

typedef struct {
    girih_mldsa_set set;
    unsigned k, l, omega, gamma1_bits, w1_bits, c_tilde_bytes;
} parameters;

static const parameters sets[] = {
    {GIRIH_MLDSA_44, 4, 4, 80, 17, 6, 32}, {GIRIH_MLDSA_65, 6, 5, 55, 19, 4, 48}, {GIRIH_MLDSA_87, 8, 7, 75, 19, 4, 64}};
static girih_backend backend;

/* What the signature says, and what w1 it was made for. */
typedef struct {
    uint8_t indices[MOST_OMEGA], cuts[MOST_K]; /* as encoded */
    uint8_t w1[MOST_W1];
} hints;

static void require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}

/* The coefficient at a place of w1 is m - 1: 43 in 6 bits or 15 in 4. */
static void mark(hints *h, const parameters *p, unsigned poly, unsigned index)
{
    unsigned at = (256 * poly + index) * p->w1_bits;
    uint32_t bits = (p->w1_bits == 6 ? 43U : 15U) << at % 8;

    h->w1[at / 8] |= (uint8_t)bits;
    if (bits > 255)
        h->w1[at / 8 + 1] |= (uint8_t)(bits >> 8);
}

/* Cuts from polynomial `poly` on. */
static void cut(hints *h, const parameters *p, unsigned poly, unsigned value)
{
    for (; poly < p->k; poly++)
        h->cuts[poly] = (uint8_t)value;
}

static girih_status verdict(const hints *h, const parameters *p, const girih_mldsa_vk *vk, void *ws, size_t ws_len)
{
    static const uint8_t mu[GIRIH_MLDSA_MU_BYTES] = {1};
    uint8_t sig[MOST_SIG] = {0}, *z = sig + p->c_tilde_bytes;
    const unsigned bits = p->gamma1_bits + 1, z_bytes = 32 * bits * p->l;
    girih_sha3 hash;

    require(girih_sha3_init(&hash, GIRIH_SHAKE256, backend) == GIRIH_OK, "init");
    require(girih_sha3_update(&hash, mu, sizeof mu) == GIRIH_OK, "mu");
    require(girih_sha3_update(&hash, h->w1, 32 * p->w1_bits * p->k) == GIRIH_OK, "w1");
    require(girih_shake_squeeze(sig, p->c_tilde_bytes, &hash) == GIRIH_OK, "c_tilde");
    for (unsigned at = bits - 1; at < 8 * z_bytes; at += bits) /* z = 0 is the field gamma1, its top bit */
        z[at / 8] |= (uint8_t)(1U << at % 8);
    memcpy(z + z_bytes, h->indices, p->omega);
    memcpy(z + z_bytes + p->omega, h->cuts, p->k);
    return girih_mldsa_verify_mu(vk, sig, girih_mldsa_signature_bytes(p->set), mu, ws, ws_len);
}

static void run(const parameters *p)
{
    size_t pk_len = girih_mldsa_public_key_bytes(p->set), vk_bytes = girih_mldsa_vk_bytes(p->set, backend);
    size_t load = girih_mldsa_workspace_bytes(p->set, GIRIH_MLDSA_LOAD, backend),
           len = girih_mldsa_workspace_bytes(p->set, GIRIH_MLDSA_VERIFY, backend);
    uint8_t *pk = (uint8_t *)calloc(pk_len, 1), *ws = (uint8_t *)malloc(load > len ? load : len);
    girih_mldsa_vk *vk = (girih_mldsa_vk *)aligned_alloc(64, (vk_bytes + 63) / 64 * 64);
    const unsigned last = p->k - 1;
    hints h;

#define CASE(expected, what)                                                                                                               \
    do {                                                                                                                                   \
        require(verdict(&h, p, vk, ws, len) == GIRIH_##expected, (what));                                                                  \
        memset(&h, 0, sizeof h);                                                                                                           \
    } while (0)
    require(pk != NULL && ws != NULL && vk != NULL, "memory");
    require(girih_mldsa_vk_load(vk, vk_bytes, p->set, backend, pk, pk_len, ws, load) == GIRIH_OK, "loading a key with t1 = 0");
    memset(&h, 0, sizeof h);
    CASE(OK, "no hint at all");
    cut(&h, p, 0, 1);
    mark(&h, p, 0, 0);
    CASE(OK, "a hint where the low bits are 0");
    cut(&h, p, 0, 1);
    CASE(BAD_SIGNATURE, "the same with another w1");
    memcpy(h.indices, (const uint8_t[]){3, 200, 200}, 3);
    cut(&h, p, 0, 2);
    cut(&h, p, last, 3);
    mark(&h, p, 0, 3);
    mark(&h, p, 0, 200);
    mark(&h, p, last, 200);
    CASE(OK, "the same index in two polynomials");
    for (unsigned i = 0; i < p->omega; i++) {
        h.indices[i] = (uint8_t)(3 * i);
        mark(&h, p, last, 3 * i);
    }
    cut(&h, p, last, p->omega);
    CASE(OK, "omega hints");
    for (unsigned i = 0; i < p->omega; i++) {
        h.indices[i] = (uint8_t)(2 * i);
        mark(&h, p, 0, 2 * i);
    }
    cut(&h, p, 0, p->omega);
    CASE(OK, "omega hints in the first polynomial");

    memcpy(h.indices, (const uint8_t[]){3, 3}, 2);
    cut(&h, p, 0, 2);
    mark(&h, p, 0, 3);
    CASE(BAD_SIGNATURE, "an index twice");
    memcpy(h.indices, (const uint8_t[]){7, 3}, 2);
    cut(&h, p, 0, 2);
    mark(&h, p, 0, 7);
    CASE(BAD_SIGNATURE, "an index that falls");
    memcpy(h.indices, (const uint8_t[]){1, 9, 9}, 3);
    cut(&h, p, last, 3);
    mark(&h, p, last, 1);
    mark(&h, p, last, 9);
    CASE(BAD_SIGNATURE, "the last index twice, in the last polynomial");
    h.indices[0] = 3;
    cut(&h, p, 0, 1);
    cut(&h, p, last, 0);
    mark(&h, p, 0, 3);
    mark(&h, p, last, 0); /* what follows the index that the cut gives up is the 0 of the padding */
    CASE(BAD_SIGNATURE, "a cut that falls by one");
    cut(&h, p, last, p->omega + 1);
    CASE(BAD_SIGNATURE, "a cut above omega");
    cut(&h, p, 0, 255);
    CASE(BAD_SIGNATURE, "a cut of 255");
    for (unsigned at = 0; at < p->omega; at++) {
        h.indices[at] = 1;
        CASE(BAD_SIGNATURE, "an index that no polynomial has");
    }
    h.indices[1] = 1;
    cut(&h, p, 0, 1);
    mark(&h, p, 0, 0);
    CASE(BAD_SIGNATURE, "an index right behind the last");
#undef CASE
    free(pk);
    free(ws);
    free(vk);
}

int main(int argc, char **argv)
{
    for (int id = GIRIH_BACKEND_C; argc == 2 && id < 64; id++)
        if (strcmp(girih_backend_name((girih_backend)id), argv[1]) == 0 && girih_backend_available((girih_backend)id))
            backend = (girih_backend)id;
    if (backend == 0) {
        fprintf(stderr, "usage: hints_test BACKEND, one that this build and CPU have\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        run(&sets[i]);
    printf("hints on %s\n", argv[1]);
    return 0;
}
