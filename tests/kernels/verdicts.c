/* tests/kernels/verdicts.c -- results against references.
 *
 * Every comparison names the first element that differs, and adds the bytes it saw to the
 * case's digest, so that two drivers can be compared without keeping their output.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* FNV-1a. */
static void digest(Kc *c, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t h = c->result->digest;

    for (size_t i = 0; i < bytes; i++)
        h = (h ^ p[i]) * 0x100000001B3u;
    c->result->digest = h;
}

static bool begin_check(Kc *c, const void *got, size_t bytes)
{
    if (c->result->verdict != KC_OK)
        return false;
    c->checks++;
    digest(c, got, bytes);
    return true;
}

void kc_check_u8(Kc *c, const char *what, const uint8_t *got, const uint8_t *want, size_t n)
{
    if (!begin_check(c, got, n))
        return;
    for (size_t i = 0; i < n; i++)
        if (got[i] != want[i]) {
            kc_fail(c, "%s: first mismatch at %zu of %zu, got %u, want %u", what, i, n,
                    (unsigned)got[i], (unsigned)want[i]);
            return;
        }
}

void kc_check_u32(Kc *c, const char *what, const uint32_t *got, const uint32_t *want, size_t n)
{
    if (!begin_check(c, got, n * sizeof *got))
        return;
    for (size_t i = 0; i < n; i++)
        if (got[i] != want[i]) {
            kc_fail(c,
                    "%s: first mismatch at %zu of %zu, got %" PRIu32 " (0x%08" PRIx32
                    "), want %" PRIu32 " (0x%08" PRIx32 ")",
                    what, i, n, got[i], got[i], want[i], want[i]);
            return;
        }
}

void kc_check_i32(Kc *c, const char *what, const int32_t *got, const int32_t *want, size_t n)
{
    if (!begin_check(c, got, n * sizeof *got))
        return;
    for (size_t i = 0; i < n; i++)
        if (got[i] != want[i]) {
            kc_fail(c, "%s: first mismatch at %zu of %zu, got %" PRId32 ", want %" PRId32, what, i,
                    n, got[i], want[i]);
            return;
        }
}

/* The error as a share of the tolerance: above 1 is a mismatch. */
static double share(double got, double want, double relative, double absolute)
{
    double tolerance = absolute + relative * fabs(want);

    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want) ? 0.0 : INFINITY;
    if (got == want)
        return 0.0;
    return tolerance > 0 ? fabs(got - want) / tolerance : INFINITY;
}

typedef struct {
    size_t first; /* index of the first mismatch */
    size_t count;
} Misses;

static void judge(Kc *c, Misses *m, size_t i, double error)
{
    if (!(error <= 1.0)) {
        if (m->count++ == 0)
            m->first = i;
    } else if (error > c->result->error) {
        c->result->error = error;
    }
}

void kc_check_f32(Kc *c, const char *what, const float *got, const double *want, size_t n,
                  double relative, double absolute, size_t outliers)
{
    Misses m = {0, 0};

    if (!begin_check(c, got, n * sizeof *got))
        return;
    c->result->exact = false;
    for (size_t i = 0; i < n; i++)
        judge(c, &m, i, share((double)got[i], want[i], relative, absolute));
    if (m.count > outliers)
        kc_fail(c, "%s: first mismatch at %zu of %zu, got %.9g, want %.9g; %zu differ, %zu may",
                what, m.first, n, (double)got[m.first], want[m.first], m.count, outliers);
}

void kc_check_f64(Kc *c, const char *what, const double *got, const double *want, size_t n,
                  double relative, double absolute)
{
    Misses m = {0, 0};

    if (!begin_check(c, got, n * sizeof *got))
        return;
    c->result->exact = false;
    for (size_t i = 0; i < n; i++)
        judge(c, &m, i, share(got[i], want[i], relative, absolute));
    if (m.count > 0)
        kc_fail(c, "%s: first mismatch at %zu of %zu, got %.17g, want %.17g; %zu differ", what,
                m.first, n, got[m.first], want[m.first], m.count);
}

void kc_expect(Kc *c, bool holds, const char *format, ...)
{
    char sentence[400];
    va_list ap;

    c->checks++;
    if (holds)
        return;
    va_start(ap, format);
    vsnprintf(sentence, sizeof sentence, format, ap);
    va_end(ap);
    kc_fail(c, "%s", sentence);
}
