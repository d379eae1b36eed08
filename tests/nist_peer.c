/* A library with the NIST signature API, for tests of `girih bench --lib`: thin wrappers around the core's functions, whose addresses the
 * test gives. Three families of names: peer_* (contexts, internal functions), plain_*_44 (no context), wrong_* (signs badly). */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SET = 44, BACKEND_C = 1, PK = 1312, SK = 2560, SIG = 2420 };

typedef int keygen_function(uint8_t *, size_t, uint8_t *, size_t, int, int, const uint8_t *, void *, size_t);
typedef int sk_load_function(void *, size_t, void *, size_t, uint8_t *, size_t, int, int, const uint8_t *, size_t, void *, size_t);
typedef int vk_load_function(void *, size_t, int, int, const uint8_t *, size_t, void *, size_t);
typedef int sign_function(uint8_t *, size_t, const void *, const void *, const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *,
                          const void *, void *, size_t);
typedef int verify_function(const void *, const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *, size_t, void *, size_t);

static keygen_function *core_keygen;
static sk_load_function *core_sk_load;
static vk_load_function *core_vk_load;
static sign_function *core_sign;
static verify_function *core_verify;
static unsigned counter; /* of "random" strings */
static _Alignas(64) uint8_t vk_table[1 << 17], sk_table[1 << 17], workspace[1 << 18];

void connect_core(void *const functions[5])
{
    memcpy(&core_keygen, &functions[0], sizeof core_keygen);
    memcpy(&core_sk_load, &functions[1], sizeof core_sk_load);
    memcpy(&core_vk_load, &functions[2], sizeof core_vk_load);
    memcpy(&core_sign, &functions[3], sizeof core_sign);
    memcpy(&core_verify, &functions[4], sizeof core_verify);
}

static void random_string(uint8_t out[32])
{
    memset(out, 0, 32);
    counter++;
    memcpy(out, &counter, sizeof counter);
}

/* ---- peer_*: signature_internal takes the prefix that stands before the message ---- */

int peer_keypair_internal(uint8_t *pk, uint8_t *sk, const uint8_t *seed)
{
    return core_keygen(pk, PK, sk, SK, SET, BACKEND_C, seed, workspace, sizeof workspace);
}

int peer_keypair(uint8_t *pk, uint8_t *sk)
{
    uint8_t seed[32];

    random_string(seed);
    return peer_keypair_internal(pk, sk, seed);
}

int peer_signature_internal(uint8_t *sig, size_t *len, const uint8_t *m, size_t mlen, const uint8_t *pre, size_t prelen, const uint8_t *rnd,
                            const uint8_t *sk)
{
    if (prelen != 2 || pre[0] != 0 || pre[1] != 0) {
        return -1; /* only the empty context is known here */
    }
    if (core_sk_load(vk_table, sizeof vk_table, sk_table, sizeof sk_table, NULL, 0, SET, BACKEND_C, sk, SK, workspace, sizeof workspace) !=
        0) {
        return -1;
    }
    *len = SIG;
    return core_sign(sig, SIG, sk_table, vk_table, m, mlen, NULL, 0, rnd, NULL, workspace, sizeof workspace);
}

int peer_signature(uint8_t *sig, size_t *len, const uint8_t *m, size_t mlen, const uint8_t *ctx, size_t ctxlen, const uint8_t *sk)
{
    static const uint8_t no_context[2];
    uint8_t rnd[32];

    (void)ctx;
    random_string(rnd);
    return ctxlen != 0 ? -1 : peer_signature_internal(sig, len, m, mlen, no_context, 2, rnd, sk);
}

int peer_verify(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen, const uint8_t *ctx, size_t ctxlen, const uint8_t *pk)
{
    if (core_vk_load(vk_table, sizeof vk_table, SET, BACKEND_C, pk, PK, workspace, sizeof workspace) != 0) {
        return -1;
    }
    return core_verify(vk_table, sig, siglen, m, mlen, ctx, ctxlen, workspace, sizeof workspace);
}

/* ---- plain_*_44 ---- */

int plain_keypair_44(uint8_t *pk, uint8_t *sk)
{
    return peer_keypair(pk, sk);
}

int plain_signature_44(uint8_t *sig, size_t *len, const uint8_t *m, size_t mlen, const uint8_t *sk)
{
    return peer_signature(sig, len, m, mlen, NULL, 0, sk);
}

int plain_verify_44(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen, const uint8_t *pk)
{
    return peer_verify(sig, siglen, m, mlen, NULL, 0, pk);
}

/* ---- wrong_* ---- */

int wrong_keypair(uint8_t *pk, uint8_t *sk)
{
    return peer_keypair(pk, sk);
}

int wrong_signature(uint8_t *sig, size_t *len, const uint8_t *m, size_t mlen, const uint8_t *ctx, size_t ctxlen, const uint8_t *sk)
{
    int status = peer_signature(sig, len, m, mlen, ctx, ctxlen, sk);

    sig[SIG / 2] ^= 1;
    return status;
}

int wrong_verify(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen, const uint8_t *ctx, size_t ctxlen, const uint8_t *pk)
{
    (void)sig, (void)siglen, (void)m, (void)mlen, (void)ctx, (void)ctxlen, (void)pk;
    return -1;
}
