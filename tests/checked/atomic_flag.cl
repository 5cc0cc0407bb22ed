// A flag that is changed by other means than flags are.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 1 --arg i32[2]
// EXIT: 1
// CHECK: error: a flag that something else has changed [check.atomic-flag]
// CHECK: hint: change flags by atomic_flag_test_and_set and atomic_flag_clear only

kernel void bad(global int *io)
{
    volatile global atomic_flag *flag = (volatile global atomic_flag *)io;

    atomic_flag_test_and_set(flag);
    io[0] = 7;
    io[1] = atomic_flag_test_and_set(flag);
}
