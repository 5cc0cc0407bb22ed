// Work-items of one sub-group reach private, local and global memory through one generic pointer.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 32 --local 32 --arg i32[32]=range --arg i32[32]=zeros
// CHECK: arg 1: i32[32] = 0, 101, 202, 3, 104, 205, 6
// CHECK-NOT: [check.

kernel void good(global int *in, global int *out)
{
    local int there[32];
    int here = in[get_local_id(0)] + 200, i = get_local_id(0);
    int *p = i % 3 == 0 ? (int *)&in[i] : i % 3 == 1 ? (int *)&there[i] : &here;

    there[i] = i + 100;
    *p += 0;
    atomic_fetch_add((volatile atomic_int *)p, 0);
    out[i] = *p;
}
