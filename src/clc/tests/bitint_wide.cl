// What is wider than SPIR-V's integers is refused, and the message says what to use.
// RUN: not heddle run %s k --global 1 --arg i32[1]=range
// RUN: not heddle run %s k --cl -cl-opt-disable --global 1 --arg i32[1]=range
// EXIT: 1
// CHECK: function k has a _BitInt of more than 64 bits, which cannot be compiled: use char, short, int or long there
// CHECK-NOT: no compiler
kernel void k(global int *o)
{
    _BitInt(100) x = o[0];

    x *= x;
    o[0] = (int)(x >> 70);
}
