/* Decapsulation keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "kem.h"

enum { SEED_ROOM = (GIRIH_MLKEM_SEED_BYTES + GIRIH_TABLE_ALIGN - 1) / GIRIH_TABLE_ALIGN * GIRIH_TABLE_ALIGN };

PyTypeObject *decapsulation_key_base;

/* ---- making and freeing ---- */

/* A key that holds nothing yet but the room for its secret. */
static decapsulation_key *key_new(kem_set *params, unsigned caches)
{
    decapsulation_key *dk = (decapsulation_key *)PyType_GenericAlloc(params->decapsulation_key_type, 0);

    if (dk == NULL)
        return NULL;
    dk->params = (kem_set *)Py_NewRef((PyObject *)params);
    dk->caches = caches;
    dk->backend = backend_active();
    atomic_init(&dk->ek, NULL);
    dk->secret_len = SEED_ROOM + girih_mlkem_dk_bytes(params->set, caches, dk->backend);
    dk->secret = slab_take(dk->secret_len);
    if (dk->secret == NULL) {
        PyErr_NoMemory();
        Py_DECREF((PyObject *)dk);
        return NULL;
    }
    dk->object = (girih_mlkem_dk *)(void *)(dk->secret + SEED_ROOM);
    return dk;
}

static void key_dealloc(decapsulation_key *dk)
{
    slab_give(dk->secret, dk->secret_len);
    Py_XDECREF((PyObject *)atomic_load(&dk->ek));
    Py_XDECREF((PyObject *)dk->params);
    free_object((PyObject *)dk);
}

void *raise_bad_decapsulation_key(girih_status status, const kem_set *params, size_t len)
{
    if (status == GIRIH_BAD_LENGTH)
        raise_invalid_key("an %s decapsulation key is %zd bytes, got %zu", params->name, params->decapsulation_key_size, len);
    else if (status == GIRIH_BAD_KEY)
        raise_invalid_key("not an %s decapsulation key: its encapsulation key is out of range, or has not the hash that it states",
                          params->name);
    else
        raise_status(status);
    return NULL;
}

/* Fill the object from an encoded key or, where encoded is NULL, from the seed, which `fresh` draws. */
static girih_status fill(decapsulation_key *dk, const byte_view *encoded, int fresh, workspace *ws)
{
    const size_t bytes = dk->secret_len - SEED_ROOM;
    girih_status status = GIRIH_OK;

    Py_BEGIN_ALLOW_THREADS if (fresh) status = girih_random_bytes(dk->secret, GIRIH_MLKEM_SEED_BYTES);
    if (status == GIRIH_OK && encoded == NULL)
        status =
            girih_mlkem_seed_load(dk->object, bytes, dk->params->set, dk->caches, dk->backend, dk->secret, ws->scratch, ws->scratch_len);
    else if (status == GIRIH_OK)
        status = girih_mlkem_dk_load(dk->object, bytes, dk->params->set, dk->caches, dk->backend, encoded->data, encoded->len, ws->scratch,
                                     ws->scratch_len);
    Py_END_ALLOW_THREADS return status;
}

/* view: a seed or an encoded key of a right length, NULL: a fresh seed. */
static decapsulation_key *load(kem_set *params, const byte_view *view, unsigned caches)
{
    decapsulation_key *dk = key_new(params, caches);
    workspace *ws = dk == NULL ? NULL : workspace_take();
    girih_status status;

    if (ws == NULL) {
        Py_XDECREF((PyObject *)dk);
        return NULL;
    }
    dk->has_seed = view == NULL || view->len == GIRIH_MLKEM_SEED_BYTES;
    if (view != NULL && dk->has_seed)
        memcpy(dk->secret, view->data, GIRIH_MLKEM_SEED_BYTES);
    status = fill(dk, dk->has_seed ? NULL : view, view == NULL, ws);
    workspace_give(ws);
    if (status == GIRIH_OK)
        return dk;
    Py_DECREF((PyObject *)dk);
    return raise_bad_decapsulation_key(status, params, view == NULL ? 0 : view->len);
}

