// The twin of atomic_undefined.cl: nothing to find.
// RUN: heddle check %s good --global 4 --arg i32[2]=zeros --arg i32=0
// CHECK-NOT: [check.

kernel void good(global int *io, int n)
{
    int add[2];

    add[n] = 3;
    atomic_add(&io[0], add[n]);
}
