// What no lane asks for is not loaded: neither where all take the other address, nor where the one behind a branch is
// asked by no lane that gets there.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 40 --local 20 --arg u32[64]=range --arg u32[40]=zeros --arg u64=0 --arg u32=3
// RUN: heddle check %s --cl=-cl-std=CL3.0 --global 40 --local 20 --arg u32[64]=range --arg u32[40]=zeros --arg u64=0 --arg u32=3
// CHECK: arg 1: u32[40] = 6
kernel void k(global const uint *a, global uint *y, ulong nowhere, uint n)
{
    uint g = get_global_id(0), sum = 0;
    global const uint *none = (global const uint *)nowhere;
    global const uint *p = g >= 64 ? none : a, *q = (g & 1) != 0 ? none : a + 1;

    for (uint i = 0; i < n; i++)
        sum += p[i];
    if ((g & 1) == 0 && n != 0)
        sum += q[n + 1] - 2;
    y[g] = sum;
}
