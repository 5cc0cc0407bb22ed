// The twin of uninitialised_global.cl: copies alone are fine.
// RUN: heddle check %s good --global 8 --arg i32[8]=undefined --arg i32[8]=undefined
// CHECK-NOT: [check.

kernel void good(global int *in, global int *out)
{
    size_t i = get_global_id(0);

    if (i > 3)
        in[i] = i;
    out[i] = i > 3 && in[i] > 5 ? in[i] : 7;
}
