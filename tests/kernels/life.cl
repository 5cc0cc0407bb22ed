/* One generation of Conway's game of life on a torus.
 * SPDX-License-Identifier: MIT */
__kernel void life(__global const uchar *in, __global uchar *out, uint width, uint height)
{
    uint x = get_global_id(0), y = get_global_id(1);

    if (x >= width || y >= height)
        return;
    uint left = x == 0 ? width - 1 : x - 1;
    uint right = x + 1 == width ? 0 : x + 1;
    __global const uchar *above = in + (y == 0 ? height - 1 : y - 1) * width;
    __global const uchar *here = in + y * width;
    __global const uchar *below = in + (y + 1 == height ? 0 : y + 1) * width;
    uchar around = above[left] + above[x] + above[right] + here[left] + here[right] +
                   below[left] + below[x] + below[right];

    out[y * width + x] = select((uchar)(around == 3), (uchar)(around == 2 || around == 3),
                                (uchar)(here[x] ? 0x80 : 0));
}
