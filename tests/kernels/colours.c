/* tests/kernels/colours.c -- vectors of three.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

static const double to_luma[3][3] = {
    {0.299, 0.587, 0.114}, {-0.168736, -0.331264, 0.5}, {0.5, -0.418688, -0.081312}};

void case_colours(Kc *c)
{
    size_t n = kc_pick(c, 1003, 500009);
    uint8_t *rgb = kc_bytes(c, 3 * n, 0);
    float *got = kc_alloc(c, 4 * n * sizeof *got);
    uint8_t *tight = kc_alloc(c, 3 * n);
    float *packed = kc_alloc(c, 3 * n * sizeof *packed);
    double *want = kc_alloc(c, 3 * n * sizeof *want);
    cl_kernel k = kc_kernel(c, "colours");
    cl_mem in = kc_buffer(c, 3 * n, rgb);
    cl_mem wide = kc_buffer(c, 4 * n * sizeof *got, NULL);
    cl_mem bytes = kc_buffer(c, 3 * n, NULL);

    kc_args(c, k, "mmmu", in, wide, bytes, (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, 64);
        kc_end(c);
    }
    kc_read(c, wide, got, 4 * n * sizeof *got);
    kc_read(c, bytes, tight, 3 * n);

    for (size_t i = 0; i < n; i++)
        for (size_t row = 0; row < 3; row++) {
            double sum = 0;

            for (size_t near = 0; near < 4; near++)
                for (size_t j = 0; j < 3; j++)
                    sum += to_luma[row][j] * rgb[3 * (i + near < n ? i + near : n - 1) + j];
            want[3 * i + row] = sum * 0.25 + (row > 0 ? 128 : 0);
            packed[3 * i + row] = got[4 * i + row];
        }
    kc_check_f32(c, "vector", packed, want, 3 * n, 0, 1e-4, 0);
    /* Bytes are the vector cut off, in reverse. */
    for (size_t i = 0; i < n; i++)
        for (size_t row = 0; row < 3; row++)
            packed[3 * i + row] = (float)tight[3 * i + 2 - row] + 0.5f;
    kc_check_f32(c, "byte", packed, want, 3 * n, 0, 0.5002, 0);
}
