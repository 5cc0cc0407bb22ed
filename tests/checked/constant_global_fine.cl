// The twin of constant_global.cl: nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 1 --arg i32[1]=1
// CHECK-NOT: [check.

global const int table[2] = {3, 4};
global int other[2] = {3, 4};

kernel void good(global int *io)
{
    other[io[0]] = table[io[0]];
}
