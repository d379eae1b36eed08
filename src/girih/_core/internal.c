/* The internal functions of FIPS 203 and 204 (section 6 of both), with given randomness: for girih.testing only.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kem.h"

static signing_key *as_signing_key(PyObject *object)
{
    if (PyObject_TypeCheck(object, signing_key_base))
        return (signing_key *)object;
    PyErr_SetString(PyExc_TypeError, "sk must be an ML-DSA SigningKey");
    return NULL;
}

static PyObject *sign_and_close(signing_key *sk, request *r, int parsed, PyObject *given, uint32_t *attempts)
{
    const girih_mldsa_options plain = {.attempts = attempts};
    uint8_t rnd[GIRIH_MLDSA_RND_BYTES];
    PyObject *sig = NULL;
    size_t len;

    if (parsed == 0 && view_copy(rnd, sizeof rnd, &len, given, "rnd") == 0) {
        if (len == sizeof rnd)
            sig = signing_key_sign(sk, r, rnd, &plain);
        else
            PyErr_Format(PyExc_ValueError, "rnd is %zu bytes, got %zu", sizeof rnd, len);
    }
    request_close(r);
    return sig;
}

static PyObject *sign_internal(PyObject *module, PyObject *args)
{
    PyObject *key, *m_prime, *rnd;
    signing_key *sk;
    request r;

    (void)module;
    if (!PyArg_ParseTuple(args, "OOO:ml_dsa_sign_internal", &key, &m_prime, &rnd))
        return NULL;
    sk = as_signing_key(key);
    return sk == NULL ? NULL : sign_and_close(sk, &r, request_prime(&r, m_prime), rnd, NULL);
}

static PyObject *sign_mu_internal(PyObject *module, PyObject *args)
{
    PyObject *key, *mu, *rnd, *sig;
    uint32_t attempts = 0;
    signing_key *sk;
    request r;

    (void)module;
    if (!PyArg_ParseTuple(args, "OOO:ml_dsa_sign_mu_internal", &key, &mu, &rnd))
        return NULL;
    sk = as_signing_key(key);
    sig = sk == NULL ? NULL : sign_and_close(sk, &r, request_mu(&r, mu, sk->vk->params), rnd, &attempts);
    return sig == NULL ? NULL : Py_BuildValue("(NI)", sig, (unsigned)attempts);
}

static PyObject *verify_internal(PyObject *module, PyObject *args)
{
    PyObject *key, *sig, *m_prime, *result;
    request r;

    (void)module;
    if (!PyArg_ParseTuple(args, "OOO:ml_dsa_verify_internal", &key, &sig, &m_prime))
        return NULL;
    if (!PyObject_TypeCheck(key, verification_key_base)) {
        PyErr_SetString(PyExc_TypeError, "vk must be an ML-DSA VerificationKey");
        return NULL;
    }
    result = request_prime(&r, m_prime) < 0 ? NULL : verification_key_verify((verification_key *)key, sig, &r);
    request_close(&r);
    return result;
}

static PyObject *encaps_internal(PyObject *module, PyObject *args)
{
    uint8_t m[GIRIH_MLKEM_M_BYTES];
    PyObject *key, *given, *pair = NULL;
    size_t len;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO:ml_kem_encaps_internal", &key, &given))
        return NULL;
    if (!PyObject_TypeCheck(key, encapsulation_key_base)) {
        PyErr_SetString(PyExc_TypeError, "ek must be an ML-KEM EncapsulationKey");
        return NULL;
    }
    if (view_copy(m, sizeof m, &len, given, "m") < 0)
        return NULL;
    if (len == sizeof m)
        pair = encapsulation_key_encaps((encapsulation_key *)key, m);
    else
        PyErr_Format(PyExc_ValueError, "m is %zu bytes, got %zu", sizeof m, len);
    girih_wipe(m, sizeof m);
    return pair;
}

PyMethodDef internal_functions[] = {{"mldsa_sign_internal", sign_internal, METH_VARARGS, "FIPS 204, Algorithm 7."},
                                    {"mldsa_sign_mu_internal", sign_mu_internal, METH_VARARGS,
                                     "FIPS 204, Algorithm 7 from line 7 on: the signature, and how many attempts it took."},
                                    {"mldsa_verify_internal", verify_internal, METH_VARARGS, "FIPS 204, Algorithm 8."},
                                    {"mlkem_encaps_internal", encaps_internal, METH_VARARGS, "FIPS 203, Algorithm 17."},
                                    {NULL, NULL, 0, NULL}};
