// The twin of atomic_flag.cl: nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 1 --arg i32[2]
// CHECK-NOT: [check.

kernel void good(global int *io)
{
    volatile global atomic_flag *flag = (volatile global atomic_flag *)io;

    atomic_flag_test_and_set(flag);
    atomic_flag_clear(flag);
    io[1] = atomic_flag_test_and_set(flag);
}
