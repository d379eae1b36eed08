/* ML-KEM: what a backend provides.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A polynomial is int16_t[256]. Its coefficients stand in the order of FIPS 203, or, after ntt, in the order of the backend ("hat"), which
 * only the backend knows: decode and encode go between it and the bytes of the standard. Every buffer is aligned to ARENA_ALIGN.
 * q = 3329. Loops and addresses depend on k, d and eta only, but for the rejections in MLKEM_ENTRY, which are public. */
#ifndef GIRIH_BACKEND_MLKEM_H
#define GIRIH_BACKEND_MLKEM_H

#include "common/arena.h"
#include "girih/sha3.h"
#include "mlkem/params.h"

/* Work for the hash, which a backend may do side by side. Input is a, then b, then tail (any of them empty). */
typedef enum {
    MLKEM_ENTRY, /* FIPS 203, Algorithm 7 (SampleNTT): SHAKE128; poly in the order of the backend, in [0, q) */
    MLKEM_NOISE, /* Algorithm 8 (SamplePolyCBD_eta): SHAKE256 (PRF); poly in [-eta, eta] */
    MLKEM_G,     /* SHA3-512 to out[64] */
    MLKEM_H,     /* SHA3-256 to out[32] */
    MLKEM_J      /* SHAKE256 to out[32] */
} mlkem_job_kind;

typedef struct {
    mlkem_job_kind kind;
    unsigned eta; /* NOISE: 2 or 3 */
    const uint8_t *a, *b;
    size_t a_len, b_len;
    size_t there; /* so many bytes of a are there; only a job beside others may have to wait for the rest */
    uint8_t tail[2];
    unsigned tail_len;
    int16_t *poly; /* ENTRY, NOISE */
    uint8_t *out;  /* G, H, J */
    unsigned done; /* 0 before the work is begun; then the backend's, and what it holds of it is in the room */
} mlkem_job;

typedef struct {
    size_t hashes_bytes;  /* room for the hashes */
    size_t hashes_secret; /* of which so many, from the first, may hold secrets */
    unsigned lanes;       /* jobs that run side by side; 1: one after the other, and then the scheme streams its polynomials */

    unsigned cache_words; /* of what product_cache makes of a polynomial */

    /* An empty room. */
    void (*hashes_start)(void *room, girih_backend id);
    /* Finishes the first `needed` of jobs (those that are already done cost nothing); lanes that would be idle begin the others, which a
     * later call goes on with, as long as they stay where they are in memory. beside: NULL, or a job that comes before all others, as far
     * as its input is there, and need not be finished: a later call with it among its jobs finishes it. Long jobs come first. */
    void (*hashes_run)(void *room, mlkem_job *const jobs[], unsigned count, unsigned needed, mlkem_job *beside);

    /* FIPS 203, Algorithm 9 (NTT), in place. In: |a_i| <= q, order of the standard. Out: |a_i| <= 8q, hat. */
    void (*ntt)(int16_t a[256]);
    /* Algorithm 10 (NTT^-1), in place, times the factor that product lacks. In: as product gives it. Out: |a_i| <= 2050, order of the
     * standard. */
    void (*intt)(int16_t a[256]);
    /* What product wants to know of its second factor beside itself. In: hat, |b_i| <= 8q. cache: cache_words, aligned. */
    void (*product_cache)(int16_t *cache, const int16_t b[256]);
    /* Algorithm 11 (MultiplyNTTs), summed: r = (sum over j < k of a_j b_j) times a factor of the backend's, which intt and key_row take
     * off. a_j: a + 256 * stride * j, |.| <= 4095, hat; b_j: b + 256 * j, |.| <= 8q, hat; caches: k caches of the b_j. Out: hat. */
    void (*product)(int16_t r[256], const int16_t *a, unsigned stride, const int16_t *b, const int16_t *caches, unsigned k);
    /* The same one summand at a time (lanes == 1 only): sum += a b, and at last r = sum times the factor. At most 4 summands. */
    void (*sum_add)(int32_t sum[256], const int16_t a[256], const int16_t b[256], const int16_t cache[128]);
    void (*sum_finish)(int16_t r[256], const int32_t sum[256]);
    /* t_hat = r + e_hat, where r is what product gave and e_hat what ntt gave. Out: in [0, q), hat; and ByteEncode_12 of it. r may be
     * t_hat. */
    void (*key_row)(uint8_t encoded[384], int16_t t_hat[256], const int16_t r[256], const int16_t e_hat[256]);

    /* Algorithm 5 (ByteEncode_12). In: hat, |a_i| <= 8q; encoded mod q. */
    void (*encode)(uint8_t encoded[384], const int16_t a[256]);
    /* Algorithm 6 (ByteDecode_12). Out: hat, in [0, 4095]: not reduced. Returns 1 when some coefficient >= q, else 0, after reading all. */
    uint32_t (*decode)(int16_t a[256], const uint8_t encoded[384]);

    /* Compress_du(a + e) (section 4.2.1) and ByteEncode_du. In: |a_i| <= 2050, |e_i| <= 2. */
    void (*pack_u)(uint8_t *packed, const int16_t a[256], const int16_t e[256], unsigned du);
    /* Compress_dv(a + e + Decompress_1(m)) and ByteEncode_dv. In: |a_i| <= q, |e_i| <= 2. */
    void (*pack_v)(uint8_t *packed, const int16_t a[256], const int16_t e[256], const uint8_t m[32], unsigned dv);
    /* ByteDecode and Decompress. Out: in [0, q), order of the standard. Public. */
    void (*unpack_u)(int16_t a[256], const uint8_t *packed, unsigned du);
    void (*unpack_v)(int16_t a[256], const uint8_t *packed, unsigned dv);
    /* ByteEncode_1(Compress_1(v - a)). In: v in [0, q), |a_i| <= q. */
    void (*message)(uint8_t m[32], const int16_t v[256], const int16_t a[256]);
    /* 0 when the len bytes at a and b are equal, else all ones, after reading all of them. len: a multiple of 32. */
    uint32_t (*differ)(const uint8_t *a, const uint8_t *b, size_t len);
} mlkem_backend;

