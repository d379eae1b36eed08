/* mu of a message that comes in parts.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "binding.h"

typedef struct {
    PyObject_HEAD girih_mldsa_mu state;
    PyThread_type_lock lock; /* held while the state is read or written: two threads may feed one hasher */
} mu_hasher_object;

static PyTypeObject *mu_hasher_type;

static mu_hasher_object *new_object(void)
{
    mu_hasher_object *h = (mu_hasher_object *)PyType_GenericAlloc(mu_hasher_type, 0);

    if (h == NULL)
        return NULL;
    h->lock = PyThread_allocate_lock();
    if (h->lock == NULL) {
        PyErr_NoMemory();
        Py_DECREF((PyObject *)h);
        return NULL;
    }
    return h;
}

static girih_status init(mu_hasher_object *h, const verification_key *vk, const request *r)
{
    const girih_mldsa_vk *table = atomic_load_explicit(&vk->table, memory_order_acquire);
    uint8_t tr[GIRIH_MLDSA_TR_BYTES];
    girih_status status = table != NULL
                              ? girih_mldsa_vk_tr(tr, table)
                              : girih_mldsa_tr(tr, vk->params->set, vk->backend, vk->bytes, (size_t)vk->params->verification_key_size);

    return status != GIRIH_OK ? status : girih_mldsa_mu_init(&h->state, vk->backend, tr, r->ctx, r->ctx_len);
}

PyObject *mu_hasher(verification_key *vk, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"ctx"};
    static const parameters p = {"mu_hasher", takes, 0, 1, 1};
    PyObject *ctx;
    mu_hasher_object *h;
    request r;
    girih_status status;

    if (arguments_sort(&ctx, &p, args, n, names) < 0 || request_context(&r, ctx) < 0)
        return NULL;
    h = new_object();
    if (h == NULL)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = init(h, vk, &r);
    Py_END_ALLOW_THREADS if (status == GIRIH_OK) return (PyObject *)h;
    Py_DECREF((PyObject *)h);
    return raise_status(status);
}

/* With the GIL. It is released only where another thread is at work, which needs it no more than we do. */
static void acquire(mu_hasher_object *h)
{
    if (PyThread_acquire_lock(h->lock, NOWAIT_LOCK))
        return;
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(h->lock, WAIT_LOCK);
    Py_END_ALLOW_THREADS
}

static PyObject *update(mu_hasher_object *h, PyObject *data)
{
    byte_view view;
    girih_status status;

    if (view_open(&view, data, "data", 0) < 0)
        return NULL;
    acquire(h);
    Py_BEGIN_ALLOW_THREADS status = girih_mldsa_mu_update(&h->state, view.data, view.len);
    Py_END_ALLOW_THREADS PyThread_release_lock(h->lock);
    view_close(&view);
    return status == GIRIH_OK ? Py_NewRef(Py_None) : raise_status(status);
}

static girih_mldsa_mu state_of(mu_hasher_object *h)
{
    girih_mldsa_mu state;

    acquire(h);
    state = h->state;
    PyThread_release_lock(h->lock);
    return state;
}

static PyObject *digest(mu_hasher_object *h, PyObject *unused)
{
    girih_mldsa_mu state = state_of(h); /* a copy: the hasher goes on */
    uint8_t mu[GIRIH_MLDSA_MU_BYTES];
    girih_status status;

    (void)unused;
    status = girih_mldsa_mu_final(mu, &state);
    return status == GIRIH_OK ? PyBytes_FromStringAndSize((const char *)mu, sizeof mu) : raise_status(status);
}

static PyObject *copy(mu_hasher_object *h, PyObject *unused)
{
    mu_hasher_object *other = new_object();

    (void)unused;
    if (other != NULL)
        other->state = state_of(h);
    return (PyObject *)other;
}

static void hasher_dealloc(mu_hasher_object *h)
{
    girih_wipe(&h->state, sizeof h->state);
    if (h->lock != NULL)
        PyThread_free_lock(h->lock);
    free_object((PyObject *)h);
}

static PyMethodDef methods[] = {
    {"update", (PyCFunction)update, METH_O, "update($self, data, /)\n--\n\nThe next part of the message: bytes of any length."},
    {"digest", (PyCFunction)digest, METH_NOARGS,
     "digest($self)\n--\n\nmu of what came so far, 64 bytes. The hasher may go on. Source: FIPS 204, Algorithm 7, line 6."},
    {"copy", (PyCFunction)copy, METH_NOARGS, "copy($self)\n--\n\nAnother hasher in the same state."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, hasher_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_doc, "Makes mu from the parts of a message, in constant memory. From VerificationKey.mu_hasher."},
                              {0, NULL}};

static PyType_Spec spec = {"girih.mldsa.MuHasher", sizeof(mu_hasher_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};

int mu_hasher_add(PyObject *module)
{
    mu_hasher_type = module_add_type(module, "MuHasher", &spec);
    return mu_hasher_type == NULL ? -1 : 0;
}
