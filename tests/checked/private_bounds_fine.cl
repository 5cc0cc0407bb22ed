// The twin of private_bounds.cl: nothing to find.
// RUN: heddle check %s good --global 4 --arg i32[4]=range:2
// CHECK-NOT: [check.

kernel void good(global int *io)
{
    int a[8] = {1, 2, 3, 4};
    size_t i = get_global_id(0);

    a[io[i]] = 5;
    io[i] = a[1] + a[io[i] & 3];
}
