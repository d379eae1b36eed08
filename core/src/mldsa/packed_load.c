/* Loading keys into packed tables, in one pass: everything is made where it will stay, and little else is needed.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common/ct.h"
#include "mldsa/encode.h"
#include "mldsa/packed.h"

typedef struct {
    const mldsa_params *p;
    girih_backend id;
    mldsa_row *a_hat;         /* k * l, and t1_hat behind it: the table of vk */
    int32_t *t1_hat;          /* k */
    int32_t *secrets;         /* l + k + k: the table of sk */
    uint8_t *pk;              /* NULL: not wanted */
    const uint8_t *encoded;   /* the key that is loaded; NULL: from a seed */
    girih_sha3 *xof, *hash;   /* hash: of the public key */
    uint8_t *rho, *rho_prime; /* 32, 64 */
    uint8_t *t0;              /* one packed polynomial, only with encoded */
} loader;

static size_t carve(loader *l, void *base, int with_encoded)
{
    arena a = arena_over(base);

    l->xof = (girih_sha3 *)arena_take(&a, sizeof *l->xof);
    l->hash = (girih_sha3 *)arena_take(&a, sizeof *l->hash);
    l->rho = (uint8_t *)arena_take(&a, MLDSA_RHO_BYTES);
    l->rho_prime = (uint8_t *)arena_take(&a, 64);
    l->t0 = with_encoded ? (uint8_t *)arena_take(&a, MLDSA_T0_BYTES) : NULL;
    return a.used;
}

size_t mldsa_packed_load_bytes(void)
{
    loader l;

    return carve(&l, NULL, 1);
}

static void open_vk(loader *l, girih_mldsa_vk *vk, const mldsa_params *p, girih_backend id)
{
    l->p = p;
    l->id = id;
    l->a_hat = (mldsa_row *)(void *)((uint8_t *)vk + MLDSA_PACKED_VK_HEAD);
    l->t1_hat = (int32_t *)(void *)(l->a_hat + p->k * p->l);
}

static void finish_vk(girih_mldsa_vk *vk, const mldsa_params *p, girih_backend id)
{
    vk->magic = MLDSA_VK_MAGIC | (uint32_t)id;
    vk->set = (uint32_t)p->set;
    vk->reserved = 0;
    vk->digest = mldsa_packed_vk_digest(vk, p);
}

/* FIPS 204, Algorithm 32 (ExpandA), row i. */
static void sample_row(const loader *l, unsigned i)
{
    for (unsigned j = 0; j < l->p->l; j++)
        mldsa_a_hat_row(l->a_hat + l->p->l * i + j, l->rho, i, j, l->xof, l->id);
}

/* Secret number r of ExpandS, into the table. Returns all ones when an encoded one is out of range, else 0. */
static uint32_t secret(const loader *l, unsigned r)
{
    int32_t *s = l->secrets + 256 * r;

    if (l->encoded != NULL)
        return mldsa_s_unpack(s, l->encoded + MLDSA_SK_S + l->p->eta_bytes * r, l->p);
    mldsa_secret_poly(s, l->rho_prime, r, l->p, l->xof, l->id);
    return 0;
}

/* FIPS 204, Algorithm 35 (Power2Round) of t, which gives t0; t1 2^d instead of t1 into t1_hat, and packed (Algorithm 16, SimpleBitPack)
 * into the hash and pk. */
static GIRIH_NOINLINE void split(const loader *l, int32_t t[256], int32_t t1_hat[256], unsigned i)
{
    uint32_t words[10]; /* 32 coefficients: whole lanes */

    for (unsigned at = 0; at < 256;) {
        uint8_t *packed = (uint8_t *)words;

        for (unsigned four = 0; four < 8; four++, at += 4, packed += 5) {
            uint32_t r1[4];

            for (unsigned n = 0; n < 4; n++) {
                r1[n] = (uint32_t)mldsa_power2round(&t[at + n], mldsa_to_positive(t[at + n]));
                t1_hat[at + n] = (int32_t)(r1[n] << MLDSA_D);
            }
            store_le32(packed, r1[0] | r1[1] << 10 | r1[2] << 20 | r1[3] << 30);
            packed[4] = (uint8_t)(r1[3] >> 2);
        }
        GIRIH_DECLASSIFY(words, sizeof words, "t1 is part of the public key");
        keccak_absorb(l->hash, words, sizeof words);
        if (l->pk != NULL)
            memcpy(l->pk + MLDSA_RHO_BYTES + MLDSA_T1_BYTES * i + at / 32 * sizeof words - sizeof words, words, sizeof words);
    }
    GIRIH_DECLASSIFY(t1_hat, 1024, "t1 is part of the public key");
}

/* FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal), lines 3-6, row i. Returns all ones when what is encoded does not agree, else 0. */
static uint32_t derive_row(const loader *l, unsigned i)
{
    const mldsa_params *p = l->p;
    int32_t *t1_hat = l->t1_hat + 256 * i, *s2 = l->secrets + 256 * (p->l + i), *t0 = s2 + 256 * p->k;
    uint32_t bad;

    sample_row(l, i);
    mldsa_packed_multiply(t0, l->a_hat + p->l * i, l->secrets, p->l, NULL, NULL);
    mldsa_intt_c(t0);
    bad = secret(l, p->l + i);
    for (unsigned c = 0; c < 256; c++) /* t_i: |.| <= 3q/4 + eta < q */
        t0[c] += s2[c];
    split(l, t0, t1_hat, i);
    if (l->encoded != NULL) {
        mldsa_t0_pack(l->t0, t0);
        bad |= (uint32_t)girih_equal(l->t0, l->encoded + mldsa_sk_t0(p) + MLDSA_T0_BYTES * i, MLDSA_T0_BYTES) - 1;
    }
    mldsa_ntt_c(s2);
    mldsa_ntt_c(t0);
    mldsa_ntt_c(t1_hat);
    return bad;
}

