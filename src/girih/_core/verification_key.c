/* Verification keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "binding.h"

PyTypeObject *verification_key_base;

int key_mode_of(key_mode *mode, PyObject *expand, PyObject *compact)
{
    int expanded = argument_flag(expand), compacted = argument_flag(compact);

    if (expanded < 0 || compacted < 0)
        return -1;
    if (expanded && compacted) {
        PyErr_SetString(PyExc_ValueError, "a key is either expanded or compact: give expand or compact, not both");
        return -1;
    }
    *mode = expanded ? KEY_EXPANDED : compacted ? KEY_COMPACT : KEY_LAZY;
    return 0;
}

/* ---- the table ---- */

girih_mldsa_vk *verification_key_reserve(verification_key *vk, int within_budget)
{
    size_t size = girih_mldsa_vk_bytes(vk->params->set, vk->backend), reserved = within_budget ? size : 0;
    girih_mldsa_vk *table;

    if (atomic_load_explicit(&vk->table, memory_order_acquire) != NULL || atomic_flag_test_and_set(&vk->expanding))
        return NULL;
    if (reserved == 0 || budget_reserve(reserved)) {
        table = table_new(size);
        if (table != NULL) {
            vk->reserved = reserved;
            return table;
        }
        budget_return(reserved);
    }
    atomic_flag_clear(&vk->expanding);
    return NULL;
}

void verification_key_publish(verification_key *vk, girih_mldsa_vk *table)
{
    atomic_store_explicit(&vk->table, table, memory_order_release);
}

void verification_key_withdraw(verification_key *vk, girih_mldsa_vk *table)
{
    table_free(table);
    budget_return(vk->reserved);
    vk->reserved = 0;
    atomic_flag_clear(&vk->expanding);
}

static girih_status load_into(girih_mldsa_vk *table, const verification_key *vk, workspace *ws)
{
    const parameter_set *p = vk->params;

    return girih_mldsa_vk_load(table, girih_mldsa_vk_bytes(p->set, vk->backend), p->set, vk->backend, vk->bytes,
                               (size_t)p->verification_key_size, ws->scratch, ws->scratch_len);
}

/* Make the table now, where there is memory for it and no other thread is at it. Without the GIL. */
static girih_status expand(verification_key *vk, int within_budget, workspace *ws)
{
    girih_mldsa_vk *table = verification_key_reserve(vk, within_budget);
    girih_status status;

    if (table == NULL)
        return GIRIH_OK;
    status = load_into(table, vk, ws);
    if (status == GIRIH_OK)
        verification_key_publish(vk, table);
    else
        verification_key_withdraw(vk, table);
    return status;
}

girih_status verification_key_table(const girih_mldsa_vk **table, verification_key *vk, workspace *ws)
{
    girih_status status = GIRIH_OK;

    *table = atomic_load_explicit(&vk->table, memory_order_acquire);
    if (*table != NULL)
        return GIRIH_OK;
    if (vk->mode != KEY_COMPACT && atomic_fetch_add(&vk->verifications, 1) != 0) {
        status = expand(vk, 1, ws);
        *table = atomic_load_explicit(&vk->table, memory_order_acquire);
    }
    if (status == GIRIH_OK && *table == NULL) {
        *table = ws->vk;
        status = load_into(ws->vk, vk, ws);
    }
    return status;
}

/* ---- making and freeing ---- */

verification_key *verification_key_new(parameter_set *params, key_mode mode)
{
    verification_key *vk = (verification_key *)PyType_GenericAlloc(params->verification_key_type, 0);

    if (vk == NULL)
        return NULL;
    vk->params = (parameter_set *)Py_NewRef((PyObject *)params);
    vk->backend = backend_active();
    vk->mode = mode;
    atomic_init(&vk->table, NULL);
    atomic_init(&vk->verifications, 0);
    atomic_flag_clear(&vk->expanding);
    vk->encoded = PyBytes_FromStringAndSize(NULL, params->verification_key_size);
    if (vk->encoded == NULL) {
        Py_DECREF((PyObject *)vk);
        return NULL;
    }
    vk->bytes = (uint8_t *)PyBytes_AsString(vk->encoded);
    return vk;
}

