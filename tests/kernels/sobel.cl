/* Sobel's edge filter on a grey image, four pixels per work-item; the image has a border of
 * one pixel, and its rows a pitch of whole groups of four (plus the border).
 * SPDX-License-Identifier: MIT */
short4 row_at(__global const uchar *p)
{
    return convert_short4(vload4(0, p));
}

__kernel void sobel(__global const uchar *in, __global uchar *out, uint pitch, uint quads,
                    uint height)
{
    uint x = get_global_id(0) * 4, y = get_global_id(1);

    if (get_global_id(0) >= quads || y >= height)
        return;
    __global const uchar *above = in + y * pitch + x;
    __global const uchar *here = above + pitch;
    __global const uchar *below = here + pitch;
    short4 left = row_at(above) + row_at(here) * (short4)(2) + row_at(below);
    short4 right = row_at(above + 2) + row_at(here + 2) * (short4)(2) + row_at(below + 2);
    short4 top = row_at(above) + row_at(above + 1) * (short4)(2) + row_at(above + 2);
    short4 bottom = row_at(below) + row_at(below + 1) * (short4)(2) + row_at(below + 2);
    ushort4 gradient = add_sat(abs_diff(left, right), abs_diff(top, bottom));

    vstore4(convert_uchar4_sat(gradient), 0, out + (y * quads * 4) + x);
}
