/* Packed tables of ML-DSA keys as bytes, for devices that keep theirs in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "binding.h"

typedef struct {
    girih_mldsa_vk *vk;
    girih_mldsa_sk *sk;
    size_t vk_bytes, sk_bytes;
    void *scratch;
    size_t scratch_bytes;
} packed_tables;

static int take(packed_tables *t, girih_mldsa_set set, girih_backend backend, int secret)
{
    t->vk_bytes = girih_mldsa_vk_bytes(set, backend);
    t->sk_bytes = secret ? girih_mldsa_sk_bytes(set, backend) : 0;
    t->scratch_bytes = girih_mldsa_workspace_bytes(set, GIRIH_MLDSA_LOAD, backend);
    t->vk = table_new(t->vk_bytes);
    t->sk = secret ? table_new(t->sk_bytes) : NULL;
    t->scratch = PyMem_Malloc(t->scratch_bytes);
    if (t->vk != NULL && t->scratch != NULL && (t->sk != NULL || !secret))
        return 0;
    PyErr_NoMemory();
    return -1;
}

static void give(packed_tables *t)
{
    girih_wipe(t->sk, t->sk == NULL ? 0 : t->sk_bytes);
    table_free(t->sk);
    table_free(t->vk);
    PyMem_Free(t->scratch); /* the core wipes what it works in */
}

static girih_status load(packed_tables *t, girih_mldsa_set set, girih_backend backend, int secret, const byte_view *key)
{
    if (!secret)
        return girih_mldsa_vk_load(t->vk, t->vk_bytes, set, backend, key->data, key->len, t->scratch, t->scratch_bytes);
    if (key->len == GIRIH_MLDSA_SEED_BYTES)
        return girih_mldsa_seed_load(t->vk, t->vk_bytes, t->sk, t->sk_bytes, NULL, 0, set, backend, key->data, t->scratch,
                                     t->scratch_bytes);
    return girih_mldsa_sk_load(t->vk, t->vk_bytes, t->sk, t->sk_bytes, NULL, 0, set, backend, key->data, key->len, t->scratch,
                               t->scratch_bytes);
}

/* (set, backend's number, encoded key, secret) -> (public table, secret table or None). */
static PyObject *mldsa_packed_tables(PyObject *module, PyObject *args)
{
    int set, backend, secret;
    PyObject *encoded, *result = NULL;
    packed_tables t = {0};
    byte_view key;
    girih_status status;

    (void)module;
    if (!PyArg_ParseTuple(args, "iiOp:mldsa_packed_tables", &set, &backend, &encoded, &secret) || view_open(&key, encoded, "key", 1) < 0)
        return NULL;
    if (take(&t, (girih_mldsa_set)set, (girih_backend)backend, secret) == 0) {
        status = load(&t, (girih_mldsa_set)set, (girih_backend)backend, secret, &key);
        if (status != GIRIH_OK)
            (void)raise_status(status);
        else if (secret)
            result = Py_BuildValue("(NN)", PyBytes_FromStringAndSize((const char *)t.vk, (Py_ssize_t)t.vk_bytes),
                                   PyByteArray_FromStringAndSize((const char *)t.sk, (Py_ssize_t)t.sk_bytes));
        else
            result = Py_BuildValue("(NO)", PyBytes_FromStringAndSize((const char *)t.vk, (Py_ssize_t)t.vk_bytes), Py_None);
    }
    give(&t);
    view_close(&key);
    return result;
}

PyMethodDef export_functions[] = {
    {"mldsa_packed_tables", mldsa_packed_tables, METH_VARARGS, "The tables of a key for a device of the same backend."},
    {NULL, NULL, 0, NULL}};
