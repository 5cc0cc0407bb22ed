// Matrices for sub-groups of 16 in one of 8.
// RUN: not heddle check %s bad --width 8 --global 8 --local 8 --arg u16[8]=range --arg u32[8]=zeros
// CHECK: matrices that are not for sub-groups of 8 [check.matrix]
// CHECK-NOT: [check.
kernel void bad(global short *a, global int *out)
{
    out[get_global_id(0)] = intel_sub_group_i8_i8_matrix_mad_k32(a[get_global_id(0)], (int8)(1), 0);
}
