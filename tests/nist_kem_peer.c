/* A library with the NIST KEM API, for tests of `girih bench mlkem --lib`: thin wrappers around the core's functions, whose addresses the
 * test gives. Three families of names: peer_* (with the functions that are given their randomness), plain_*_512 (without), wrong_* (a bit
 * of each secret differs). */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SET = 512, BACKEND_C = 1, PK = 800, SK = 1632, CT = 768 };

typedef int keygen_function(uint8_t *, size_t, uint8_t *, size_t, int, int, const uint8_t *, void *, size_t);
typedef int encaps_function(uint8_t *, size_t, uint8_t *, int, int, const uint8_t *, size_t, const uint8_t *, void *, size_t);
typedef int decaps_function(uint8_t *, int, int, const uint8_t *, size_t, const uint8_t *, size_t, void *, size_t);

static keygen_function *core_keygen;
static encaps_function *core_encaps;
static decaps_function *core_decaps;
static unsigned counter; /* of "random" strings */
static _Alignas(64) uint8_t workspace[1 << 17];

void connect_core(void *const functions[3])
{
    memcpy(&core_keygen, &functions[0], sizeof core_keygen);
    memcpy(&core_encaps, &functions[1], sizeof core_encaps);
    memcpy(&core_decaps, &functions[2], sizeof core_decaps);
}

static const uint8_t *random_string(uint8_t out[64])
{
    memset(out, 0, 64);
    counter++;
    memcpy(out, &counter, sizeof counter);
    return out;
}

/* ---- peer_* ---- */

int peer_keypair_derand(uint8_t *pk, uint8_t *sk, const uint8_t *seed)
{
    return core_keygen(pk, PK, sk, SK, SET, BACKEND_C, seed, workspace, sizeof workspace);
}

int peer_keypair(uint8_t *pk, uint8_t *sk)
{
    uint8_t seed[64];

    return peer_keypair_derand(pk, sk, random_string(seed));
}

int peer_enc_derand(uint8_t *ct, uint8_t *ss, const uint8_t *pk, const uint8_t *m)
{
    return core_encaps(ct, CT, ss, SET, BACKEND_C, pk, PK, m, workspace, sizeof workspace);
}

int peer_enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk)
{
    uint8_t m[64];

    return peer_enc_derand(ct, ss, pk, random_string(m));
}

int peer_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk)
{
    return core_decaps(ss, SET, BACKEND_C, sk, SK, ct, CT, workspace, sizeof workspace);
}

/* ---- plain_*_512 ---- */

int plain_keypair_512(uint8_t *pk, uint8_t *sk)
{
    return peer_keypair(pk, sk);
}

int plain_enc_512(uint8_t *ct, uint8_t *ss, const uint8_t *pk)
{
    return peer_enc(ct, ss, pk);
}

int plain_dec_512(uint8_t *ss, const uint8_t *ct, const uint8_t *sk)
{
    return peer_dec(ss, ct, sk);
}

/* ---- wrong_* ---- */

int wrong_keypair(uint8_t *pk, uint8_t *sk)
{
    int status = peer_keypair(pk, sk);

    memset(pk, 0xFF, 3); /* two coefficients of 4095 */
    return status;
}

int wrong_enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk)
{
    int status = peer_enc(ct, ss, pk);

    ss[31] ^= 1;
    return status;
}

int wrong_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk)
{
    int status = peer_dec(ss, ct, sk);

    ss[0] ^= 0x80;
    return status;
}
