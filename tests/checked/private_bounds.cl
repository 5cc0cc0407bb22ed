// A private array ends.
// RUN: heddle check %s bad --global 4 --arg i32[4]=range:2
// EXIT: 1
// CHECK: [check.{{out-of-bounds|index}}]

kernel void bad(global int *io)
{
    int a[4] = {1, 2, 3, 4};
    size_t i = get_global_id(0);

    a[io[i]] = 5;
    io[i] = a[1] + a[io[i] & 3];
}
