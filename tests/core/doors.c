/* Test-only entries into the core. See doors.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "doors.h"

#include "backend/c/mldsa_field.h"
#include "backend/keccak.h"
#include "backend/mldsa.h"
#include "common/bytes.h"
#include "common/ct.h"
#include "mldsa/keygen.h"
#include "mldsa/sign.h"
#include "keccak/sponge.h"

static _Thread_local uint64_t event_counts[GIRIH_EVENT_COUNT];

void girih_test_event(unsigned event)
{
    if (event < GIRIH_EVENT_COUNT)
        event_counts[event]++;
}

static _Thread_local uint8_t *fault_at;
static _Thread_local uint8_t fault_bits;
static _Thread_local unsigned fault_after, steps;

void girih_test_step(void)
{
    if (fault_at != NULL && steps == fault_after)
        *fault_at ^= fault_bits;
    steps++;
}

void girih_test_fault(uint8_t *at, uint8_t bits, unsigned after)
{
    fault_at = at;
    fault_bits = bits;
    fault_after = after;
    steps = 0;
}

unsigned girih_test_steps(void)
{
    return steps;
}

uint8_t *girih_test_sign_buffer(int backend, int set, void *ws, unsigned which, size_t *bytes)
{
    const mldsa_params *p = mldsa_params_of((girih_mldsa_set)set);
    mldsa_sign_workspace buffers;
    const mldsa_attempt *at = &buffers.attempt;

    (void)mldsa_sign_workspace_carve(&buffers, ws, p, (girih_backend)backend);
    const struct {
        void *at;
        size_t bytes;
    } all[] = {
        {at->y, 1024 * p->l},
        {at->w, 1024 * p->k},
        {at->c, 1024},
        {at->commitment, mldsa_commitment_bytes(p)},
        {at->hints, p->omega + p->k},
        {at->c_tilde, p->c_tilde_bytes},
        {buffers.y_hat, 1024 * p->l},
    };

    if (which >= sizeof all / sizeof all[0])
        return NULL;
    *bytes = all[which].bytes;
    return (uint8_t *)all[which].at;
}

uint8_t *girih_test_key_buffer(int backend, int set, void *ws, unsigned which, size_t *bytes)
{
    const mldsa_params *p = mldsa_params_of((girih_mldsa_set)set);
    mldsa_key_workspace buffers;

    (void)mldsa_key_workspace_carve(&buffers, ws, p, (girih_backend)backend, 0, 0);
    const struct {
        void *at;
        size_t bytes;
    } all[] = {
        {buffers.s, 1024 * (p->l + p->k)},
        {buffers.s1_hat, 1024 * p->l},
        {buffers.t, 1024},
        {buffers.seeds, 128},
    };

    if (which >= sizeof all / sizeof all[0])
        return NULL;
    *bytes = all[which].bytes;
    return (uint8_t *)all[which].at;
}

unsigned girih_test_event_kinds(void)
{
    return GIRIH_EVENT_COUNT;
}

uint64_t girih_test_event_count(unsigned event)
{
    return event < GIRIH_EVENT_COUNT ? event_counts[event] : 0;
}

void girih_test_events_reset(void)
{
    memset(event_counts, 0, sizeof event_counts);
}

static const mldsa_params *params(int set)
{
    return mldsa_params_of((girih_mldsa_set)set);
}

static const mldsa_backend *mldsa(int backend)
{
    return mldsa_backend_of((girih_backend)backend);
}

static int same_name(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int64_t girih_test_param(int set, const char *name)
{
    const mldsa_params *p = params(set);

    if (p == NULL)
        return -1;
    const struct {
        const char *name;
        int64_t value;
    } fields[] = {
        {"k", p->k},
        {"l", p->l},
        {"eta", p->eta},
        {"tau", p->tau},
        {"c_tilde_bytes", p->c_tilde_bytes},
        {"gamma1_bits", p->gamma1_bits},
        {"gamma2_den", p->gamma2_den},
        {"omega", p->omega},
        {"beta", p->beta},
        {"gamma1", p->gamma1},
        {"gamma2", p->gamma2},
        {"eta_bytes", p->eta_bytes},
        {"z_bytes", p->z_bytes},
        {"w1_bytes", p->w1_bytes},
        {"pk_bytes", p->pk_bytes},
        {"sk_bytes", p->sk_bytes},
        {"sig_bytes", p->sig_bytes},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (same_name(fields[i].name, name))
            return fields[i].value;
    return -1;
}

/* ---- Keccak ---- */

