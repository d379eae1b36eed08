/* ML-DSA (FIPS 204): key generation, signing, verification.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *                         ML-DSA-44   ML-DSA-65   ML-DSA-87
 *   seed                         32          32          32   bytes; the private key to store
 *   public key                 1312        1952        2592
 *   secret key (expanded)      2560        4032        4896   the encoding of FIPS 204
 *   signature                  2420        3309        4627
 *   mean signing attempts      4.25         5.1        3.85
 *
 * A key in use is a table: what never changes between two calls is computed once.
 *   girih_mldsa_vk   tr, A_hat, NTT(t1 * 2^d)          enough to verify
 *   girih_mldsa_sk   K, s1, s2, t0 in product form     together with its vk: enough to sign
 * Tables are bytes in the caller's memory (GIRIH_TABLE_ALIGN), made by one of the load functions, private to the backend that made them
 * and to this process (packed ones excepted: girih_mldsa_vk_check); store the seed, never a table. A sk table is secret: girih_wipe() it
 * after use. */
#ifndef GIRIH_MLDSA_H
#define GIRIH_MLDSA_H

#include "girih.h"
#include "sha3.h"

#if GIRIH_MLDSA == 0
#error "this build is without ML-DSA: girih_config.h, GIRIH_MLDSA"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum girih_mldsa_set { GIRIH_MLDSA_44 = 44, GIRIH_MLDSA_65 = 65, GIRIH_MLDSA_87 = 87 } girih_mldsa_set;

#define GIRIH_MLDSA_SEED_BYTES    32
#define GIRIH_MLDSA_RND_BYTES     32
#define GIRIH_MLDSA_TR_BYTES      64
#define GIRIH_MLDSA_MU_BYTES      64
#define GIRIH_MLDSA_MAX_CTX_BYTES 255

#define GIRIH_MLDSA_44_PUBLIC_KEY_BYTES 1312
#define GIRIH_MLDSA_65_PUBLIC_KEY_BYTES 1952
#define GIRIH_MLDSA_87_PUBLIC_KEY_BYTES 2592
#define GIRIH_MLDSA_44_SECRET_KEY_BYTES 2560
#define GIRIH_MLDSA_65_SECRET_KEY_BYTES 4032
#define GIRIH_MLDSA_87_SECRET_KEY_BYTES 4896
#define GIRIH_MLDSA_44_SIGNATURE_BYTES  2420
#define GIRIH_MLDSA_65_SIGNATURE_BYTES  3309
#define GIRIH_MLDSA_87_SIGNATURE_BYTES  4627

/* The same as functions; 0 for an unknown set. */
GIRIH_API size_t girih_mldsa_public_key_bytes(girih_mldsa_set set);
GIRIH_API size_t girih_mldsa_secret_key_bytes(girih_mldsa_set set);
GIRIH_API size_t girih_mldsa_signature_bytes(girih_mldsa_set set);

typedef struct girih_mldsa_vk girih_mldsa_vk;
typedef struct girih_mldsa_sk girih_mldsa_sk;

/* Memory for a table of a backend; 0 for an unknown set or backend. */
GIRIH_API size_t girih_mldsa_vk_bytes(girih_mldsa_set set, girih_backend backend);
GIRIH_API size_t girih_mldsa_sk_bytes(girih_mldsa_set set, girih_backend backend);

typedef enum girih_mldsa_op {
    GIRIH_MLDSA_KEYGEN = 1,  /* girih_mldsa_keygen */
    GIRIH_MLDSA_LOAD,        /* girih_mldsa_vk_load, _sk_load, _seed_load */
    GIRIH_MLDSA_SIGN,        /* every sign function but the next, checked or not */
    GIRIH_MLDSA_VERIFY,      /* every verify function but the next */
    GIRIH_MLDSA_VERIFY_MANY, /* girih_mldsa_verify_many */
    GIRIH_MLDSA_SIGN_MANY    /* girih_mldsa_sign_many */
} girih_mldsa_op;

/* Workspace of an operation in bytes; 0 for an unknown set, operation or backend. */
GIRIH_API size_t girih_mldsa_workspace_bytes(girih_mldsa_set set, girih_mldsa_op op, girih_backend backend);

