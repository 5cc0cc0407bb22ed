// Division by zero.
// RUN: heddle check %s bad --global 4 --arg i32[4]=range
// EXIT: 1
// CHECK: [check.division]

kernel void bad(global int *io)
{
    io[get_global_id(0)] = 12 / io[get_global_id(0)];
}
