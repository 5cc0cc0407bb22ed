/* Escape times of z -> z^2 + c. Contraction off: the host counts the same steps.
 * SPDX-License-Identifier: MIT */
#pragma OPENCL FP_CONTRACT OFF

__kernel void mandelbrot(__global uint *out, uint width, uint height, float left, float top,
                         float step, uint limit)
{
    uint px = get_global_id(0);
    uint py = get_global_id(1);
    float cx = left + step * (float)px;
    float cy = top - step * (float)py;
    float x = 0.0f, y = 0.0f;
    uint n = 0;

    if (px >= width || py >= height)
        return;
    while (n < limit) {
        float xx = x * x;
        float yy = y * y;

        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
        n++;
    }
    out[py * width + px] = n;
}
