/* What `girih info` says, and what may be set.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "binding.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "another compiler"
#endif

/* Features of the CPU that girih uses or will be asked about. */
static PyObject *cpu_features(void)
{
    PyObject *features = PyList_New(0);
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    const struct {
        const char *name;
        int present;
    } all[] = {{"sse2", __builtin_cpu_supports("sse2") != 0},       {"ssse3", __builtin_cpu_supports("ssse3") != 0},
               {"avx", __builtin_cpu_supports("avx") != 0},         {"avx2", __builtin_cpu_supports("avx2") != 0},
               {"bmi1", __builtin_cpu_supports("bmi") != 0},        {"bmi2", __builtin_cpu_supports("bmi2") != 0},
               {"avx512f", __builtin_cpu_supports("avx512f") != 0}, {"avx512vl", __builtin_cpu_supports("avx512vl") != 0}};

    for (size_t i = 0; features != NULL && i < sizeof all / sizeof all[0]; i++) {
        PyObject *name;

        if (!all[i].present)
            continue;
        name = PyUnicode_FromString(all[i].name);
        if (name == NULL || PyList_Append(features, name) < 0)
            Py_CLEAR(features);
        Py_XDECREF(name);
    }
#endif
    return features;
}

static PyObject *size_or_none(size_t value)
{
    return value == SIZE_MAX ? Py_NewRef(Py_None) : PyLong_FromSize_t(value);
}

static PyObject *core_info(PyObject *module, PyObject *unused)
{
    slab_figures slab = slab_status();

    (void)module;
    (void)unused;
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:N,s:n,s:n,s:n,s:N,s:n,s:n}", "version", GIRIH_VERSION, "compiler", COMPILER, "flags",
                         GIRIH_BUILD_FLAGS, "commit", GIRIH_BUILD_COMMIT, "cpu_features", cpu_features(), "secret_bytes",
                         (Py_ssize_t)slab.used, "secret_pages_bytes", (Py_ssize_t)slab.mapped, "locked_bytes", (Py_ssize_t)slab.locked,
                         "lock_limit", size_or_none(girih_pages_lock_limit()), "table_budget", (Py_ssize_t)atomic_load(&budget_limit),
                         "table_budget_used", (Py_ssize_t)atomic_load(&budget_used));
}

static PyObject *set_table_budget(PyObject *module, PyObject *bytes)
{
    Py_ssize_t limit;

    (void)module;
    if (PyBool_Check(bytes) || !PyIndex_Check(bytes)) {
        PyErr_SetString(PyExc_TypeError, "the table budget is an int, in bytes");
        return NULL;
    }
    limit = PyNumber_AsSsize_t(bytes, NULL); /* clipped to what a Py_ssize_t holds */
    if (limit < 0) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "the table budget is at least 0 bytes, got %S", bytes);
        return NULL;
    }
    atomic_store(&budget_limit, (size_t)limit);
    Py_RETURN_NONE;
}

PyMethodDef info_functions[] = {{"core_info", core_info, METH_NOARGS, "What girih.core_info() returns."},
                                {"set_table_budget", set_table_budget, METH_O, "What girih.set_table_budget() does."},
                                {NULL, NULL, 0, NULL}};
