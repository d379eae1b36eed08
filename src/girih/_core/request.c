/* What a call signs or verifies, checked and held still.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "binding.h"

/* ACVP's names, and the spellings of FIPS 180-4, 202 and 204. */
static const struct {
    const char *acvp, *fips;
    girih_mldsa_hash hash;
} hashes[] = {
    {"SHA2-224", "SHA-224", GIRIH_MLDSA_SHA2_224},
    {"SHA2-256", "SHA-256", GIRIH_MLDSA_SHA2_256},
    {"SHA2-384", "SHA-384", GIRIH_MLDSA_SHA2_384},
    {"SHA2-512", "SHA-512", GIRIH_MLDSA_SHA2_512},
    {"SHA2-512/224", "SHA-512/224", GIRIH_MLDSA_SHA2_512_224},
    {"SHA2-512/256", "SHA-512/256", GIRIH_MLDSA_SHA2_512_256},
    {"SHA3-224", "SHA3-224", GIRIH_MLDSA_SHA3_224},
    {"SHA3-256", "SHA3-256", GIRIH_MLDSA_SHA3_256},
    {"SHA3-384", "SHA3-384", GIRIH_MLDSA_SHA3_384},
    {"SHA3-512", "SHA3-512", GIRIH_MLDSA_SHA3_512},
    {"SHAKE-128", "SHAKE128", GIRIH_MLDSA_SHAKE128},
    {"SHAKE-256", "SHAKE256", GIRIH_MLDSA_SHAKE256},
};

int request_context(request *r, PyObject *ctx)
{
    r->ctx_len = 0;
    if (ctx == NULL || ctx == Py_None)
        return 0;
    if (view_copy(r->ctx, sizeof r->ctx, &r->ctx_len, ctx, "ctx") < 0)
        return -1;
    if (r->ctx_len > sizeof r->ctx) {
        PyErr_Format(PyExc_ValueError, "a ctx is at most %zu bytes, got %zu", sizeof r->ctx, r->ctx_len);
        return -1;
    }
    return 0;
}

static void request_start(request *r, request_kind kind)
{
    r->kind = kind;
    r->view.pinned = 0;
    r->view.copy = NULL;
    r->ctx_len = 0;
}

static int hold_view(request *r, PyObject *object, const char *what, int frozen)
{
    if (view_open(&r->view, object, what, frozen) < 0)
        return -1;
    r->data = r->view.data;
    r->len = r->view.len;
    return 0;
}

int request_message(request *r, PyObject *msg, PyObject *ctx, int frozen)
{
    request_start(r, REQUEST_MESSAGE);
    return request_context(r, ctx) < 0 ? -1 : hold_view(r, msg, "msg", frozen);
}

int request_prime(request *r, PyObject *m_prime)
{
    request_start(r, REQUEST_PRIME);
    return hold_view(r, m_prime, "m_prime", 0);
}

int request_mu(request *r, PyObject *mu, const parameter_set *params)
{
    request_start(r, REQUEST_MU);
    r->data = r->short_bytes;
    if (view_copy(r->short_bytes, sizeof r->short_bytes, &r->len, mu, "mu") < 0)
        return -1;
    if (r->len != GIRIH_MLDSA_MU_BYTES) {
        PyErr_Format(PyExc_ValueError, "an %s mu is %d bytes, got %zu", params->name, GIRIH_MLDSA_MU_BYTES, r->len);
        return -1;
    }
    return 0;
}

/* The place in hashes of a name, or -1 and an exception. */
static int hash_place(PyObject *name)
{
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "hash_name must be a str");
        return -1;
    }
    for (int i = 0; i < (int)(sizeof hashes / sizeof hashes[0]); i++)
        if (PyUnicode_CompareWithASCIIString(name, hashes[i].acvp) == 0 || PyUnicode_CompareWithASCIIString(name, hashes[i].fips) == 0)
            return i;
    PyErr_Format(PyExc_ValueError, "no approved hash is called %R (FIPS 204, 5.4: SHA2-224, ..., SHA2-512/256, SHA3-224, ..., SHAKE-256)",
                 name);
    return -1;
}

int request_digest(request *r, PyObject *digest, PyObject *hash_name, PyObject *ctx)
{
    int place = hash_place(hash_name);
    size_t expected;

    request_start(r, REQUEST_DIGEST);
    if (place < 0 || request_context(r, ctx) < 0)
        return -1;
    r->hash = hashes[place].hash;
    r->data = r->short_bytes;
    expected = girih_mldsa_digest_bytes(r->hash);
    if (view_copy(r->short_bytes, sizeof r->short_bytes, &r->len, digest, "digest") < 0)
        return -1;
    if (r->len != expected) {
        PyErr_Format(PyExc_ValueError, "a %s digest is %zu bytes, got %zu", hashes[place].acvp, expected, r->len);
        return -1;
    }
    return 0;
}

void request_close(request *r)
{
    view_close(&r->view);
}

girih_status request_sign(uint8_t *sig, const request *r, const parameter_set *params, const signing_tables *t, const uint8_t rnd[32],
                          const girih_mldsa_options *options, workspace *ws)
{
    const size_t sig_len = (size_t)params->signature_size;

    switch (r->kind) {
    case REQUEST_MESSAGE:
        return girih_mldsa_sign(sig, sig_len, t->sk, t->vk, r->data, r->len, r->ctx, r->ctx_len, rnd, options, ws->scratch,
                                ws->scratch_len);
    case REQUEST_DIGEST:
        return girih_mldsa_sign_digest(sig, sig_len, t->sk, t->vk, r->hash, r->data, r->len, r->ctx, r->ctx_len, rnd, options, ws->scratch,
                                       ws->scratch_len);
    case REQUEST_MU:
        return girih_mldsa_sign_mu(sig, sig_len, t->sk, t->vk, r->data, rnd, options, ws->scratch, ws->scratch_len);
    case REQUEST_PRIME:
        return girih_mldsa_sign_internal(sig, sig_len, t->sk, t->vk, r->data, r->len, rnd, options, ws->scratch, ws->scratch_len);
    }
    return GIRIH_BAD_ARGUMENT;
}

girih_status request_verify(const request *r, const girih_mldsa_vk *table, const uint8_t *sig, size_t sig_len, workspace *ws)
{
    switch (r->kind) {
    case REQUEST_MESSAGE:
        return girih_mldsa_verify(table, sig, sig_len, r->data, r->len, r->ctx, r->ctx_len, ws->scratch, ws->scratch_len);
    case REQUEST_DIGEST:
        return girih_mldsa_verify_digest(table, sig, sig_len, r->hash, r->data, r->len, r->ctx, r->ctx_len, ws->scratch, ws->scratch_len);
    case REQUEST_MU:
        return girih_mldsa_verify_mu(table, sig, sig_len, r->data, ws->scratch, ws->scratch_len);
    case REQUEST_PRIME:
        return girih_mldsa_verify_internal(table, sig, sig_len, r->data, r->len, ws->scratch, ws->scratch_len);
    }
    return GIRIH_BAD_ARGUMENT;
}
