// An atomic adds what nobody gave a value.
// RUN: heddle check %s bad --global 4 --arg i32[2]=zeros --arg i32=0
// EXIT: 1
// CHECK: where this kernel stored an undefined value [check.uninitialised]

kernel void bad(global int *io, int n)
{
    int add[2];

    add[1 - n] = 3;
    atomic_add(&io[0], add[n]);
}
