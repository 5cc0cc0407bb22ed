// Buffers that the host made for reading or for writing only, used the other way.
// RUN: heddle check %s bad --global 4 --local 4 --arg read_only:i32[4]=range --arg write_only:i32[4]
// EXIT: 1
// CHECK: error: write of 4 bytes in memory that kernels may only read [check.read-only]
// CHECK: memory: buffer 0
// CHECK: [check.write-only]
// CHECK: memory: buffer 1

kernel void bad(global int *in, global int *out)
{
    size_t i = get_global_id(0);

    in[i]++;
    out[i] += in[i];
}
