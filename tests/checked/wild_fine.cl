// The twin of wild.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg u64[1]=305419896
// CHECK-NOT: [check.

kernel void good(global ulong *io)
{
    *(global int *)(ulong)io = 1;
}
