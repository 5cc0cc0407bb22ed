// Integers of odd widths whose keyword stands in two lines.
// RUN: heddle run %s k --cl -cl-opt-disable --global 1 --arg i32[2]=70000,9001
// CHECK: arg 0: i32[2] = -52071, 9001
#define T _Bit\
Int(17)
kernel void k(global int *o)
{
    T x = o[0];

    x += o[1];
    o[0] = x;
}