decapsulation_key *decapsulation_key_load(kem_set *params, PyObject *secret, unsigned caches)
{
    decapsulation_key *dk;
    byte_view view;

    if (secret == NULL)
        return load(params, NULL, caches);
    if (view_open(&view, secret, "a decapsulation key", 1) < 0)
        return NULL;
    if (view.len == GIRIH_MLKEM_SEED_BYTES || view.len == (size_t)params->decapsulation_key_size)
        dk = load(params, &view, caches);
    else
        dk = raise_invalid_key("an %s decapsulation key is %zd bytes, or a seed of %d, got %zu", params->name,
                               params->decapsulation_key_size, GIRIH_MLKEM_SEED_BYTES, view.len);
    view_close(&view);
    return dk;
}

encapsulation_key *decapsulation_key_public(decapsulation_key *dk)
{
    encapsulation_key *ek = atomic_load(&dk->ek), *made;

    if (ek != NULL)
        return (encapsulation_key *)Py_NewRef((PyObject *)ek);
    made = encapsulation_key_of_pair(dk->params, dk->object, dk->caches, dk->backend);
    if (made == NULL || atomic_compare_exchange_strong(&dk->ek, &ek, made))
        return (encapsulation_key *)Py_XNewRef((PyObject *)made);
    Py_DECREF((PyObject *)made); /* another thread was first */
    return (encapsulation_key *)Py_NewRef((PyObject *)ek);
}

/* ---- decapsulating ---- */

int ciphertext_open(byte_view *view, const kem_set *params, PyObject *ct, Py_ssize_t place)
{
    if (view_open(view, ct, place < 0 ? "ct" : "each of cts", 1) < 0)
        return -1;
    if (view->len == (size_t)params->ciphertext_size)
        return 0;
    if (place < 0)
        PyErr_Format(PyExc_ValueError, "an %s ciphertext is %zd bytes, got %zu", params->name, params->ciphertext_size, view->len);
    else
        PyErr_Format(PyExc_ValueError, "an %s ciphertext is %zd bytes, got %zu in cts[%zd]", params->name, params->ciphertext_size,
                     view->len, place);
    view_close(view);
    return -1;
}

static PyObject *decaps(decapsulation_key *dk, PyObject *ct)
{
    girih_status status;
    byte_view view;
    workspace *ws;
    PyObject *ss;
    uint8_t *out;

    if (ciphertext_open(&view, dk->params, ct, -1) < 0)
        return NULL;
    ss = PyByteArray_FromStringAndSize(NULL, dk->params->shared_secret_size);
    ws = ss == NULL ? NULL : workspace_take();
    if (ws == NULL) {
        view_close(&view);
        Py_XDECREF(ss);
        return NULL;
    }
    out = (uint8_t *)PyByteArray_AsString(ss); /* nobody else knows the object yet */
    Py_BEGIN_ALLOW_THREADS status = girih_mlkem_dk_decaps(out, dk->object, view.data, view.len, ws->scratch, ws->scratch_len);
    Py_END_ALLOW_THREADS workspace_give(ws);
    view_close(&view);
    if (status == GIRIH_OK)
        return ss;
    Py_DECREF(ss);
    return raise_status(status);
}

/* ---- the rest ---- */

static PyObject *to_bytes(decapsulation_key *dk, PyObject *unused)
{
    PyObject *encoded = PyByteArray_FromStringAndSize(NULL, dk->params->decapsulation_key_size);
    girih_status status;

    (void)unused;
    if (encoded == NULL)
        return NULL;
    status = girih_mlkem_dk_encode((uint8_t *)PyByteArray_AsString(encoded), (size_t)dk->params->decapsulation_key_size, dk->object);
    if (status == GIRIH_OK)
        return encoded;
    Py_DECREF(encoded);
    return raise_status(status);
}

