/* Signing keys: what they hold, how they are made and compared.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "binding.h"

PyTypeObject *signing_key_base;

/* ---- the tables ---- */

static size_t table_size(const signing_key *sk)
{
    return girih_mldsa_sk_bytes(sk->vk->params->set, sk->vk->backend);
}

/* Derive the tables, and the public key where pk is not NULL, from the seed or the encoded key. Without the GIL. */
static girih_status derive(girih_mldsa_vk *vk_table, girih_mldsa_sk *sk_table, uint8_t *pk, const signing_key *sk, workspace *ws)
{
    const parameter_set *p = sk->vk->params;
    size_t vk_len = girih_mldsa_vk_bytes(p->set, sk->vk->backend), sk_len = table_size(sk);
    size_t pk_len = pk == NULL ? 0 : (size_t)p->verification_key_size;

    if (sk->secret_len == GIRIH_MLDSA_SEED_BYTES)
        return girih_mldsa_seed_load(vk_table, vk_len, sk_table, sk_len, pk, pk_len, p->set, sk->vk->backend, sk->secret, ws->scratch,
                                     ws->scratch_len);
    return girih_mldsa_sk_load(vk_table, vk_len, sk_table, sk_len, pk, pk_len, p->set, sk->vk->backend, sk->secret, sk->secret_len,
                               ws->scratch, ws->scratch_len);
}

/* Memory for the secret table, within the budget or not; NULL where there is none, or another thread is at it. With the GIL. */
static girih_mldsa_sk *reserve(signing_key *sk, int within_budget)
{
    size_t size = table_size(sk), reserved = within_budget ? size : 0;
    girih_mldsa_sk *table;

    if (atomic_load_explicit(&sk->table, memory_order_acquire) != NULL || atomic_flag_test_and_set(&sk->expanding))
        return NULL;
    if (reserved == 0 || budget_reserve(reserved)) {
        table = slab_take(size);
        if (table != NULL) {
            sk->reserved = reserved;
            return table;
        }
        budget_return(reserved);
    }
    atomic_flag_clear(&sk->expanding);
    return NULL;
}

static void withdraw(signing_key *sk, girih_mldsa_sk *table)
{
    slab_give(table, table_size(sk));
    budget_return(sk->reserved);
    sk->reserved = 0;
    atomic_flag_clear(&sk->expanding);
}

void signing_tables_plan(signing_tables *t, signing_key *sk)
{
    const int within_budget = sk->mode == KEY_LAZY;
    const signing_tables none = {NULL, NULL, NULL, NULL, 0};

    *t = none;
    if (sk->mode == KEY_COMPACT)
        return;
    t->new_sk = reserve(sk, within_budget);
    if (t->new_sk == NULL)
        return;
    t->new_vk = verification_key_reserve(sk->vk, within_budget);
    if (t->new_vk == NULL && atomic_load(&sk->vk->table) == NULL) { /* one table alone would not spare a signature the derivation */
        withdraw(sk, t->new_sk);
        t->new_sk = NULL;
    }
}

girih_status signing_tables_open(signing_tables *t, signing_key *sk, workspace *ws, uint8_t *pk)
{
    girih_mldsa_vk *vk_table = t->new_vk != NULL ? t->new_vk : ws->vk;
    girih_mldsa_sk *sk_table = t->new_sk != NULL ? t->new_sk : ws->sk;
    girih_status status;

    t->sk = atomic_load_explicit(&sk->table, memory_order_acquire);
    t->vk = atomic_load_explicit(&sk->vk->table, memory_order_acquire);
    if (t->sk != NULL && t->vk != NULL && t->new_sk == NULL)
        return GIRIH_OK;
    t->in_workspace = t->new_sk == NULL;
    status = derive(vk_table, sk_table, pk, sk, ws);
    t->sk = sk_table;
    t->vk = vk_table;
    if (status != GIRIH_OK)
        return status;
    if (t->new_vk != NULL) {
        verification_key_publish(sk->vk, t->new_vk);
        t->new_vk = NULL;
    }
    if (t->new_sk != NULL) {
        atomic_store_explicit(&sk->table, t->new_sk, memory_order_release);
        t->new_sk = NULL;
    }
    return GIRIH_OK;
}

