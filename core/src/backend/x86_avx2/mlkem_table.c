/* ML-KEM in AVX2, for the backends avx2 and avx512, which differ in their permutation: the hashes ask keccak_x4_of.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/x86_avx2/mlkem.h"

const mlkem_backend mlkem_backend_avx2 = {
    .hashes_bytes = MLKEM_HASHES_BYTES_AVX2,
    .hashes_secret = MLKEM_HASHES_SECRET_AVX2,
    .lanes = 4,
    .cache_words = 256,
    .hashes_start = mlkem_hashes_start_avx2,
    .hashes_run = mlkem_hashes_run_avx2,
    .ntt = mlkem_ntt_avx2,
    .intt = mlkem_intt_avx2,
    .product_cache = mlkem_product_cache_avx2,
    .product = mlkem_product_avx2,
    .key_row = mlkem_key_row_avx2,
    .encode = mlkem_encode_avx2,
    .decode = mlkem_decode_avx2,
    .pack_u = mlkem_pack_u_avx2,
    .pack_v = mlkem_pack_v_avx2,
    .unpack_u = mlkem_unpack_u_avx2,
    .unpack_v = mlkem_unpack_v_avx2,
    .message = mlkem_message_avx2,
    .differ = mlkem_differ_avx2,
};
