// The program promised that this is never reached.
// RUN: heddle check %s bad --global 1 --cl -O0 --arg i32[1] --arg i32=3
// EXIT: 1
// CHECK: [check.unreachable]
// CHECK: hint: does a function end without a return

kernel void bad(global int *out, int n)
{
    if (n == 3)
        __builtin_unreachable();
    out[0] = n;
}
