/* Parameter sets of ML-KEM: sizes, names, the makers of keys and the input checks of FIPS 203.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "kem.h"

static const struct {
    girih_mlkem_set set;
    const char *name, *attribute;
    Py_ssize_t security_category; /* FIPS 203, section 8 */
} sets[] = {{GIRIH_MLKEM_512, "ML-KEM-512", "MlKem512", 1},
            {GIRIH_MLKEM_768, "ML-KEM-768", "MlKem768", 3},
            {GIRIH_MLKEM_1024, "ML-KEM-1024", "MlKem1024", 5}};

static PyTypeObject *kem_set_type;

static PyObject *new_set(size_t i, PyTypeObject *ek_type, PyTypeObject *dk_type)
{
    kem_set *p = (kem_set *)PyType_GenericAlloc(kem_set_type, 0);

    if (p == NULL)
        return NULL;
    p->set = sets[i].set;
    p->name = sets[i].name;
    p->attribute = sets[i].attribute;
    p->security_category = sets[i].security_category;
    p->encapsulation_key_size = (Py_ssize_t)girih_mlkem_ek_encoded_bytes(p->set);
    p->decapsulation_key_size = (Py_ssize_t)girih_mlkem_dk_encoded_bytes(p->set);
    p->ciphertext_size = (Py_ssize_t)girih_mlkem_ct_bytes(p->set);
    p->shared_secret_size = GIRIH_MLKEM_SHARED_SECRET_BYTES;
    p->seed_size = GIRIH_MLKEM_SEED_BYTES;
    p->encapsulation_key_type = (PyTypeObject *)Py_NewRef((PyObject *)ek_type);
    p->decapsulation_key_type = (PyTypeObject *)Py_NewRef((PyObject *)dk_type);
    return (PyObject *)p;
}

/* (encapsulation key class, decapsulation key class) -> the three sets, whose keys are of these classes. */
static PyObject *parameter_sets(PyObject *module, PyObject *args)
{
    (void)module;
    return module_parameter_sets(args, "OO:mlkem_parameter_sets", encapsulation_key_base, decapsulation_key_base,
                                 sizeof sets / sizeof sets[0], new_set);
}

int argument_caches(unsigned *caches, PyObject *value)
{
    Py_ssize_t bits;

    *caches = GIRIH_MLKEM_CACHE_ALL;
    if (value == NULL || value == Py_None)
        return 0;
    if (PyBool_Check(value) || !PyIndex_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "caches is a girih.mlkem.Caches, or None");
        return -1;
    }
    bits = PyNumber_AsSsize_t(value, NULL); /* clipped to what a Py_ssize_t holds */
    if (bits < 0 || bits > (Py_ssize_t)GIRIH_MLKEM_CACHE_ALL) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "caches is a sum of A_HAT, H_EK and T_HAT of girih.mlkem.Caches, got %S", value);
        return -1;
    }
    *caches = (unsigned)bits;
    return 0;
}

/* ---- making keys ---- */

static PyObject *key_gen(kem_set *params, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"seed", "caches"};
    static const parameters p = {"key_gen", takes, 0, 1, 2};
    PyObject *a[2], *pair = NULL;
    decapsulation_key *dk;
    encapsulation_key *ek;
    unsigned caches;

    if (arguments_sort(a, &p, args, n, names) < 0 || argument_caches(&caches, a[1]) < 0)
        return NULL;
    if (a[0] == Py_None)
        a[0] = NULL;
    if (a[0] != NULL) {
        byte_view view;

        if (view_open(&view, a[0], "seed", 0) < 0)
            return NULL;
        view_close(&view);
        if (view.len != GIRIH_MLKEM_SEED_BYTES) {
            PyErr_Format(PyExc_ValueError, "an %s seed is %d bytes, got %zu", params->name, GIRIH_MLKEM_SEED_BYTES, view.len);
            return NULL;
        }
    }
    dk = decapsulation_key_load(params, a[0], caches);
    if (dk == NULL)
        return NULL;
    ek = decapsulation_key_public(dk);
    if (ek != NULL)
        pair = PyTuple_Pack(2, (PyObject *)ek, (PyObject *)dk);
    Py_XDECREF((PyObject *)ek);
    Py_DECREF((PyObject *)dk);
    return pair;
}

