/* Many shared secrets in one call: a chunk is gathered, then the GIL is released once for all of it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "kem.h"

#define CHUNK 32

/* The items of a chunk, one behind the other, as the core takes them. */
typedef struct {
    uint8_t cts[CHUNK * GIRIH_MLKEM_1024_CT_BYTES];
    uint8_t sss[CHUNK * GIRIH_MLKEM_SHARED_SECRET_BYTES];
    uint8_t ms[CHUNK * GIRIH_MLKEM_M_BYTES];
} chunk;

static PyObject *secret_of(const chunk *c, Py_ssize_t i)
{
    return PyByteArray_FromStringAndSize((const char *)c->sss + GIRIH_MLKEM_SHARED_SECRET_BYTES * i, GIRIH_MLKEM_SHARED_SECRET_BYTES);
}

/* Append an item, whose reference is taken. */
static int append(PyObject *results, PyObject *item)
{
    int failed = item == NULL ? -1 : PyList_Append(results, item);

    Py_XDECREF(item);
    return failed;
}

static int encaps_chunk(PyObject *results, const encapsulation_key *ek, Py_ssize_t count, chunk *c, workspace *ws)
{
    const Py_ssize_t ct_size = ek->params->ciphertext_size;
    girih_status status;
    int failed = 0;

    Py_BEGIN_ALLOW_THREADS status = girih_random_bytes(c->ms, GIRIH_MLKEM_M_BYTES * (size_t)count);
    if (status == GIRIH_OK)
        status = girih_mlkem_encaps_many(c->cts, c->sss, ek->object, c->ms, (size_t)count, ws->scratch, ws->scratch_len);
    Py_END_ALLOW_THREADS if (status != GIRIH_OK)
    {
        raise_status(status);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count && !failed; i++)
        failed =
            append(results, Py_BuildValue("(NN)", secret_of(c, i), PyBytes_FromStringAndSize((const char *)c->cts + ct_size * i, ct_size)));
    return failed;
}

static int decaps_chunk(PyObject *results, const decapsulation_key *dk, PyObject *cts, Py_ssize_t first, Py_ssize_t count, Py_ssize_t place,
                        chunk *c, workspace *ws)
{
    girih_status status;
    int failed = 0;

    for (Py_ssize_t i = 0; i < count; i++) {
        byte_view view;

        if (ciphertext_open(&view, dk->params, PyTuple_GetItem(cts, first + i), place + first + i) < 0)
            return -1;
        memcpy(c->cts + view.len * (size_t)i, view.data, view.len);
        view_close(&view);
    }
    Py_BEGIN_ALLOW_THREADS status = girih_mlkem_decaps_many(c->sss, dk->object, c->cts, (size_t)count, ws->scratch, ws->scratch_len);
    Py_END_ALLOW_THREADS if (status != GIRIH_OK)
    {
        raise_status(status);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count && !failed; i++)
        failed = append(results, secret_of(c, i));
    return failed;
}

/* What is not handed out is wiped. */
static void drop(PyObject **results, int pairs)
{
    for (Py_ssize_t i = 0; *results != NULL && i < PyList_Size(*results); i++) {
        PyObject *item = PyList_GetItem(*results, i), *ss = pairs ? PyTuple_GetItem(item, 0) : item;

        girih_wipe(PyByteArray_AsString(ss), GIRIH_MLKEM_SHARED_SECRET_BYTES);
    }
    Py_CLEAR(*results);
}

/* ek's shared secrets and ciphertexts where dk is NULL, else the shared secrets of cts. */
static PyObject *all_chunks(const encapsulation_key *ek, const decapsulation_key *dk, PyObject *cts, Py_ssize_t total, Py_ssize_t place)
{
    PyObject *results = PyList_New(0);
    chunk *c = PyMem_Malloc(sizeof *c);
    workspace *ws = NULL;

    if (c == NULL)
        PyErr_NoMemory();
    else if (results != NULL)
        ws = workspace_take();
    if (ws == NULL)
        Py_CLEAR(results);
    for (Py_ssize_t first = 0; results != NULL && first < total; first += CHUNK) {
        const Py_ssize_t count = total - first < CHUNK ? total - first : CHUNK;

        if (PyErr_CheckSignals() < 0 ||
            (dk == NULL ? encaps_chunk(results, ek, count, c, ws) : decaps_chunk(results, dk, cts, first, count, place, c, ws)) < 0)
            drop(&results, dk == NULL);
    }
    if (ws != NULL)
        workspace_give(ws);
    if (c != NULL) {
        girih_wipe(c->sss, sizeof c->sss);
        girih_wipe(c->ms, sizeof c->ms);
    }
    PyMem_Free(c);
    return results;
}

/* (ek, n) */
static PyObject *encaps_batch(PyObject *module, PyObject *args)
{
    PyObject *ek;
    Py_ssize_t count;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!n:mlkem_encaps_batch", encapsulation_key_base, &ek, &count))
        return NULL;
    return all_chunks((encapsulation_key *)ek, NULL, NULL, count, 0);
}

/* (dk, cts, the place of the first of them in what the caller gave) */
static PyObject *decaps_batch(PyObject *module, PyObject *args)
{
    PyObject *dk, *cts;
    Py_ssize_t place;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!n:mlkem_decaps_batch", decapsulation_key_base, &dk, &PyTuple_Type, &cts, &place))
        return NULL;
    return all_chunks(NULL, (decapsulation_key *)dk, cts, PyTuple_Size(cts), place);
}

PyMethodDef kem_batch_functions[] = {{"mlkem_encaps_batch", encaps_batch, METH_VARARGS, "encaps_many, for one slice of the work."},
                                     {"mlkem_decaps_batch", decaps_batch, METH_VARARGS, "decaps_many, for one slice of the work."},
                                     {NULL, NULL, 0, NULL}};
