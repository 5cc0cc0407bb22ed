// Loads of which the last component is not used: clang-22 makes them shorter, which leaves vectors of seven components
// and, with halves, shuffles of vectors of another type.
// RUN: heddle run %s --global 2 --arg f16[16]=range --arg f16[8]=zeros --arg u8[16]=range --arg u8[8]=zeros
// CHECK: arg 1: f16[8] = 0, 2, 4, 6, 8, 10, 12, 14
// CHECK: arg 3: u8[8] = 0, 2, 4, 6, 8, 10, 12, 14
// WIDTHS: 4
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void even(global half8 *h, global half4 *even_h, global uchar8 *u, global uchar4 *even_u)
{
    size_t i = get_global_id(0);

    even_h[i] = h[i].even;
    even_u[i] = u[i].even;
}