static void keccak_enter(girih_sha3 *h, int backend, const uint8_t state[200])
{
    memset(h, 0, sizeof *h);
    keccak_backend_of((girih_backend)backend)->xor_bytes(h, 0, state, 200);
}

void girih_test_keccak(int backend, uint8_t state[200], unsigned times)
{
    const keccak_backend *keccak = keccak_backend_of((girih_backend)backend);
    girih_sha3 h;

    keccak_enter(&h, backend, state);
    for (unsigned i = 0; i < times; i++)
        keccak->permute(&h);
    keccak->extract_bytes(&h, 0, state, 200);
}

void girih_test_keccak_xor(int backend, uint8_t state[200], size_t offset, const uint8_t *data, size_t len)
{
    const keccak_backend *keccak = keccak_backend_of((girih_backend)backend);
    girih_sha3 h;

    keccak_enter(&h, backend, state);
    keccak->xor_bytes(&h, offset, data, len);
    keccak->extract_bytes(&h, 0, state, 200);
}

void girih_test_keccak_extract(int backend, const uint8_t state[200], size_t offset, uint8_t *out, size_t len)
{
    girih_sha3 h;

    keccak_enter(&h, backend, state);
    keccak_backend_of((girih_backend)backend)->extract_bytes(&h, offset, out, len);
}

int girih_test_keccak_x4(int backend, uint8_t states[800], unsigned times)
{
#if defined(GIRIH_X86_AVX2)
    _Alignas(64) uint64_t s[200];

    if ((backend != GIRIH_BACKEND_AVX2 && backend != GIRIH_BACKEND_AVX512) || !girih_backend_available((girih_backend)backend))
        return 0;
    for (unsigned n = 0; n < 4; n++)
        for (unsigned i = 0; i < 25; i++)
            s[4 * i + n] = load_le64(states + 200 * n + 8 * i);
    for (unsigned i = 0; i < times; i++)
        keccak_x4_of((girih_backend)backend)(s);
    for (unsigned n = 0; n < 4; n++)
        for (unsigned i = 0; i < 25; i++)
            store_le64(states + 200 * n + 8 * i, s[4 * i + n]);
    return 1;
#else
    (void)backend;
    (void)states;
    (void)times;
    return 0;
#endif
}

/* ---- ML-DSA primitives ---- */

size_t girih_test_rows_bytes(int backend)
{
    return mldsa(backend)->rows_bytes;
}

void girih_test_rows(int backend, int set, int32_t *s, int32_t *a_hat, uint8_t *tr, const uint8_t *rho, const uint8_t *rho_prime,
                     const uint8_t *pk, int at_once, void *rows)
{
    const mldsa_backend *be = mldsa(backend);
    const mldsa_params *p = params(set);

    be->rows_start(rows, rho, p, (girih_backend)backend);
    if (rho_prime != NULL)
        be->rows_secrets(rows, s, a_hat, rho_prime, p);
    be->rows_absorb(rows, pk, at_once ? p->pk_bytes : MLDSA_RHO_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        be->rows_next(rows, a_hat, p);
        if (!at_once)
            be->rows_absorb(rows, pk + MLDSA_RHO_BYTES + MLDSA_T1_BYTES * i, MLDSA_T1_BYTES);
    }
    be->rows_tr(rows, tr, p);
}

void girih_test_a_hat_entry(int backend, int set, int32_t *out, const int32_t *a_hat, unsigned i, unsigned j)
{
    mldsa(backend)->a_hat_entry(out, a_hat, i, j, params(set));
}

void girih_test_masks(int backend, int set, int32_t *y, const uint8_t *rho_prime, unsigned vectors, void *masks)
{
    mldsa(backend)->masks_start(masks, rho_prime, params(set), (girih_backend)backend);
    for (unsigned i = 0; i < vectors; i++)
        mldsa(backend)->masks_next(y + MLDSA_N * params(set)->l * i, masks, params(set));
}

size_t girih_test_masks_bytes(int backend)
{
    return mldsa(backend)->masks_bytes;
}

