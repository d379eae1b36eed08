/* Keccak: what a backend provides.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BACKEND_KECCAK_H
#define GIRIH_BACKEND_KECCAK_H

#include "girih/sha3.h"

/* Offsets count bytes of the state as FIPS 202 numbers them (lane x + 5y, little endian); offset + len <= 200. How the lanes are held is
 * the backend's own affair: only these functions look inside. */
typedef struct {
    /* Keccak-f[1600]. */
    void (*permute)(girih_sha3 *h);
    /* The same on each of count different states, side by side where the backend can. */
    void (*permute_all)(girih_sha3 *const h[], unsigned count);
    /* state[offset ..] ^= data. */
    void (*xor_bytes)(girih_sha3 *h, size_t offset, const uint8_t *data, size_t len);
    /* out = state[offset ..]. */
    void (*extract_bytes)(const girih_sha3 *h, size_t offset, uint8_t *out, size_t len);
} keccak_backend;

/* backend/c: 64-bit lanes; and bit-interleaved words, state interleaved from init to wipe. */
void keccak_permute_c(girih_sha3 *h);
void keccak_permute_all_c(girih_sha3 *const h[], unsigned count);
void keccak_xor_bytes_c(girih_sha3 *h, size_t offset, const uint8_t *data, size_t len);
void keccak_extract_bytes_c(const girih_sha3 *h, size_t offset, uint8_t *out, size_t len);
void keccak_permute_c32(girih_sha3 *h);
void keccak_permute_all_c32(girih_sha3 *const h[], unsigned count);
void keccak_permute_c32_small(girih_sha3 *h);
void keccak_permute_all_c32_small(girih_sha3 *const h[], unsigned count);
void keccak_xor_bytes_c32(girih_sha3 *h, size_t offset, const uint8_t *data, size_t len);
void keccak_extract_bytes_c32(const girih_sha3 *h, size_t offset, uint8_t *out, size_t len);

/* backend/x86_avx2: the 64-bit lanes of backend/c with andn and rorx; and four states side by side, aligned to 32 bytes: lane i of state n
 * is s[4 * i + n], i < 25; the other hundred words are working space, as secret as the states. */
void keccak_permute_bmi2(girih_sha3 *h);
void keccak_permute_x4_avx2(uint64_t s[200]);
void keccak_permute_all_avx2(girih_sha3 *const h[], unsigned count);

/* backend/x86_avx512: the same with the instructions of AVX-512VL. */
void keccak_permute_avx512(girih_sha3 *h);
void keccak_permute_x4_avx512(uint64_t s[200]);
void keccak_permute_all_avx512(girih_sha3 *const h[], unsigned count);

/* The four-way permutation of a backend with four lanes. */
typedef void (*keccak_x4)(uint64_t s[200]);
keccak_x4 keccak_x4_of(girih_backend id);

#define KECCAK_BACKEND_TABLE_C                                                                                                             \
    {                                                                                                                                      \
        keccak_permute_c, keccak_permute_all_c, keccak_xor_bytes_c, keccak_extract_bytes_c                                                 \
    }
#define KECCAK_BACKEND_TABLE_C32_SMALL                                                                                                     \
    {                                                                                                                                      \
        keccak_permute_c32_small, keccak_permute_all_c32_small, keccak_xor_bytes_c32, keccak_extract_bytes_c32                             \
    }
#if defined(__riscv) && !defined(__riscv_zbb)
/* Without an instruction that rotates, putting rotations off makes more of them: the small form is also the faster one. */
#define KECCAK_BACKEND_TABLE_C32 KECCAK_BACKEND_TABLE_C32_SMALL
#else
#define KECCAK_BACKEND_TABLE_C32                                                                                                           \
    {                                                                                                                                      \
        keccak_permute_c32, keccak_permute_all_c32, keccak_xor_bytes_c32, keccak_extract_bytes_c32                                         \
    }
#endif

/* GIRIH_BIND, the numeric girih_backend of a firmware build: that backend is a constant, calls are direct. */
#if defined(GIRIH_BIND)
#if GIRIH_BIND == 1
static const keccak_backend keccak_backend_bound = KECCAK_BACKEND_TABLE_C;
#elif GIRIH_BIND == 2 || GIRIH_BIND == 4
static const keccak_backend keccak_backend_bound = KECCAK_BACKEND_TABLE_C32;
#elif GIRIH_BIND == 5
static const keccak_backend keccak_backend_bound = KECCAK_BACKEND_TABLE_C32_SMALL;
#else
#error "GIRIH_BIND: 1 (c), 2 (c32), 4 (c32-packed) or 5 (c32-small)"
#endif
static inline const keccak_backend *keccak_backend_of(girih_backend id)
{
    (void)id;
    return &keccak_backend_bound;
}
#else
/* Host: the table of an available backend. */
const keccak_backend *keccak_backend_of(girih_backend id);
#endif

#endif
