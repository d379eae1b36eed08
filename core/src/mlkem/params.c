/* The three parameter sets (FIPS 203, tables 2 and 3).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mlkem/params.h"

/* clang-format off */
static const mlkem_params mlkem_512 = {
    .set = GIRIH_MLKEM_512, .k = 2, .eta1 = 3, .du = 10, .dv = 4, .u_bytes = 320, .v_bytes = 128,
    .ek_bytes = GIRIH_MLKEM_512_EK_BYTES, .dk_bytes = GIRIH_MLKEM_512_DK_BYTES, .ct_bytes = GIRIH_MLKEM_512_CT_BYTES,
};

#if GIRIH_MLKEM_LARGEST >= 768
static const mlkem_params mlkem_768 = {
    .set = GIRIH_MLKEM_768, .k = 3, .eta1 = 2, .du = 10, .dv = 4, .u_bytes = 320, .v_bytes = 128,
    .ek_bytes = GIRIH_MLKEM_768_EK_BYTES, .dk_bytes = GIRIH_MLKEM_768_DK_BYTES, .ct_bytes = GIRIH_MLKEM_768_CT_BYTES,
};

#endif
#if GIRIH_MLKEM_LARGEST >= 1024
static const mlkem_params mlkem_1024 = {
    .set = GIRIH_MLKEM_1024, .k = 4, .eta1 = 2, .du = 11, .dv = 5, .u_bytes = 352, .v_bytes = 160,
    .ek_bytes = GIRIH_MLKEM_1024_EK_BYTES, .dk_bytes = GIRIH_MLKEM_1024_DK_BYTES, .ct_bytes = GIRIH_MLKEM_1024_CT_BYTES,
};

#endif
/* clang-format on */

/* What the encodings of FIPS 203 add up to, from the numbers of table 2. */
#define EK_BYTES(k)         (MLKEM_POLY_BYTES * (k) + MLKEM_RHO_BYTES)
#define DK_BYTES(k)         (MLKEM_POLY_BYTES * (k) + EK_BYTES(k) + MLKEM_H_BYTES + 32)
#define CT_BYTES(k, du, dv) (32 * ((du) * (k) + (dv)))
_Static_assert(EK_BYTES(2) == GIRIH_MLKEM_512_EK_BYTES, "ek 512");
_Static_assert(EK_BYTES(3) == GIRIH_MLKEM_768_EK_BYTES, "ek 768");
_Static_assert(EK_BYTES(4) == GIRIH_MLKEM_1024_EK_BYTES, "ek 1024");
_Static_assert(DK_BYTES(2) == GIRIH_MLKEM_512_DK_BYTES, "dk 512");
_Static_assert(DK_BYTES(3) == GIRIH_MLKEM_768_DK_BYTES, "dk 768");
_Static_assert(DK_BYTES(4) == GIRIH_MLKEM_1024_DK_BYTES, "dk 1024");
_Static_assert(CT_BYTES(2, 10, 4) == GIRIH_MLKEM_512_CT_BYTES, "ct 512");
_Static_assert(CT_BYTES(3, 10, 4) == GIRIH_MLKEM_768_CT_BYTES, "ct 768");
_Static_assert(CT_BYTES(4, 11, 5) == GIRIH_MLKEM_1024_CT_BYTES, "ct 1024");

const mlkem_params *mlkem_params_of(girih_mlkem_set set)
{
    switch (set) {
    case GIRIH_MLKEM_512:
        return &mlkem_512;
#if GIRIH_MLKEM_LARGEST >= 768
    case GIRIH_MLKEM_768:
        return &mlkem_768;
#endif
#if GIRIH_MLKEM_LARGEST >= 1024
    case GIRIH_MLKEM_1024:
        return &mlkem_1024;
#endif
    default:
        break;
    }
    return NULL;
}

size_t girih_mlkem_ek_encoded_bytes(girih_mlkem_set set)
{
    const mlkem_params *p = mlkem_params_of(set);

    return p == NULL ? 0 : p->ek_bytes;
}

size_t girih_mlkem_dk_encoded_bytes(girih_mlkem_set set)
{
    const mlkem_params *p = mlkem_params_of(set);

    return p == NULL ? 0 : p->dk_bytes;
}

size_t girih_mlkem_ct_bytes(girih_mlkem_set set)
{
    const mlkem_params *p = mlkem_params_of(set);

    return p == NULL ? 0 : p->ct_bytes;
}
