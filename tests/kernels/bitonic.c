/* tests/kernels/bitonic.c -- sorts keys whose number is no power of two, padded with the
 * largest key.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { LOCAL = 64 };

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void sort_steps(Kc *c, cl_kernel far, cl_kernel near, cl_mem keys, cl_uint padded)
{
    for (cl_uint run = 2; run <= padded; run *= 2) {
        cl_uint distance = run / 2;

        for (; distance >= LOCAL; distance /= 2) {
            kc_args(c, far, "muu", keys, run, distance);
            kc_launch_1d(c, far, padded, LOCAL);
        }
        kc_args(c, near, "muul", keys, run, distance, LOCAL * sizeof(cl_uint));
        kc_launch_1d(c, near, padded, LOCAL);
    }
}

void case_bitonic(Kc *c)
{
    size_t n = kc_pick(c, 3001, 100003);
    size_t padded = kc_pick(c, 4096, 131072);
    uint32_t *keys = kc_words(c, padded, 0);
    uint32_t *got = kc_alloc(c, padded * sizeof *got);
    cl_kernel far = kc_kernel(c, "bitonic_far");
    cl_kernel near = kc_kernel(c, "bitonic_near");
    cl_mem pristine;
    cl_mem work;

    for (size_t i = n; i < padded; i++)
        keys[i] = UINT32_MAX;
    pristine = kc_buffer(c, padded * sizeof *keys, keys);
    work = kc_buffer(c, padded * sizeof *keys, NULL);
    while (kc_again(c)) {
        kc_begin(c);
        kc_copy(c, pristine, work, padded * sizeof *keys);
        sort_steps(c, far, near, work, (cl_uint)padded);
        kc_end(c);
    }
    kc_read(c, work, got, padded * sizeof *got);

    qsort(keys, padded, sizeof *keys, by_value);
    kc_check_u32(c, "sorted key", got, keys, padded);
}
