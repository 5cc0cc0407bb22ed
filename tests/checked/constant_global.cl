// A constant variable of the program is written through a cast.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 1 --arg i32[1]=1
// EXIT: 1
// CHECK: in memory that kernels may only read [check.read-only]

global const int table[2] = {3, 4};

kernel void bad(global int *io)
{
    ((global int *)table)[io[0]] = 1;
}
