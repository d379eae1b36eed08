/* Encapsulation keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "kem.h"

enum {
    MIN_MAC_KEY_BYTES = 32,
    CACHES_AT = 6 /* where an exported cache says what it holds */
};

PyTypeObject *encapsulation_key_base;

const uint8_t *encapsulation_key_bytes(const encapsulation_key *ek)
{
    return girih_mlkem_ek_encoding(ek->object);
}

/* ---- making and freeing ---- */

static encapsulation_key *key_new(kem_set *params, unsigned caches, girih_backend backend)
{
    encapsulation_key *ek = (encapsulation_key *)PyType_GenericAlloc(params->encapsulation_key_type, 0);

    if (ek == NULL)
        return NULL;
    ek->params = (kem_set *)Py_NewRef((PyObject *)params);
    ek->caches = caches;
    ek->object = table_new(girih_mlkem_ek_bytes(params->set, caches, backend));
    if (ek->object != NULL)
        return ek;
    PyErr_NoMemory();
    Py_DECREF((PyObject *)ek);
    return NULL;
}

static void key_dealloc(encapsulation_key *ek)
{
    table_free(ek->object);
    Py_XDECREF((PyObject *)ek->params);
    free_object((PyObject *)ek);
}

encapsulation_key *encapsulation_key_of_pair(kem_set *params, const girih_mlkem_dk *pair, unsigned caches, girih_backend backend)
{
    encapsulation_key *ek = key_new(params, caches, backend);

    if (ek != NULL)
        memcpy(ek->object, girih_mlkem_dk_public(pair), girih_mlkem_ek_bytes(params->set, caches, backend));
    return ek;
}

void *raise_bad_encapsulation_key(girih_status status, const kem_set *params, size_t len)
{
    if (status == GIRIH_BAD_LENGTH)
        raise_invalid_key("an %s encapsulation key is %zd bytes, got %zu", params->name, params->encapsulation_key_size, len);
    else if (status == GIRIH_BAD_KEY)
        raise_invalid_key("not an %s encapsulation key: it has a coefficient of q = 3329 or more", params->name);
    else
        raise_status(status);
    return NULL;
}

/* An exported cache and what vouches for it, held still. */
typedef struct {
    byte_view bytes, mac_key;
    unsigned caches;
} cache_view;