static PyObject *make_encapsulation_key(kem_set *params, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"data", "caches", "cache", "mac_key", "trusted_cache"};
    static const parameters p = {"encapsulation_key", takes, 1, 1, 5};
    PyObject *a[5];
    unsigned caches;

    if (arguments_sort(a, &p, args, n, names) < 0)
        return NULL;
    for (size_t i = 1; i < sizeof a / sizeof a[0]; i++)
        if (a[i] == Py_None)
            a[i] = NULL;
    if ((a[2] == NULL) != (a[3] == NULL)) {
        PyErr_SetString(PyExc_ValueError, "cache and mac_key are given together; trusted_cache is the one without a MAC");
        return NULL;
    }
    if ((a[1] != NULL) + (a[2] != NULL) + (a[4] != NULL) > 1) {
        PyErr_SetString(PyExc_ValueError, "caches are derived (caches) or imported (cache or trusted_cache): give one of the three");
        return NULL;
    }
    if (a[2] != NULL || a[4] != NULL)
        return encapsulation_key_import(params, a[0], a[2] != NULL ? a[2] : a[4], a[3]);
    return argument_caches(&caches, a[1]) < 0 ? NULL : encapsulation_key_load(params, a[0], caches);
}

static int is_public_half(decapsulation_key *dk, const encapsulation_key *expected)
{
    const uint8_t *own = girih_mlkem_ek_encoding(girih_mlkem_dk_public(dk->object));

    return expected->params->set == dk->params->set &&
           memcmp(own, encapsulation_key_bytes(expected), (size_t)dk->params->encapsulation_key_size) == 0;
}

static PyObject *make_decapsulation_key(kem_set *params, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"data", "caches", "expected"};
    static const parameters p = {"decapsulation_key", takes, 1, 1, 3};
    PyObject *a[3];
    decapsulation_key *dk;
    unsigned caches;

    if (arguments_sort(a, &p, args, n, names) < 0 || argument_caches(&caches, a[1]) < 0)
        return NULL;
    if (a[2] == Py_None)
        a[2] = NULL;
    if (a[2] != NULL && !PyObject_TypeCheck(a[2], encapsulation_key_base)) {
        PyErr_SetString(PyExc_TypeError, "expected must be an ML-KEM EncapsulationKey or None");
        return NULL;
    }
    dk = decapsulation_key_load(params, a[0], caches);
    if (dk == NULL || a[2] == NULL || is_public_half(dk, (encapsulation_key *)a[2]))
        return (PyObject *)dk;
    raise_invalid_key("this %s decapsulation key does not belong to the expected encapsulation key", params->name);
    Py_DECREF((PyObject *)dk);
    return NULL;
}

/* ---- input checks ---- */

static PyObject *check_encapsulation_key(kem_set *params, PyObject *data)
{
    byte_view view;
    girih_status status;

    if (view_open(&view, data, "an encapsulation key", 1) < 0)
        return NULL;
    status = girih_mlkem_check_ek(params->set, view.data, view.len);
    view_close(&view);
    if (status == GIRIH_OK)
        Py_RETURN_NONE;
    return raise_bad_encapsulation_key(status, params, view.len);
}

static PyObject *check_decapsulation_key(kem_set *params, PyObject *data)
{
    const girih_backend backend = backend_active();
    byte_view view;
    girih_status status;

    if (view_open(&view, data, "a decapsulation key", 1) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = girih_mlkem_check_dk(params->set, backend, view.data, view.len);
    Py_END_ALLOW_THREADS view_close(&view);
    if (status == GIRIH_OK)
        Py_RETURN_NONE;
    return raise_bad_decapsulation_key(status, params, view.len);
}

/* ---- the rest ---- */

static PyObject *representation(kem_set *p)
{
    return PyUnicode_FromFormat("girih.%s", p->attribute);
}

/* There is one object a set: pickled and copied by its name in girih.mlkem. */
static PyObject *reduce(kem_set *p, PyObject *unused)
{
    (void)unused;
    return PyUnicode_FromString(p->attribute);
}

static int traverse(kem_set *p, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)p));
    Py_VISIT((PyObject *)p->encapsulation_key_type);
    Py_VISIT((PyObject *)p->decapsulation_key_type);
    return 0;
}

static int clear(kem_set *p)
{
    Py_CLEAR(p->encapsulation_key_type);
    Py_CLEAR(p->decapsulation_key_type);
    return 0;
}

static void set_dealloc(kem_set *p)
{
    PyObject_GC_UnTrack(p);
    (void)clear(p);
    free_object((PyObject *)p);
}

