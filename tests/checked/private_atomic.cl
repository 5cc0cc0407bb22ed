// An atomic operation on a variable of the work-item's own.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 1 --arg i32[1]
// EXIT: 1
// CHECK: error: an atomic operation on private memory [check.private-atomic]
// CHECK: hint: what only one work-item reaches needs no atomics

int add(volatile atomic_int *n)
{
    return atomic_fetch_add(n, 1);
}

kernel void bad(global int *out)
{
    int n = 3;

    out[0] = add((volatile atomic_int *)&n);
}
