/* Parameter sets: sizes, names, and the makers of keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "binding.h"

static const struct {
    girih_mldsa_set set;
    const char *name, *attribute;
    Py_ssize_t security_category; /* FIPS 204, table 1 */
} sets[] = {
    {GIRIH_MLDSA_44, "ML-DSA-44", "MlDsa44", 2}, {GIRIH_MLDSA_65, "ML-DSA-65", "MlDsa65", 3}, {GIRIH_MLDSA_87, "ML-DSA-87", "MlDsa87", 5}};

static PyTypeObject *parameter_set_type;

static PyObject *new_set(size_t i, PyTypeObject *vk_type, PyTypeObject *sk_type)
{
    parameter_set *p = (parameter_set *)PyType_GenericAlloc(parameter_set_type, 0);

    if (p == NULL)
        return NULL;
    p->set = sets[i].set;
    p->name = sets[i].name;
    p->attribute = sets[i].attribute;
    p->security_category = sets[i].security_category;
    p->verification_key_size = (Py_ssize_t)girih_mldsa_public_key_bytes(p->set);
    p->signing_key_size = (Py_ssize_t)girih_mldsa_secret_key_bytes(p->set);
    p->signature_size = (Py_ssize_t)girih_mldsa_signature_bytes(p->set);
    p->seed_size = GIRIH_MLDSA_SEED_BYTES;
    p->verification_key_type = (PyTypeObject *)Py_NewRef((PyObject *)vk_type);
    p->signing_key_type = (PyTypeObject *)Py_NewRef((PyObject *)sk_type);
    return (PyObject *)p;
}

/* (verification key class, signing key class) -> the three sets, whose keys are of these classes. */
static PyObject *parameter_sets(PyObject *module, PyObject *args)
{
    (void)module;
    return module_parameter_sets(args, "OO:mldsa_parameter_sets", verification_key_base, signing_key_base, sizeof sets / sizeof sets[0],
                                 new_set);
}

/* ---- making keys ---- */

static PyObject *key_gen(parameter_set *params, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"seed", "expand", "compact"};
    static const parameters p = {"key_gen", takes, 0, 1, 3};
    PyObject *a[3], *pair;
    signing_key *sk;
    key_mode mode;

    if (arguments_sort(a, &p, args, n, names) < 0 || key_mode_of(&mode, a[1], a[2]) < 0)
        return NULL;
    if (a[0] == Py_None)
        a[0] = NULL;
    if (a[0] != NULL) {
        byte_view view;

        if (view_open(&view, a[0], "seed", 0) < 0)
            return NULL;
        view_close(&view);
        if (view.len != GIRIH_MLDSA_SEED_BYTES) {
            PyErr_Format(PyExc_ValueError, "an %s seed is %d bytes, got %zu", params->name, GIRIH_MLDSA_SEED_BYTES, view.len);
            return NULL;
        }
    }
    sk = signing_key_load(params, a[0], mode);
    if (sk == NULL)
        return NULL;
    pair = PyTuple_Pack(2, (PyObject *)sk->vk, (PyObject *)sk);
    Py_DECREF((PyObject *)sk);
    return pair;
}

static PyObject *make_verification_key(parameter_set *params, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"data", "expand", "compact"};
    static const parameters p = {"verification_key", takes, 1, 1, 3};
    PyObject *a[3];
    key_mode mode;

    if (arguments_sort(a, &p, args, n, names) < 0 || key_mode_of(&mode, a[1], a[2]) < 0)
        return NULL;
    return verification_key_load(params, a[0], mode);
}

static PyObject *make_signing_key(parameter_set *params, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"data", "expand", "compact", "expected"};
    static const parameters p = {"signing_key", takes, 1, 1, 4};
    PyObject *a[4];
    verification_key *expected = NULL;
    key_mode mode;
    signing_key *sk;

    if (arguments_sort(a, &p, args, n, names) < 0 || key_mode_of(&mode, a[1], a[2]) < 0)
        return NULL;
    if (a[3] != NULL && a[3] != Py_None) {
        if (!PyObject_TypeCheck(a[3], verification_key_base)) {
            PyErr_SetString(PyExc_TypeError, "expected must be an ML-DSA VerificationKey or None");
            return NULL;
        }
        expected = (verification_key *)a[3];
    }
    sk = signing_key_load(params, a[0], mode);
    if (sk == NULL || expected == NULL)
        return (PyObject *)sk;
    if (expected->params->set == params->set && memcmp(sk->vk->bytes, expected->bytes, (size_t)params->verification_key_size) == 0)
        return (PyObject *)sk;
    raise_invalid_key("this %s signing key does not belong to the expected verification key", params->name);
    Py_DECREF((PyObject *)sk);
    return NULL;
}

