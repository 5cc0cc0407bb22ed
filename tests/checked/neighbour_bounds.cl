// The next buffer is not this one, even where it lies behind it.
// RUN: heddle check %s bad --global 1 --arg i32[16] --arg i32[16] --arg i64=100000
// EXIT: 1
// CHECK: behind the end of buffer 0 [check.out-of-bounds]

kernel void bad(global int *a, global int *b, long i)
{
    a[i] = b[0];
}
