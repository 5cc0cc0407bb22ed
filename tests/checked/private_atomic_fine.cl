// The twin of private_atomic.cl: nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 1 --arg i32[2]
// CHECK-NOT: [check.

int add(volatile atomic_int *n)
{
    return atomic_fetch_add(n, 1);
}

kernel void good(global int *out)
{
    out[0] = add((volatile global atomic_int *)&out[1]);
}
