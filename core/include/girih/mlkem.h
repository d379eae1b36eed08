/* ML-KEM (FIPS 203): key generation, encapsulation, decapsulation.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *                           ML-KEM-512  ML-KEM-768  ML-KEM-1024
 *   seed d || z                     64          64           64   bytes; the private key to store
 *   encapsulation key              800        1184         1568
 *   decapsulation key             1632        2400         3168   the encoding of FIPS 203
 *   ciphertext                     768        1088         1568
 *   shared secret                   32          32           32
 *
 * A key in use is an object in the caller's memory (GIRIH_TABLE_ALIGN): its encoding, and what of its public data is kept between calls.
 * What may be kept are three caches, each a switch of its own:
 *   GIRIH_MLKEM_CACHE_A   A_hat: spares encapsulation and decapsulation the sampling of k * k polynomials
 *   GIRIH_MLKEM_CACHE_H   H(ek): spares encapsulation a hash of the encapsulation key (a decapsulation key holds it anyway)
 *   GIRIH_MLKEM_CACHE_T   t_hat: spares both the decoding of k polynomials
 * Same bytes come out in every combination. A cache lives in the object of its key and goes nowhere without it; girih_mlkem_ek_export and
 * _import carry one to another process. Objects are private to the backend that made them and to this build, and hold no
 * address, so that bytes copied to aligned memory are the same object; store the seed, never an object. A dk object is secret: girih_wipe()
 * it after use. */
#ifndef GIRIH_MLKEM_H
#define GIRIH_MLKEM_H

#include "girih.h"

#if GIRIH_MLKEM == 0
#error "this build is without ML-KEM: girih_config.h, GIRIH_MLKEM"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum girih_mlkem_set { GIRIH_MLKEM_512 = 512, GIRIH_MLKEM_768 = 768, GIRIH_MLKEM_1024 = 1024 } girih_mlkem_set;

#define GIRIH_MLKEM_SEED_BYTES          64 /* d || z */
#define GIRIH_MLKEM_M_BYTES             32
#define GIRIH_MLKEM_SHARED_SECRET_BYTES 32

#define GIRIH_MLKEM_512_EK_BYTES  800
#define GIRIH_MLKEM_768_EK_BYTES  1184
#define GIRIH_MLKEM_1024_EK_BYTES 1568
#define GIRIH_MLKEM_512_DK_BYTES  1632
#define GIRIH_MLKEM_768_DK_BYTES  2400
#define GIRIH_MLKEM_1024_DK_BYTES 3168
#define GIRIH_MLKEM_512_CT_BYTES  768
#define GIRIH_MLKEM_768_CT_BYTES  1088
#define GIRIH_MLKEM_1024_CT_BYTES 1568

/* The same as functions; 0 for an unknown set. */
GIRIH_API size_t girih_mlkem_ek_encoded_bytes(girih_mlkem_set set);
GIRIH_API size_t girih_mlkem_dk_encoded_bytes(girih_mlkem_set set);
GIRIH_API size_t girih_mlkem_ct_bytes(girih_mlkem_set set);

/* Caches: any sum of these. */
#define GIRIH_MLKEM_CACHE_A   1U
#define GIRIH_MLKEM_CACHE_H   2U
#define GIRIH_MLKEM_CACHE_T   4U
#define GIRIH_MLKEM_CACHE_ALL 7U

typedef struct girih_mlkem_ek girih_mlkem_ek;
typedef struct girih_mlkem_dk girih_mlkem_dk; /* holds the ek object of its pair: girih_mlkem_dk_public */

/* Memory for an object; 0 for an unknown set, caches or backend. */
GIRIH_API size_t girih_mlkem_ek_bytes(girih_mlkem_set set, unsigned caches, girih_backend backend);
GIRIH_API size_t girih_mlkem_dk_bytes(girih_mlkem_set set, unsigned caches, girih_backend backend);

/* What of it the caches are. */
GIRIH_API size_t girih_mlkem_cache_bytes(girih_mlkem_set set, unsigned caches, girih_backend backend);