#if GIRIH_MLDSA >= 3
/* FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal): the encoded key pair of a seed. pk_len and sk_len must be the set's lengths.
 * Algorithm 1 is this with 32 fresh random bytes as the seed. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_keygen(uint8_t *pk, size_t pk_len, uint8_t *sk, size_t sk_len, girih_mldsa_set set,
                                                         girih_backend backend, const uint8_t seed[GIRIH_MLDSA_SEED_BYTES], void *ws,
                                                         size_t ws_len);
#endif

#if GIRIH_MLDSA >= 2
/* Load a key pair from its seed in one pass: A_hat is sampled once, straight into vk; tr is hashed while the public key is formed.
 * pk receives the encoded public key (pk_len: the set's length); pk NULL with pk_len 0 leaves it out. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_seed_load(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_sk *sk, size_t sk_len,
                                                            uint8_t *pk, size_t pk_len, girih_mldsa_set set, girih_backend backend,
                                                            const uint8_t seed[GIRIH_MLDSA_SEED_BYTES], void *ws, size_t ws_len);

/* Load a key pair from the encoding of FIPS 204 (Algorithm 25, skDecode). GIRIH_BAD_KEY unless s1 and s2 lie in [-eta, eta] and
 * t0 and tr are those that rho, s1 and s2 give. pk as in girih_mldsa_seed_load. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_sk_load(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_sk *sk, size_t sk_len, uint8_t *pk,
                                                          size_t pk_len, girih_mldsa_set set, girih_backend backend, const uint8_t *encoded,
                                                          size_t encoded_len, void *ws, size_t ws_len);
#endif

/* Load a public key (Algorithm 23, pkDecode). Every string of the right length is a public key. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_vk_load(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_set set, girih_backend backend,
                                                          const uint8_t *pk, size_t pk_len, void *ws, size_t ws_len);

/* girih_mldsa_vk_load and girih_mldsa_seed_load of a key that is known: GIRIH_BAD_KEY, and the tables wiped, unless tr of the key is the
 * one given. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_vk_load_expected(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_set set,
                                                                   girih_backend backend, const uint8_t *pk, size_t pk_len,
                                                                   const uint8_t tr[GIRIH_MLDSA_TR_BYTES], void *ws, size_t ws_len);
#if GIRIH_MLDSA >= 2
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_seed_load_expected(girih_mldsa_vk *vk, size_t vk_len, girih_mldsa_sk *sk, size_t sk_len,
                                                                     girih_mldsa_set set, girih_backend backend,
                                                                     const uint8_t seed[GIRIH_MLDSA_SEED_BYTES],
                                                                     const uint8_t tr[GIRIH_MLDSA_TR_BYTES], void *ws, size_t ws_len);
#endif

/* A table that was not loaded here but found, in flash for instance: made by another build of this library for the same backend,
 * c32-packed or c32-small (the layout of the others is private to a process). GIRIH_OK when it may be used in place: its memory is aligned
 * and long enough (len: what may be read), magic and set are those of vk_check's arguments, its digest is right, and tr, where it is not
 * NULL, is its own. A digest finds corruption, not tampering: protect the flash. sk_check also wants a sk that belongs to vk. Else
 * GIRIH_BAD_KEY or GIRIH_BAD_ARGUMENT. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_vk_check(const girih_mldsa_vk *vk, size_t len, girih_mldsa_set set, girih_backend backend,
                                                           const uint8_t *tr);
#if GIRIH_MLDSA >= 2
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_sk_check(const girih_mldsa_sk *sk, size_t len, const girih_mldsa_vk *vk);
#endif

/* Polynomial (i, j) of A_hat, i < k, j < l, as the standard orders it, coefficients in [0, q): equal from every backend. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_vk_a_hat(int32_t out[256], const girih_mldsa_vk *vk, unsigned i, unsigned j);

/* tr = H(pk, 64) of a loaded key. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_vk_tr(uint8_t tr[GIRIH_MLDSA_TR_BYTES], const girih_mldsa_vk *vk);

/* tr = H(pk, 64) of an encoded public key. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_tr(uint8_t tr[GIRIH_MLDSA_TR_BYTES], girih_mldsa_set set, girih_backend backend,
                                                     const uint8_t *pk, size_t pk_len);

/* ---- mu: the 64 bytes that are signed ---- */

