/* girih._core: the core of girih for Python, on CPython's limited API (one binary for 3.11 and later).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How a call runs: its arguments are sorted and checked, what is short is copied and the message pinned (a bytes-like object's memory,
 * which then cannot move); a workspace is taken from the pool; the GIL is released; the core works; the GIL is taken again. Nothing that
 * runs without the GIL touches a Python object, and nothing takes a lock there, so that a fork in another thread finds every lock free. */
#ifndef GIRIH_BINDING_H
#define GIRIH_BINDING_H

#if !defined(Py_GIL_DISABLED) && !defined(Py_LIMITED_API)
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdatomic.h>
#include <structmember.h>

#include "girih/mldsa.h"
#include "girih/pages.h"
#include "girih/random.h"

/* ---- errors.c ---- */

int errors_load(void);
/* Raise InvalidKey, or InvalidCache, with a message. Both return NULL. */
void *raise_invalid_key(const char *format, ...);
void *raise_invalid_cache(const char *format, ...);
/* Raise what a status other than GIRIH_OK and GIRIH_BAD_SIGNATURE means to a caller whose arguments were checked. Returns NULL. */
PyObject *raise_status(girih_status status);

/* ---- arguments.c ---- */

/* What a function takes: the first `positional` names by position or name, the others by name only. */
typedef struct {
    const char *function;
    const char *const *names;
    Py_ssize_t required, positional, count;
} parameters;

/* Sort the arguments of a METH_FASTCALL | METH_KEYWORDS call into out[count], NULL where none was given. -1 and TypeError on a mistake. */
int arguments_sort(PyObject **out, const parameters *p, PyObject *const *args, Py_ssize_t n_positional, PyObject *keyword_names);
/* A flag, default 0; -1 on an error. */
int argument_flag(PyObject *value);
/* A class that must be one of base; NULL and TypeError when it is not. Borrowed. */
PyTypeObject *argument_subtype(PyObject *type, PyTypeObject *base);
/* max_attempts; None: 0, as many as it takes. -1: TypeError or ValueError. */
int argument_max_attempts(uint32_t *max_attempts, PyObject *value);

#define KEYWORD_METHOD(name, function, doc)                                                                                                \
    {                                                                                                                                      \
        name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, doc                                                  \
    }

/* ---- buffers.c ---- */

/* The bytes of a bytes-like object for the time of a call. */
typedef struct {
    const uint8_t *data;
    size_t len;
    Py_buffer pin;
    int pinned;
    void *copy;
} byte_view;

/* what: the argument's name, for the message. frozen 1: a copy, unless the object is immutable. A view that is not contiguous is copied. */
int view_open(byte_view *view, PyObject *object, const char *what, int frozen);
void view_close(byte_view *view);
/* Copy all bytes when they are at most max; *len is their number in any case. */
int view_copy(uint8_t *out, size_t max, size_t *len, PyObject *object, const char *what);

/* ---- workspace.c: memory for one call at a time, reused ---- */

typedef struct workspace {
    struct workspace *next;
    girih_pages pages;
    void *scratch; /* what the core works in */
    size_t scratch_len;
    girih_mldsa_vk *vk; /* the tables of a key that has none of its own; the largest set fits */
    girih_mldsa_sk *sk;
    uint8_t sig[GIRIH_MLDSA_87_SIGNATURE_BYTES];
} workspace;

int workspaces_init(void);
/* NULL and MemoryError when there is none. */
workspace *workspace_take(void);
void workspace_give(workspace *ws);

/* ---- slab.c: secrets in locked pages ---- */

int slab_init(void);
/* Zeroed memory aligned for tables; NULL, without an exception, when there is none. With the GIL. */
void *slab_take(size_t size);
/* Wiped. size: as taken. NULL is ignored. */
void slab_give(void *p, size_t size);
typedef struct {
    size_t used, mapped, locked; /* bytes */
} slab_figures;
slab_figures slab_status(void);

/* ---- table.c: public tables and the budget of those that nobody asked for ---- */

void *table_new(size_t size);
void table_free(void *table);
/* Take size bytes of the budget: 1, or 0 where it does not reach. */
int budget_reserve(size_t size);
void budget_return(size_t size);
extern _Atomic(size_t) budget_limit, budget_used;

/* ---- module.c ---- */

girih_backend backend_active(void);

/* ---- parameter_set.c ---- */

typedef struct {
    PyObject_HEAD girih_mldsa_set set;
    const char *name;      /* "ML-DSA-65" */
    const char *attribute; /* "MlDsa65" */
    Py_ssize_t verification_key_size, signing_key_size, signature_size, seed_size, security_category;
    PyTypeObject *verification_key_type, *signing_key_type;
} parameter_set;

/* ---- keys ---- */

typedef enum { KEY_LAZY, KEY_COMPACT, KEY_EXPANDED } key_mode;

/* From the arguments expand and compact; -1: both were given, or an error. */
int key_mode_of(key_mode *mode, PyObject *expand, PyObject *compact);

typedef struct {
    PyObject_HEAD parameter_set *params;
    PyObject *encoded; /* a bytes object */
    uint8_t *bytes;    /* what it holds; not written once the key is made */
    girih_backend backend;
    key_mode mode;
    _Atomic(girih_mldsa_vk *) table; /* written once */
    atomic_flag expanding;           /* held by the thread that makes the table, and for good once it is there */
    size_t reserved;                 /* what the table takes of the budget */
    atomic_uint verifications;       /* without a table */
} verification_key;

typedef struct {
    PyObject_HEAD verification_key *vk;
    key_mode mode;
    uint8_t *secret; /* in the slab: the seed or the encoded key */
    size_t secret_len;
    _Atomic(girih_mldsa_sk *) table; /* in the slab; written once */
    atomic_flag expanding;
    size_t reserved;
    atomic_int vouched; /* 1 once a signature made with the key's own tables was verified from the encoded public key */
} signing_key;

