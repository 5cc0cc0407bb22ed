// `zext` of `y << 7 | x`, of which a branch says that x and y are below 128, is `sext`: lanes gather with indices of 32
// bits.
// RUN: heddle run %s k --dump asm
// WIDTHS: 16
// CPU: znver5
// ENGINES: compiled
// CHECK: vgatherdps
// CHECK-NOT: vgatherqps
kernel void k(global const float *image, global const float2 *at, global float *out)
{
    int i = get_global_id(0), x = (int)at[i].x, y = (int)at[i].y;

    if (x < 0 || y < 0 || x > 127 || y > 127)
        out[i] = -1;
    else
        out[i] = image[y * 128 + x];
}
