/* ML-DSA in a few kilobytes of memory: the same signatures and the same answers as girih/mldsa.h, from the encoded keys, without tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *                          ML-DSA-44   ML-DSA-65   ML-DSA-87
 *   workspace of keygen         2119        2119        2119   bytes on a 32-bit core
 *   workspace of sign           2327        3087        3127
 *   workspace of verify         2295        2295        2295
 *   stack beside it         about 250, 350 and 370 bytes (Cortex-M, gcc -Os)
 *
 * The price: each signing attempt samples A_hat anew and makes each mask twice, each verification samples A_hat and hashes the key. */
#ifndef GIRIH_MLDSA_LOWRAM_H
#define GIRIH_MLDSA_LOWRAM_H

#include "mldsa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Workspace of GIRIH_MLDSA_KEYGEN, _SIGN or _VERIFY in bytes; 0 for anything unknown. */
GIRIH_API size_t girih_mldsa_lowram_bytes(girih_mldsa_set set, girih_mldsa_op op, girih_backend backend);

#if GIRIH_MLDSA >= 3
/* FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal), as girih_mldsa_keygen. The buffers of the keys are used on the way. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_keygen_lowram(uint8_t *pk, size_t pk_len, uint8_t *sk, size_t sk_len, girih_mldsa_set set,
                                                                girih_backend backend, const uint8_t seed[GIRIH_MLDSA_SEED_BYTES], void *ws,
                                                                size_t ws_len);
#endif

#if GIRIH_MLDSA >= 2
/* FIPS 204, Algorithm 2 (ML-DSA.Sign), as girih_mldsa_sign. sk: the encoding of FIPS 204, from a source that is trusted: GIRIH_BAD_KEY
 * when s1 or s2 is out of range, but whether t0 and tr belong to them is not checked here (girih_mldsa_sk_load does).
 *
 * The signature buffer is working memory and holds secrets until the call returns: it must be private until then (no shared memory, no
 * DMA) and must not overlap the message, the context, rnd or the keys. It is wiped on every path that releases nothing.
 *
 * options->checked wants options->pk (else GIRIH_BAD_ARGUMENT): the signature is verified, with mu computed again, before it is released;
 * GIRIH_BAD_KEY when pk is not the one that tr names. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_sign_lowram(uint8_t *sig, size_t sig_len, const uint8_t *sk, size_t sk_len,
                                                              girih_mldsa_set set, girih_backend backend, const uint8_t *msg,
                                                              size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                                                              const uint8_t rnd[GIRIH_MLDSA_RND_BYTES], const girih_mldsa_options *options,
                                                              void *ws, size_t ws_len);

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal) from mu on: girih_mldsa_mu_init (tr is sk + 64) and girih_mldsa_mu_of_digest give mu. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_sign_mu_lowram(uint8_t *sig, size_t sig_len, const uint8_t *sk, size_t sk_len,
                                                                 girih_mldsa_set set, girih_backend backend,
                                                                 const uint8_t mu[GIRIH_MLDSA_MU_BYTES],
                                                                 const uint8_t rnd[GIRIH_MLDSA_RND_BYTES],
                                                                 const girih_mldsa_options *options, void *ws, size_t ws_len);
#endif

/* FIPS 204, Algorithm 3 (ML-DSA.Verify), as girih_mldsa_verify, from the encoded public key. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_verify_lowram(const uint8_t *pk, size_t pk_len, const uint8_t *sig, size_t sig_len,
                                                                girih_mldsa_set set, girih_backend backend, const uint8_t *msg,
                                                                size_t msg_len, const uint8_t *ctx, size_t ctx_len, void *ws,
                                                                size_t ws_len);

/* FIPS 204, Algorithm 8 (ML-DSA.Verify_internal) from mu on. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_verify_mu_lowram(const uint8_t *pk, size_t pk_len, const uint8_t *sig, size_t sig_len,
                                                                   girih_mldsa_set set, girih_backend backend,
                                                                   const uint8_t mu[GIRIH_MLDSA_MU_BYTES], void *ws, size_t ws_len);

#ifdef __cplusplus
}
#endif
#endif