static PyObject *expand_method(verification_key *vk, PyObject *unused)
{
    workspace *ws = workspace_take();
    girih_status status;

    (void)unused;
    if (ws == NULL)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = expand(vk, 0, ws);
    Py_END_ALLOW_THREADS workspace_give(ws);
    return status == GIRIH_OK ? Py_NewRef(Py_None) : raise_status(status);
}

PyObject *verification_key_load(parameter_set *params, PyObject *encoded, key_mode mode)
{
    verification_key *vk = verification_key_new(params, mode);
    size_t len;

    if (vk == NULL)
        return NULL;
    if (view_copy(vk->bytes, (size_t)params->verification_key_size, &len, encoded, "a verification key") < 0)
        goto failed;
    if (len != (size_t)params->verification_key_size) {
        raise_invalid_key("an %s verification key is %zd bytes, got %zu", params->name, params->verification_key_size, len);
        goto failed;
    }
    if (mode == KEY_EXPANDED) {
        PyObject *done = expand_method(vk, NULL);

        if (done == NULL)
            goto failed;
        Py_DECREF(done);
    }
    return (PyObject *)vk;
failed:
    Py_DECREF((PyObject *)vk);
    return NULL;
}

static void key_dealloc(verification_key *vk)
{
    table_free(atomic_load(&vk->table));
    budget_return(vk->reserved);
    Py_XDECREF(vk->encoded);
    Py_XDECREF((PyObject *)vk->params);
    free_object((PyObject *)vk);
}

/* ---- verifying ---- */

PyObject *verification_key_verify(verification_key *vk, PyObject *sig, const request *r)
{
    workspace *ws = workspace_take();
    const girih_mldsa_vk *table;
    girih_status status = GIRIH_BAD_SIGNATURE;
    size_t sig_len;

    if (ws == NULL)
        return NULL;
    if (view_copy(ws->sig, (size_t)vk->params->signature_size, &sig_len, sig, "sig") < 0) {
        workspace_give(ws);
        return NULL;
    }
    if (sig_len == (size_t)vk->params->signature_size) {
        Py_BEGIN_ALLOW_THREADS status = verification_key_table(&table, vk, ws);
        if (status == GIRIH_OK)
            status = request_verify(r, table, ws->sig, sig_len, ws);
        Py_END_ALLOW_THREADS
    }
    workspace_give(ws);
    if (status != GIRIH_OK && status != GIRIH_BAD_SIGNATURE)
        return raise_status(status);
    return PyBool_FromLong(status == GIRIH_OK);
}

static PyObject *verify_and_close(verification_key *vk, PyObject *sig, request *r, int parsed)
{
    PyObject *result = parsed < 0 ? NULL : verification_key_verify(vk, sig, r);

    request_close(r);
    return result;
}

static PyObject *verify(verification_key *vk, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"sig", "msg", "ctx"};
    static const parameters p = {"verify", takes, 2, 3, 3};
    PyObject *a[3];
    request r;

    if (arguments_sort(a, &p, args, n, names) < 0)
        return NULL;
    return verify_and_close(vk, a[0], &r, request_message(&r, a[1], a[2], 0));
}

static PyObject *verify_mu(verification_key *vk, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"sig", "mu"};
    static const parameters p = {"verify_mu", takes, 2, 2, 2};
    PyObject *a[2];
    request r;

    if (arguments_sort(a, &p, args, n, names) < 0)
        return NULL;
    return verify_and_close(vk, a[0], &r, request_mu(&r, a[1], vk->params));
}

