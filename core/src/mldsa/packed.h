/* Expanded keys for 32-bit cores: A_hat at 24 bits a coefficient, and drivers that need little beside the tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The tables of the backends c32-packed and c32-small; little endian, without pointers, so that they may be made elsewhere and lie in
 * flash.
 *   girih_mldsa_vk  magic, set, digest, tr; A_hat, k * l rows; t1_hat = NTT(t1 * 2^d), k polynomials, |.| <= 10q
 *   girih_mldsa_sk  magic, set, digest, K, tr; NTT(s1), l polynomials; NTT(s2), k; NTT(t0), k; |.| <= 10q
 * Coefficients lie in the order of FIPS 204, Algorithm 41. */
#ifndef GIRIH_MLDSA_PACKED_H
#define GIRIH_MLDSA_PACKED_H

#include "common/arena.h"
#include "mldsa/mu.h"
#include "mldsa/stream.h"
#include "mldsa/table.h"

/* Behind tr a packed table goes on at once: rho and the padding of the other tables are not there. */
#define MLDSA_PACKED_VK_HEAD offsetof(girih_mldsa_vk, rho)
#define MLDSA_PACKED_SK_HEAD offsetof(girih_mldsa_sk, pad)
_Static_assert(MLDSA_PACKED_VK_HEAD % 8 == 0 && MLDSA_PACKED_SK_HEAD % 8 == 0, "what follows is aligned");

#define MLDSA_PACKED_VK_BYTES(k, l) (MLDSA_PACKED_VK_HEAD + sizeof(mldsa_row) * (k) * (l) + 1024 * (k))
#define MLDSA_PACKED_SK_BYTES(k, l) (MLDSA_PACKED_SK_HEAD + 1024 * ((l) + 2 * (k)))

/* Row (i, j) of A_hat lies at i * l + j. */
static inline const mldsa_row *mldsa_packed_a_hat(const girih_mldsa_vk *vk)
{
    return (const mldsa_row *)(const void *)((const uint8_t *)vk + MLDSA_PACKED_VK_HEAD);
}

static inline const int32_t *mldsa_packed_t1_hat(const girih_mldsa_vk *vk, unsigned i, const mldsa_params *p)
{
    return (const int32_t *)(const void *)(mldsa_packed_a_hat(vk) + p->k * p->l) + 256 * i;
}

/* s1 for n < l, s2 for n - l < k, t0 for n - l - k < k. */
static inline const int32_t *mldsa_packed_secret(const girih_mldsa_sk *sk, unsigned n)
{
    return (const int32_t *)(const void *)((const uint8_t *)sk + MLDSA_PACKED_SK_HEAD) + 256 * n;
}

/* w = (sum over j of A_hat[j] y_hat_j) / 2^32, l rows and polynomials; or, where c_hat is not NULL, less c_hat t1_hat. In: |y_hat|,
 * |t1_hat| <= 10q; c_hat a row of |.| < q. Out: |.| < q. */
void mldsa_packed_multiply(int32_t w[256], const mldsa_row *a_hat, const int32_t *y_hat, unsigned l, const mldsa_row *c_hat,
                           const int32_t *t1_hat);

/* c_hat, packed, of c. poly: 1,024 bytes to work in; |.| < q. Public. */
void mldsa_packed_challenge(mldsa_row *c_hat, const uint8_t *c_tilde, int32_t poly[256], const mldsa_params *p, girih_sha3 *xof,
                            girih_backend id);

/* Fingerprints of a table: XXH32 of tr and what follows it; of all that follows the digest in a sk. They find corruption, not tampering. */
uint32_t mldsa_packed_vk_digest(const girih_mldsa_vk *vk, const mldsa_params *p);
uint32_t mldsa_packed_sk_digest(const girih_mldsa_sk *sk, const mldsa_params *p);

void mldsa_packed_a_hat_entry(int32_t out[256], const girih_mldsa_vk *vk, unsigned i, unsigned j, const mldsa_params *p);

size_t mldsa_packed_load_bytes(void);
size_t mldsa_packed_sign_bytes(const mldsa_params *p);
size_t mldsa_packed_verify_bytes(const mldsa_params *p);

/* What the public functions of girih/mldsa.h do for these backends; the arguments that concern the tables' memory have been checked. */
girih_status mldsa_packed_seed_load(girih_mldsa_vk *vk, girih_mldsa_sk *sk, uint8_t *pk, const uint8_t seed[32], const mldsa_params *p,
                                    girih_backend id, void *ws);
girih_status mldsa_packed_sk_load(girih_mldsa_vk *vk, girih_mldsa_sk *sk, uint8_t *pk, const uint8_t *encoded, const mldsa_params *p,
                                  girih_backend id, void *ws);
void mldsa_packed_vk_load(girih_mldsa_vk *vk, const uint8_t *pk, const mldsa_params *p, girih_backend id, void *ws);
girih_status mldsa_packed_sign(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk, const mldsa_message *m,
                               const uint8_t rnd[32], const girih_mldsa_options *options, void *ws, size_t ws_len);
girih_status mldsa_packed_verify(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const mldsa_message *m,
                                 const mldsa_params *p, girih_backend id, void *ws);

#endif
