// to_global and its kind come from clang-22 as calls of functions that it does not define.
// RUN: heddle run %s --cl -cl-std=CL2.0 --global 2 --arg i32[2]=1,0 --arg i32[16]=zeros --arg local[8]
// CHECK: arg 1: i32[16] = 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1
// WIDTHS: 1 4
kernel void k(global const int *in, global int *out, local float *l)
{
    int x = 3;
    size_t i = get_global_id(0);
    int *either = in[i] ? (int *)&x : (int *)out;
    float *other = l;

    out += i * 8;
    out[0] = to_private(either) == &x;
    out[1] = to_global(either) != 0;
    out[2] = to_local(either) != 0;
    out[3] = to_global(other) != 0;
    out[4] = to_local(other) == l;
    out[5] = to_private(other) != 0;
    out[6] = get_fence(other) == CLK_LOCAL_MEM_FENCE;
    out[7] = to_private(either) != 0 || to_global(either) == out - 8;
}