extern PyTypeObject *verification_key_base, *signing_key_base;

/* Memory for the lazy table of a verification key. Taken and given back with or without the GIL. */
girih_mldsa_vk *verification_key_reserve(verification_key *vk, int within_budget);
void verification_key_publish(verification_key *vk, girih_mldsa_vk *table);
void verification_key_withdraw(verification_key *vk, girih_mldsa_vk *table);
/* A key without a table and, in encoded, bytes to be filled. */
verification_key *verification_key_new(parameter_set *params, key_mode mode);
PyObject *verification_key_load(parameter_set *params, PyObject *encoded, key_mode mode);
/* The key's table, or one made in ws. No Python call: without the GIL. */
girih_status verification_key_table(const girih_mldsa_vk **table, verification_key *vk, workspace *ws);

/* From 32 bytes, the seed, or from the encoded key. NULL: from a fresh seed. */
signing_key *signing_key_load(parameter_set *params, PyObject *secret, key_mode mode);

/* The tables of a signing key for one call or several: planned with the GIL, opened without it, closed with it. */
typedef struct {
    girih_mldsa_vk *new_vk; /* memory for tables that this call makes and publishes, or NULL */
    girih_mldsa_sk *new_sk;
    const girih_mldsa_vk *vk;
    const girih_mldsa_sk *sk;
    int in_workspace; /* sk lies in the workspace: wipe it */
} signing_tables;

void signing_tables_plan(signing_tables *t, signing_key *sk);
/* pk: the encoded public key of tables that are made here, or NULL. */
girih_status signing_tables_open(signing_tables *t, signing_key *sk, workspace *ws, uint8_t *pk);
void signing_tables_close(signing_tables *t, signing_key *sk, workspace *ws);
/* How to sign with opened tables: as `options` says, and a checked signature is verified from the encoded public key unless tables that
 * the key keeps have passed that once. signing_key_vouch: a signature was made so. */
girih_mldsa_options signing_key_options(const signing_key *sk, const signing_tables *t, const girih_mldsa_options *options);
void signing_key_vouch(signing_key *sk, const signing_tables *t, const girih_mldsa_options *options);

/* ---- request.c: what is signed or verified ---- */

typedef enum { REQUEST_MESSAGE, REQUEST_DIGEST, REQUEST_MU, REQUEST_PRIME } request_kind;

typedef struct {
    request_kind kind;
    girih_mldsa_hash hash;
    byte_view view;          /* message, M' */
    uint8_t short_bytes[64]; /* mu, digest */
    const uint8_t *data;
    size_t len;
    uint8_t ctx[GIRIH_MLDSA_MAX_CTX_BYTES];
    size_t ctx_len;
} request;

int request_context(request *r, PyObject *ctx);
int request_message(request *r, PyObject *msg, PyObject *ctx, int frozen);
int request_digest(request *r, PyObject *digest, PyObject *hash_name, PyObject *ctx);
int request_mu(request *r, PyObject *mu, const parameter_set *params);
int request_prime(request *r, PyObject *m_prime);
void request_close(request *r);
/* Without the GIL. */
girih_status request_sign(uint8_t *sig, const request *r, const parameter_set *params, const signing_tables *t, const uint8_t rnd[32],
                          const girih_mldsa_options *options, workspace *ws);
girih_status request_verify(const request *r, const girih_mldsa_vk *table, const uint8_t *sig, size_t sig_len, workspace *ws);

/* ---- operations on keys that the fenced functions of girih.testing share ---- */

/* rnd NULL: fresh. */
PyObject *signing_key_sign(signing_key *sk, const request *r, const uint8_t *rnd, const girih_mldsa_options *options);
PyObject *verification_key_verify(verification_key *vk, PyObject *sig, const request *r);

/* ---- sign.c: methods of signing_key ---- */

PyObject *sign_message(signing_key *sk, PyObject *const *args, Py_ssize_t n, PyObject *names);
PyObject *sign_mu(signing_key *sk, PyObject *const *args, Py_ssize_t n, PyObject *names);
PyObject *sign_digest(signing_key *sk, PyObject *const *args, Py_ssize_t n, PyObject *names);
PyObject *sign_mu_hasher(signing_key *sk, PyObject *const *args, Py_ssize_t n, PyObject *names);

/* ---- mu_hasher.c ---- */

/* The method mu_hasher(ctx=None) of both keys. */
PyObject *mu_hasher(verification_key *vk, PyObject *const *args, Py_ssize_t n, PyObject *names);

/* ---- one a file that adds to the module ---- */

int parameter_set_add(PyObject *module);
int verification_key_add(PyObject *module);
int signing_key_add(PyObject *module);
int mu_hasher_add(PyObject *module);
extern PyMethodDef batch_functions[], export_functions[], internal_functions[], info_functions[], race_functions[];

/* Make a type and add it to the module under this name. A new reference, or NULL. */
PyTypeObject *module_add_type(PyObject *module, const char *name, PyType_Spec *spec);
/* One of a scheme's parameter sets, whose keys are of these classes. */
typedef PyObject *set_maker(size_t i, PyTypeObject *public_type, PyTypeObject *private_type);
/* The sets of a scheme, `count` in a tuple, of the arguments (public key class, private key class). format: "OO:" and the name of the
 * function. */
PyObject *module_parameter_sets(PyObject *args, const char *format, PyTypeObject *public_base, PyTypeObject *private_base, size_t count,
                                set_maker *make);
/* The end of every tp_dealloc: give back the memory of an object and its hold on its type. */
void free_object(PyObject *object);

#endif