/* Lines 3-10, in one pass, from rho, K and what makes s1 and s2. */
static girih_status derive(loader *l, girih_mldsa_vk *vk, girih_mldsa_sk *sk)
{
    const mldsa_params *p = l->p;
    uint32_t bad = 0;

    l->secrets = (int32_t *)(void *)((uint8_t *)sk + MLDSA_PACKED_SK_HEAD);
    keccak_init(l->hash, SHAKE256_RATE, SHAKE_SUFFIX, l->id);
    keccak_absorb(l->hash, l->rho, MLDSA_RHO_BYTES);
    if (l->pk != NULL)
        memcpy(l->pk, l->rho, MLDSA_RHO_BYTES);
    for (unsigned j = 0; j < p->l; j++) {
        bad |= secret(l, j);
        mldsa_ntt_c(l->secrets + 256 * j);
    }
    for (unsigned i = 0; i < p->k; i++)
        bad |= derive_row(l, i);
    keccak_squeeze(l->hash, vk->tr, GIRIH_MLDSA_TR_BYTES); /* l.9 */
    memcpy(sk->tr, vk->tr, GIRIH_MLDSA_TR_BYTES);
    if (l->encoded != NULL)
        bad |= (uint32_t)girih_equal(vk->tr, l->encoded + MLDSA_SK_TR, GIRIH_MLDSA_TR_BYTES) - 1;
    finish_vk(vk, p, l->id);
    sk->magic = MLDSA_SK_MAGIC | (uint32_t)l->id;
    sk->set = (uint32_t)p->set;
    sk->reserved[1] = 0;
    sk->reserved[0] = mldsa_packed_sk_digest(sk, p);
    GIRIH_DECLASSIFY(&bad, sizeof bad, "whether an encoded key is well formed and consistent is told to the caller");
    return bad == 0 ? GIRIH_OK : GIRIH_BAD_KEY;
}

girih_status mldsa_packed_seed_load(girih_mldsa_vk *vk, girih_mldsa_sk *sk, uint8_t *pk, const uint8_t seed[32], const mldsa_params *p,
                                    girih_backend id, void *ws)
{
    const uint8_t dimensions[2] = {(uint8_t)p->k, (uint8_t)p->l};
    loader l = {.pk = pk};
    const size_t need = carve(&l, ws, 0);
    girih_status status;

    open_vk(&l, vk, p, id);
    GIRIH_SECRET(seed, GIRIH_MLDSA_SEED_BYTES);
    keccak_init(l.xof, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(l.xof, seed, GIRIH_MLDSA_SEED_BYTES);
    keccak_absorb(l.xof, dimensions, sizeof dimensions);
    keccak_squeeze(l.xof, l.rho, MLDSA_RHO_BYTES); /* 204/6 l.1 */
    GIRIH_DECLASSIFY(l.rho, MLDSA_RHO_BYTES, "rho is part of the public key");
    keccak_squeeze(l.xof, l.rho_prime, 64);
    keccak_squeeze(l.xof, sk->key, MLDSA_K_BYTES);
    status = derive(&l, vk, sk);
    arena_wipe(ws, need);
    return status;
}

/* With FIPS 204, Algorithm 25 (skDecode). */
girih_status mldsa_packed_sk_load(girih_mldsa_vk *vk, girih_mldsa_sk *sk, uint8_t *pk, const uint8_t *encoded, const mldsa_params *p,
                                  girih_backend id, void *ws)
{
    loader l = {.pk = pk, .encoded = encoded};
    const size_t need = carve(&l, ws, 1);
    girih_status status;

    open_vk(&l, vk, p, id);
    memcpy(l.rho, encoded, MLDSA_RHO_BYTES);
    memcpy(sk->key, encoded + MLDSA_SK_KEY, MLDSA_K_BYTES);
    status = derive(&l, vk, sk);
    arena_wipe(ws, need);
    return status;
}

void mldsa_packed_vk_load(girih_mldsa_vk *vk, const uint8_t *pk, const mldsa_params *p, girih_backend id, void *ws)
{
    loader l = {.pk = NULL};
    const size_t need = carve(&l, ws, 0);

    open_vk(&l, vk, p, id);
    memcpy(l.rho, pk, MLDSA_RHO_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        int32_t *t1_hat = l.t1_hat + 256 * i;

        sample_row(&l, i);
        mldsa_t1_unpack_c(t1_hat, pk + MLDSA_RHO_BYTES + MLDSA_T1_BYTES * i);
        mldsa_ntt_c(t1_hat);
    }
    keccak_init(l.hash, SHAKE256_RATE, SHAKE_SUFFIX, id);
    keccak_absorb(l.hash, pk, p->pk_bytes);
    keccak_squeeze(l.hash, vk->tr, GIRIH_MLDSA_TR_BYTES);
    finish_vk(vk, p, id);
    arena_release(ws, need);
}