/* ---- the rest ---- */

static PyObject *representation(parameter_set *p)
{
    return PyUnicode_FromFormat("girih.%s", p->attribute);
}

/* There is one object a set: pickled and copied by its name in girih.mldsa. */
static PyObject *reduce(parameter_set *p, PyObject *unused)
{
    (void)unused;
    return PyUnicode_FromString(p->attribute);
}

static int traverse(parameter_set *p, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)p));
    Py_VISIT((PyObject *)p->verification_key_type);
    Py_VISIT((PyObject *)p->signing_key_type);
    return 0;
}

static int clear(parameter_set *p)
{
    Py_CLEAR(p->verification_key_type);
    Py_CLEAR(p->signing_key_type);
    return 0;
}

static void set_dealloc(parameter_set *p)
{
    PyObject_GC_UnTrack(p);
    (void)clear(p);
    free_object((PyObject *)p);
}

static PyMethodDef methods[] = {
    KEYWORD_METHOD("key_gen", key_gen,
                   "key_gen($self, seed=None, *, expand=False, compact=False)\n--\n\n"
                   "A key pair (verification key, signing key), from fresh randomness or from a seed.\n\n"
                   "seed: exactly 32 bytes, else ValueError. The keys hold their tables at once; with compact they never do: small,\n"
                   "and slower at each call. Source: FIPS 204, Algorithms 1 and 6."),
    KEYWORD_METHOD("verification_key", make_verification_key,
                   "verification_key($self, data, *, expand=False, compact=False)\n--\n\n"
                   "The verification key of its encoding, verification_key_size bytes, else InvalidKey.\n\n"
                   "expand: make its table at once, not at the second verification; compact: never."),
    KEYWORD_METHOD("signing_key", make_signing_key,
                   "signing_key($self, data, *, expand=False, compact=False, expected=None)\n--\n\n"
                   "The signing key of a seed (32 bytes) or of its expanded encoding (signing_key_size bytes).\n\n"
                   "expected: the VerificationKey that it must belong to, else InvalidKey: finds a wrong seed, and a fault in loading.\n"
                   "InvalidKey for another length, and for an encoding that is out of range or contradicts itself. A key from a seed\n"
                   "holds its tables at once, one from the encoding makes them at its first signature. expand: at once; compact: never."),
    {"__reduce__", (PyCFunction)reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {
    {"name", T_STRING, offsetof(parameter_set, name), READONLY, "\"ML-DSA-65\": the name in FIPS 204."},
    {"verification_key_size", T_PYSSIZET, offsetof(parameter_set, verification_key_size), READONLY,
     "Bytes of an encoded verification key."},
    {"signing_key_size", T_PYSSIZET, offsetof(parameter_set, signing_key_size), READONLY, "Bytes of a signing key's expanded encoding."},
    {"signature_size", T_PYSSIZET, offsetof(parameter_set, signature_size), READONLY, "Bytes of a signature."},
    {"seed_size", T_PYSSIZET, offsetof(parameter_set, seed_size), READONLY, "Bytes of a seed: 32."},
    {"security_category", T_PYSSIZET, offsetof(parameter_set, security_category), READONLY, "NIST's category, 2, 3 or 5."},
    {NULL, 0, 0, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, set_dealloc},
                              {Py_tp_traverse, traverse},
                              {Py_tp_clear, clear},
                              {Py_tp_methods, methods},
                              {Py_tp_members, members},
                              {Py_tp_repr, representation},
                              {Py_tp_doc, "A parameter set of ML-DSA: MlDsa44, MlDsa65 or MlDsa87."},
                              {0, NULL}};

static PyType_Spec spec = {"girih.mldsa.ParameterSet", sizeof(parameter_set), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};

static PyMethodDef functions[] = {
    {"mldsa_parameter_sets", parameter_sets, METH_VARARGS, "The parameter sets, with the classes of their verification and signing keys."},
    {NULL, NULL, 0, NULL}};

int parameter_set_add(PyObject *module)
{
    parameter_set_type = module_add_type(module, "ParameterSet", &spec);
    return parameter_set_type == NULL ? -1 : PyModule_AddFunctions(module, functions);
}
