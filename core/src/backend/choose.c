/* Which backends this build holds, and which of them this CPU runs.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/keccak.h"
#if GIRIH_MLDSA
#include "backend/mldsa.h"
#endif
#if GIRIH_MLKEM
#include "backend/mlkem.h"
#endif

#if defined(GIRIH_BIND)

girih_backend girih_backend_detect(void)
{
    return (girih_backend)GIRIH_BIND;
}

int girih_backend_available(girih_backend backend)
{
    return backend == (girih_backend)GIRIH_BIND;
}

#else

#if GIRIH_MLDSA
const mldsa_backend mldsa_backend_c = MLDSA_BACKEND_TABLE_C;
#endif
#if GIRIH_MLKEM
const mlkem_backend mlkem_backend_c = MLKEM_BACKEND_TABLE_C;
#endif

static const keccak_backend keccak_backend_c = KECCAK_BACKEND_TABLE_C;
static const keccak_backend keccak_backend_c32 = KECCAK_BACKEND_TABLE_C32;
static const keccak_backend keccak_backend_c32_small = KECCAK_BACKEND_TABLE_C32_SMALL;

#if defined(GIRIH_X86_AVX2)

static const keccak_backend keccak_backend_avx2 = {keccak_permute_bmi2, keccak_permute_all_avx2, keccak_xor_bytes_c,
                                                   keccak_extract_bytes_c};

#if defined(GIRIH_X86_AVX512)
static const keccak_backend keccak_backend_avx512 = {keccak_permute_avx512, keccak_permute_all_avx512, keccak_xor_bytes_c,
                                                     keccak_extract_bytes_c};
#endif

static int cpu_has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

#if defined(GIRIH_X86_AVX512)
static int cpu_has_avx512(void)
{
    return cpu_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
}
#endif

#endif

const keccak_backend *keccak_backend_of(girih_backend id)
{
#if defined(GIRIH_X86_AVX2)
    if (id == GIRIH_BACKEND_AVX2)
        return &keccak_backend_avx2;
#endif
#if defined(GIRIH_X86_AVX512)
    if (id == GIRIH_BACKEND_AVX512)
        return &keccak_backend_avx512;
#endif
    if (id == GIRIH_BACKEND_C32_SMALL)
        return &keccak_backend_c32_small;
    return id == GIRIH_BACKEND_C32 || id == GIRIH_BACKEND_C32_PACKED ? &keccak_backend_c32 : &keccak_backend_c;
}

#if GIRIH_MLDSA

const mldsa_backend *mldsa_backend_of(girih_backend id)
{
#if defined(GIRIH_X86_AVX2)
    if (id == GIRIH_BACKEND_AVX2)
        return &mldsa_backend_avx2;
#endif
#if defined(GIRIH_X86_AVX512)
    if (id == GIRIH_BACKEND_AVX512)
        return &mldsa_backend_avx512;
#endif
    (void)id; /* c and c32 differ in their hash only */
    return &mldsa_backend_c;
}

#endif

#if GIRIH_MLKEM

const mlkem_backend *mlkem_backend_of(girih_backend id)
{
#if defined(GIRIH_X86_AVX2)
    if (id == GIRIH_BACKEND_AVX2 || id == GIRIH_BACKEND_AVX512)
        return &mlkem_backend_avx2;
#endif
    (void)id;
    return &mlkem_backend_c;
}

#endif

int girih_backend_available(girih_backend backend)
{
    switch (backend) {
    case GIRIH_BACKEND_C:
    case GIRIH_BACKEND_C32:
    case GIRIH_BACKEND_C32_PACKED:
    case GIRIH_BACKEND_C32_SMALL:
        return 1;
    case GIRIH_BACKEND_AVX2:
#if defined(GIRIH_X86_AVX2)
        return cpu_has_avx2();
#else
        return 0;
#endif
    case GIRIH_BACKEND_AVX512:
#if defined(GIRIH_X86_AVX512)
        return cpu_has_avx512();
#else
        return 0;
#endif
    }
    return 0;
}

girih_backend girih_backend_detect(void)
{
    if (girih_backend_available(GIRIH_BACKEND_AVX512))
        return GIRIH_BACKEND_AVX512;
    if (girih_backend_available(GIRIH_BACKEND_AVX2))
        return GIRIH_BACKEND_AVX2;
    return sizeof(void *) > 4 ? GIRIH_BACKEND_C : GIRIH_BACKEND_C32;
}

#endif

const char *girih_backend_name(girih_backend backend)
{
    switch (backend) {
    case GIRIH_BACKEND_C:
        return "c";
    case GIRIH_BACKEND_C32:
        return "c32";
    case GIRIH_BACKEND_AVX2:
        return "avx2";
    case GIRIH_BACKEND_AVX512:
        return "avx512";
    case GIRIH_BACKEND_C32_PACKED:
        return "c32-packed";
    case GIRIH_BACKEND_C32_SMALL:
        return "c32-small";
    }
    return "";
}