typedef enum girih_mlkem_op {
    GIRIH_MLKEM_KEYGEN = 1,  /* girih_mlkem_keygen, _seed_load */
    GIRIH_MLKEM_LOAD,        /* girih_mlkem_ek_load, _ek_import, _dk_load */
    GIRIH_MLKEM_ENCAPS,      /* girih_mlkem_encaps, _ek_encaps */
    GIRIH_MLKEM_DECAPS,      /* girih_mlkem_decaps, _dk_decaps */
    GIRIH_MLKEM_ENCAPS_MANY, /* girih_mlkem_encaps_many */
    GIRIH_MLKEM_DECAPS_MANY  /* girih_mlkem_decaps_many */
} girih_mlkem_op;

/* Workspace of an operation in bytes; 0 for an unknown set, operation, caches or backend. caches: of the object; 0 from bytes. */
GIRIH_API size_t girih_mlkem_workspace_bytes(girih_mlkem_set set, girih_mlkem_op op, unsigned caches, girih_backend backend);

/* ---- Input checks (FIPS 203, 7.2 and 7.3), each alone. The functions below make them too. ---- */

/* Length and modulus check of an encapsulation key: GIRIH_BAD_LENGTH, GIRIH_BAD_KEY. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_check_ek(girih_mlkem_set set, const uint8_t *ek, size_t ek_len);

#if GIRIH_MLKEM >= 2
/* Length and hash check of a decapsulation key: GIRIH_BAD_LENGTH, GIRIH_BAD_KEY. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_check_dk(girih_mlkem_set set, girih_backend backend, const uint8_t *dk, size_t dk_len);
#endif

/* ---- From bytes: nothing is kept. Input is checked at every call. ---- */

#if GIRIH_MLKEM >= 3
/* FIPS 203, Algorithm 16 (ML-KEM.KeyGen_internal) of d || z; Algorithm 19 is this with 64 fresh random bytes. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_keygen(uint8_t *ek, size_t ek_len, uint8_t *dk, size_t dk_len, girih_mlkem_set set,
                                                         girih_backend backend, const uint8_t seed[GIRIH_MLKEM_SEED_BYTES], void *ws,
                                                         size_t ws_len);
#endif

/* FIPS 203, Algorithm 17 (ML-KEM.Encaps_internal); Algorithm 20 is this with m 32 fresh random bytes. GIRIH_BAD_KEY: the modulus check. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_encaps(uint8_t *ct, size_t ct_len, uint8_t ss[GIRIH_MLKEM_SHARED_SECRET_BYTES],
                                                         girih_mlkem_set set, girih_backend backend, const uint8_t *ek, size_t ek_len,
                                                         const uint8_t m[GIRIH_MLKEM_M_BYTES], void *ws, size_t ws_len);

#if GIRIH_MLKEM >= 2
/* FIPS 203, Algorithm 21 (ML-KEM.Decaps). A ciphertext that nobody made gives the implicit-rejection secret and GIRIH_OK, in the same time.
 * GIRIH_BAD_LENGTH, or GIRIH_BAD_KEY from the hash check. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_decaps(uint8_t ss[GIRIH_MLKEM_SHARED_SECRET_BYTES], girih_mlkem_set set,
                                                         girih_backend backend, const uint8_t *dk, size_t dk_len, const uint8_t *ct,
                                                         size_t ct_len, void *ws, size_t ws_len);
#endif

/* ---- Objects ---- */

