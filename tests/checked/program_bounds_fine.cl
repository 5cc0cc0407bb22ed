// The twin of program_bounds.cl: nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 8 --arg i32[8]=range
// CHECK-NOT: [check.

global int first[8], second[8];

kernel void good(global int *io)
{
    size_t i = get_global_id(0);
    global int *p = first, *q = second;

    p += io[i];
    q += io[i];
    p[0] = 1;
    q[0] = 2;
    io[i] = second[i];
}
