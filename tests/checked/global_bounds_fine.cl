// The twin of global_bounds.cl: nothing to find.
// RUN: heddle check %s good --global 17 --arg i32[16]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    if (get_global_id(0) < 16)
        out[get_global_id(0)] = 1;
}
