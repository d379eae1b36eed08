/* girih: what every scheme shares. Status codes, the choice of a backend, wiping.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conventions of the whole C interface
 *   - Nothing allocates and nothing is kept in static memory: the caller owns every byte. An operation takes a workspace whose size a
 *     function gives; it needs no alignment and no initial value, and what was secret in it is wiped before the call returns.
 *   - Lengths are passed and checked. Pointers to buffers of length 0 may be NULL.
 *   - A call that does not return GIRIH_OK has left its outputs untouched or has filled them with zeros.
 *   - Calls on different workspaces are independent: keys are read only, so threads may share them. */
#ifndef GIRIH_GIRIH_H
#define GIRIH_GIRIH_H

#include "girih_config.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GIRIH_VERSION "0.1.0"

#if defined(__GNUC__)
#define GIRIH_MUST_USE __attribute__((warn_unused_result))
#if defined(GIRIH_SHARED)
#define GIRIH_API __attribute__((visibility("default")))
#else
#define GIRIH_API
#endif
#else
#define GIRIH_MUST_USE
#define GIRIH_API
#endif

typedef enum girih_status {
    GIRIH_OK = 0,
    GIRIH_BAD_SIGNATURE = -1, /* any bytes that are not a valid signature, a wrong length included */
    GIRIH_BAD_LENGTH = -2,    /* a key, digest or output buffer has the wrong length for its set */
    GIRIH_BAD_CONTEXT = -3,   /* a context is longer than 255 bytes */
    GIRIH_BAD_KEY = -4,       /* an encoded key is out of range or inconsistent, or a table is not what and where it should be */
    GIRIH_BAD_ARGUMENT = -5,  /* unknown parameter set, hash or backend; a table that is not aligned */
    GIRIH_WORKSPACE = -6,     /* the workspace (or the memory for a table) is too small */
    GIRIH_ATTEMPTS = -7,      /* the attempt budget ran out: sign again with fresh randomness */
    GIRIH_FAULT = -8,         /* a computed result failed its check; nothing was released */
    GIRIH_RANDOMNESS = -9     /* the system gave no random bytes */
} girih_status;

/* Which implementation of the primitives a key or a hash uses. All give the same bytes. */
typedef enum girih_backend {
    GIRIH_BACKEND_C = 1,          /* portable C, Keccak on 64-bit lanes */
    GIRIH_BACKEND_C32 = 2,        /* portable C, Keccak bit-interleaved on 32-bit words */
    GIRIH_BACKEND_AVX2 = 3,       /* x86-64 with AVX2, BMI1 and BMI2 */
    GIRIH_BACKEND_C32_PACKED = 4, /* c32 with tables of 24 bits a coefficient of A_hat */
    GIRIH_BACKEND_C32_SMALL = 5,  /* c32_packed with the smallest Keccak: a third of the code, a tenth slower */
    GIRIH_BACKEND_AVX512 = 6      /* avx2 with Keccak, NTT and matrix products for AVX-512 */
} girih_backend;

/* Expanded keys ("tables") live in memory that the caller aligns to this many bytes. */
#define GIRIH_TABLE_ALIGN 64

/* The fastest backend that this build holds and this CPU runs. Keep the answer: the core remembers nothing. */
GIRIH_API girih_backend girih_backend_detect(void);

/* 1 when this build holds the backend and this CPU runs it, else 0. */
GIRIH_API int girih_backend_available(girih_backend backend);

/* "c", "c32", "avx2", "c32-packed", "c32-small", "avx512"; "" for an unknown value. */
GIRIH_API const char *girih_backend_name(girih_backend backend);

/* Overwrite with zeros in a way that the compiler keeps. */
GIRIH_API void girih_wipe(void *p, size_t len);

/* 1 when the len bytes at a and b are equal, else 0, in time that depends on len only. */
GIRIH_API int girih_equal(const void *a, const void *b, size_t len);

#ifdef __cplusplus
}
#endif
#endif
