// A local argument has the size that the host gave.
// RUN: heddle check %s bad --global 8 --local 8 --arg i32[8] --arg local[16]
// EXIT: 1
// CHECK: local memory of 16 bytes [check.out-of-bounds]

kernel void bad(global int *out, local int *a)
{
    a[get_local_id(0)] = 1;
    out[get_local_id(0)] = a[get_local_id(0)];
}
