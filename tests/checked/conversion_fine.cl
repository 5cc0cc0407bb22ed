// The twin of conversion.cl: nothing to find.
// RUN: heddle check %s good --global 2 --arg f32[2]=1,1e20 --arg i32[2]
// CHECK-NOT: [check.

kernel void good(global const float *in, global int *out)
{
    out[get_global_id(0)] = convert_int_sat(in[get_global_id(0)]);
}
