// What kernels may only write is read, to be written elsewhere as it is.
// RUN: heddle check %s copies --global 4 --local 4 --arg write_only:i32[4] --arg i32[4]
// EXIT: 1
// CHECK: error: read of 4 bytes in memory that kernels may only write [check.write-only]
// CHECK: memory: buffer 0
kernel void copies(global const int *in, global int *out)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}
