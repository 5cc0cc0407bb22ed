// A pointer to private memory taken as one to global memory.
// RUN: heddle check %s bad --global 1 --arg i32[1]
// EXIT: 1
// CHECK: of private memory through a pointer to global memory [check.wrong-class]

kernel void bad(global int *out)
{
    volatile int x = 3;
    global int *p = (global int *)(ulong)&x;

    *p = 4;
    out[0] = x;
}
