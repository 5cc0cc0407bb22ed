// The twin of local_argument.cl: nothing to find.
// RUN: heddle check %s good --global 8 --local 8 --arg i32[8] --arg local[32]
// CHECK-NOT: [check.

kernel void good(global int *out, local int *a)
{
    a[get_local_id(0)] = 1;
    out[get_local_id(0)] = a[get_local_id(0)];
}