void girih_test_challenge(int backend, int set, uint8_t *c_tilde, int32_t *c, const uint8_t *commitment, void *masks)
{
    mldsa(backend)->challenge(c_tilde, c, commitment, masks, params(set), (girih_backend)backend);
}

void girih_test_masks_after(int backend, int set, int32_t *y, void *masks)
{
    mldsa(backend)->masks_next(y, masks, params(set));
}

void girih_test_ntt(int backend, int32_t *a)
{
    mldsa(backend)->ntt(a);
}

void girih_test_intt(int backend, int32_t *a)
{
    mldsa(backend)->intt(a);
}

void girih_test_row_times_vector(int backend, int set, int32_t *w, const int32_t *a_hat, unsigned i, const int32_t *y_hat)
{
    mldsa(backend)->row_times_vector(w, a_hat, i, y_hat, params(set));
}

void girih_test_matrix_times_vector(int backend, int set, int32_t *w, const int32_t *a_hat, const int32_t *y_hat)
{
    mldsa(backend)->matrix_times_vector(w, a_hat, y_hat, params(set));
}

void girih_test_matrix_times_vector_minus(int backend, int set, int32_t *w, const int32_t *a_hat, const int32_t *z_hat,
                                          const int32_t *c_hat, const int32_t *t1_hat)
{
    mldsa(backend)->matrix_times_vector_minus(w, a_hat, z_hat, c_hat, t1_hat, params(set));
}

size_t girih_test_secret_bytes(int backend)
{
    return mldsa(backend)->secret_bytes;
}

size_t girih_test_t0_bytes(int backend)
{
    return mldsa(backend)->t0_bytes;
}

size_t girih_test_challenge_bytes(int backend)
{
    return mldsa(backend)->challenge_bytes;
}

void girih_test_secret_form(int backend, void *form, const int32_t *s)
{
    mldsa(backend)->secret_form(form, s);
}

void girih_test_t0_form(int backend, void *form, const int32_t *t0)
{
    mldsa(backend)->t0_form(form, t0);
}

void girih_test_challenge_form(int backend, int set, void *challenge, const int32_t *c)
{
    mldsa(backend)->challenge_form(challenge, c, params(set));
}

uint32_t girih_test_add_secret(int backend, int set, int32_t *r, const int32_t *a, void *challenge, const void *form, int32_t bound)
{
    return mldsa(backend)->add_secret(r, a, challenge, form, bound, params(set));
}

uint32_t girih_test_times_t0(int backend, int set, int32_t *r, void *challenge, const void *form)
{
    return mldsa(backend)->times_t0(r, challenge, form, params(set));
}

uint32_t girih_test_digest(int backend, const int32_t *words, size_t count)
{
    return mldsa(backend)->digest(words, count);
}

void girih_test_power2round(int backend, uint8_t *t1, int32_t *t)
{
    mldsa(backend)->power2round(t1, t);
}

void girih_test_t1_unpack(int backend, int32_t *t1, const uint8_t *packed)
{
    mldsa(backend)->t1_unpack(t1, packed);
}

void girih_test_decompose(int backend, int set, uint8_t *w1, int32_t *w)
{
    mldsa(backend)->decompose(w1, w, params(set));
}

unsigned girih_test_make_hint(int backend, int set, uint8_t *positions, const int32_t *r, const uint8_t *w1)
{
    return mldsa(backend)->make_hint(positions, r, w1, params(set));
}

void girih_test_use_hint(int backend, int set, uint8_t *w1, const int32_t *w, const uint8_t *positions, unsigned count)
{
    mldsa(backend)->use_hint(w1, w, positions, count, params(set));
}

void girih_test_z_pack(int backend, int set, uint8_t *packed, const int32_t *z)
{
    mldsa(backend)->z_pack(packed, z, params(set));
}

uint32_t girih_test_z_unpack_exceeds(int backend, int set, int32_t *z, const uint8_t *packed)
{
    return mldsa(backend)->z_unpack_exceeds(z, packed, params(set));
}

/* ---- every value of [0, q) ---- */

/* Polynomials that hold 0, 1, ..., q - 1; the last one goes on with q - 1. */
#define ALL_POLYS ((MLDSA_Q + MLDSA_N - 1) / MLDSA_N)