/* Load the key, with the caches derived (cache NULL) or imported. */
static PyObject *load(kem_set *params, const byte_view *encoded, unsigned caches, const cache_view *cache)
{
    const girih_backend backend = backend_active();
    const size_t bytes = girih_mlkem_ek_bytes(params->set, caches, backend);
    girih_status status = girih_mlkem_check_ek(params->set, encoded->data, encoded->len);
    encapsulation_key *ek;
    workspace *ws;

    if (status != GIRIH_OK)
        return raise_bad_encapsulation_key(status, params, encoded->len);
    ek = key_new(params, caches, backend);
    if (ek == NULL)
        return NULL;
    ws = workspace_take();
    if (ws == NULL) {
        Py_DECREF((PyObject *)ek);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS if (cache == NULL) status =
        girih_mlkem_ek_load(ek->object, bytes, params->set, caches, backend, encoded->data, encoded->len, ws->scratch, ws->scratch_len);
    else status = girih_mlkem_ek_import(ek->object, bytes, params->set, caches, backend, encoded->data, encoded->len, cache->bytes.data,
                                        cache->bytes.len, cache->mac_key.data, cache->mac_key.len, ws->scratch, ws->scratch_len);
    Py_END_ALLOW_THREADS workspace_give(ws);
    if (status == GIRIH_OK)
        return (PyObject *)ek;
    Py_DECREF((PyObject *)ek);
    if (status == GIRIH_BAD_KEY && cache != NULL)
        return raise_invalid_cache("not a cache of this %s encapsulation key: of another key, set or version, or changed", params->name);
    return raise_status(status);
}

PyObject *encapsulation_key_load(kem_set *params, PyObject *encoded, unsigned caches)
{
    byte_view view;
    PyObject *ek;

    if (view_open(&view, encoded, "an encapsulation key", 1) < 0)
        return NULL;
    ek = load(params, &view, caches, NULL);
    view_close(&view);
    return ek;
}

static int mac_key_open(byte_view *view, PyObject *mac_key)
{
    if (view_open(view, mac_key, "mac_key", 1) < 0)
        return -1;
    if (view->len >= MIN_MAC_KEY_BYTES)
        return 0;
    PyErr_Format(PyExc_ValueError, "a mac_key is at least %d bytes, got %zu", MIN_MAC_KEY_BYTES, view->len);
    view_close(view);
    return -1;
}

static PyObject *import_opened(kem_set *params, PyObject *encoded, cache_view *cache)
{
    byte_view view;
    PyObject *ek;

    cache->caches = cache->bytes.len > CACHES_AT ? cache->bytes.data[CACHES_AT] : 0;
    if (cache->caches > GIRIH_MLKEM_CACHE_ALL)
        cache->caches = 0; /* which the core finds to be not what it says */
    if (view_open(&view, encoded, "an encapsulation key", 1) < 0)
        return NULL;
    ek = load(params, &view, cache->caches, cache);
    view_close(&view);
    return ek;
}

PyObject *encapsulation_key_import(kem_set *params, PyObject *encoded, PyObject *cache, PyObject *mac_key)
{
    cache_view view = {0};
    PyObject *ek;

    if (mac_key != NULL && mac_key_open(&view.mac_key, mac_key) < 0)
        return NULL;
    if (view_open(&view.bytes, cache, "cache", 1) < 0) {
        view_close(&view.mac_key);
        return NULL;
    }
    ek = import_opened(params, encoded, &view);
    view_close(&view.bytes);
    view_close(&view.mac_key);
    return ek;
}

/* ---- encapsulating ---- */

/* (bytearray, bytes) of the lengths of a shared secret and a ciphertext, to be filled. */
static PyObject *pair_new(const kem_set *params)
{
    PyObject *ss = PyByteArray_FromStringAndSize(NULL, params->shared_secret_size);
    PyObject *ct = PyBytes_FromStringAndSize(NULL, params->ciphertext_size);
    PyObject *pair = ss == NULL || ct == NULL ? NULL : PyTuple_Pack(2, ss, ct);

    Py_XDECREF(ss);
    Py_XDECREF(ct);
    return pair;
}

PyObject *encapsulation_key_encaps(encapsulation_key *ek, const uint8_t *m)
{
    PyObject *pair = pair_new(ek->params);
    uint8_t fresh[GIRIH_MLKEM_M_BYTES], *ss, *ct;
    girih_status status = GIRIH_OK;
    workspace *ws;

    if (pair == NULL)
        return NULL;
    ws = workspace_take();
    if (ws == NULL) {
        Py_DECREF(pair);
        return NULL;
    }
    ss = (uint8_t *)PyByteArray_AsString(PyTuple_GetItem(pair, 0)); /* nobody else knows the objects yet */
    ct = (uint8_t *)PyBytes_AsString(PyTuple_GetItem(pair, 1));
    Py_BEGIN_ALLOW_THREADS if (m == NULL) status = girih_random_bytes(fresh, sizeof fresh);
    if (status == GIRIH_OK)
        status = girih_mlkem_ek_encaps(ct, (size_t)ek->params->ciphertext_size, ss, ek->object, m == NULL ? fresh : m, ws->scratch,
                                       ws->scratch_len);
    girih_wipe(fresh, sizeof fresh);
    Py_END_ALLOW_THREADS workspace_give(ws);
    if (status == GIRIH_OK)
        return pair;
    Py_DECREF(pair);
    return raise_status(status);
}

static PyObject *encaps(encapsulation_key *ek, PyObject *unused)
{
    (void)unused;
    return encapsulation_key_encaps(ek, NULL);
}

static PyObject *export_cache(encapsulation_key *ek, PyObject *mac_key)
{
    const size_t bytes = girih_mlkem_export_bytes(ek->params->set, ek->caches);
    PyObject *cache;
    girih_status status;
    byte_view key;
    uint8_t *out;

    if (mac_key_open(&key, mac_key) < 0)
        return NULL;
    cache = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)bytes);
    if (cache == NULL) {
        view_close(&key);
        return NULL;
    }
    out = (uint8_t *)PyBytes_AsString(cache);
    Py_BEGIN_ALLOW_THREADS status = girih_mlkem_ek_export(out, bytes, ek->object, key.data, key.len);
    Py_END_ALLOW_THREADS view_close(&key);
    if (status == GIRIH_OK)
        return cache;
    Py_DECREF(cache);
    return raise_status(status);
}