static PyObject *verify_digest(verification_key *vk, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const char *const takes[] = {"sig", "digest", "hash_name", "ctx"};
    static const parameters p = {"verify_digest", takes, 3, 4, 4};
    PyObject *a[4];
    request r;

    if (arguments_sort(a, &p, args, n, names) < 0)
        return NULL;
    return verify_and_close(vk, a[0], &r, request_digest(&r, a[1], a[2], a[3]));
}

/* ---- the rest ---- */

static PyObject *to_bytes(verification_key *vk, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(vk->encoded);
}

static PyObject *compare(verification_key *a, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, verification_key_base))
        return Py_NewRef(Py_NotImplemented);
    /* The lengths of the sets differ. */
    return PyObject_RichCompare(a->encoded, ((verification_key *)other)->encoded, op);
}

static Py_hash_t hash(verification_key *vk)
{
    return PyObject_Hash(vk->encoded);
}

static PyObject *get_parameter_set(verification_key *vk, void *unused)
{
    (void)unused;
    return Py_NewRef((PyObject *)vk->params);
}

static PyObject *get_expanded(verification_key *vk, void *unused)
{
    (void)unused;
    return PyBool_FromLong(atomic_load(&vk->table) != NULL);
}

static PyMethodDef methods[] = {
    KEYWORD_METHOD("verify", verify,
                   "verify($self, sig, msg, ctx=None)\n--\n\n"
                   "True when sig is a valid signature of msg under ctx, else False.\n\n"
                   "sig: any bytes; one of another length than signature_size is not valid. msg: bytes of any length.\n"
                   "ctx: at most 255 bytes, else ValueError; None is b\"\". Source: FIPS 204, Algorithm 3."),
    KEYWORD_METHOD("verify_mu", verify_mu,
                   "verify_mu($self, sig, mu)\n--\n\n"
                   "True when sig is a valid signature of a message whose mu this is, else False.\n\n"
                   "mu: exactly 64 bytes, else ValueError. Source: FIPS 204, Algorithm 8 from line 8 on."),
    KEYWORD_METHOD("verify_digest", verify_digest,
                   "verify_digest($self, sig, digest, hash_name, ctx=None)\n--\n\n"
                   "True when sig is a valid HashML-DSA signature of a digest, else False.\n\n"
                   "digest: as long as the hash says, else ValueError. hash_name: \"SHA2-512\", \"SHAKE-256\", ... or the\n"
                   "spellings of FIPS 204 (\"SHA-512\", \"SHAKE256\"). Source: FIPS 204, Algorithm 5."),
    KEYWORD_METHOD("mu_hasher", mu_hasher,
                   "mu_hasher($self, ctx=None)\n--\n\n"
                   "A hasher that makes the mu of a message from its parts, for verify_mu and sign_mu.\n\n"
                   "ctx: at most 255 bytes, else ValueError. Source: FIPS 204, Algorithm 7, line 6."),
    {"to_bytes", (PyCFunction)to_bytes, METH_NOARGS,
     "to_bytes($self)\n--\n\nThe encoded key, verification_key_size bytes. Source: FIPS 204, Algorithm 22 (pkEncode)."},
    {"__bytes__", (PyCFunction)to_bytes, METH_NOARGS, "__bytes__($self)\n--\n\nThe same as to_bytes()."},
    {"expand", (PyCFunction)expand_method, METH_NOARGS,
     "expand($self)\n--\n\nMake the table now that otherwise the second verification makes. Without the memory for it, do nothing."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {{"parameter_set", (getter)get_parameter_set, NULL, "The ParameterSet of the key.", NULL},
                                   {"expanded", (getter)get_expanded, NULL, "Whether the key holds its table.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, key_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_richcompare, compare},
                              {Py_tp_hash, hash},
                              {Py_tp_doc, "What the core does with an ML-DSA verification key."},
                              {0, NULL}};

static PyType_Spec spec = {"girih._core.MlDsaVerificationKey", sizeof(verification_key), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};

int verification_key_add(PyObject *module)
{
    verification_key_base = module_add_type(module, "MlDsaVerificationKey", &spec);
    return verification_key_base == NULL ? -1 : 0;
}