static int32_t value_at(int32_t poly, int32_t i)
{
    int32_t r = poly * MLDSA_N + i;

    return r < MLDSA_Q ? r : MLDSA_Q - 1;
}

/* Field i of a string of fields, `bits` wide (at most 10), as SimpleBitPack lays them. */
static int32_t unpack(const uint8_t *packed, int32_t i, int32_t bits)
{
    int32_t at = i * bits, value = 0;

    for (int32_t b = 0; b < bits; b++)
        value |= (packed[(at + b) / 8] >> ((at + b) % 8) & 1) << b;
    return value;
}

/* FIPS 204, section 2.3 (mod+-). r >= 0, alpha even: in (-alpha/2, alpha/2]. */
static int32_t mod_pm(int32_t r, int32_t alpha)
{
    int32_t low = r % alpha;

    return low > alpha / 2 ? low - alpha : low;
}

/* FIPS 204, Algorithm 36 (Decompose), word for word. */
static void naive_decompose(int32_t *r1, int32_t *r0, int32_t r, int32_t gamma2)
{
    *r0 = mod_pm(r, 2 * gamma2);
    if (r - *r0 == MLDSA_Q - 1) {
        *r1 = 0;
        *r0 -= 1;
    } else {
        *r1 = (r - *r0) / (2 * gamma2);
    }
}

/* FIPS 204, Algorithm 40 (UseHint), word for word. */
static int32_t naive_use_hint(int hint, int32_t r, int32_t gamma2)
{
    int32_t m = (MLDSA_Q - 1) / (2 * gamma2), r1, r0;

    naive_decompose(&r1, &r0, r, gamma2);
    if (hint && r0 > 0)
        return (r1 + 1) % m;
    if (hint)
        return (r1 + m - 1) % m;
    return r1;
}

int32_t girih_test_power2round_all(int backend)
{
    _Alignas(64) int32_t t[MLDSA_N];
    uint8_t t1[MLDSA_T1_BYTES];

    for (int32_t poly = 0; poly < ALL_POLYS; poly++)
        for (int32_t minus = 0; minus <= MLDSA_Q; minus += MLDSA_Q) { /* each residue as r and as r - q, except -q for 0 */
            for (int32_t i = 0; i < MLDSA_N; i++)
                t[i] = value_at(poly, i) == 0 ? 0 : value_at(poly, i) - minus;
            mldsa(backend)->power2round(t1, t);
            for (int32_t i = 0; i < MLDSA_N; i++) {
                int32_t r = value_at(poly, i), r0 = mod_pm(r, 1 << MLDSA_D);

                if (t[i] != r0 || unpack(t1, i, 10) != (r - r0) >> MLDSA_D)
                    return r;
            }
        }
    return MLDSA_Q;
}

int32_t girih_test_decompose_all(int backend, int set)
{
    const mldsa_params *p = params(set);
    _Alignas(64) int32_t w[MLDSA_N];
    uint8_t w1[MLDSA_MAX_W1_BYTES];

    for (int32_t poly = 0; poly < ALL_POLYS; poly++)
        for (int32_t minus = 0; minus <= MLDSA_Q; minus += MLDSA_Q) {
            for (int32_t i = 0; i < MLDSA_N; i++)
                w[i] = value_at(poly, i) == 0 ? 0 : value_at(poly, i) - minus;
            mldsa(backend)->decompose(w1, w, p);
            for (int32_t i = 0; i < MLDSA_N; i++) {
                int32_t r = value_at(poly, i), r1, r0;

                naive_decompose(&r1, &r0, r, p->gamma2);
                if (w[i] != r0 || unpack(w1, i, (int32_t)p->w1_bytes * 8 / MLDSA_N) != r1)
                    return r;
            }
        }
    return MLDSA_Q;
}

