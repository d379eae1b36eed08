/* Many messages in one call: the arguments of a chunk are gathered, then the GIL is released once for all of it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "binding.h"

#define CHUNK 32

typedef struct {
    verification_key *vk;
    const girih_mldsa_vk *table; /* its own, while the item waits for its lane; else NULL */
    byte_view msg;
    size_t sig_len;
    girih_status status;
    uint8_t sig[GIRIH_MLDSA_87_SIGNATURE_BYTES];
} verify_item;

/* The item at place i of three tuples, checked and held. -1: an exception, nothing held. */
static int verify_item_open(verify_item *item, PyObject *vks, PyObject *sigs, PyObject *msgs, Py_ssize_t i)
{
    PyObject *vk = PyTuple_GetItem(vks, PyTuple_Size(vks) == 1 ? 0 : i);

    if (!PyObject_TypeCheck(vk, verification_key_base)) {
        PyErr_Format(PyExc_TypeError, "vks[%zd] must be an ML-DSA VerificationKey", i);
        return -1;
    }
    item->vk = (verification_key *)vk;
    if (view_copy(item->sig, (size_t)item->vk->params->signature_size, &item->sig_len, PyTuple_GetItem(sigs, i), "each of sigs") < 0)
        return -1;
    return view_open(&item->msg, PyTuple_GetItem(msgs, i), "each of msgs", 0);
}

/* An item whose key has no table of its own is verified at once: the workspace holds one table at a time. */
static void find_table(verify_item *item, request *r, workspace *ws)
{
    const girih_mldsa_vk *table;

    item->table = NULL;
    item->status = GIRIH_BAD_SIGNATURE;
    if (item->sig_len != (size_t)item->vk->params->signature_size)
        return;
    item->status = verification_key_table(&table, item->vk, ws);
    if (item->status != GIRIH_OK)
        return;
    if (table != ws->vk) {
        item->table = table;
        return;
    }
    r->data = item->msg.data;
    r->len = item->msg.len;
    item->status = request_verify(r, table, item->sig, item->sig_len, ws);
}

/* Verify together what waits and has the set and backend of the first item. */
static void verify_alike(verify_item *items, Py_ssize_t count, const request *r, workspace *ws)
{
    const girih_mldsa_set set = items[0].vk->params->set;
    const girih_backend backend = items[0].vk->backend;
    girih_mldsa_verify_item lanes[CHUNK];
    verify_item *waiting[CHUNK];
    size_t n = 0;
    girih_status status;

    for (Py_ssize_t i = 0; i < count; i++) {
        verify_item *item = &items[i];
        const girih_mldsa_verify_item lane = {item->table,   item->sig, item->sig_len, item->msg.data,
                                              item->msg.len, r->ctx,    r->ctx_len,    GIRIH_OK};

        if (item->table == NULL || item->vk->params->set != set || item->vk->backend != backend)
            continue;
        lanes[n] = lane;
        waiting[n++] = item;
    }
    status = girih_mldsa_verify_many(lanes, n, set, backend, ws->scratch, ws->scratch_len);
    for (size_t i = 0; i < n; i++) {
        waiting[i]->status = status == GIRIH_OK ? lanes[i].status : status;
        waiting[i]->table = NULL;
    }
}

/* Without the GIL. */
static void verify_items(verify_item *items, Py_ssize_t count, request *r, workspace *ws)
{
    for (Py_ssize_t i = 0; i < count; i++)
        find_table(&items[i], r, ws);
    for (Py_ssize_t i = 0; i < count; i++)
        if (items[i].table != NULL)
            verify_alike(&items[i], count - i, r, ws);
}

static int append_result(PyObject *results, girih_status status)
{
    if (status == GIRIH_OK || status == GIRIH_BAD_SIGNATURE)
        return PyList_Append(results, status == GIRIH_OK ? Py_True : Py_False);
    raise_status(status);
    return -1;
}

