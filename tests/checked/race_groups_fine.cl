// The twin of race_groups.cl: nothing to find.
// RUN: heddle check %s good --global 8 --local 4 --arg i32[4]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    atomic_max(&out[get_local_id(0)], (int)get_global_id(0));
}
