/* tests/kernels/matmul_naive.c -- the matrix product with one element per work-item, and the
 * host side of both matrix products.
 *
 * SPDX-License-Identifier: MIT
 */
#include "matmul.h"

static void reference(const float *a, const float *b, double *out, size_t rows, size_t inner,
                      size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < inner; k++)
            for (size_t j = 0; j < columns; j++)
                out[i * columns + j] += (double)a[i * inner + k] * (double)b[k * columns + j];
}

void matmul_case(Kc *c, const char *kernel, size_t whole, size_t lx, size_t ly)
{
    size_t rows = kc_pick(c, 45, 333);
    size_t inner = kc_pick(c, 37, 350);
    size_t columns = kc_pick(c, 51, 401);
    float *a = kc_floats(c, rows * inner, -1, 1);
    float *b = kc_floats(c, inner * columns, -1, 1);
    float *got = kc_alloc(c, rows * columns * sizeof *got);
    double *want = kc_alloc(c, rows * columns * sizeof *want);
    cl_kernel k = kc_kernel(c, kernel);
    cl_mem ba = kc_buffer(c, rows * inner * sizeof *a, a);
    cl_mem bb = kc_buffer(c, inner * columns * sizeof *b, b);
    cl_mem bc = kc_buffer(c, rows * columns * sizeof *got, NULL);

    kc_args(c, k, "mmmuuu", ba, bb, bc, (cl_uint)rows, (cl_uint)inner, (cl_uint)columns);
    kc_work(c, 0, 2.0 * (double)(rows * inner * columns), false);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_2d(c, k, kc_ceil_div(columns, whole) * whole, kc_ceil_div(rows, whole) * whole,
                     lx, ly);
        kc_end(c);
    }
    kc_read(c, bc, got, rows * columns * sizeof *got);

    reference(a, b, want, rows, inner, columns);
    kc_check_f32(c, "element", got, want, rows * columns, 1e-5, 5e-5, 0);
}

void case_matmul_naive(Kc *c)
{
    matmul_case(c, "matmul_naive", 1, 16, 8);
}
