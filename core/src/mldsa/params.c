/* The three parameter sets (FIPS 204, tables 1 and 2).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/params.h"

/* clang-format off */
static const mldsa_params mldsa_44 = {
    .set = GIRIH_MLDSA_44, .k = 4, .l = 4, .eta = 2, .tau = 39, .c_tilde_bytes = 32, .gamma1_bits = 17, .gamma2_den = 88, .omega = 80,
    .beta = 39 * 2, .gamma1 = 1 << 17, .gamma2 = (MLDSA_Q - 1) / 88, .eta_bytes = 96, .z_bytes = 576, .w1_bytes = 192,
    .pk_bytes = GIRIH_MLDSA_44_PUBLIC_KEY_BYTES, .sk_bytes = GIRIH_MLDSA_44_SECRET_KEY_BYTES, .sig_bytes = GIRIH_MLDSA_44_SIGNATURE_BYTES,
};

#if GIRIH_LARGEST_SET >= 65
static const mldsa_params mldsa_65 = {
    .set = GIRIH_MLDSA_65, .k = 6, .l = 5, .eta = 4, .tau = 49, .c_tilde_bytes = 48, .gamma1_bits = 19, .gamma2_den = 32, .omega = 55,
    .beta = 49 * 4, .gamma1 = 1 << 19, .gamma2 = (MLDSA_Q - 1) / 32, .eta_bytes = 128, .z_bytes = 640, .w1_bytes = 128,
    .pk_bytes = GIRIH_MLDSA_65_PUBLIC_KEY_BYTES, .sk_bytes = GIRIH_MLDSA_65_SECRET_KEY_BYTES, .sig_bytes = GIRIH_MLDSA_65_SIGNATURE_BYTES,
};

#endif
#if GIRIH_LARGEST_SET >= 87
static const mldsa_params mldsa_87 = {
    .set = GIRIH_MLDSA_87, .k = 8, .l = 7, .eta = 2, .tau = 60, .c_tilde_bytes = 64, .gamma1_bits = 19, .gamma2_den = 32, .omega = 75,
    .beta = 60 * 2, .gamma1 = 1 << 19, .gamma2 = (MLDSA_Q - 1) / 32, .eta_bytes = 96, .z_bytes = 640, .w1_bytes = 128,
    .pk_bytes = GIRIH_MLDSA_87_PUBLIC_KEY_BYTES, .sk_bytes = GIRIH_MLDSA_87_SECRET_KEY_BYTES, .sig_bytes = GIRIH_MLDSA_87_SIGNATURE_BYTES,
};

#endif
/* clang-format on */

/* What the encodings of FIPS 204 add up to, from the numbers of tables 1 and 2. */
#define PK_BYTES(k)                              (32 + MLDSA_T1_BYTES * (k))
#define SK_BYTES(k, l, eta_bytes)                (32 + 32 + 64 + (eta_bytes) * ((k) + (l)) + MLDSA_T0_BYTES * (k))
#define SIG_BYTES(k, l, c_tilde, z_bytes, omega) ((c_tilde) + (z_bytes) * (l) + (omega) + (k))
_Static_assert(PK_BYTES(4) == GIRIH_MLDSA_44_PUBLIC_KEY_BYTES, "pk 44");
_Static_assert(PK_BYTES(6) == GIRIH_MLDSA_65_PUBLIC_KEY_BYTES, "pk 65");
_Static_assert(PK_BYTES(8) == GIRIH_MLDSA_87_PUBLIC_KEY_BYTES, "pk 87");
_Static_assert(SK_BYTES(4, 4, 96) == GIRIH_MLDSA_44_SECRET_KEY_BYTES, "sk 44");
_Static_assert(SK_BYTES(6, 5, 128) == GIRIH_MLDSA_65_SECRET_KEY_BYTES, "sk 65");
_Static_assert(SK_BYTES(8, 7, 96) == GIRIH_MLDSA_87_SECRET_KEY_BYTES, "sk 87");
_Static_assert(SIG_BYTES(4, 4, 32, 576, 80) == GIRIH_MLDSA_44_SIGNATURE_BYTES, "sig 44");
_Static_assert(SIG_BYTES(6, 5, 48, 640, 55) == GIRIH_MLDSA_65_SIGNATURE_BYTES, "sig 65");
_Static_assert(SIG_BYTES(8, 7, 64, 640, 75) == GIRIH_MLDSA_87_SIGNATURE_BYTES, "sig 87");

const mldsa_params *mldsa_params_of(girih_mldsa_set set)
{
    switch (set) {
    case GIRIH_MLDSA_44:
        return &mldsa_44;
#if GIRIH_LARGEST_SET >= 65
    case GIRIH_MLDSA_65:
        return &mldsa_65;
#endif
#if GIRIH_LARGEST_SET >= 87
    case GIRIH_MLDSA_87:
        return &mldsa_87;
#endif
    default:
        break;
    }
    return NULL;
}

size_t girih_mldsa_public_key_bytes(girih_mldsa_set set)
{
    const mldsa_params *p = mldsa_params_of(set);

    return p == NULL ? 0 : p->pk_bytes;
}

size_t girih_mldsa_secret_key_bytes(girih_mldsa_set set)
{
    const mldsa_params *p = mldsa_params_of(set);

    return p == NULL ? 0 : p->sk_bytes;
}

size_t girih_mldsa_signature_bytes(girih_mldsa_set set)
{
    const mldsa_params *p = mldsa_params_of(set);

    return p == NULL ? 0 : p->sig_bytes;
}
