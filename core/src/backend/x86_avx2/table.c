/* The tables of AVX2 and of AVX-512, which differ in their transforms and matrix products (and in the Keccak that an id names).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/table.h"

/* own: the suffix of the entries that differ. */
#define TABLE(own)                                                                                                                         \
    {                                                                                                                                      \
        .rows_bytes = MLDSA_ROWS_BYTES_AVX2, .masks_bytes = MLDSA_MASKS_BYTES_AVX2, .secret_bytes = 3 * 256, .t0_bytes = 3 * 512,          \
        .challenge_bytes = MLDSA_CHALLENGE_BYTES_AVX2, .rows_start = mldsa_rows_start_avx2, .rows_secrets = mldsa_rows_secrets_avx2,       \
        .rows_next = mldsa_rows_next_avx2, .rows_absorb = mldsa_rows_absorb_avx2, .rows_tr = mldsa_rows_tr_avx2,                           \
        .a_hat_entry = mldsa_a_hat_entry_avx2, .masks_start = mldsa_masks_start_avx2, .masks_next = mldsa_masks_next_avx2,                 \
        .challenge = mldsa_challenge_avx2, .lanes = 4, .masks_of_lanes = mldsa_masks_of_lanes_avx2, .ntt = mldsa_ntt_##own,                \
        .intt = mldsa_intt_##own, .row_times_vector = mldsa_row_times_vector_avx2, .matrix_times_vector = mldsa_matrix_times_vector_##own, \
        .matrix_times_vector_minus = mldsa_matrix_times_vector_minus_##own, .secret_form = mldsa_secret_form_avx2,                         \
        .t0_form = mldsa_t0_form_avx2, .challenge_form = mldsa_challenge_form_avx2, .add_secret = mldsa_add_secret_avx2,                   \
        .times_t0 = mldsa_times_t0_avx2, .digest = mldsa_digest_avx2, .power2round = mldsa_power2round_avx2,                               \
        .t1_unpack = mldsa_t1_unpack_avx2, .decompose = mldsa_decompose_avx2, .make_hint = mldsa_make_hint_avx2,                           \
        .use_hint = mldsa_use_hint_avx2, .z_pack = mldsa_z_pack_avx2, .z_unpack_exceeds = mldsa_z_unpack_exceeds_avx2,                     \
    }

const mldsa_backend mldsa_backend_avx2 = TABLE(avx2);

#if defined(GIRIH_X86_AVX512)
const mldsa_backend mldsa_backend_avx512 = TABLE(avx512);
#endif
