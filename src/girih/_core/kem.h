/* Keys of ML-KEM as Python objects.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BINDING_KEM_H
#define GIRIH_BINDING_KEM_H

#include "binding.h"
#include "girih/mlkem.h"

/* ---- kem_set.c ---- */

typedef struct {
    PyObject_HEAD girih_mlkem_set set;
    const char *name;      /* "ML-KEM-768" */
    const char *attribute; /* "MlKem768" */
    Py_ssize_t encapsulation_key_size, decapsulation_key_size, ciphertext_size, shared_secret_size, seed_size, security_category;
    PyTypeObject *encapsulation_key_type, *decapsulation_key_type;
} kem_set;

/* Which caches a key keeps; not given or None: all. -1: TypeError or ValueError. */
int argument_caches(unsigned *caches, PyObject *value);

/* ---- encapsulation_key.c ---- */

typedef struct {
    PyObject_HEAD kem_set *params;
    girih_mlkem_ek *object; /* not written once the key is made */
    unsigned caches;
} encapsulation_key;

extern PyTypeObject *encapsulation_key_base;

/* From its encoding, with these caches. */
PyObject *encapsulation_key_load(kem_set *params, PyObject *encoded, unsigned caches);
/* From its encoding and an exported cache. mac_key NULL: the cache is trusted. */
PyObject *encapsulation_key_import(kem_set *params, PyObject *encoded, PyObject *cache, PyObject *mac_key);
/* The encapsulation key of a pair: it has memory of its own, so that it may outlive the secret. */
encapsulation_key *encapsulation_key_of_pair(kem_set *params, const girih_mlkem_dk *pair, unsigned caches, girih_backend backend);
/* (shared secret, ciphertext). m NULL: fresh. */
PyObject *encapsulation_key_encaps(encapsulation_key *ek, const uint8_t *m);
/* Raise what it means that bytes are not an encapsulation key, or a decapsulation key. Both return NULL. */
void *raise_bad_encapsulation_key(girih_status status, const kem_set *params, size_t len);
void *raise_bad_decapsulation_key(girih_status status, const kem_set *params, size_t len);
const uint8_t *encapsulation_key_bytes(const encapsulation_key *ek);

/* ---- decapsulation_key.c ---- */

typedef struct {
    PyObject_HEAD kem_set *params;
    uint8_t *secret; /* in the slab: room for the seed, then the object */
    size_t secret_len;
    girih_mlkem_dk *object; /* not written once the key is made */
    unsigned caches;
    girih_backend backend;
    int has_seed;
    _Atomic(encapsulation_key *) ek; /* made when it is first asked for */
} decapsulation_key;

extern PyTypeObject *decapsulation_key_base;

/* From 64 bytes, the seed, or from the encoded key. NULL: from a fresh seed. */
decapsulation_key *decapsulation_key_load(kem_set *params, PyObject *secret, unsigned caches);
/* The other half of the pair. A new reference, or NULL and MemoryError. */
encapsulation_key *decapsulation_key_public(decapsulation_key *dk);
/* Hold a ciphertext still; ValueError for another length. place: -1, or its place in a batch. */
int ciphertext_open(byte_view *view, const kem_set *params, PyObject *ct, Py_ssize_t place);

/* ---- one a file that adds to the module ---- */

int kem_set_add(PyObject *module);
int encapsulation_key_add(PyObject *module);
int decapsulation_key_add(PyObject *module);
extern PyMethodDef kem_batch_functions[];

#endif
