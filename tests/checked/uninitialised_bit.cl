// One bit of a number that the host gets has no value.
// RUN: heddle check %s bad --global 4 --arg i32[4]
// EXIT: 1
// CHECK: the host reads byte {{.*}} of buffer 0, where this kernel stored an undefined value [check.uninitialised]
// CHECK: variable: x

kernel void bad(global int *out)
{
    int x;

    out[get_global_id(0)] = (x | 0xff) & 0x100;
}
