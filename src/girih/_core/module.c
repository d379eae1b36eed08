/* The module girih._core, and the backend that new keys use.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "kem.h"

static girih_backend active;

girih_backend backend_active(void)
{
    return active;
}

static const girih_backend all_backends[] = {GIRIH_BACKEND_C, GIRIH_BACKEND_C32, GIRIH_BACKEND_AVX2, GIRIH_BACKEND_AVX512};

static PyObject *backends(PyObject *module, PyObject *unused)
{
    PyObject *names = PyList_New(0), *tuple;

    (void)module;
    (void)unused;
    for (size_t i = 0; names != NULL && i < sizeof all_backends / sizeof all_backends[0]; i++) {
        PyObject *name;

        if (!girih_backend_available(all_backends[i]))
            continue;
        name = PyUnicode_FromString(girih_backend_name(all_backends[i]));
        if (name == NULL || PyList_Append(names, name) < 0)
            Py_CLEAR(names);
        Py_XDECREF(name);
    }
    if (names == NULL)
        return NULL;
    tuple = PyList_AsTuple(names);
    Py_DECREF(names);
    return tuple;
}

static PyObject *backend(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(girih_backend_name(active));
}

static PyObject *use_backend(PyObject *module, PyObject *name)
{
    PyObject *available;

    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "the name of a backend is a str");
        return NULL;
    }
    for (size_t i = 0; i < sizeof all_backends / sizeof all_backends[0]; i++)
        if (girih_backend_available(all_backends[i]) && PyUnicode_CompareWithASCIIString(name, girih_backend_name(all_backends[i])) == 0) {
            active = all_backends[i];
            Py_RETURN_NONE;
        }
    available = backends(module, NULL);
    if (available != NULL)
        PyErr_Format(PyExc_ValueError, "there is no backend %R here: this build, on this CPU, has %R", name, available);
    Py_XDECREF(available);
    return NULL;
}

PyObject *module_parameter_sets(PyObject *args, const char *format, PyTypeObject *public_base, PyTypeObject *private_base, size_t count,
                                set_maker *make)
{
    PyObject *public_class, *private_class, *all;
    PyTypeObject *public_type, *private_type;

    if (!PyArg_ParseTuple(args, format, &public_class, &private_class))
        return NULL;
    public_type = argument_subtype(public_class, public_base);
    private_type = public_type == NULL ? NULL : argument_subtype(private_class, private_base);
    if (private_type == NULL)
        return NULL;
    all = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; all != NULL && i < count; i++) {
        PyObject *set = make(i, public_type, private_type);

        if (set == NULL || PyTuple_SetItem(all, (Py_ssize_t)i, set) < 0)
            Py_CLEAR(all);
    }
    return all;
}

PyTypeObject *module_add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);

    if (type != NULL && PyModule_AddObjectRef(module, name, type) < 0)
        Py_CLEAR(type);
    return (PyTypeObject *)type;
}

void free_object(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc tp_free = (freefunc)PyType_GetSlot(type, Py_tp_free);

    tp_free(object);
    Py_DECREF((PyObject *)type);
}

/* The types and the memory behind them are the process's: one interpreter may use them. */
static int claim_interpreter(void)
{
    static int64_t owner = -1;
    int64_t here = PyInterpreterState_GetID(PyInterpreterState_Get());

    if (owner != -1 && owner != here) {
        PyErr_SetString(PyExc_ImportError, "girih works in one interpreter of a process");
        return -1;
    }
    owner = here;
    return 0;
}

static int load(PyObject *module)
{
    if (claim_interpreter() < 0 || errors_load() < 0 || slab_init() < 0 || workspaces_init() < 0)
        return -1;
    active = girih_backend_detect();
    if (parameter_set_add(module) < 0 || verification_key_add(module) < 0 || signing_key_add(module) < 0 || mu_hasher_add(module) < 0)
        return -1;
    if (kem_set_add(module) < 0 || encapsulation_key_add(module) < 0 || decapsulation_key_add(module) < 0)
        return -1;
    if (PyModule_AddFunctions(module, batch_functions) < 0 || PyModule_AddFunctions(module, kem_batch_functions) < 0 ||
        PyModule_AddFunctions(module, export_functions) < 0 || PyModule_AddFunctions(module, internal_functions) < 0 ||
        PyModule_AddFunctions(module, race_functions) < 0)
        return -1;
    return PyModule_AddFunctions(module, info_functions);
}

static PyMethodDef functions[] = {{"backend", backend, METH_NOARGS, "The name of the backend that new keys use."},
                                  {"backends", backends, METH_NOARGS, "The names of the backends that this build has and this CPU runs."},
                                  {"use_backend", use_backend, METH_O, "Choose the backend of new keys."},
                                  {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot slots[] = {{Py_mod_exec, load},
#if defined(Py_GIL_DISABLED)
                                   {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
                                   {0, NULL}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "girih._core", .m_doc = "The binding of girih's core.",
                                 .m_methods = functions, .m_slots = slots};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