/* Portable C. What hashes does so with the Keccak that id names; everything else is the same for all. */
void mlkem_hashes_start_c(void *room, girih_backend id);
void mlkem_hashes_run_c(void *room, mlkem_job *const jobs[], unsigned count, unsigned needed, mlkem_job *beside);
void mlkem_ntt_c(int16_t a[256]);
void mlkem_intt_c(int16_t a[256]);
void mlkem_product_cache_c(int16_t *cache, const int16_t b[256]);
void mlkem_product_c(int16_t r[256], const int16_t *a, unsigned stride, const int16_t *b, const int16_t *caches, unsigned k);
void mlkem_sum_add_c(int32_t sum[256], const int16_t a[256], const int16_t b[256], const int16_t cache[128]);
void mlkem_sum_finish_c(int16_t r[256], const int32_t sum[256]);
void mlkem_key_row_c(uint8_t encoded[384], int16_t t_hat[256], const int16_t r[256], const int16_t e_hat[256]);
void mlkem_encode_c(uint8_t encoded[384], const int16_t a[256]);
uint32_t mlkem_decode_c(int16_t a[256], const uint8_t encoded[384]);
void mlkem_pack_u_c(uint8_t *packed, const int16_t a[256], const int16_t e[256], unsigned du);
void mlkem_pack_v_c(uint8_t *packed, const int16_t a[256], const int16_t e[256], const uint8_t m[32], unsigned dv);
void mlkem_unpack_u_c(int16_t a[256], const uint8_t *packed, unsigned du);
void mlkem_unpack_v_c(int16_t a[256], const uint8_t *packed, unsigned dv);
void mlkem_message_c(uint8_t m[32], const int16_t v[256], const int16_t a[256]);
uint32_t mlkem_differ_c(const uint8_t *a, const uint8_t *b, size_t len);

#define MLKEM_BACKEND_TABLE_C                                                                                                              \
    {                                                                                                                                      \
        .hashes_bytes = sizeof(girih_sha3), .hashes_secret = sizeof(girih_sha3), .lanes = 1, .cache_words = 128,                           \
        .hashes_start = mlkem_hashes_start_c, .hashes_run = mlkem_hashes_run_c, .ntt = mlkem_ntt_c, .intt = mlkem_intt_c,                  \
        .product_cache = mlkem_product_cache_c, .product = mlkem_product_c, .sum_add = mlkem_sum_add_c, .sum_finish = mlkem_sum_finish_c,  \
        .key_row = mlkem_key_row_c, .encode = mlkem_encode_c, .decode = mlkem_decode_c, .pack_u = mlkem_pack_u_c,                          \
        .pack_v = mlkem_pack_v_c, .unpack_u = mlkem_unpack_u_c, .unpack_v = mlkem_unpack_v_c, .message = mlkem_message_c,                  \
        .differ = mlkem_differ_c,                                                                                                          \
    }

#if defined(GIRIH_BIND)
/* Firmware: the table is a constant of every file that uses it, so calls are direct and what is not called is not linked. */
static const mlkem_backend mlkem_backend_bound = MLKEM_BACKEND_TABLE_C;
static inline const mlkem_backend *mlkem_backend_of(girih_backend id)
{
    (void)id;
    return &mlkem_backend_bound;
}
#else
/* Host: the table of a backend that girih_backend_available() accepts. */
extern const mlkem_backend mlkem_backend_c, mlkem_backend_avx2;
const mlkem_backend *mlkem_backend_of(girih_backend id);
#endif

#endif
