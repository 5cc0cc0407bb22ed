// Whole groups return: before the first barrier, between two of them, and from the middle of a loop around one.
// ENGINES: compiled dispatch fibers dispatch-fibers interpreted
// RUN: heddle run %s early --global 80 --local 20 --arg u32[80]=zeros --arg u32[4]=0,1,2,3
// CHECK: arg 0: u32[80] = 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 361, 324, 289, 256, 225, 196, 169, 144, 121, 100, 81, 64, 49, 36, 25, 16, 9, 4, 1, 0, 370, 342, 322, 310, 306, 310, 322, 342, 370, 406, 450, 502, 562, 630, 706, 790, 882, 982, 690, 366, 5411, 5399, 5399, 5411, 5435, 5471, 5519, 5579, 5651, 5735, 5831, 5939, 6059, 6191, 6335, 6491, 6259, 5999, 5711, 5395
kernel void early(global uint *out, global const uint *when)
{
    local uint cell[20];
    uint l = get_local_id(0), i = get_global_id(0), end = when[get_group_id(0)];

    out[i] = 1000;
    if (end == 0)
        return;
    cell[l] = l * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = cell[19 - l];
    if (end == 1)
        return;
    for (uint r = 0; r < 5; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        cell[l] += r;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] += cell[(l + r) % 20];
        if (end == 2 && r == 2)
            return;
    }
    out[i] += 5000;
}