static PyObject *seed(decapsulation_key *dk, PyObject *unused)
{
    (void)unused;
    if (!dk->has_seed)
        return Py_NewRef(Py_None);
    return PyByteArray_FromStringAndSize((const char *)dk->secret, GIRIH_MLKEM_SEED_BYTES);
}

/* Whether the encodings are equal: 1 or 0; -1 and an exception. The time depends on the set only. */
static int equal_keys(const decapsulation_key *a, const decapsulation_key *b)
{
    const size_t size = (size_t)a->params->decapsulation_key_size;
    girih_status status;
    workspace *ws;
    uint8_t *first;
    int equal = 0;

    if (a->params->set != b->params->set)
        return 0;
    ws = workspace_take();
    if (ws == NULL)
        return -1;
    first = ws->scratch; /* larger than two encoded keys */
    status = girih_mlkem_dk_encode(first, size, a->object);
    if (status == GIRIH_OK)
        status = girih_mlkem_dk_encode(first + size, size, b->object);
    if (status == GIRIH_OK)
        equal = girih_equal(first, first + size, size);
    girih_wipe(first, 2 * size);
    workspace_give(ws);
    if (status == GIRIH_OK)
        return equal;
    raise_status(status);
    return -1;
}

static PyObject *compare(decapsulation_key *a, PyObject *other, int op)
{
    int equal;

    if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, decapsulation_key_base))
        return Py_NewRef(Py_NotImplemented);
    equal = equal_keys(a, (decapsulation_key *)other);
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject *get_encapsulation_key(decapsulation_key *dk, void *unused)
{
    (void)unused;
    return (PyObject *)decapsulation_key_public(dk);
}

static PyObject *get_parameter_set(decapsulation_key *dk, void *unused)
{
    (void)unused;
    return Py_NewRef((PyObject *)dk->params);
}

static PyObject *get_caches(decapsulation_key *dk, void *unused)
{
    (void)unused;
    return PyLong_FromLong((long)dk->caches);
}

static PyMethodDef methods[] = {
    {"decaps", (PyCFunction)decaps, METH_O,
     "decaps($self, ct, /)\n--\n\n"
     "The shared secret of a ciphertext, 32 bytes in a bytearray to be wiped after use.\n\n"
     "ct: exactly ciphertext_size bytes, else ValueError. A ciphertext that was not made for this key, or was changed, gives\n"
     "another secret, always the same one for the same bytes (implicit rejection), in the same time: only the use of the\n"
     "secret shows it. Source: FIPS 203, Algorithm 21."},
    {"to_bytes", (PyCFunction)to_bytes, METH_NOARGS,
     "to_bytes($self)\n--\n\n"
     "The expanded encoding, decapsulation_key_size bytes, in a bytearray to be wiped after use. Source: FIPS 203, section 7.1."},
    {"seed", (PyCFunction)seed, METH_NOARGS,
     "seed($self)\n--\n\nThe 64-byte seed, d || z, in a bytearray to be wiped after use, or None where the key came without one."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {{"encapsulation_key", (getter)get_encapsulation_key, NULL, "The EncapsulationKey of the pair.", NULL},
                                   {"parameter_set", (getter)get_parameter_set, NULL, "The ParameterSet of the key.", NULL},
                                   {"_caches", (getter)get_caches, NULL, "The caches that the key holds, as a number.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, key_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_richcompare, compare},
                              {Py_tp_hash, PyObject_HashNotImplemented},
                              {Py_tp_doc, "What the core does with an ML-KEM decapsulation key."},
                              {0, NULL}};

static PyType_Spec spec = {"girih._core.MlKemDecapsulationKey", sizeof(decapsulation_key), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};

int decapsulation_key_add(PyObject *module)
{
    decapsulation_key_base = module_add_type(module, "MlKemDecapsulationKey", &spec);
    return decapsulation_key_base == NULL ? -1 : 0;
}