static int verify_chunk(PyObject *results, verify_item *items, PyObject *vks, PyObject *sigs, PyObject *msgs, Py_ssize_t first, request *r)
{
    Py_ssize_t left = PyTuple_Size(msgs) - first, wanted = left < CHUNK ? left : CHUNK, count = 0;
    workspace *ws = workspace_take();
    int failed = 0;

    if (ws == NULL)
        return -1;
    while (count < wanted && !failed) {
        failed = verify_item_open(&items[count], vks, sigs, msgs, first + count);
        count += failed == 0;
    }
    if (!failed) {
        Py_BEGIN_ALLOW_THREADS verify_items(items, count, r, ws);
        Py_END_ALLOW_THREADS
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        view_close(&items[i].msg);
        if (!failed)
            failed = append_result(results, items[i].status);
    }
    workspace_give(ws);
    return failed;
}

static PyObject *verify_tuples(PyObject *vks, PyObject *sigs, PyObject *msgs, request *r)
{
    PyObject *results = PyList_New(0);
    verify_item *items = PyMem_Malloc(CHUNK * sizeof *items);

    if (items == NULL && results != NULL) {
        PyErr_NoMemory();
        Py_CLEAR(results);
    }
    for (Py_ssize_t first = 0; results != NULL && first < PyTuple_Size(msgs); first += CHUNK)
        if (PyErr_CheckSignals() < 0 || verify_chunk(results, items, vks, sigs, msgs, first, r) < 0)
            Py_CLEAR(results);
    PyMem_Free(items);
    return results;
}

/* (vks, sigs, msgs, ctx), three tuples of one length; vks may also hold one key for all. */
static PyObject *verify_batch(PyObject *module, PyObject *args)
{
    PyObject *vks, *sigs, *msgs, *ctx;
    request r;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O!O:mldsa_verify_batch", &PyTuple_Type, &vks, &PyTuple_Type, &sigs, &PyTuple_Type, &msgs, &ctx))
        return NULL;
    if (PyTuple_Size(sigs) != PyTuple_Size(msgs) || (PyTuple_Size(vks) != 1 && PyTuple_Size(vks) != PyTuple_Size(msgs))) {
        PyErr_SetString(PyExc_ValueError, "as many keys and signatures as messages are needed");
        return NULL;
    }
    r.kind = REQUEST_MESSAGE;
    return request_context(&r, ctx) < 0 ? NULL : verify_tuples(vks, sigs, msgs, &r);
}

typedef struct {
    byte_view msg;
    PyObject *sig;
} sign_item;

typedef struct {
    signing_key *sk;
    request r; /* the context, the same for all */
    girih_mldsa_options options;
    int deterministic;
} sign_batch_job;

static int sign_item_open(sign_item *item, const sign_batch_job *job, PyObject *msg)
{
    if (view_open(&item->msg, msg, "each of msgs", job->options.checked) < 0)
        return -1;
    item->sig = PyBytes_FromStringAndSize(NULL, job->sk->vk->params->signature_size);
    if (item->sig != NULL)
        return 0;
    view_close(&item->msg);
    return -1;
}

/* Checked signatures that are verified from the encoded key, from the first on: one where the key keeps its tables, all where it does not.
 * How many are done is *done. */
static girih_status sign_vouched(Py_ssize_t *done, sign_batch_job *job, const girih_mldsa_sign_item *items, Py_ssize_t count,
                                 const signing_tables *t, workspace *ws)
{
    girih_status status = GIRIH_OK;

    for (*done = 0; *done < count && status == GIRIH_OK; ++*done) {
        const girih_mldsa_options o = signing_key_options(job->sk, t, &job->options);
        const girih_mldsa_sign_item *item = &items[*done];

        if (o.pk == NULL)
            break;
        job->r.data = item->msg;
        job->r.len = item->msg_len;
        status = request_sign(item->sig, &job->r, job->sk->vk->params, t, item->rnd, &o, ws);
        if (status == GIRIH_OK)
            signing_key_vouch(job->sk, t, &o);
    }
    return status;
}

