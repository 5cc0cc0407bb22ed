// The same buffers used as they are meant: the twin of buffer_access.
// RUN: heddle check %s good --global 4 --local 4 --arg read_only:i32[4]=range --arg write_only:i32[4]
// EXIT: 0
// CHECK-NOT: check.
// CHECK: arg 1: i32[4] = 0, 2, 4, 6

kernel void good(global int *in, global int *out)
{
    size_t i = get_global_id(0);

    out[i] = 2 * in[i];
}