void signing_tables_close(signing_tables *t, signing_key *sk, workspace *ws)
{
    if (t->in_workspace)
        girih_wipe(ws->sk, table_size(sk));
    if (t->new_vk != NULL)
        verification_key_withdraw(sk->vk, t->new_vk);
    if (t->new_sk != NULL)
        withdraw(sk, t->new_sk);
}

/* A digest taken of a wrong table protects the wrong table: the first checked signature is verified with A sampled afresh. Tables in the
 * workspace are new each time. */
girih_mldsa_options signing_key_options(const signing_key *sk, const signing_tables *t, const girih_mldsa_options *options)
{
    girih_mldsa_options o = *options;

    if (o.checked && (t->in_workspace || !atomic_load(&sk->vouched))) {
        o.pk = sk->vk->bytes;
        o.pk_len = (size_t)sk->vk->params->verification_key_size;
    }
    return o;
}

void signing_key_vouch(signing_key *sk, const signing_tables *t, const girih_mldsa_options *options)
{
    if (options->pk != NULL && !t->in_workspace)
        atomic_store(&sk->vouched, 1);
}

/* ---- making and freeing ---- */

/* A key that holds nothing yet but the room for its secret. */
static signing_key *signing_key_new(parameter_set *params, size_t secret_len, key_mode mode)
{
    signing_key *sk = (signing_key *)PyType_GenericAlloc(params->signing_key_type, 0);

    if (sk == NULL)
        return NULL;
    sk->mode = mode;
    atomic_init(&sk->table, NULL);
    atomic_flag_clear(&sk->expanding);
    sk->vk = verification_key_new(params, mode);
    if (sk->vk != NULL) {
        sk->secret = slab_take(secret_len);
        sk->secret_len = secret_len;
        if (sk->secret != NULL)
            return sk;
        PyErr_NoMemory();
    }
    Py_DECREF((PyObject *)sk);
    return NULL;
}

/* Derive what follows from the secret, from a fresh seed where `fresh`. */
static girih_status signing_key_fill(signing_key *sk, int fresh, workspace *ws)
{
    signing_tables t = {NULL, NULL, NULL, NULL, 0};
    girih_status status = GIRIH_OK;

    if (sk->mode == KEY_EXPANDED)
        signing_tables_plan(&t, sk);
    Py_BEGIN_ALLOW_THREADS if (fresh) status = girih_random_bytes(sk->secret, sk->secret_len);
    if (status == GIRIH_OK)
        status = signing_tables_open(&t, sk, ws, sk->vk->bytes);
    Py_END_ALLOW_THREADS signing_tables_close(&t, sk, ws);
    return status;
}

/* The length of the secret, which tells a seed from an encoded key; 0 and an exception when it is neither. */
static size_t secret_length(const parameter_set *params, PyObject *secret)
{
    byte_view view;

    if (view_open(&view, secret, "a signing key", 0) < 0)
        return 0;
    view_close(&view);
    if (view.len == GIRIH_MLDSA_SEED_BYTES || view.len == (size_t)params->signing_key_size)
        return view.len;
    raise_invalid_key("an %s signing key is %zd bytes, or a seed of %d, got %zu", params->name, params->signing_key_size,
                      GIRIH_MLDSA_SEED_BYTES, view.len);
    return 0;
}

signing_key *signing_key_load(parameter_set *params, PyObject *secret, key_mode mode)
{
    size_t len = secret == NULL ? GIRIH_MLDSA_SEED_BYTES : secret_length(params, secret), got = len;
    signing_key *sk;
    workspace *ws;
    girih_status status;

    if (len == 0)
        return NULL;
    /* A key from a seed holds its tables at once: what is derived to make it is kept. */
    sk = signing_key_new(params, len, len == GIRIH_MLDSA_SEED_BYTES && mode == KEY_LAZY ? KEY_EXPANDED : mode);
    if (sk == NULL)
        return NULL;
    if (secret != NULL && view_copy(sk->secret, len, &got, secret, "a signing key") < 0)
        goto failed;
    if (got != len) {
        PyErr_SetString(PyExc_ValueError, "the length of a signing key's buffer changed while it was read");
        goto failed;
    }
    ws = workspace_take();
    if (ws == NULL)
        goto failed;
    status = signing_key_fill(sk, secret == NULL, ws);
    workspace_give(ws);
    if (status == GIRIH_OK)
        return sk;
    if (status == GIRIH_BAD_KEY)
        raise_invalid_key("not an %s signing key: s1 or s2 is out of range, or t0 or tr is not what rho, s1 and s2 give", params->name);
    else
        raise_status(status);
failed:
    Py_DECREF((PyObject *)sk);
    return NULL;
}

