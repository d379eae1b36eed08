/* Signing.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "binding.h"

static const uint8_t no_rnd[GIRIH_MLDSA_RND_BYTES] = {0}; /* FIPS 204, Algorithm 2, line 5: the deterministic variant */

PyObject *signing_key_sign(signing_key *sk, const request *r, const uint8_t *rnd, const girih_mldsa_options *options)
{
    PyObject *sig = PyBytes_FromStringAndSize(NULL, sk->vk->params->signature_size);
    uint8_t fresh[GIRIH_MLDSA_RND_BYTES], *out;
    signing_tables t;
    workspace *ws;
    girih_status status = GIRIH_OK;

    if (sig == NULL)
        return NULL;
    ws = workspace_take();
    if (ws == NULL) {
        Py_DECREF(sig);
        return NULL;
    }
    out = (uint8_t *)PyBytes_AsString(sig); /* nobody else knows the object yet */
    signing_tables_plan(&t, sk);
    Py_BEGIN_ALLOW_THREADS if (rnd == NULL) status = girih_random_bytes(fresh, sizeof fresh);
    if (status == GIRIH_OK)
        status = signing_tables_open(&t, sk, ws, NULL);
    if (status == GIRIH_OK) {
        const girih_mldsa_options o = signing_key_options(sk, &t, options);

        status = request_sign(out, r, sk->vk->params, &t, rnd == NULL ? fresh : rnd, &o, ws);
        if (status == GIRIH_OK)
            signing_key_vouch(sk, &t, &o);
    }
    girih_wipe(fresh, sizeof fresh);
    Py_END_ALLOW_THREADS signing_tables_close(&t, sk, ws);
    workspace_give(ws);
    if (status == GIRIH_OK)
        return sig;
    Py_DECREF(sig);
    return raise_status(status);
}

/* How a signature is asked for: the last three arguments of each method. */
typedef struct {
    girih_mldsa_options options;
    int deterministic;
} manner;

static int manner_of(manner *m, PyObject *deterministic, PyObject *max_attempts, PyObject *checked)
{
    const girih_mldsa_options none = {0};

    m->options = none;
    m->deterministic = argument_flag(deterministic);
    m->options.checked = argument_flag(checked);
    if (m->deterministic < 0 || m->options.checked < 0 || argument_max_attempts(&m->options.max_attempts, max_attempts) < 0)
        return -1;
    if (m->deterministic && m->options.max_attempts != 0) {
        PyErr_SetString(PyExc_ValueError, "max_attempts with deterministic=True would fail in the same way each time: give one of them");
        return -1;
    }
    return 0;
}

static PyObject *sign_and_close(signing_key *sk, request *r, int parsed, const manner *m)
{
    PyObject *sig = parsed < 0 ? NULL : signing_key_sign(sk, r, m->deterministic ? no_rnd : NULL, &m->options);

    request_close(r);
    return sig;
}

PyObject *sign_message(signing_key *sk, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"msg", "ctx", "deterministic", "max_attempts", "checked"};
    static const parameters p = {"sign", takes, 1, 3, 5};
    PyObject *a[5];
    request r;
    manner m;

    if (arguments_sort(a, &p, args, n, names) < 0 || manner_of(&m, a[2], a[3], a[4]) < 0)
        return NULL;
    return sign_and_close(sk, &r, request_message(&r, a[0], a[1], m.options.checked), &m);
}

PyObject *sign_mu(signing_key *sk, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"mu", "deterministic", "max_attempts", "checked"};
    static const parameters p = {"sign_mu", takes, 1, 2, 4};
    PyObject *a[4];
    request r;
    manner m;

    if (arguments_sort(a, &p, args, n, names) < 0 || manner_of(&m, a[1], a[2], a[3]) < 0)
        return NULL;
    return sign_and_close(sk, &r, request_mu(&r, a[0], sk->vk->params), &m);
}

PyObject *sign_digest(signing_key *sk, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"digest", "hash_name", "ctx", "deterministic", "max_attempts", "checked"};
    static const parameters p = {"sign_digest", takes, 2, 4, 6};
    PyObject *a[6];
    request r;
    manner m;

    if (arguments_sort(a, &p, args, n, names) < 0 || manner_of(&m, a[3], a[4], a[5]) < 0)
        return NULL;
    return sign_and_close(sk, &r, request_digest(&r, a[0], a[1], a[2]), &m);
}

PyObject *sign_mu_hasher(signing_key *sk, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return mu_hasher(sk->vk, args, n, names);
}
