// Functions call each other, but none itself.
// RUN: heddle check %s fine --cl -O0 --global 1 --arg i32[2]=range
// CHECK-NOT: check.

int once(int n)
{
    return n + 1;
}
int twice(int n)
{
    return once(once(n));
}
kernel void fine(global int *io)
{
    io[0] = twice(io[1]);
}
