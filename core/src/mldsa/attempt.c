/* One attempt at a signature: the steps of FIPS 204, Algorithm 7, that the drivers share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mldsa/attempt.h"

#include "common/bytes.h"
#include "common/ct.h"
#include "mldsa/encode.h"

girih_status mldsa_signer_open(mldsa_signer *s, const girih_mldsa_sk *sk, const girih_mldsa_vk *vk)
{
    const mldsa_params *p = mldsa_vk_params(vk, &s->id);

    if (p == NULL || (uintptr_t)sk % GIRIH_TABLE_ALIGN != 0 || sk->magic != (MLDSA_SK_MAGIC | (uint32_t)s->id) || sk->set != vk->set ||
        memcmp(sk->tr, vk->tr, sizeof sk->tr) != 0)
        return GIRIH_BAD_KEY;
    s->p = p;
    s->vk = vk;
    s->sk = sk;
    return GIRIH_OK;
}

void mldsa_attempt_carve(mldsa_attempt *at, arena *a, const mldsa_params *p, girih_backend id)
{
    at->y = (int32_t *)arena_take(a, 1024 * p->l);
    at->w = (int32_t *)arena_take(a, 1024 * p->k);
    at->c = (int32_t *)arena_take(a, 1024);
    at->challenge = arena_take(a, mldsa_backend_of(id)->challenge_bytes);
    at->commitment = (uint8_t *)arena_take(a, mldsa_commitment_bytes(p));
    at->hints = (uint8_t *)arena_take(a, p->omega + p->k + 256);
    at->c_tilde = (uint8_t *)arena_take(a, MLDSA_MAX_C_TILDE_BYTES);
}

void mldsa_attempt_commit(mldsa_attempt *at, int32_t *y_hat, const mldsa_signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);

    memcpy(y_hat, at->y, 1024 * p->l);
    for (unsigned j = 0; j < p->l; j++)
        be->ntt(y_hat + 256 * j);
    be->matrix_times_vector(at->w, s->vk->polys[0], y_hat, p);
    for (unsigned i = 0; i < p->k; i++) {
        be->intt(at->w + 256 * i);
        be->decompose(at->commitment + GIRIH_MLDSA_MU_BYTES + p->w1_bytes * i, at->w + 256 * i, p);
    }
}

/* Lines 19, 21 and half of 23: w0 - c s2, whether all of it is below gamma2 - beta. Stops at the first polynomial that is not: for fixed c
 * and s2 the place of a failure does not depend on s2 (docs/soundness.md), while which coefficients come near the bound would: a polynomial
 * is always read to its end. */
static int low_bits_fit(mldsa_attempt *at, const mldsa_signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);

    for (unsigned i = 0; i < p->k; i++) {
        int32_t *w = at->w + 256 * i;
        uint32_t exceeds;

        exceeds = be->add_secret(w, w, at->challenge, s->sk->forms + mldsa_secret_at(p->l + i, s->id), p->gamma2 - p->beta, p);
        GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "r0: which polynomial fails is independent of s2");
        if (exceeds) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_R0);
            return 0;
        }
    }
    return 1;
}

/* Lines 18, 20 and the other half of 23: z = y + c s1, in the place of y, and whether all of it is below gamma1 - beta. */
static int response_fits(mldsa_attempt *at, const mldsa_signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);

    for (unsigned j = 0; j < p->l; j++) {
        int32_t *z = at->y + 256 * j;
        uint32_t exceeds;

        exceeds = be->add_secret(z, z, at->challenge, s->sk->forms + mldsa_secret_at(j, s->id), p->gamma1 - p->beta, p);
        GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "z: which polynomial fails is independent of s1");
        if (exceeds) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_Z);
            return 0;
        }
    }
    return 1;
}

/* Lines 25-28 and Algorithm 20 (HintBitPack): the hints, packed; whether c t0 is below gamma2 and the hints are at most omega. */
static int make_hints(mldsa_attempt *at, const mldsa_signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);
    unsigned count = 0;

    memset(at->hints, 0, p->omega + p->k);
    for (unsigned i = 0; i < p->k; i++) {
        int32_t *w = at->w + 256 * i;
        uint8_t positions[256];
        uint32_t exceeds;
        unsigned n;

        exceeds = be->times_t0(at->c, at->challenge, s->sk->forms + mldsa_t0_at(i, p, s->id), p);
        GIRIH_DECLASSIFY(&exceeds, sizeof exceeds, "c t0: t0 follows from the public key and any few signatures");
        if (exceeds) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_CT0);
            return 0;
        }
        for (unsigned c = 0; c < 256; c++) /* below 2 gamma2 */
            w[c] += at->c[c];
        n = be->make_hint(positions, w, at->commitment + GIRIH_MLDSA_MU_BYTES + p->w1_bytes * i, p);
        if (count + n > p->omega) {
            GIRIH_TEST_EVENT(GIRIH_EVENT_REJECT_HINT);
            return 0;
        }
        memcpy(at->hints + count, positions, n);
        count += n;
        at->hints[p->omega + i] = (uint8_t)count;
    }
    return 1;
}

int mldsa_attempt_accept(mldsa_attempt *at, const mldsa_signer *s)
{
    mldsa_backend_of(s->id)->challenge_form(at->challenge, at->c, s->p);
    if (!low_bits_fit(at, s) || !response_fits(at, s) || !make_hints(at, s))
        return 0;
    GIRIH_TEST_EVENT(GIRIH_EVENT_ACCEPT);
    return 1;
}

/* FIPS 204, Algorithm 26 (sigEncode). */
void mldsa_attempt_encode(uint8_t *sig, mldsa_attempt *at, const mldsa_signer *s)
{
    const mldsa_params *p = s->p;
    const mldsa_backend *be = mldsa_backend_of(s->id);

    memcpy(sig, at->c_tilde, p->c_tilde_bytes);
    for (unsigned j = 0; j < p->l; j++)
        be->z_pack(sig + p->c_tilde_bytes + p->z_bytes * j, at->y + 256 * j, p);
    memcpy(sig + mldsa_sig_hints(p), at->hints, p->omega + p->k);
    GIRIH_DECLASSIFY(sig, p->sig_bytes, "the signature");
}
