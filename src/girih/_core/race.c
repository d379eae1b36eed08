/* Calls of C functions in a loop without Python in between, so that `girih bench --lib` compares C with C.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The caller (girih.bench.native) writes each call as a record of words: the address of the function, the number of its arguments, and
 * the arguments. Every function raced, ours and a peer's, goes through the same loop. The functions return int (0: good) and take only
 * pointers, sizes and enumerations; each of those travels as one word in the calling conventions of the 64-bit systems we build for,
 * enumerations as register arguments. Elsewhere the loop is not offered. Addresses are trusted, as with ctypes: this module is private. */
#include "binding.h"

#include "girih/mlkem.h"

#if UINTPTR_MAX == UINT64_MAX

#define RECORD_WORDS  16u
#define MAX_ARGUMENTS 13u

typedef uint64_t w;
typedef int (*f2)(w, w);
typedef int (*f3)(w, w, w);
typedef int (*f4)(w, w, w, w);
typedef int (*f5)(w, w, w, w, w);
typedef int (*f6)(w, w, w, w, w, w);
typedef int (*f7)(w, w, w, w, w, w, w);
typedef int (*f8)(w, w, w, w, w, w, w, w);
typedef int (*f9)(w, w, w, w, w, w, w, w, w);
typedef int (*f10)(w, w, w, w, w, w, w, w, w, w);
typedef int (*f11)(w, w, w, w, w, w, w, w, w, w, w);
typedef int (*f12)(w, w, w, w, w, w, w, w, w, w, w, w);
typedef int (*f13)(w, w, w, w, w, w, w, w, w, w, w, w, w);

static int call(const w *r)
{
    const uintptr_t f = (uintptr_t)r[0];
    const w *a = r + 2;

    switch (r[1]) {
    case 2:
        return ((f2)f)(a[0], a[1]);
    case 3:
        return ((f3)f)(a[0], a[1], a[2]);
    case 4:
        return ((f4)f)(a[0], a[1], a[2], a[3]);
    case 5:
        return ((f5)f)(a[0], a[1], a[2], a[3], a[4]);
    case 6:
        return ((f6)f)(a[0], a[1], a[2], a[3], a[4], a[5]);
    case 7:
        return ((f7)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    case 8:
        return ((f8)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    case 9:
        return ((f9)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    case 10:
        return ((f10)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
    case 11:
        return ((f11)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10]);
    case 12:
        return ((f12)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
    default: /* 13: the others were refused before the loop */
        return ((f13)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12]);
    }
}

/* run_calls(records): make the calls in order; stops at the first that does not return 0. Returns how many returned 0. */
static PyObject *run_calls(PyObject *module, PyObject *records)
{
    Py_buffer view;
    Py_ssize_t n, i;
    PyThreadState *unlocked;

    (void)module;
    if (PyObject_GetBuffer(records, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    const w *words = view.buf;
    n = view.len / (Py_ssize_t)(RECORD_WORDS * sizeof(w));
    for (i = 0; i < n; i++) {
        const w arguments = words[(size_t)i * RECORD_WORDS + 1];

        if (arguments < 2 || arguments > MAX_ARGUMENTS) {
            PyBuffer_Release(&view);
            PyErr_SetString(PyExc_ValueError, "a call has 2 to 13 arguments");
            return NULL;
        }
    }
    unlocked = PyEval_SaveThread();
    for (i = 0; i < n && call(words + (size_t)i * RECORD_WORDS) == 0; i++)
        ;
    PyEval_RestoreThread(unlocked);
    PyBuffer_Release(&view);
    return PyLong_FromSsize_t(i);
}

static const struct {
    const char *name;
    uintptr_t address;
} raced[] = {
    {"girih_mldsa_keygen", (uintptr_t)girih_mldsa_keygen},
    {"girih_mldsa_seed_load", (uintptr_t)girih_mldsa_seed_load},
    {"girih_mldsa_sk_load", (uintptr_t)girih_mldsa_sk_load},
    {"girih_mldsa_vk_load", (uintptr_t)girih_mldsa_vk_load},
    {"girih_mldsa_sign", (uintptr_t)girih_mldsa_sign},
    {"girih_mldsa_verify", (uintptr_t)girih_mldsa_verify},
    {"girih_mldsa_vk_bytes", (uintptr_t)girih_mldsa_vk_bytes},
    {"girih_mldsa_sk_bytes", (uintptr_t)girih_mldsa_sk_bytes},
    {"girih_mldsa_workspace_bytes", (uintptr_t)girih_mldsa_workspace_bytes},
    {"girih_mlkem_keygen", (uintptr_t)girih_mlkem_keygen},
    {"girih_mlkem_encaps", (uintptr_t)girih_mlkem_encaps},
    {"girih_mlkem_decaps", (uintptr_t)girih_mlkem_decaps},
    {"girih_mlkem_ek_load", (uintptr_t)girih_mlkem_ek_load},
    {"girih_mlkem_ek_export", (uintptr_t)girih_mlkem_ek_export},
    {"girih_mlkem_ek_import", (uintptr_t)girih_mlkem_ek_import},
    {"girih_mlkem_ek_encaps", (uintptr_t)girih_mlkem_ek_encaps},
    {"girih_mlkem_ek_encoding", (uintptr_t)girih_mlkem_ek_encoding},
    {"girih_mlkem_encaps_many", (uintptr_t)girih_mlkem_encaps_many},
    {"girih_mlkem_seed_load", (uintptr_t)girih_mlkem_seed_load},
    {"girih_mlkem_dk_decaps", (uintptr_t)girih_mlkem_dk_decaps},
    {"girih_mlkem_dk_public", (uintptr_t)girih_mlkem_dk_public},
    {"girih_mlkem_decaps_many", (uintptr_t)girih_mlkem_decaps_many},
    {"girih_mlkem_ek_bytes", (uintptr_t)girih_mlkem_ek_bytes},
    {"girih_mlkem_dk_bytes", (uintptr_t)girih_mlkem_dk_bytes},
    {"girih_mlkem_cache_bytes", (uintptr_t)girih_mlkem_cache_bytes},
    {"girih_mlkem_export_bytes", (uintptr_t)girih_mlkem_export_bytes},
    {"girih_mlkem_workspace_bytes", (uintptr_t)girih_mlkem_workspace_bytes},
    {"girih_backend_name", (uintptr_t)girih_backend_name},
    {"girih_random_bytes", (uintptr_t)girih_random_bytes},
};

/* c_functions(): the addresses of the core's functions by name. */
static PyObject *c_functions(PyObject *module, PyObject *unused)
{
    PyObject *all = PyDict_New();

    (void)module;
    (void)unused;
    for (size_t i = 0; all != NULL && i < sizeof raced / sizeof raced[0]; i++) {
        PyObject *address = PyLong_FromSize_t(raced[i].address);

        if (address == NULL || PyDict_SetItemString(all, raced[i].name, address) != 0)
            Py_CLEAR(all);
        Py_XDECREF(address);
    }
    return all;
}

PyMethodDef race_functions[] = {
    {"run_calls", run_calls, METH_O, "run_calls(records) -> int: call C functions; how many in a row returned 0."},
    {"c_functions", c_functions, METH_NOARGS, "c_functions() -> dict: addresses of the core's functions."},
    {NULL, NULL, 0, NULL}};

#else

PyMethodDef race_functions[] = {{NULL, NULL, 0, NULL}};

#endif