/* An encapsulation key (checked), and the caches asked for, derived from it. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_ek_load(girih_mlkem_ek *ek, size_t ek_bytes, girih_mlkem_set set, unsigned caches,
                                                          girih_backend backend, const uint8_t *encoded, size_t encoded_len, void *ws,
                                                          size_t ws_len);

#if GIRIH_MLKEM >= 2
/* A key pair from d || z in one pass: the caches keep what key generation makes anyway. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_seed_load(girih_mlkem_dk *dk, size_t dk_bytes, girih_mlkem_set set, unsigned caches,
                                                            girih_backend backend, const uint8_t seed[GIRIH_MLKEM_SEED_BYTES], void *ws,
                                                            size_t ws_len);

/* A key pair from the encoding of FIPS 203 (hash check; the modulus check of the ek in it too). */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_dk_load(girih_mlkem_dk *dk, size_t dk_bytes, girih_mlkem_set set, unsigned caches,
                                                          girih_backend backend, const uint8_t *encoded, size_t encoded_len, void *ws,
                                                          size_t ws_len);

/* The ek object inside: valid as long as dk is; needs no memory of its own. */
GIRIH_API const girih_mlkem_ek *girih_mlkem_dk_public(const girih_mlkem_dk *dk);

/* The encoding of FIPS 203 (coefficients of s_hat below q, whatever was loaded). Secret. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_dk_encode(uint8_t *encoded, size_t encoded_len, const girih_mlkem_dk *dk);
#endif

/* The encoding of FIPS 203, inside the object. */
GIRIH_API const uint8_t *girih_mlkem_ek_encoding(const girih_mlkem_ek *ek);

/* Encapsulation and decapsulation with an object. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_ek_encaps(uint8_t *ct, size_t ct_len, uint8_t ss[GIRIH_MLKEM_SHARED_SECRET_BYTES],
                                                            const girih_mlkem_ek *ek, const uint8_t m[GIRIH_MLKEM_M_BYTES], void *ws,
                                                            size_t ws_len);
/* count times, to one key: cts, sss and ms hold count items one behind the other. Different calls share the lanes of the hash. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_encaps_many(uint8_t *cts, uint8_t *sss, const girih_mlkem_ek *ek, const uint8_t *ms,
                                                              size_t count, void *ws, size_t ws_len);
#if GIRIH_MLKEM >= 2
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_dk_decaps(uint8_t ss[GIRIH_MLKEM_SHARED_SECRET_BYTES], const girih_mlkem_dk *dk,
                                                            const uint8_t *ct, size_t ct_len, void *ws, size_t ws_len);
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_decaps_many(uint8_t *sss, const girih_mlkem_dk *dk, const uint8_t *cts, size_t count,
                                                              void *ws, size_t ws_len);
#endif

/* ---- A cache for another process ----
 * Whoever can forge A_hat can read every secret encapsulated with it. So what is imported carries a MAC (KMAC256 under a key that only its
 * maker and its user know), or is trusted by a flag that says so. It is version, set, caches, H(ek), A_hat where it is cached, and the MAC,
 * which is over all that and t_hat; the same from every backend. */
#define GIRIH_MLKEM_CACHE_MAC_BYTES 32

/* Bytes of an exported cache; 0 for an unknown set or caches. */
GIRIH_API size_t girih_mlkem_export_bytes(girih_mlkem_set set, unsigned caches);

/* All caches of the object. mac_key: at least 32 bytes, else GIRIH_BAD_LENGTH. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_ek_export(uint8_t *out, size_t out_len, const girih_mlkem_ek *ek, const uint8_t *mac_key,
                                                            size_t mac_key_len);

/* girih_mlkem_ek_load with what a cache holds instead of deriving it: caches are those of the export. mac_key NULL with length 0: the MAC
 * is not looked at and the bytes are trusted. GIRIH_BAD_KEY: a wrong MAC, version, set or length, a coefficient out of range, or H(ek) of
 * the encoded key is not the one named: the cache belongs to another key. */
GIRIH_MUST_USE GIRIH_API girih_status girih_mlkem_ek_import(girih_mlkem_ek *ek, size_t ek_bytes, girih_mlkem_set set, unsigned caches,
                                                            girih_backend backend, const uint8_t *encoded, size_t encoded_len,
                                                            const uint8_t *cache, size_t cache_len, const uint8_t *mac_key,
                                                            size_t mac_key_len, void *ws, size_t ws_len);

#ifdef __cplusplus
}
#endif
#endif
