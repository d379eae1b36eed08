/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SAMPLE_NS 100000.0

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ns of one operation. */
static double measure(const bench_case *c, unsigned part)
{
    const double start = now_ns();

    for (unsigned i = 0; i < c->repeats; i++)
        c->run(c->context, part);
    return (now_ns() - start) / c->repeats;
}

static void calibrate(bench_case *c)
{
    for (c->repeats = 1; c->repeats < 1 << 20; c->repeats *= 2)
        if (measure(c, 0) * c->repeats > SAMPLE_NS)
            return;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* times: the rounds of part 0, then those of part 1, ... */
static void print(const bench_case *c, double *times, const bench_options *options)
{
    double minimum = 0, median = 0;

    for (unsigned part = 0; part < c->parts; part++, times += options->rounds) {
        qsort(times, options->rounds, sizeof times[0], compare);
        minimum += times[0] / c->parts;
        median += times[options->rounds / 2] / c->parts;
    }
    if (options->json)
        printf("{\"name\": \"%s\", \"min_ns\": %.1f, \"median_ns\": %.1f, \"inputs\": %u, \"rounds\": %u}\n", c->name, minimum, median,
               c->parts, options->rounds);
    else
        printf("%-36s %12.1f %12.1f\n", c->name, minimum, median);
}

int bench_run(bench_case *cases, size_t count, const bench_options *options)
{
    size_t kept = 0, parts = 0;
    double *times, *at;

    for (size_t i = 0; i < count; i++) {
        if (options->filter != NULL && strstr(cases[i].name, options->filter) == NULL)
            continue;
        cases[kept] = cases[i];
        parts += cases[kept++].parts;
    }
    times = malloc((parts * options->rounds + 1) * sizeof times[0]);
    if (times == NULL)
        return 1;
    for (size_t i = 0; i < kept; i++)
        calibrate(&cases[i]);
    for (unsigned round = 0; round < options->rounds; round++) {
        at = times + round;
        for (size_t i = 0; i < kept; i++)
            for (unsigned part = 0; part < cases[i].parts; part++, at += options->rounds)
                *at = measure(&cases[i], part);
    }
    if (!options->json)
        printf("%-36s %12s %12s\n", "ns", "minimum", "median");
    at = times;
    for (size_t i = 0; i < kept; i++) {
        print(&cases[i], at, options);
        at += cases[i].parts * options->rounds;
    }
    free(times);
    return 0;
}