static void key_dealloc(signing_key *sk)
{
    if (sk->vk != NULL)
        slab_give(atomic_load(&sk->table), table_size(sk));
    slab_give(sk->secret, sk->secret_len);
    budget_return(sk->reserved);
    Py_XDECREF((PyObject *)sk->vk);
    free_object((PyObject *)sk);
}

/* ---- the encoded form ---- */

/* FIPS 204, Algorithm 24 (skEncode) of the key. Without the GIL. */
static girih_status encode(uint8_t *encoded, const signing_key *sk, workspace *ws)
{
    const parameter_set *p = sk->vk->params;

    if (sk->secret_len != GIRIH_MLDSA_SEED_BYTES) {
        memcpy(encoded, sk->secret, sk->secret_len);
        return GIRIH_OK;
    }
    /* The public key comes out too; the memory of a table has room for it. */
    return girih_mldsa_keygen((uint8_t *)ws->vk, (size_t)p->verification_key_size, encoded, (size_t)p->signing_key_size, p->set,
                              sk->vk->backend, sk->secret, ws->scratch, ws->scratch_len);
}

static PyObject *to_bytes(signing_key *sk, PyObject *unused)
{
    PyObject *encoded = PyByteArray_FromStringAndSize(NULL, sk->vk->params->signing_key_size);
    workspace *ws;
    uint8_t *out;
    girih_status status;

    (void)unused;
    if (encoded == NULL)
        return NULL;
    ws = workspace_take();
    if (ws == NULL) {
        Py_DECREF(encoded);
        return NULL;
    }
    out = (uint8_t *)PyByteArray_AsString(encoded);
    Py_BEGIN_ALLOW_THREADS status = encode(out, sk, ws);
    Py_END_ALLOW_THREADS workspace_give(ws);
    if (status == GIRIH_OK)
        return encoded;
    Py_DECREF(encoded);
    return raise_status(status);
}

static PyObject *seed(signing_key *sk, PyObject *unused)
{
    (void)unused;
    if (sk->secret_len != GIRIH_MLDSA_SEED_BYTES)
        return Py_NewRef(Py_None);
    return PyByteArray_FromStringAndSize((const char *)sk->secret, (Py_ssize_t)sk->secret_len);
}

/* Whether the encodings are equal: 1 or 0; -1 and an exception. The time depends only on the set and on what the keys were made from. */
static int equal_keys(const signing_key *a, const signing_key *b)
{
    const size_t size = (size_t)a->vk->params->signing_key_size;
    const signing_key *with_seed = a->secret_len == GIRIH_MLDSA_SEED_BYTES ? a : b, *other = with_seed == a ? b : a;
    uint8_t *encoded;
    workspace *ws;
    girih_status status;
    int equal;

    if (a->vk->params->set != b->vk->params->set)
        return 0;
    if (a->secret_len == b->secret_len)
        return girih_equal(a->secret, b->secret, a->secret_len);
    encoded = slab_take(size);
    if (encoded == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    ws = workspace_take();
    if (ws == NULL) {
        slab_give(encoded, size);
        return -1;
    }
    Py_BEGIN_ALLOW_THREADS status = encode(encoded, with_seed, ws);
    equal = status == GIRIH_OK ? girih_equal(encoded, other->secret, size) : -1;
    Py_END_ALLOW_THREADS workspace_give(ws);
    slab_give(encoded, size);
    if (status != GIRIH_OK)
        raise_status(status);
    return equal;
}

static PyObject *compare(signing_key *a, PyObject *other, int op)
{
    int equal;

    if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, signing_key_base))
        return Py_NewRef(Py_NotImplemented);
    equal = equal_keys(a, (signing_key *)other);
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject *get_verification_key(signing_key *sk, void *unused)
{
    (void)unused;
    return Py_NewRef((PyObject *)sk->vk);
}

