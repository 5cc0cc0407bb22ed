// Minima and maxima that change some cells and leave others: signed and unsigned, 32 and 64 bits, cells that
// several work-items share, one cell for all of them, under a condition, and with the old value looked at.
// RUN: heddle run %s k --global 20 --local 10 --arg i32[20]=3,-10,17,1,8,-15,22,6,13,20,4,-11,18,2,9,-16,0,7,14,21 --arg i32[20]=5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5 --arg u32[5]=6,6,6,6,6 --arg i64[4]=0,0,0,0 --arg u64[2]=100,3 --arg i32[20]=zeros
// CHECK: arg 1: i32[20] = 3, -10, 5, 1, 5, -15, 5, 5, 5, 5, 4, -11, 5, 2, 5, -16, 0, 5, 5, 5
// CHECK: arg 2: u32[5] = 6, 22, 18, 14, 21
// CHECK: arg 3: i64[4] = 0, 0, 0, 0
// CHECK: arg 4: u64[2] = 0, 22
// CHECK: arg 5: i32[20] = 3, -10, 5, 1, 5, -15, 5, 5, 5, 5, 4, -11, 5, 2, 5, -16, 0, 5, 5, 5
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void k(global const int *x, global int *low, global uint *high, global long *wide, global ulong *one,
              global int *old)
{
    int i = get_global_id(0), v = x[i];

    atomic_min(&low[i], v);
    if (v >= 0 && i > 5) {
        atomic_max(&high[i % 5], (uint)v);
        atom_max(&one[1], (ulong)v);
    }
    atom_max(&wide[i & 3], -(long)abs(v) * 100000000000);
    if (i % 3 != 0)
        atom_min(&one[0], (ulong)(i - 1));
    old[i] = atomic_max(&low[i], 5);
    atomic_min(&low[i], v);
}
