/* tests/kernels/spmv.c -- a random sparse matrix with rows of very different lengths, some of
 * them empty.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

void case_spmv(Kc *c)
{
    size_t rows = kc_pick(c, 1003, 100003);
    uint32_t *starts = kc_alloc(c, (rows + 1) * sizeof *starts);
    float *x = kc_floats(c, rows, -1, 1);
    float *got = kc_alloc(c, rows * sizeof *got);
    double *want = kc_alloc(c, rows * sizeof *want);
    size_t entries;
    uint32_t *columns;
    float *values;
    cl_kernel k = kc_kernel(c, "spmv");
    cl_mem b[5];

    for (size_t i = 0; i < rows; i++)
        starts[i + 1] = starts[i] + kc_random(c, i % 16 == 0 ? 100 : 24);
    entries = starts[rows];
    columns = kc_words(c, entries, (uint32_t)rows);
    values = kc_floats(c, entries, -1, 1);
    b[0] = kc_buffer(c, (rows + 1) * sizeof *starts, starts);
    b[1] = kc_buffer(c, entries * sizeof *columns, columns);
    b[2] = kc_buffer(c, entries * sizeof *values, values);
    b[3] = kc_buffer(c, rows * sizeof *x, x);
    b[4] = kc_buffer(c, rows * sizeof *got, NULL);

    kc_args(c, k, "mmmmmu", b[0], b[1], b[2], b[3], b[4], (cl_uint)rows);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, rows, 64);
        kc_end(c);
    }
    kc_read(c, b[4], got, rows * sizeof *got);

    for (size_t i = 0; i < rows; i++)
        for (uint32_t j = starts[i]; j < starts[i + 1]; j++)
            want[i] += (double)values[j] * (double)x[columns[j]];
    kc_check_f32(c, "row", got, want, rows, 1e-5, 1e-5, 0);
}