/* Hash functions approved for HashML-DSA (FIPS 204, 5.4); the value is the last arc of the object identifier 2.16.840.1.101.3.4.2.x. */
typedef enum girih_mldsa_hash {
    GIRIH_MLDSA_SHA2_256 = 1,     /* 32-byte digest */
    GIRIH_MLDSA_SHA2_384 = 2,     /* 48 */
    GIRIH_MLDSA_SHA2_512 = 3,     /* 64 */
    GIRIH_MLDSA_SHA2_224 = 4,     /* 28 */
    GIRIH_MLDSA_SHA2_512_224 = 5, /* 28 */
    GIRIH_MLDSA_SHA2_512_256 = 6, /* 32 */
    GIRIH_MLDSA_SHA3_224 = 7,     /* 28 */
    GIRIH_MLDSA_SHA3_256 = 8,     /* 32 */
    GIRIH_MLDSA_SHA3_384 = 9,     /* 48 */
    GIRIH_MLDSA_SHA3_512 = 10,    /* 64 */
    GIRIH_MLDSA_SHAKE128 = 11,    /* 32 */
    GIRIH_MLDSA_SHAKE256 = 12     /* 64 */
} girih_mldsa_hash;

/* Digest length of a hash; 0 for an unknown one. */
GIRIH_API size_t girih_mldsa_digest_bytes(girih_mldsa_hash hash);

/* Streaming mu of a message (Algorithm 2, line 10 and Algorithm 7, line 6): init, update any number of times, final.
 * GIRIH_BAD_CONTEXT: ctx_len > 255. */
typedef struct girih_mldsa_mu {
    girih_sha3 h;
} girih_mldsa_mu;
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_mu_init(girih_mldsa_mu *mu, girih_backend backend, const uint8_t tr[GIRIH_MLDSA_TR_BYTES],
                                                          const uint8_t *ctx, size_t ctx_len);
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_mu_update(girih_mldsa_mu *mu, const void *data, size_t len);
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_mu_final(uint8_t out[GIRIH_MLDSA_MU_BYTES], girih_mldsa_mu *mu);

/* mu of a digest (HashML-DSA, Algorithm 4, lines 10-23). GIRIH_BAD_LENGTH: the digest is not as long as the hash says. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_mu_of_digest(uint8_t out[GIRIH_MLDSA_MU_BYTES], girih_backend backend,
                                                               const uint8_t tr[GIRIH_MLDSA_TR_BYTES], girih_mldsa_hash hash,
                                                               const uint8_t *digest, size_t digest_len, const uint8_t *ctx,
                                                               size_t ctx_len);

/* ---- signing ---- */

typedef struct girih_mldsa_options {
    uint32_t max_attempts; /* 0: as many as it takes. Below 814 this is not the standard's Sign (FIPS 204, appendix C). */
    int checked;           /* 1: before releasing, recompute mu, verify, and compare the digest of the public table; else GIRIH_FAULT */
    /* With checked: the encoded public key, or NULL. When given, the signature is verified from these bytes with A sampled afresh: for the
     * first signature of a key. The digest of a table that was wrong from the start protects the wrong table, and only this finds it. */
    const uint8_t *pk;
    size_t pk_len;
    uint32_t *attempts; /* NULL, or where the number of attempts goes. It is public: the time that a call takes tells it too. */
} girih_mldsa_options;

