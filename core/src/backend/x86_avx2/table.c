/* The table of this backend.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/table.h"

const mldsa_backend mldsa_backend_avx2 = {
    .scratch_bytes = MLDSA_SCRATCH_BYTES_AVX2,
    .masks_bytes = MLDSA_MASKS_BYTES_AVX2,
    .secret_bytes = 3 * 256,
    .t0_bytes = 3 * 512,
    .challenge_bytes = MLDSA_CHALLENGE_BYTES_AVX2,
    .expand_a = mldsa_expand_a_avx2,
    .a_hat_entry = mldsa_a_hat_entry_avx2,
    .expand_s = mldsa_expand_s_avx2,
    .masks_start = mldsa_masks_start_avx2,
    .masks_next = mldsa_masks_next_avx2,
    .challenge = mldsa_challenge_avx2,
    .ntt = mldsa_ntt_avx2,
    .intt = mldsa_intt_avx2,
    .matrix_times_vector = mldsa_matrix_times_vector_avx2,
    .matrix_times_vector_minus = mldsa_matrix_times_vector_minus_avx2,
    .secret_form = mldsa_secret_form_avx2,
    .t0_form = mldsa_t0_form_avx2,
    .challenge_form = mldsa_challenge_form_avx2,
    .add_secret = mldsa_add_secret_avx2,
    .times_t0 = mldsa_times_t0_avx2,
    .digest = mldsa_digest_avx2,
    .power2round = mldsa_power2round_avx2,
    .decompose = mldsa_decompose_avx2,
    .make_hint = mldsa_make_hint_avx2,
    .use_hint = mldsa_use_hint_avx2,
    .z_pack = mldsa_z_pack_avx2,
    .z_unpack_exceeds = mldsa_z_unpack_exceeds_avx2,
};
