// What a buffer holds that nobody filled decides what happens.
// RUN: heddle check %s bad --global 8 --arg i32[8]=undefined --arg i32[8]=zeros
// EXIT: 1
// CHECK: a branch depends on a value that is undefined [check.uninitialised]
// CHECK: variable: in

kernel void bad(global const int *in, global int *out)
{
    size_t i = get_global_id(0);

    if (in[i] > 3)
        out[i] = 1;
}
