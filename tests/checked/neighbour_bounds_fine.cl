// The twin of neighbour_bounds.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg i32[16] --arg i32[16] --arg i64=100000
// CHECK-NOT: [check.

kernel void good(global int *a, global int *b, long i)
{
    a[i % 16] = b[0];
}
