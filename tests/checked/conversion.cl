// A float that does not fit an int is converted and stored: a note, what comes of it is up to the implementation.
// RUN: heddle check %s bad --global 2 --arg f32[2]=1,1e20 --arg i32[2]
// CHECK: [check.conversion]

kernel void bad(global const float *in, global int *out)
{
    out[get_global_id(0)] = (int)in[get_global_id(0)];
}
