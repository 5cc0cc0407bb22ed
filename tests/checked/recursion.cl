// A function calls itself.
// RUN: not heddle check %s bad --cl -O0 --global 1 --arg i32[2]=range
// CHECK: the call closes a cycle: recursion is not allowed [call.recursion]

int down(int n)
{
    return n < 1 ? 0 : down(n - 1) + n;
}
kernel void bad(global int *io)
{
    io[0] = down(io[1]);
}
