// The twin of race_update.cl: nothing to find.
// RUN: heddle check %s good --global 8 --local 8 --arg u8[8]=3,3,3,3,5,5,5,5 --arg u32[8]=zeros
// CHECK: arg 1: u32[8] = 0, 0, 0, 4, 0, 4, 0, 0
// CHECK-NOT: [check.

kernel void good(global const uchar *in, global uint *bins)
{
    atomic_inc(&bins[in[get_global_id(0)]]);
}