#if GIRIH_MLDSA >= 2
/* FIPS 204, Algorithm 2 (ML-DSA.Sign). rnd: 32 fresh random bytes (hedged), or 32 zero bytes (deterministic).
 * sig_len must be the set's length; sk and vk must come from one load. options NULL: no budget, unchecked.
 * On anything but GIRIH_OK from a well-formed call sig is zeroed. The signature buffer must not overlap the message. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_sign(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk,
                                                       const uint8_t *msg, size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                                                       const uint8_t rnd[GIRIH_MLDSA_RND_BYTES], const girih_mldsa_options *options,
                                                       void *ws, size_t ws_len);

/* FIPS 204, Algorithm 4 (HashML-DSA.Sign) from the digest on. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_sign_digest(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk,
                                                              const girih_mldsa_vk *vk, girih_mldsa_hash hash, const uint8_t *digest,
                                                              size_t digest_len, const uint8_t *ctx, size_t ctx_len,
                                                              const uint8_t rnd[GIRIH_MLDSA_RND_BYTES], const girih_mldsa_options *options,
                                                              void *ws, size_t ws_len);

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal) from mu on ("external mu"). A checked call cannot recompute mu here. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_sign_mu(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk,
                                                          const uint8_t mu[GIRIH_MLDSA_MU_BYTES], const uint8_t rnd[GIRIH_MLDSA_RND_BYTES],
                                                          const girih_mldsa_options *options, void *ws, size_t ws_len);

/* FIPS 204, Algorithm 7 (ML-DSA.Sign_internal): M' is hashed as it is. For known-answer tests and protocols that build M' themselves;
 * what it signs is not interchangeable with girih_mldsa_sign. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_sign_internal(uint8_t *sig, size_t sig_len, const girih_mldsa_sk *sk,
                                                                const girih_mldsa_vk *vk, const uint8_t *m_prime, size_t m_prime_len,
                                                                const uint8_t rnd[GIRIH_MLDSA_RND_BYTES],
                                                                const girih_mldsa_options *options, void *ws, size_t ws_len);
#endif

/* Many messages under one key. Four at a time share the permutation of a backend that has lanes; each signature is that of
 * girih_mldsa_sign. */
typedef struct girih_mldsa_sign_item {
    uint8_t *sig; /* the set's length */
    const uint8_t *msg;
    size_t msg_len;
    const uint8_t *ctx;
    size_t ctx_len;
    const uint8_t *rnd;  /* GIRIH_MLDSA_RND_BYTES */
    girih_status status; /* out: what girih_mldsa_sign would return */
} girih_mldsa_sign_item;

#if GIRIH_MLDSA >= 2
/* FIPS 204, Algorithm 2, for each item. checked as in girih_mldsa_options. Not GIRIH_OK: a mistake that concerns no single item; nothing is
 * signed then. A sig whose status is not GIRIH_OK is zeroed. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_sign_many(girih_mldsa_sign_item *items, size_t count, const girih_mldsa_sk *sk,
                                                            const girih_mldsa_vk *vk, int checked, void *ws, size_t ws_len);
#endif

/* ---- verification: GIRIH_OK or GIRIH_BAD_SIGNATURE for every sig and sig_len; other codes are mistakes of the caller ---- */

/* FIPS 204, Algorithm 3 (ML-DSA.Verify). */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_verify(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len, const uint8_t *msg,
                                                         size_t msg_len, const uint8_t *ctx, size_t ctx_len, void *ws, size_t ws_len);

/* FIPS 204, Algorithm 5 (HashML-DSA.Verify) from the digest on. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_verify_digest(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len,
                                                                girih_mldsa_hash hash, const uint8_t *digest, size_t digest_len,
                                                                const uint8_t *ctx, size_t ctx_len, void *ws, size_t ws_len);

/* FIPS 204, Algorithm 8 (ML-DSA.Verify_internal) from mu on. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_verify_mu(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len,
                                                            const uint8_t mu[GIRIH_MLDSA_MU_BYTES], void *ws, size_t ws_len);

/* FIPS 204, Algorithm 8 (ML-DSA.Verify_internal). */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_verify_internal(const girih_mldsa_vk *vk, const uint8_t *sig, size_t sig_len,
                                                                  const uint8_t *m_prime, size_t m_prime_len, void *ws, size_t ws_len);

/* Many signatures of one parameter set and backend, of one key or of different keys. Four at a time share the permutation of a backend
 * that has lanes; each is verified as if it were alone. */
typedef struct girih_mldsa_verify_item {
    const girih_mldsa_vk *vk;
    const uint8_t *sig;
    size_t sig_len;
    const uint8_t *msg;
    size_t msg_len;
    const uint8_t *ctx;
    size_t ctx_len;
    girih_status status; /* out: what girih_mldsa_verify would return */
} girih_mldsa_verify_item;

/* FIPS 204, Algorithm 3, for each item. Not GIRIH_OK: a key of another set or backend than set and backend, or a mistake that concerns no
 * single item; nothing is verified then. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mldsa_verify_many(girih_mldsa_verify_item *items, size_t count, girih_mldsa_set set,
                                                              girih_backend backend, void *ws, size_t ws_len);

#ifdef __cplusplus
}
#endif
#endif