int32_t girih_test_use_hint_all(int backend, int set)
{
    const mldsa_params *p = params(set);
    _Alignas(64) int32_t w[MLDSA_N];
    uint8_t w1[MLDSA_MAX_W1_BYTES], positions[MLDSA_N];

    for (int32_t poly = 0; poly < ALL_POLYS; poly++)
        for (unsigned first = 0; first < 2; first++) /* hints at the even, then at the odd coefficients */
            for (int32_t minus = 0; minus <= MLDSA_Q; minus += MLDSA_Q) {
                unsigned count = 0;

                for (int32_t i = 0; i < MLDSA_N; i++)
                    w[i] = value_at(poly, i) == 0 ? 0 : value_at(poly, i) - minus;
                for (unsigned i = first; i < MLDSA_N; i += 2)
                    positions[count++] = (uint8_t)i;
                mldsa(backend)->use_hint(w1, w, positions, count, p);
                for (int32_t i = 0; i < MLDSA_N; i++) {
                    int32_t r = value_at(poly, i), expected = naive_use_hint(i % 2 == (int32_t)first, r, p->gamma2);

                    if (unpack(w1, i, (int32_t)p->w1_bytes * 8 / MLDSA_N) != expected)
                        return r;
                }
            }
    return MLDSA_Q;
}

/* One number in decimal and a newline; returns its length. */
static size_t format(char *text, int32_t value)
{
    char digits[16];
    size_t n = 0, len = 0;
    uint32_t rest = value < 0 ? 0U - (uint32_t)value : (uint32_t)value;

    do {
        digits[n++] = (char)('0' + (char)(rest % 10));
        rest /= 10;
    } while (rest != 0);
    if (value < 0)
        text[len++] = '-';
    while (n != 0)
        text[len++] = digits[--n];
    text[len++] = '\n';
    return len;
}

static int32_t magnitude(int32_t x)
{
    return x < 0 ? -x : x;
}

/* HighBits, UseHint(1, .), LowBits and its absolute value for a whole polynomial of one set. */
static void rounded(int32_t out[MLDSA_N][4], int backend, int set, const int32_t r[MLDSA_N])
{
    const mldsa_params *p = params(set);
    const int32_t bits = (int32_t)p->w1_bytes * 8 / MLDSA_N;
    _Alignas(64) int32_t w[MLDSA_N];
    uint8_t w1[MLDSA_MAX_W1_BYTES], hinted[MLDSA_MAX_W1_BYTES], positions[MLDSA_N];

    for (unsigned i = 0; i < MLDSA_N; i++)
        positions[i] = (uint8_t)i;
    mldsa(backend)->use_hint(hinted, r, positions, MLDSA_N, p);
    memcpy(w, r, sizeof w);
    mldsa(backend)->decompose(w1, w, p);
    for (int32_t i = 0; i < MLDSA_N; i++) {
        out[i][0] = unpack(w1, i, bits);
        out[i][1] = unpack(hinted, i, bits);
        out[i][2] = w[i];
        out[i][3] = magnitude(w[i]);
    }
}

void girih_test_field_operations(int backend, uint8_t digest[32])
{
    _Alignas(64) int32_t r[MLDSA_N], centred[MLDSA_N], r0[MLDSA_N];
    int32_t with_88[MLDSA_N][4], with_32[MLDSA_N][4];
    uint8_t t1[MLDSA_T1_BYTES];
    girih_sha3 h;

    keccak_init(&h, SHAKE128_RATE, SHAKE_SUFFIX, (girih_backend)backend);
    for (int32_t poly = 0; poly < ALL_POLYS; poly++) {
        for (int32_t i = 0; i < MLDSA_N; i++) {
            r[i] = r0[i] = value_at(poly, i);
            centred[i] = mldsa_to_centred(r[i]);
        }
        mldsa(backend)->power2round(t1, r0);
        rounded(with_88, backend, GIRIH_MLDSA_44, r);
        rounded(with_32, backend, GIRIH_MLDSA_65, r);
        for (int32_t i = 0; i < MLDSA_N && poly * MLDSA_N + i < MLDSA_Q; i++) {
            const int32_t first[4] = {centred[i], magnitude(centred[i]), unpack(t1, i, 10), r0[i] < 0 ? r0[i] + MLDSA_Q : r0[i]};
            char text[12 * 16];
            size_t len = 0;

            for (unsigned n = 0; n < 12; n++)
                len += format(text + len, n < 4 ? first[n] : n < 8 ? with_88[i][n - 4] : with_32[i][n - 8]);
            keccak_absorb(&h, text, len);
        }
    }
    keccak_squeeze(&h, digest, 32);
}