static PyMethodDef methods[] = {
    KEYWORD_METHOD("key_gen", key_gen,
                   "key_gen($self, seed=None, *, caches=None)\n--\n\n"
                   "A key pair (encapsulation key, decapsulation key), from fresh randomness or from a seed.\n\n"
                   "seed: d || z, exactly 64 bytes, else ValueError. caches: what both keys keep of what key generation makes, a\n"
                   "girih.mlkem.Caches; None: all of it. Source: FIPS 203, Algorithms 16 and 19."),
    KEYWORD_METHOD("encapsulation_key", make_encapsulation_key,
                   "encapsulation_key($self, data, *, caches=None, cache=None, mac_key=None, trusted_cache=None)\n--\n\n"
                   "The encapsulation key of its encoding, encapsulation_key_size bytes, else InvalidKey. So is a key with a\n"
                   "coefficient of q or more (FIPS 203, section 7.2).\n\n"
                   "caches: what is derived from it now and kept, a girih.mlkem.Caches; None: all of it.\n"
                   "cache, mac_key: instead, what export_cache(mac_key) of this key gave, else InvalidCache: of another key, set or\n"
                   "version, or changed. trusted_cache: the same, but its MAC is not looked at. Who can forge a cache can read every\n"
                   "secret that is encapsulated with it: take it only from where you would take a decapsulation key."),
    KEYWORD_METHOD("decapsulation_key", make_decapsulation_key,
                   "decapsulation_key($self, data, *, caches=None, expected=None)\n--\n\n"
                   "The decapsulation key of a seed (64 bytes) or of its expanded encoding (decapsulation_key_size bytes).\n\n"
                   "InvalidKey for another length, and for an encoding that fails the hash check (FIPS 203, section 7.3) or whose\n"
                   "encapsulation key fails the modulus check. caches: what is kept, a girih.mlkem.Caches; None: all of it.\n"
                   "expected: the EncapsulationKey that it must belong to, else InvalidKey: finds a wrong seed, and a fault in loading."),
    {"check_encapsulation_key", (PyCFunction)check_encapsulation_key, METH_O,
     "check_encapsulation_key($self, data, /)\n--\n\n"
     "The input check of encapsulation alone: raise InvalidKey for another length than encapsulation_key_size and for a\n"
     "coefficient of q or more. Every key that is made here has passed it. Source: FIPS 203, section 7.2."},
    {"check_decapsulation_key", (PyCFunction)check_decapsulation_key, METH_O,
     "check_decapsulation_key($self, data, /)\n--\n\n"
     "The input check of decapsulation alone: raise InvalidKey for another length than decapsulation_key_size and for a hash\n"
     "that is not that of the encapsulation key inside. Every key that is made here has passed it. Source: FIPS 203,\n"
     "section 7.3."},
    {"__reduce__", (PyCFunction)reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {
    {"name", T_STRING, offsetof(kem_set, name), READONLY, "\"ML-KEM-768\": the name in FIPS 203."},
    {"encapsulation_key_size", T_PYSSIZET, offsetof(kem_set, encapsulation_key_size), READONLY, "Bytes of an encoded encapsulation key."},
    {"decapsulation_key_size", T_PYSSIZET, offsetof(kem_set, decapsulation_key_size), READONLY,
     "Bytes of a decapsulation key's expanded encoding."},
    {"ciphertext_size", T_PYSSIZET, offsetof(kem_set, ciphertext_size), READONLY, "Bytes of a ciphertext."},
    {"shared_secret_size", T_PYSSIZET, offsetof(kem_set, shared_secret_size), READONLY, "Bytes of a shared secret: 32."},
    {"seed_size", T_PYSSIZET, offsetof(kem_set, seed_size), READONLY, "Bytes of a seed, d || z: 64."},
    {"security_category", T_PYSSIZET, offsetof(kem_set, security_category), READONLY, "NIST's category, 1, 3 or 5."},
    {NULL, 0, 0, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, set_dealloc},
                              {Py_tp_traverse, traverse},
                              {Py_tp_clear, clear},
                              {Py_tp_methods, methods},
                              {Py_tp_members, members},
                              {Py_tp_repr, representation},
                              {Py_tp_doc, "A parameter set of ML-KEM: MlKem512, MlKem768 or MlKem1024."},
                              {0, NULL}};

static PyType_Spec spec = {"girih.mlkem.ParameterSet", sizeof(kem_set), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};

static PyMethodDef functions[] = {{"mlkem_parameter_sets", parameter_sets, METH_VARARGS,
                                   "The parameter sets, with the classes of their encapsulation and decapsulation keys."},
                                  {NULL, NULL, 0, NULL}};

int kem_set_add(PyObject *module)
{
    kem_set_type = module_add_type(module, "MlKemParameterSet", &spec);
    return kem_set_type == NULL ? -1 : PyModule_AddFunctions(module, functions);
}