/* ---- the rest ---- */

static PyObject *to_bytes(encapsulation_key *ek, PyObject *unused)
{
    (void)unused;
    return PyBytes_FromStringAndSize((const char *)encapsulation_key_bytes(ek), ek->params->encapsulation_key_size);
}

static PyObject *compare(encapsulation_key *a, PyObject *other, int op)
{
    const encapsulation_key *b = (const encapsulation_key *)other;
    int equal;

    if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, encapsulation_key_base))
        return Py_NewRef(Py_NotImplemented);
    equal = a->params->set == b->params->set &&
            memcmp(encapsulation_key_bytes(a), encapsulation_key_bytes(b), (size_t)a->params->encapsulation_key_size) == 0;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t hash(encapsulation_key *ek)
{
    PyObject *encoded = to_bytes(ek, NULL);
    Py_hash_t value = encoded == NULL ? -1 : PyObject_Hash(encoded);

    Py_XDECREF(encoded);
    return value;
}

static PyObject *get_parameter_set(encapsulation_key *ek, void *unused)
{
    (void)unused;
    return Py_NewRef((PyObject *)ek->params);
}

static PyObject *get_caches(encapsulation_key *ek, void *unused)
{
    (void)unused;
    return PyLong_FromLong((long)ek->caches);
}

static PyMethodDef methods[] = {
    {"encaps", (PyCFunction)encaps, METH_NOARGS,
     "encaps($self)\n--\n\n"
     "A fresh shared secret, 32 bytes in a bytearray to be wiped after use, and its ciphertext, ciphertext_size bytes.\n\n"
     "Source: FIPS 203, Algorithm 20."},
    {"export_cache", (PyCFunction)export_cache, METH_O,
     "export_cache($self, mac_key, /)\n--\n\n"
     "The caches of this key as bytes, with a MAC (KMAC256 under mac_key), for encapsulation_key(..., cache=, mac_key=) in\n"
     "another process. mac_key: at least 32 bytes, else ValueError, that only its maker and its user know."},
    {"to_bytes", (PyCFunction)to_bytes, METH_NOARGS,
     "to_bytes($self)\n--\n\nThe encoded key, encapsulation_key_size bytes. Source: FIPS 203, section 7.1."},
    {"__bytes__", (PyCFunction)to_bytes, METH_NOARGS, "__bytes__($self)\n--\n\nThe same as to_bytes()."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {{"parameter_set", (getter)get_parameter_set, NULL, "The ParameterSet of the key.", NULL},
                                   {"_caches", (getter)get_caches, NULL, "The caches that the key holds, as a number.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, key_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_richcompare, compare},
                              {Py_tp_hash, hash},
                              {Py_tp_doc, "What the core does with an ML-KEM encapsulation key."},
                              {0, NULL}};

static PyType_Spec spec = {"girih._core.MlKemEncapsulationKey", sizeof(encapsulation_key), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};

int encapsulation_key_add(PyObject *module)
{
    encapsulation_key_base = module_add_type(module, "MlKemEncapsulationKey", &spec);
    return encapsulation_key_base == NULL ? -1 : 0;
}
