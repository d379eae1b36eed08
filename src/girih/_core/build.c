/* How this binary was built: for `girih bench`, whose figures mean little without it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "race.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#if defined(__clang__)
#define COMPILER __VERSION__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#elif defined(_MSC_VER)
#define COMPILER "msvc " TEXT(_MSC_VER)
#else
#define COMPILER ""
#endif

/* Given by CMake: the flags of the core's files, and the commit of the source where it was a git checkout. */
#ifndef GIRIH_BUILD_FLAGS
#define GIRIH_BUILD_FLAGS ""
#endif
#ifndef GIRIH_BUILD_COMMIT
#define GIRIH_BUILD_COMMIT ""
#endif

/* build_info(): compiler, flags and commit; "" where the build did not say. */
static PyObject *build_info(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue("{s:s,s:s,s:s}", "compiler", COMPILER, "flags", GIRIH_BUILD_FLAGS, "commit", GIRIH_BUILD_COMMIT);
}

static PyMethodDef METHODS[] = {
    {"build_info", build_info, METH_NOARGS, "build_info() -> dict: compiler, flags and commit of this binary."},
    {NULL, NULL, 0, NULL},
};

int girih_build_add(PyObject *module)
{
    return PyModule_AddFunctions(module, METHODS);
}
