// Pieces from `begin` to `begin + each` are as long for all work-items: no lane leaves the loop before others.
// RUN: heddle run %s --global 16 --local 16 --arg u32[16]=zeros --arg u32[64]=range --arg i32=4 --dump lanes
// WIDTHS: 16
// ENGINES: compiled
// CHECK: kernel @"k"
// CHECK-NOT: ANY
// CHECK: RET
kernel void k(global uint *y, global const uint *x, int each)
{
    int begin = get_global_id(0) * each, end = begin + each;
    uint s = 0;

    for (int i = begin; i < end; i++)
        s = s * 3 + x[i];
    y[get_global_id(0)] = s;
}
