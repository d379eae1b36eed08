/* Times many small operations so that they can be compared on a noisy machine: they take turns, round after round, and each keeps the
 * shortest and the middle of its times.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_BENCH_HARNESS_H
#define GIRIH_BENCH_HARNESS_H

#include <stddef.h>

typedef struct {
    char name[64];
    void (*run)(void *context, unsigned part); /* the operation once, on input number `part` */
    void *context;
    unsigned parts;   /* inputs; each is measured by itself, and minimum and median are means over them */
    unsigned repeats; /* calls in one measurement; bench_run sets it to as many as take about 100 us */
} bench_case;

typedef struct {
    unsigned rounds;    /* measurements of each case */
    const char *filter; /* only cases whose name holds this; NULL: all */
    int json;           /* a line of JSON each instead of the table */
} bench_options;

/* Measures and prints: ns of one operation, minimum and median over the rounds. Returns 0, or 1 without memory. */
int bench_run(bench_case *cases, size_t count, const bench_options *options);

#endif
