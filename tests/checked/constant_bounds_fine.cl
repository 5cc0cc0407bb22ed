// The twin of constant_bounds.cl: nothing to find.
// RUN: heddle check %s good --global 4 --arg i32[4]=range --arg i32[8]
// CHECK-NOT: [check.

kernel void good(constant int *in, global int *out)
{
    size_t i = get_global_id(0);

    out[i] = in[i];
}