static PyObject *get_parameter_set(signing_key *sk, void *unused)
{
    (void)unused;
    return Py_NewRef((PyObject *)sk->vk->params);
}

static PyObject *get_expanded(signing_key *sk, void *unused)
{
    (void)unused;
    return PyBool_FromLong(atomic_load(&sk->table) != NULL);
}

static PyMethodDef methods[] = {
    KEYWORD_METHOD("sign", sign_message,
                   "sign($self, msg, ctx=None, deterministic=False, *, max_attempts=None, checked=False)\n--\n\n"
                   "The signature of msg under ctx, signature_size bytes.\n\n"
                   "msg: bytes of any length. ctx: at most 255 bytes, else ValueError; None is b\"\".\n"
                   "deterministic: the same signature each time, without fresh randomness.\n"
                   "max_attempts: an int >= 1; raise AttemptsExhausted when that many attempts gave no signature. Below 814 this is\n"
                   "not FIPS 204 Sign (its appendix C); with deterministic it is refused (ValueError). None: no limit.\n"
                   "checked: verify before releasing, or raise FaultDetected. Source: FIPS 204, Algorithm 2."),
    KEYWORD_METHOD("sign_mu", sign_mu,
                   "sign_mu($self, mu, deterministic=False, *, max_attempts=None, checked=False)\n--\n\n"
                   "The signature of the message whose mu this is.\n\n"
                   "mu: exactly 64 bytes, else ValueError. The rest as in sign. Source: FIPS 204, Algorithm 7 from line 7 on."),
    KEYWORD_METHOD(
        "sign_digest", sign_digest,
        "sign_digest($self, digest, hash_name, ctx=None, deterministic=False, *, max_attempts=None, checked=False)\n--\n\n"
        "The HashML-DSA signature of a digest.\n\n"
        "digest: as long as the hash says, else ValueError. hash_name: \"SHA2-512\", \"SHAKE-256\", ... or the spellings of\n"
        "FIPS 204 (\"SHA-512\", \"SHAKE256\"). A hash weaker than the set weakens the signature: of the approved ones (FIPS 204,\n"
        "5.4), those with a digest of 224 bits are below every set (for ML-DSA-44 the standard asks for 128 bits of collision\n"
        "strength, 192 for ML-DSA-65, 256 for ML-DSA-87), those of 256 bits and SHAKE-128 are below ML-DSA-65, and those of\n"
        "384 bits below ML-DSA-87. The rest as in sign. Source: FIPS 204, Algorithm 4."),
    KEYWORD_METHOD("mu_hasher", sign_mu_hasher, "mu_hasher($self, ctx=None)\n--\n\nThe mu_hasher of the verification key."),
    {"to_bytes", (PyCFunction)to_bytes, METH_NOARGS,
     "to_bytes($self)\n--\n\n"
     "The expanded encoding, signing_key_size bytes, in a bytearray to be wiped after use. Source: FIPS 204, Algorithm 24 (skEncode)."},
    {"seed", (PyCFunction)seed, METH_NOARGS,
     "seed($self)\n--\n\nThe 32-byte seed in a bytearray to be wiped after use, or None where the key came without one."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {
    {"verification_key", (getter)get_verification_key, NULL, "The VerificationKey of the pair; both use one public table.", NULL},
    {"parameter_set", (getter)get_parameter_set, NULL, "The ParameterSet of the key.", NULL},
    {"expanded", (getter)get_expanded, NULL, "Whether the key holds its tables.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, key_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_richcompare, compare},
                              {Py_tp_hash, PyObject_HashNotImplemented},
                              {Py_tp_doc, "What the core does with an ML-DSA signing key."},
                              {0, NULL}};

static PyType_Spec spec = {"girih._core.MlDsaSigningKey", sizeof(signing_key), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};

int signing_key_add(PyObject *module)
{
    signing_key_base = module_add_type(module, "MlDsaSigningKey", &spec);
    return signing_key_base == NULL ? -1 : 0;
}
