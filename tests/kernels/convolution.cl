/* A 5x5 filter over a grey image: the group's pixels and their halo go through local memory;
 * outside the image the nearest pixel counts.
 * SPDX-License-Identifier: MIT */
#define RADIUS 2
#define SIDE 5
#define TILE 16
#define ROW (TILE + 2 * RADIUS)

__constant float weights[SIDE * SIDE] = {
    -1.0f, -1.0f, -1.0f, -1.0f, -1.0f, /* sharpens: the sum of all is 1 */
    -1.0f, 2.0f,  2.0f,  2.0f,  -1.0f,
    -1.0f, 2.0f,  1.0f,  2.0f,  -1.0f,
    -1.0f, 2.0f,  2.0f,  2.0f,  -1.0f,
    -1.0f, -1.0f, -1.0f, -1.0f, -1.0f,
};

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
convolution(__global const uchar *in, __global uchar *out, int width, int height)
{
    __local uchar tile[ROW * ROW];
    int lx = get_local_id(0), ly = get_local_id(1);
    int left = (int)get_group_id(0) * TILE - RADIUS;
    int top = (int)get_group_id(1) * TILE - RADIUS;
    int x = get_global_id(0), y = get_global_id(1);

    for (int i = ly * TILE + lx; i < ROW * ROW; i += TILE * TILE) {
        int sx = clamp(left + i % ROW, 0, width - 1);
        int sy = clamp(top + i / ROW, 0, height - 1);

        tile[i] = in[sy * width + sx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < width && y < height) {
        float sum = 0.0f;

        for (int dy = 0; dy < SIDE; dy++)
            for (int dx = 0; dx < SIDE; dx++)
                sum += weights[dy * SIDE + dx] * (float)tile[(ly + dy) * ROW + lx + dx];
        out[y * width + x] = convert_uchar_sat_rte(sum * 0.5f);
    }
}
