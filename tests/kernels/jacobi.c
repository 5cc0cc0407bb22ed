/* tests/kernels/jacobi.c -- a diagonally dominant dense system: the same steps on the host, and
 * a solution that solves it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <math.h>
#include <string.h>

enum { STEPS = 16, LOCAL = 32 };

typedef struct {
    size_t n;
    double *a; /* by columns */
    double *b;
} System;

static double uniform(Kc *c)
{
    return kc_random(c, 0) / 4294967296.0 - 0.5;
}

static System make_system(Kc *c, size_t n)
{
    System s = {n, kc_alloc(c, n * n * sizeof(double)), kc_alloc(c, n * sizeof(double))};

    for (size_t i = 0; i < n * n; i++)
        s.a[i] = uniform(c);
    for (size_t i = 0; i < n; i++) {
        s.a[i * n + i] = (double)n * 0.5;
        s.b[i] = uniform(c);
    }
    return s;
}

/* One step from x to next; returns the largest change. */
static double step(const System *s, const double *x, double *next)
{
    double largest = 0;

    memcpy(next, s->b, s->n * sizeof *next);
    for (size_t j = 0; j < s->n; j++)
        for (size_t i = 0; i < s->n; i++)
            if (i != j)
                next[i] -= s->a[j * s->n + i] * x[j];
    for (size_t i = 0; i < s->n; i++) {
        next[i] /= s->a[i * s->n + i];
        largest = fmax(largest, fabs(next[i] - x[i]));
    }
    return largest;
}

void case_jacobi(Kc *c)
{
    System s;
    size_t n = kc_pick(c, 75, 501);
    size_t bytes = n * sizeof(double);
    size_t groups = kc_ceil_div(n, LOCAL);
    double *got = kc_alloc(c, bytes);
    double *zero = kc_alloc(c, bytes);
    double *changes = kc_alloc(c, groups * sizeof *changes);
    double *want[2] = {kc_alloc(c, bytes), kc_alloc(c, bytes)};
    double change = 0;
    cl_kernel k;
    cl_mem ba, bb, bz, bx[2], bchange;

    if (!kc_needs_fp64(c))
        return;
    s = make_system(c, n);
    k = kc_kernel(c, "jacobi");
    ba = kc_buffer(c, n * bytes, s.a);
    bb = kc_buffer(c, bytes, s.b);
    bz = kc_buffer(c, bytes, zero);
    bx[0] = kc_buffer(c, bytes, NULL);
    bx[1] = kc_buffer(c, bytes, NULL);
    bchange = kc_buffer(c, groups * sizeof *changes, NULL);
    kc_work(c, 0, 2.0 * STEPS * (double)(n * n), true);
    while (kc_again(c)) {
        kc_begin(c);
        for (unsigned i = 0; i < STEPS; i++) {
            kc_args(c, k, "mmmmmlu", ba, bb, i == 0 ? bz : bx[(i - 1) & 1], bx[i & 1], bchange,
                    LOCAL * sizeof(double), (cl_uint)n);
            kc_launch_1d(c, k, n, LOCAL);
        }
        kc_end(c);
    }
    kc_read(c, bx[(STEPS - 1) & 1], got, bytes);
    kc_read(c, bchange, changes, groups * sizeof *changes);

    for (unsigned i = 0; i < STEPS; i++)
        change = step(&s, want[i & 1], want[1 - (i & 1)]);
    kc_check_f64(c, "x", got, want[STEPS & 1], n, 1e-12, 1e-15);
    for (size_t g = 1; g < groups; g++)
        changes[0] = fmax(changes[0], changes[g]);
    kc_check_f64(c, "last change", changes, &change, 1, 1e-6, 1e-16);
}
