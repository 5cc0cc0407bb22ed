// A store that is put off until its neighbour's stands before a load of its element, which does not go up past it.
// RUN: heddle run %s k --cl -cl-std=CL3.0 --global 32 --local 32 --arg u32[128]=zeros --arg u32=3
// RUN: heddle run %s k --cl -cl-opt-disable --cl -cl-std=CL3.0 --global 32 --local 32 --arg u32[128]=zeros --arg u32=3
// CHECK: arg 0: u32[128] = 3, 0, 3, 9, 3, 0, 3, 10, 3, 0, 3, 11, 3, 0, 3, 12,
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global uint *out, uint n)
{
    size_t i = get_global_id(0);
    uint own[4] = {(uint)i, 1, 0, 3};

    ((global float *)out)[4 * i + 3] = as_float(7 + (uint)i);
    for (uint j = 0; j < 5; j++) {
        out[4 * i + 2 + (j & 1)] += 1;
        own[1] += 0;
    }
    for (uint j = 0; j < n; j++)
        own[(i + j) & 3] ^= j;
    out[4 * i] += n + (own[n & 3] & 0) + sub_group_any(n > 100); /* lanes, not one after the other */
}
