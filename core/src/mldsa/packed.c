/* Expanded keys for 32-bit cores: products, fingerprints, sizes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/packed.h"

#include "common/bytes.h"

/* The seed's two tables of a pair for ML-DSA-65 stay below 46,800 bytes. */
_Static_assert(MLDSA_PACKED_VK_BYTES(6, 5) + MLDSA_PACKED_SK_BYTES(6, 5) <= 46800, "tables of ML-DSA-65");

/* Coefficient c of A_hat[j] times that of y_hat_j. An entry of A_hat is below 2^23, so that its sign says nothing. */
GIRIH_INLINE int64_t term(const mldsa_row *a_hat, const int32_t *y_hat, unsigned j, unsigned c)
{
    return (int64_t)mldsa_row_get(a_hat + j, c) * y_hat[256 * j + c];
}

/* One reduction a coefficient. l is a constant in each call below, and its terms are written out: the addresses are then offsets. */
GIRIH_INLINE void multiply(int32_t w[256], const mldsa_row *a_hat, const int32_t *y_hat, const unsigned l, const mldsa_row *c_hat,
                           const int32_t *t1_hat)
{
    for (unsigned c = 0; c < 256; c++) {
        int64_t sum = 0;

        if (c_hat != NULL)
            sum = (int64_t)-mldsa_row_get(c_hat, c) * t1_hat[c];
        sum += term(a_hat, y_hat, 0, c);
        sum += term(a_hat, y_hat, 1, c);
        sum += term(a_hat, y_hat, 2, c);
        sum += term(a_hat, y_hat, 3, c);
        if (l > 4)
            sum += term(a_hat, y_hat, 4, c);
        if (l > 5) {
            sum += term(a_hat, y_hat, 5, c);
            sum += term(a_hat, y_hat, 6, c);
        }
        w[c] = mldsa_montgomery_reduce(sum);
    }
}

GIRIH_NOINLINE void mldsa_packed_multiply(int32_t w[256], const mldsa_row *a_hat, const int32_t *y_hat, unsigned l, const mldsa_row *c_hat,
                                          const int32_t *t1_hat)
{
    if (MLDSA_MAX_L == 4 || l == 4)
        multiply(w, a_hat, y_hat, 4, c_hat, t1_hat);
    else if (MLDSA_MAX_L == 5 || l == 5)
        multiply(w, a_hat, y_hat, 5, c_hat, t1_hat);
    else
        multiply(w, a_hat, y_hat, 7, c_hat, t1_hat);
}

void mldsa_packed_challenge(mldsa_row *c_hat, const uint8_t *c_tilde, int32_t poly[256], const mldsa_params *p, girih_sha3 *xof,
                            girih_backend id)
{
    mldsa_sparse c;

    mldsa_sparse_challenge(&c, c_tilde, (int8_t *)poly, p, xof, id);
    memset(poly, 0, 1024);
    for (unsigned n = 0; n < c.count; n++)
        poly[c.place[n]] = n < c.positives ? 1 : -1;
    mldsa_ntt_c(poly);
    for (unsigned n = 0; n < 256; n++)
        mldsa_row_put(c_hat, n, mldsa_reduce(poly[n]));
}

/* XXH32 with seed 0 (the algorithm of xxHash's specification), whole stripes only, over words instead of bytes: equal to it on a
 * little-endian machine. */
static uint32_t xxh32(const uint32_t *words, size_t count)
{
    const uint32_t prime1 = 2654435761U, prime2 = 2246822519U;
    uint32_t a = prime1 + prime2, b = prime2, c = 0, d = 0U - prime1, h;

    for (const uint32_t *end = words + count; words != end; words += 4) {
        a = rotate_left32(a + words[0] * prime2, 13) * prime1;
        b = rotate_left32(b + words[1] * prime2, 13) * prime1;
        c = rotate_left32(c + words[2] * prime2, 13) * prime1;
        d = rotate_left32(d + words[3] * prime2, 13) * prime1;
    }
    h = rotate_left32(a, 1) + rotate_left32(b, 7) + rotate_left32(c, 12) + rotate_left32(d, 18);
    h += (uint32_t)(4 * count);
    h = (h ^ h >> 15) * prime2;
    h = (h ^ h >> 13) * 3266489917U;
    return h ^ h >> 16;
}

_Static_assert((offsetof(girih_mldsa_vk, rho) - offsetof(girih_mldsa_vk, tr)) % 16 == 0, "a vk is whole stripes behind its digest");
_Static_assert((offsetof(girih_mldsa_sk, pad) - offsetof(girih_mldsa_sk, key)) % 16 == 0, "so is a sk");

uint32_t mldsa_packed_vk_digest(const girih_mldsa_vk *vk, const mldsa_params *p)
{
    return xxh32((const uint32_t *)(const void *)vk->tr, (MLDSA_PACKED_VK_BYTES(p->k, p->l) - offsetof(girih_mldsa_vk, tr)) / 4);
}

uint32_t mldsa_packed_sk_digest(const girih_mldsa_sk *sk, const mldsa_params *p)
{
    return xxh32((const uint32_t *)(const void *)sk->key, (MLDSA_PACKED_SK_BYTES(p->k, p->l) - offsetof(girih_mldsa_sk, key)) / 4);
}

void mldsa_packed_a_hat_entry(int32_t out[256], const girih_mldsa_vk *vk, unsigned i, unsigned j, const mldsa_params *p)
{
    mldsa_row_load(out, mldsa_packed_a_hat(vk) + p->l * i + j);
}
