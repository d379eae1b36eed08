/* The exceptions of girih.errors, and which status raises which.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdarg.h>

#include "binding.h"

static PyObject *invalid_key, *invalid_cache, *randomness_error, *fault_detected, *attempts_exhausted;

int errors_load(void)
{
    static const struct {
        PyObject **to;
        const char *name;
    } all[] = {{&invalid_key, "InvalidKey"},
               {&invalid_cache, "InvalidCache"},
               {&randomness_error, "RandomnessError"},
               {&fault_detected, "FaultDetected"},
               {&attempts_exhausted, "AttemptsExhausted"}};
    PyObject *errors = PyImport_ImportModule("girih.errors");

    if (errors == NULL)
        return -1;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        PyObject *found = PyObject_GetAttrString(errors, all[i].name);

        if (found == NULL) {
            Py_DECREF(errors);
            return -1;
        }
        Py_XDECREF(*all[i].to);
        *all[i].to = found;
    }
    Py_DECREF(errors);
    return 0;
}

void *raise_invalid_key(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    PyErr_FormatV(invalid_key, format, values);
    va_end(values);
    return NULL;
}

void *raise_invalid_cache(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    PyErr_FormatV(invalid_cache, format, values);
    va_end(values);
    return NULL;
}

PyObject *raise_status(girih_status status)
{
    switch (status) {
    case GIRIH_RANDOMNESS:
        PyErr_SetString(randomness_error, "the operating system gave no random bytes");
        break;
    case GIRIH_ATTEMPTS:
        PyErr_SetString(attempts_exhausted, "no signature within max_attempts attempts: sign again");
        break;
    case GIRIH_FAULT:
        PyErr_SetString(fault_detected, "the signature failed its check and was not released");
        break;
    case GIRIH_BAD_KEY:
        PyErr_SetString(fault_detected, "the tables of a key in memory are no longer what was loaded");
        break;
    case GIRIH_WORKSPACE:
        PyErr_NoMemory();
        break;
    default:
        PyErr_Format(PyExc_SystemError, "girih._core: the core refused checked arguments (status %d)", (int)status);
    }
    return NULL;
}
