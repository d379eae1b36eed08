/* Arguments of a call: by position, by name, or left out.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "binding.h"

static Py_ssize_t place_of(const parameters *p, PyObject *name)
{
    for (Py_ssize_t i = 0; i < p->count; i++)
        if (PyUnicode_CompareWithASCIIString(name, p->names[i]) == 0)
            return i;
    return -1;
}

int arguments_sort(PyObject **out, const parameters *p, PyObject *const *args, Py_ssize_t n_positional, PyObject *keyword_names)
{
    Py_ssize_t n_keywords = keyword_names == NULL ? 0 : PyTuple_Size(keyword_names);

    for (Py_ssize_t i = 0; i < p->count; i++)
        out[i] = i < n_positional ? args[i] : NULL;
    if (n_positional > p->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %zd positional arguments, got %zd", p->function, p->positional, n_positional);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n_keywords; i++) {
        PyObject *name = PyTuple_GetItem(keyword_names, i);
        Py_ssize_t at = place_of(p, name);

        if (at < 0) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", p->function, name);
            return -1;
        }
        if (out[at] != NULL) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%s'", p->function, p->names[at]);
            return -1;
        }
        out[at] = args[n_positional + i];
    }
    for (Py_ssize_t i = 0; i < p->required; i++)
        if (out[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() is missing its argument '%s'", p->function, p->names[i]);
            return -1;
        }
    return 0;
}

int argument_flag(PyObject *value)
{
    return value == NULL ? 0 : PyObject_IsTrue(value);
}

PyTypeObject *argument_subtype(PyObject *type, PyTypeObject *base)
{
    if (PyType_Check(type) && PyType_IsSubtype((PyTypeObject *)type, base))
        return (PyTypeObject *)type;
    PyErr_Format(PyExc_TypeError, "%R is not a subclass of %R", type, base);
    return NULL;
}

int argument_max_attempts(uint32_t *max_attempts, PyObject *value)
{
    PyObject *number;
    long long n;
    int overflow;

    *max_attempts = 0;
    if (value == NULL || value == Py_None)
        return 0;
    if (PyBool_Check(value) || !PyIndex_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "max_attempts is an int >= 1, or None");
        return -1;
    }
    number = PyNumber_Index(value);
    if (number == NULL)
        return -1;
    n = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow < 0 || (overflow == 0 && n < 1)) {
        PyErr_Format(PyExc_ValueError, "max_attempts is an int >= 1, got %S", number);
        Py_DECREF(number);
        return -1;
    }
    Py_DECREF(number);
    /* A budget that no signature uses up is as good as one that does not fit. */
    *max_attempts = overflow > 0 || n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    return 0;
}
