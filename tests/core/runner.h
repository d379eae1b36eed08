/* What the programs that run a file of test cases share: memory that ends where the interface says, fields of a case, expectations.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A case is a line of fields with one space between. Bytes are hexadecimal, "-" is empty or unused. Every buffer is its own allocation of
 * exactly the length that the interface names, so that a sanitizer sees one byte too many. To be included with _POSIX_C_SOURCE >= 200112L
 * (posix_memalign). */
#ifndef GIRIH_TESTS_RUNNER_H
#define GIRIH_TESTS_RUNNER_H

#include "girih/girih.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 1 << 18, PREFILL = 0xA5 };

typedef struct {
    uint8_t *p;
    size_t len;
} bytes;

static girih_backend backend;
static unsigned line_number;

static inline void fail(const char *op, const char *what)
{
    fprintf(stderr, "line %u: %s on %s: %s\n", line_number, op, girih_backend_name(backend), what);
    exit(1);
}

static inline void *allocate(size_t len)
{
    void *p = malloc(len);

    if (p == NULL && len != 0)
        abort();
    if (len != 0)
        memset(p, PREFILL, len);
    return p;
}

/* Memory for a table or an object, aligned as the interface asks. */
static inline void *allocate_table(size_t len)
{
    void *p;

    if (posix_memalign(&p, GIRIH_TABLE_ALIGN, len) != 0)
        abort();
    memset(p, PREFILL, len);
    return p;
}

/* A workspace needs no alignment: its address walks through every one. The end is the end of the allocation. */
typedef struct {
    uint8_t *block, *ws;
    size_t len;
} workspace;

static inline workspace take_workspace(size_t len)
{
    const size_t shift = line_number % 64;
    workspace w = {(uint8_t *)allocate(shift + len), NULL, len};

    w.ws = w.block + shift;
    return w;
}

/* "what was secret in it is wiped before the call returns": in the first `secret` bytes is nothing but zeros and what was there before. */
static inline void give_back(workspace w, const char *op, size_t secret)
{
    for (size_t i = 0; i < secret; i++)
        if (w.ws[i] != 0 && w.ws[i] != PREFILL)
            fail(op, "the workspace was not wiped");
    free(w.block);
}

/* The status that a case expects; 1 (no status) when it expects bytes. */
static inline int expected_status(const char *text)
{
    static const struct {
        const char *name;
        girih_status value;
    } statuses[] = {{"OK", GIRIH_OK},
                    {"BAD_SIGNATURE", GIRIH_BAD_SIGNATURE},
                    {"BAD_LENGTH", GIRIH_BAD_LENGTH},
                    {"BAD_CONTEXT", GIRIH_BAD_CONTEXT},
                    {"BAD_KEY", GIRIH_BAD_KEY}};

    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (strcmp(text, statuses[i].name) == 0)
            return statuses[i].value;
    return 1;
}

static inline void expect_status(const char *op, girih_status got, const char *expected)
{
    if ((int)got != expected_status(expected))
        fail(op, "not the expected status");
}

static inline void expect_bytes(const char *op, const uint8_t *got, size_t len, const char *expected)
{
    if (strlen(expected) != 2 * len)
        fail(op, "the case expects another length");
    for (size_t i = 0; i < len; i++) {
        char hex[3];

        snprintf(hex, sizeof hex, "%02x", got[i]);
        if (memcmp(hex, expected + 2 * i, 2) != 0)
            fail(op, "not the expected bytes");
    }
}

/* A failed call leaves an output untouched or zero. */
static inline void expect_no_output(const char *op, const uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (out[i] != out[0] || (out[i] != 0 && out[i] != PREFILL))
            fail(op, "a failed call left something in an output");
}

static inline unsigned hex_digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static inline bytes parse_bytes(const char *text)
{
    bytes b = {NULL, strcmp(text, "-") == 0 ? 0 : strlen(text) / 2};

    b.p = (uint8_t *)allocate(b.len);
    for (size_t i = 0; i < b.len; i++)
        b.p[i] = (uint8_t)(hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]));
    return b;
}

/* Cuts a line into exactly that many fields. */
static inline void split(char *line, char *field[], int fields)
{
    line[strcspn(line, "\n")] = 0;
    for (int i = 0; i < fields; i++) {
        field[i] = line;
        line += strcspn(line, " ");
        if ((*line == 0) != (i == fields - 1))
            fail(field[0], "a case of another number of fields");
        *line++ = 0;
    }
}

/* Runs every line of argv[2] on the backend that argv[1] names; returns the exit status. */
static inline int run_file(int argc, char **argv, void (*run_line)(char *line))
{
    static char line[MAX_LINE];
    FILE *file;

    if (argc != 3 || (file = fopen(argv[2], "r")) == NULL) {
        fprintf(stderr, "usage: BACKEND FILE\n");
        return 2;
    }
    for (int id = GIRIH_BACKEND_C; id < 64; id++)
        if (strcmp(girih_backend_name((girih_backend)id), argv[1]) == 0 && girih_backend_available((girih_backend)id))
            backend = (girih_backend)id;
    if (backend == 0) {
        fprintf(stderr, "no backend %s in this build\n", argv[1]);
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line_number++;
        run_line(line);
    }
    fclose(file);
    printf("%u cases on %s\n", line_number, argv[1]);
    return line_number == 0;
}

#endif
