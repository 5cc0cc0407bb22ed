// Between barriers only the first sub-groups have something to do, however that is asked. In a group of rows the ids in x
// begin again in each row, so that there all sub-groups are asked.
// RUN: heddle run %s sums --global 80 --local 40 --arg u32[80]=range --arg u32[12]=fill:7
// RUN: heddle run %s sums --global 80,2 --local 40,2 --arg u32[160]=range --arg u32[12]=fill:7
// CHECK: arg 1: u32[12] = 780, 39, 3, 777, 777, 777, 2380, 79, 43, 777, 777, 777
// ENGINES: compiled dispatch interpreted fibers dispatch-fibers
kernel void sums(global const uint *in, global uint *out)
{
    local uint a[2][64], most[2][64], few[2][8];
    int l = get_local_id(0), row = get_local_id(1);
    uint l2 = get_local_id(0);

    a[row][l] = most[row][l] = in[get_global_id(0)];
    if (l < 24)
        a[row][l + 40] = most[row][l + 40] = 0;
    for (int d = 32; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            a[row][l] += a[row][l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l2 >= (uint)d)
            continue;
        if (most[row][l + d] > most[row][l])
            most[row][l] = most[row][l + d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 3)
        few[row][0] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l <= 2 && row == 0)
        out[get_group_id(0) * 6 + 3 + l] = 777;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!(l > 0) && row + 1 == get_local_size(1)) {
        out[get_group_id(0) * 6] = a[row][0];
        out[get_group_id(0) * 6 + 1] = most[row][0];
        out[get_group_id(0) * 6 + 2] = few[row][0];
    }
}
