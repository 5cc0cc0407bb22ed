// A work-item has much private memory.
// RUN: heddle check %s fine --cl -O0 --global 1 --arg i32[2]=range
// CHECK-NOT: check.

kernel void fine(global int *io)
{
    int a[1 << 18];
    a[io[0]] = 1;
    io[0] = a[io[1] - 1];
}
