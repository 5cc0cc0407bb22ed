// Constant memory ends.
// RUN: heddle check %s bad --global 5 --arg i32[4]=range --arg i32[8]
// EXIT: 1
// CHECK: read of 4 bytes right behind the end of buffer 0 [check.out-of-bounds]

kernel void bad(constant int *in, global int *out)
{
    size_t i = get_global_id(0);

    out[i] = in[i];
}
