/* One step of a 9-point average; the border keeps its values.
 * SPDX-License-Identifier: MIT */
__kernel void stencil(__global const float *in, __global float *out, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x >= width || y >= height)
        return;
    int at = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        out[at] = in[at];
        return;
    }
    float near = in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
    float far = in[at - width - 1] + in[at - width + 1] + in[at + width - 1] + in[at + width + 1];

    out[at] = 0.25f * in[at] + 0.125f * near + 0.0625f * far;
}