/* Without the GIL. The items lack their randomness. */
static girih_status sign_items(sign_batch_job *job, girih_mldsa_sign_item *items, Py_ssize_t count, signing_tables *t, workspace *ws)
{
    uint8_t rnd[CHUNK][GIRIH_MLDSA_RND_BYTES] = {{0}};
    girih_status status = signing_tables_open(t, job->sk, ws, NULL);
    Py_ssize_t done = 0;

    for (Py_ssize_t i = 0; i < count; i++)
        items[i].rnd = rnd[i];
    if (status == GIRIH_OK && !job->deterministic)
        status = girih_random_bytes(rnd[0], sizeof rnd[0] * (size_t)count);
    if (status == GIRIH_OK)
        status = sign_vouched(&done, job, items, count, t, ws);
    if (status == GIRIH_OK)
        status =
            girih_mldsa_sign_many(items + done, (size_t)(count - done), t->sk, t->vk, job->options.checked, ws->scratch, ws->scratch_len);
    for (Py_ssize_t i = done; i < count && status == GIRIH_OK; i++)
        status = items[i].status;
    girih_wipe(rnd, sizeof rnd);
    return status;
}

static int sign_opened(PyObject *results, sign_batch_job *job, sign_item *items, Py_ssize_t count)
{
    workspace *ws = workspace_take();
    girih_mldsa_sign_item lanes[CHUNK];
    signing_tables t;
    girih_status status;

    if (ws == NULL)
        return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        const girih_mldsa_sign_item lane = {
            (uint8_t *)PyBytes_AsString(items[i].sig), items[i].msg.data, items[i].msg.len, job->r.ctx, job->r.ctx_len, NULL, GIRIH_OK};

        lanes[i] = lane;
    }
    signing_tables_plan(&t, job->sk);
    Py_BEGIN_ALLOW_THREADS status = sign_items(job, lanes, count, &t, ws);
    Py_END_ALLOW_THREADS signing_tables_close(&t, job->sk, ws);
    workspace_give(ws);
    if (status != GIRIH_OK) {
        raise_status(status);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (PyList_Append(results, items[i].sig) < 0)
            return -1;
    return 0;
}

static int sign_chunk(PyObject *results, sign_batch_job *job, PyObject *msgs, Py_ssize_t first)
{
    sign_item items[CHUNK];
    Py_ssize_t left = PyTuple_Size(msgs) - first, wanted = left < CHUNK ? left : CHUNK, count = 0;
    int failed = 0;

    while (count < wanted && !failed) {
        failed = sign_item_open(&items[count], job, PyTuple_GetItem(msgs, first + count));
        count += failed == 0;
    }
    if (!failed)
        failed = sign_opened(results, job, items, count);
    for (Py_ssize_t i = 0; i < count; i++) {
        view_close(&items[i].msg);
        Py_DECREF(items[i].sig);
    }
    return failed;
}

/* (sk, msgs, ctx, deterministic, checked) */
static PyObject *sign_batch(PyObject *module, PyObject *args)
{
    PyObject *key, *msgs, *ctx, *results;
    sign_batch_job job = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!Opp:mldsa_sign_batch", signing_key_base, &key, &PyTuple_Type, &msgs, &ctx, &job.deterministic,
                          &job.options.checked))
        return NULL;
    job.sk = (signing_key *)key;
    job.r.kind = REQUEST_MESSAGE;
    if (request_context(&job.r, ctx) < 0)
        return NULL;
    results = PyList_New(0);
    for (Py_ssize_t first = 0; results != NULL && first < PyTuple_Size(msgs); first += CHUNK)
        if (PyErr_CheckSignals() < 0 || sign_chunk(results, &job, msgs, first) < 0)
            Py_CLEAR(results);
    return results;
}

PyMethodDef batch_functions[] = {{"mldsa_verify_batch", verify_batch, METH_VARARGS, "verify_many, for one slice of the work."},
                                 {"mldsa_sign_batch", sign_batch, METH_VARARGS, "sign_many, for one slice of the work."},
                                 {NULL, NULL, 0, NULL}};
