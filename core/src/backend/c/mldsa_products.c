/* Products with the challenge in portable C: by the NTT, c and the secrets kept transformed.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/c/mldsa_field.h"
#include "backend/mldsa.h"

/* What a challenge holds. */
typedef struct {
    int32_t c_hat[256];
    int32_t product[256];
} challenge_c;

/* |s_i| < q. The form is NTT(s), |.| <= 10q. */
void mldsa_secret_form_c(void *form, const int32_t s[256])
{
    memcpy(form, s, 1024);
    mldsa_ntt_c((int32_t *)form);
}

void mldsa_challenge_form_c(void *challenge, const int32_t c[256], const mldsa_params *p)
{
    (void)p;
    mldsa_secret_form_c(((challenge_c *)challenge)->c_hat, c);
}

/* FIPS 204, Algorithm 45 (MultiplyNTT) and Algorithm 42 (NTT^-1): c s, |.| <= 3q/4. In: both <= 10q: the products are below 100 q^2 < 2^31
 * q. */
static int32_t *multiply(challenge_c *ch, const void *form)
{
    const int32_t *s_hat = (const int32_t *)form;

    _Static_assert(MLDSA_NTT_BOUND * MLDSA_NTT_BOUND < ((int64_t)MLDSA_Q << 31), "multiply: inside the Montgomery reduction's input");
    for (unsigned j = 0; j < 256; j++)
        ch->product[j] = mldsa_montgomery_reduce((int64_t)ch->c_hat[j] * s_hat[j]);
    mldsa_intt_c(ch->product);
    return ch->product;
}

/* FIPS 204, Algorithm 7, lines 18-23: add, reduce and compare in one pass. The sum of representatives is below q, the true value below q/2:
 * the centred residue is the value. CT: every coefficient is looked at. */
uint32_t mldsa_add_secret_c(int32_t r[256], const int32_t a[256], void *challenge, const void *form, int32_t bound, const mldsa_params *p)
{
    const int32_t *product = multiply((challenge_c *)challenge, form);
    uint32_t exceeds = 0;

    (void)p;
    for (unsigned i = 0; i < 256; i++) {
        r[i] = mldsa_to_centred(a[i] + product[i]);
        exceeds |= mldsa_exceeds(r[i], bound);
    }
    return exceeds & 1;
}

uint32_t mldsa_times_t0_c(int32_t r[256], void *challenge, const void *form, const mldsa_params *p)
{
    const int32_t *product = multiply((challenge_c *)challenge, form);
    uint32_t exceeds = 0;

    for (unsigned i = 0; i < 256; i++) {
        r[i] = mldsa_to_centred(product[i]);
        exceeds |= mldsa_exceeds(r[i], p->gamma2);
    }
    return exceeds & 1;
}

/* XXH32 with seed 0 (the algorithm of xxHash's specification) over words instead of bytes: equal to it on a little-endian machine. */
uint32_t mldsa_digest_c(const int32_t *words, size_t count)
{
    uint32_t acc[4] = {2654435761U + 2246822519U, 2246822519U, 0, 0U - 2654435761U};
    uint32_t h;

    for (size_t i = 0; i < count; i += 4) {
        for (unsigned j = 0; j < 4; j++)
            acc[j] = rotate_left32(acc[j] + (uint32_t)words[i + j] * 2246822519U, 13) * 2654435761U;
    }
    h = rotate_left32(acc[0], 1) + rotate_left32(acc[1], 7) + rotate_left32(acc[2], 12) + rotate_left32(acc[3], 18);
    h += (uint32_t)(4 * count);
    h = (h ^ h >> 15) * 2246822519U;
    h = (h ^ h >> 13) * 3266489917U;
    return h ^ h >> 16;
}
