// What enqueues a block stands in a file that the source includes.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --global 1 --arg i32[4]=zeros
// RUN: heddle check %s k --cl=-cl-std=CL3.0 --global 1 --arg i32[4]=zeros
// CHECK: arg 0: i32[4] = 7, 7, 7, 7
#include "enqueues.clh"

kernel void k(global int *out)
{
    fill(out);
}
