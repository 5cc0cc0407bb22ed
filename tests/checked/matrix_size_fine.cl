// The twin of matrix_size.cl: nothing to find.
// RUN: heddle check %s good --width 16 --global 16 --local 16 --arg u16[16]=range --arg u32[16]=zeros
// CHECK-NOT: [check.
kernel void good(global short *a, global int *out)
{
    out[get_global_id(0)] = intel_sub_group_i8_i8_matrix_mad_k32(a[get_global_id(0)], (int8)(1), 0);
}
