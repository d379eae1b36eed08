/* Bytes-like objects.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "binding.h"

static int copy_out(byte_view *view)
{
    int failed;

    view->copy = PyMem_Malloc(view->len == 0 ? 1 : view->len);
    if (view->copy == NULL) {
        PyErr_NoMemory();
        failed = -1;
    } else {
        failed = PyBuffer_ToContiguous(view->copy, &view->pin, view->pin.len, 'C');
    }
    PyBuffer_Release(&view->pin);
    view->pinned = 0;
    view->data = view->copy;
    if (failed)
        view_close(view);
    return failed;
}

int view_open(byte_view *view, PyObject *object, const char *what, int frozen)
{
    view->pinned = 0;
    view->copy = NULL;
    if (PyBytes_CheckExact(object)) { /* immutable, and the caller holds it */
        view->data = (const uint8_t *)PyBytes_AsString(object);
        view->len = (size_t)PyBytes_Size(object);
        return 0;
    }
    if (!PyObject_CheckBuffer(object)) {
        PyObject *type = PyType_GetName(Py_TYPE(object));

        if (type != NULL)
            PyErr_Format(PyExc_TypeError, "%s must be bytes-like, not %U", what, type);
        Py_XDECREF(type);
        return -1;
    }
    if (PyObject_GetBuffer(object, &view->pin, PyBUF_FULL_RO) != 0)
        return -1;
    view->pinned = 1;
    view->data = view->pin.buf;
    view->len = (size_t)view->pin.len;
    return frozen || !PyBuffer_IsContiguous(&view->pin, 'C') ? copy_out(view) : 0;
}

void view_close(byte_view *view)
{
    if (view->pinned)
        PyBuffer_Release(&view->pin);
    if (view->copy != NULL) {
        girih_wipe(view->copy, view->len);
        PyMem_Free(view->copy);
    }
    view->pinned = 0;
    view->copy = NULL;
}

int view_copy(uint8_t *out, size_t max, size_t *len, PyObject *object, const char *what)
{
    byte_view view;

    if (view_open(&view, object, what, 0) < 0)
        return -1;
    *len = view.len;
    if (view.len != 0 && view.len <= max)
        memcpy(out, view.data, view.len);
    view_close(&view);
    return 0;
}
