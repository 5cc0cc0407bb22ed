// The twin of misaligned.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg u8[16]=range
// CHECK-NOT: [check.

kernel void good(global char *io)
{
    *(global int *)(io + 4) = 1;
}
