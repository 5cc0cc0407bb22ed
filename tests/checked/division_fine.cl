// The twin of division.cl: nothing to find.
// RUN: heddle check %s good --global 4 --arg i32[4]=range
// CHECK-NOT: [check.

kernel void good(global int *io)
{
    int d = io[get_global_id(0)];

    io[get_global_id(0)] = d != 0 ? 12 / d : 0;
}
