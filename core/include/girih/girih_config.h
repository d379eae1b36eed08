/* What a build of girih holds: three knobs. Edit them here, or define them on the compiler's command line (CMake: -DGIRIH_MLDSA=1 and so
 * on).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_CONFIG_H
#define GIRIH_CONFIG_H

/* 1. Schemes and their roles. ML-DSA: 0 nothing (the hashes stay), 1 verify, 2 verify and sign, 3 verify, sign and make key pairs.
 * What is left out is not declared either. */
#if !defined(GIRIH_MLDSA)
#define GIRIH_MLDSA 3
#endif

/* ML-KEM: 0 nothing, 1 encapsulate, 2 and decapsulate, 3 and make encoded key pairs. */
#if !defined(GIRIH_MLKEM)
#define GIRIH_MLKEM 3
#endif

/* 2. The largest parameter set of each: 44, 65 or 87 of ML-DSA, 512, 768 or 1024 of ML-KEM. Larger ones are unknown to this build. */
#if !defined(GIRIH_LARGEST_SET)
#define GIRIH_LARGEST_SET 87
#endif
#if !defined(GIRIH_MLKEM_LARGEST)
#define GIRIH_MLKEM_LARGEST 1024
#endif

/* 3. The backend: undefined, all that this compiler can build, chosen at run time (girih_backend_detect); or the number of a
 * girih_backend, which is then the only one, so that calls are direct and what is not called is not linked. For firmware: 2 (c32), 4
 * (c32-packed) or 5 (c32-small). */
/* #define GIRIH_BIND 4 */

#if GIRIH_MLDSA < 0 || GIRIH_MLDSA > 3
#error "GIRIH_MLDSA: 0 (nothing), 1 (verify), 2 (and sign) or 3 (and make key pairs)"
#endif
#if GIRIH_LARGEST_SET != 44 && GIRIH_LARGEST_SET != 65 && GIRIH_LARGEST_SET != 87
#error "GIRIH_LARGEST_SET: 44, 65 or 87"
#endif
#if GIRIH_MLKEM < 0 || GIRIH_MLKEM > 3
#error "GIRIH_MLKEM: 0 (nothing), 1 (encapsulate), 2 (and decapsulate) or 3 (and make key pairs)"
#endif
#if GIRIH_MLKEM_LARGEST != 512 && GIRIH_MLKEM_LARGEST != 768 && GIRIH_MLKEM_LARGEST != 1024
#error "GIRIH_MLKEM_LARGEST: 512, 768 or 1024"
#endif

/* The Cortex-M3 multiplies two words into two in a time that tells their size, and ML-DSA's secrets are multiplied so. It verifies only,
 * but where nobody can measure: an emulator defines GIRIH_UNOBSERVED. ML-KEM multiplies into one word, in one cycle, and is not
 * concerned. */
#if defined(__ARM_ARCH_7M__) && GIRIH_MLDSA >= 2 && !defined(GIRIH_UNOBSERVED)
#error "a Cortex-M3 verifies only: GIRIH_MLDSA=1 (its long multiplication tells secrets by its time)"
#endif

#endif
