/* Copies n floats, eight per work-item; the last work-item takes what is left.
 * SPDX-License-Identifier: MIT */
__kernel void copy(__global const float *from, __global float *to, uint n)
{
    uint first = (uint)get_global_id(0) * 8;

    if (first + 8 <= n) {
        vstore8(vload8(0, from + first), 0, to + first);
    } else {
        for (uint i = first; i < n; i++)
            to[i] = from[i];
    }
}
