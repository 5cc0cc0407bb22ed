// The twin of race.cl: nothing to find.
// RUN: heddle check %s good --global 64 --local 64 --arg i32[64]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    out[get_global_id(0)] = get_global_id(0);
}
